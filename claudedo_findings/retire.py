"""Taking a text out of the index or out of the review, for a stated reason: it lies in `retired/` from then on."""

import os
from collections.abc import Sequence

from claudedo_findings import files, finding, history, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store


def retire(store: Store, slugs: Sequence[str], why: str, *, overturned: bool = False) -> tuple[str, ...]:
    """Take findings out of the index for a reason and return the paths where they lie now.

    `overturned` marks that a retry succeeded. Raises FindingsError; for an unknown slug, or a conflict in a front
    matter, nothing was changed.
    """
    return _shelve_all(store, "traps", slugs, (finding.OVERTURNED if overturned else "") + _given(why))


def reject(store: Store, slugs: Sequence[str], why: str) -> tuple[str, ...]:
    """Take candidates out of the review for a reason and return the paths where they lie now.

    They keep their source's key, so that they are not drafted again. Raises FindingsError like `retire`.
    """
    return _shelve_all(store, "candidates", slugs, finding.REJECTED + _given(why))


def shelve(store: Store, kind: str, slug: str, reason: str) -> str:
    """Move a finding (`kind` traps) or a candidate to the retired ones, under the lock; return its path there.

    The new file first, then the index, the old file last: whatever is killed between them loses nothing, leaves
    no line that points to nothing, and can be done again.
    """
    path, target = store.finding_path(slug, kind), store.finding_path(slug, "retired")
    for touched in (path, target, store.history_folder(slug)):
        store.guard(touched)

    def once() -> None:
        old = files.read(path)
        if old is None:
            raise FindingsError(f"{path} was deleted just now: nothing is left to retire")
        finding.require_settled(finding.parse(finding.decode(old)), path)
        write(store, slug, finding.rekey(old, {"retired": reason}))
        if kind == "traps":
            store.heal(drop=slug)
        files.remove(path, files.Seen(old))

    files.insist(once)
    return target


def write(store: Store, slug: str, data: bytes) -> None:
    """Write a retired text, under the lock; one that lies there under that name makes room.

    It goes to the history, or, when it holds the key of another source, to the next free name beside it:
    what was rejected must be known as rejected.
    """
    target = store.finding_path(slug, "retired")
    files.make_folder(os.path.dirname(target), durable=True)
    files.sweep(os.path.dirname(target))
    old = files.read(target)
    if old is not None and old != data:
        source = _source(old)
        if source and source != _source(data):
            beside = store.finding_path(rules.free_slug(slug, store.slugs("retired").__contains__), "retired")
            files.write_atomic(beside, old)
        else:
            history.keep(store.history_folder(slug), old)
    files.write_atomic(target, data, seen=files.Seen(old))


def _shelve_all(store: Store, kind: str, slugs: Sequence[str], reason: str) -> tuple[str, ...]:
    reason = rules.note("retired", reason)
    wanted = tuple(dict.fromkeys(slugs))
    require(store, kind, wanted)
    with store.writing():
        require(store, kind, wanted)
        for slug in wanted:
            finding.require_settled(store.read(slug, kind) or finding.parse(""), store.finding_path(slug, kind))
        return tuple(shelve(store, kind, slug, reason) for slug in wanted)


def require(store: Store, kind: str, slugs: Sequence[str]) -> None:
    """Refuse slugs of which there is no finding (`kind` traps) or candidate; the error names those there are."""
    known = store.slugs(kind)
    missing = [slug for slug in slugs if slug not in known]
    if missing:
        word = {"traps": "finding", "candidates": "candidate"}[kind]
        near = [name for name in sorted(known) if any(slug in name or name in slug for slug in missing)]
        hint = f"; there is {', '.join(near)}" if near else ""
        raise FindingsError(f"there is no {word} {', '.join(map(repr, missing))} in {store.folder}{hint}")


def _given(why: str) -> str:
    if not why.strip():
        raise FindingsError("the reason is empty: say with --why what makes it no longer hold")
    return why


def _source(data: bytes) -> str:
    return finding.parse(finding.decode(data)).keys.get("source", "")
