"""What files and lines say of the reverts that messages left open: are the files there, are the lines back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claudedo_findings import git, plural
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather.reverts import lines, read, reasons, verdict
from claudedo_findings.gather.reverts.lines import Lines, Undone
from claudedo_findings.gather.reverts.search import Search
from claudedo_findings.gather.reverts.verdict import Judged

_PATHS = 100  # files of one revert are compared
_LEFT = 0.1  # of the files: a revert of which less is left warns of nothing
_STILL_IT = 0.3  # of its lines: a file of the same name elsewhere that keeps less is another file


@dataclass(frozen=True, kw_only=True)
class _Part:
    """One file of a revert: where it lies now ("" when it is gone), and what was undone there, if this clone knows."""

    now: str
    undone: Undone | None
    lines: Lines


def weigh(
    judged: Sequence[Judged], search: Search, places: git.Places, *, thorough: bool
) -> tuple[list[Judged], list[str]]:
    """Return the reverts with a kind each, and what could not be looked at."""
    open_ = [item for item in judged if not item.kind]
    if not open_:
        return list(judged), []
    parts, told, notes = _parts(open_, search, places)
    open_ = [replace(item, reason=item.reason or told[item.revert.commit.sha]) for item in open_]
    settled = {item.revert.commit.sha: _settle(item, parts[item.revert.commit.sha], places.prefix) for item in open_}
    proposed = [item for item in settled.values() if item.kind in verdict.PROPOSED]
    if thorough and proposed:
        returned, more = _returned(proposed, parts, search, places)
        settled |= returned
        notes += more
    return [settled.get(item.revert.commit.sha, item) for item in judged], notes


def _parts(
    judged: Sequence[Judged], search: Search, places: git.Places
) -> tuple[dict[str, dict[str, _Part]], dict[str, str], list[str]]:
    """Return the files of each revert, the reasons that changesets give, and what could not be looked at."""
    tree = read.tree(places.toplevel)
    place = lines.places_in(tree)
    now = {path: place(path) for item in judged for path in item.paths}
    blobs = {
        blob for item in judged for path in item.paths[:_PATHS] for pair in search.blobs(item, path) for blob in pair
    }
    blobs |= {tree[now[path]] for item in judged for path in item.paths[:_PATHS] if now[path]}
    blobs |= {blob for item in judged if not item.reason for blob in search.changesets(item)}
    texts = {"": Lines()} | read.contents(blobs - {""}, places)
    lost = len(blobs - set(texts))
    notes = [f"{plural.count(lost, 'old file')} not in this clone: a silent return may be missed"] if lost else []
    parts: dict[str, dict[str, _Part]] = {}
    for item in judged:
        found = parts.setdefault(item.revert.commit.sha, {})
        for path in item.paths[:_PATHS]:
            pairs = search.blobs(item, path)
            known = len(pairs) > 1 and all(blob in texts for pair in pairs for blob in pair)
            sides = [(texts[before], texts[after]) for before, after in pairs] if known else []
            undone = lines.undone(sides[1:], sides[0]) if sides else None
            there = texts.get(tree.get(now[path], ""), Lines())
            moved_away = undone and now[path] != path and lines.kept(undone.after, there) < _STILL_IT
            found[path] = _Part(now="" if moved_away else now[path], undone=undone, lines=there)
    told = {item.revert.commit.sha: _changeset(search.changesets(item), texts) for item in judged if not item.reason}
    return parts, told, notes


def _changeset(blobs: Sequence[str], texts: Mapping[str, Lines]) -> str:
    decoded = ([line.decode("utf-8", "replace") for line in texts.get(blob, ())] for blob in blobs)
    return next(filter(None, map(reasons.of_changeset, decoded)), "")


def _settle(item: Judged, parts: Mapping[str, _Part], prefix: str) -> Judged:
    present = {part.now: part for part in parts.values() if part.now}
    if len(present) < len(parts) * _LEFT:
        gone = next(path for path, part in parts.items() if not part.now)
        return replace(item, kind=verdict.GONE, why=f"{gone} is no longer there")
    again = lines.share_back((part.undone, part.lines) for part in present.values() if part.undone)
    if again >= lines.SHARE:
        return replace(item, kind=verdict.BACK, why=f"{again:.0%} of its lines are there again")
    kind = verdict.DRAFT if item.reason else verdict.NO_REASON
    scope = verdict.scope(list(present), prefix)
    return replace(item, kind=kind, paths=tuple(present) or item.paths, scope=scope)


def _returned(
    judged: Sequence[Judged], parts: Mapping[str, Mapping[str, _Part]], search: Search, places: git.Places
) -> tuple[dict[str, Judged], list[str]]:
    """Return those whose lines one later patch of the same files brought again, and what could not be looked at."""
    if read.partial(places):
        return {}, ["this is a partial clone, which lacks later patches: --thorough saw no more than a plain run"]
    open_ = {item.revert.commit.sha: item for item in judged}
    files = {sha: {place for path, part in parts[sha].items() for place in (path, part.now) if place} for sha in open_}
    undone = {sha: lines.together(part.undone for part in parts[sha].values() if part.undone) for sha in open_}
    wanted = {line for whole in undone.values() for side in whole for line in side}
    oldest = max((item.revert.commit for item in judged), key=search.log.position)
    returned: dict[str, Judged] = {}
    try:
        for sha, patch in read.later(oldest, sorted(set().union(*files.values())), wanted, places.toplevel):
            commit = search.log.find(sha)
            if commit is None or sha in search.chains.reverts:
                continue
            at = search.log.position(commit)
            for key, item in open_.items():
                touched = [patch[path] for path in files[key] & patch.keys()]
                if not any(map(any, touched)) or at >= search.log.position(item.revert.commit):
                    continue
                share = lines.share_in_patch(undone[key], touched)
                if share >= lines.SHARE:
                    why = f"{commit.short} {verdict.IN_A_PATCH} {share:.0%} of its lines ({commit.subject})"
                    returned[key] = replace(item, kind=verdict.BACK, why=why)
    except FindingsError as error:  # an object is missing; what was seen until then holds
        return returned, [f"--thorough ended early, so a silent return may be missed: {error}"]
    return returned, []
