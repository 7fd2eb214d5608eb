"""What becomes of each draft, given the files of the store. Decides and writes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings import finding, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import candidate
from claudedo_findings.gather import draft as drafts_of
from claudedo_findings.gather.candidate import Held
from claudedo_findings.gather.draft import Draft


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What became of one draft, or of one text whose ground is gone.

    `status` is one of: created, updated (nobody had touched the candidate), unchanged, edited (by hand, left alone),
    changed (at the source; the text was edited or accepted, so it was left alone), accepted, rejected, duplicate,
    refused, withdrawn, flagged (accepted, but its ground is gone), broken (the file cannot be read).
    `slug` names the file, "" for a refused draft; `note` says more to people, "" when there is nothing to say.
    """

    status: str
    slug: str
    source: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One step of writing: the new bytes of a file, None to delete it."""

    kind: str
    name: str
    data: bytes | None


def plan(
    files: Iterable[Held], drafts: Sequence[Draft], gone: Mapping[str, str]
) -> tuple[tuple[Kept, ...], tuple[Change, ...]]:
    """Return what becomes of each draft, in their order, then of what lost its ground, then the broken candidates.

    `gone` maps source keys to reasons. The changes come in the order in which they must be written.
    """
    work = _Plan(files)
    room = rules.NOTE_LIMIT - len(finding.WITHDRAWN)
    reasons = {drafts_of.key(source): drafts_of.line(reason, room) for source, reason in gone.items()}
    kept = [
        work.keep(draft) if draft.source not in reasons else work.drop(draft, reasons[draft.source]) for draft in drafts
    ]
    told = {one.slug for one in kept}
    told_of = {draft.source for draft in drafts}
    left = ((source, reason) for source, reason in reasons.items() if source not in told_of)
    kept += [one for source, reason in left if (one := work.withdraw(source, reason))]
    kept += [
        Kept(status="broken", slug=held.name, source=held.source, note=f"it cannot be read in full ({held.complaint})")
        for held in work.files.values()
        if held.kind == "candidates" and held.complaint and held.name not in told
    ]
    return tuple(kept), tuple(work.changes)


class _Plan:
    """The files as they would be after the changes so far."""

    def __init__(self, files: Iterable[Held]) -> None:
        self.files = {(held.kind, held.name): held for held in files}
        self.changes: list[Change] = []
        self.by_key: dict[str, Held] = {}
        self.by_text: dict[str, Held] = {}
        for held in [held for held in self.files.values() if held.kind == "candidates" and self._is_left(held)]:
            self._remove(held)
        for held in sorted(self.files.values(), key=_rank, reverse=True):
            self._learn(held)

    def keep(self, draft: Draft) -> Kept:
        try:
            return self._keep(draft)
        except FindingsError as error:  # what may not be stored was refused before anything was changed
            return Kept(status="refused", slug="", source=draft.source, note=str(error))

    def _keep(self, draft: Draft) -> Kept:
        held = next(filter(None, map(self.by_key.get, draft.keys)), None) or self._broken_namesake(draft)
        if held is None:
            return self._new(draft)
        if held.kind == "traps":
            if held.drafted in ("", draft.digest) or held.digest == draft.digest:
                return _kept("accepted", draft, held)
            return _kept("changed", draft, held, f"it is a finding by now; {_new_text(draft)}")
        if held.withdrawn:
            return self._back(draft, held)
        if held.kind == "retired":
            return _kept("rejected", draft, held, held.reason)
        return self._again(draft, held)

    def drop(self, draft: Draft, reason: str) -> Kept:
        """Return what becomes of a draft that comes together with the word that its ground is gone."""
        refused = Kept(status="refused", slug="", source=draft.source, note=f"its ground is gone: {reason}")
        return self.withdraw(draft.source, reason) or refused

    def withdraw(self, source: str, reason: str) -> Kept | None:
        """Return what becomes of the text of a source whose ground is gone, None when there is none to speak of."""
        held = self.by_key.get(drafts_of.digest(source))
        if held is None or held.kind == "retired" or (held.kind == "candidates" and held.stored.conflict):
            return None  # of a candidate with a conflict it is told that it is broken
        if held.kind == "traps":
            note = f"its ground is gone ({reason}): 'retire' it, or leave it if it still holds"
            return Kept(status="flagged", slug=held.name, source=source, note=note)
        self._put("retired", held.name, finding.rekey(held.data, {"retired": finding.WITHDRAWN + reason}))
        self._remove(held)
        return Kept(status="withdrawn", slug=held.name, source=source, note=reason)

    def _new(self, draft: Draft) -> Kept:
        twin = self.by_text.get(draft.digest)
        if twin:
            return _kept("duplicate", draft, twin, f"{twin.kind}/{twin.name}.md says the same")
        name = self._free(draft.slug, "traps", "candidates", "retired")
        self._put("candidates", name, candidate.render(draft, name))
        note = "" if name == draft.slug else f"{draft.slug!r} is taken"
        return Kept(status="created", slug=name, source=draft.source, note=note)

    def _again(self, draft: Draft, held: Held) -> Kept:
        if not held.touched and not held.complaint:
            data = candidate.render(draft, held.name, held.data)
            if data == held.data:
                return _kept("unchanged", draft, held)
            self._put("candidates", held.name, data)
            return _kept("updated", draft, held)
        note = f"it cannot be read in full ({held.complaint})" if held.complaint else ""
        if held.drafted in ("", draft.digest) or held.digest == draft.digest:
            return _kept("edited", draft, held, note)
        return _kept("changed", draft, held, f"it was edited by hand; {_new_text(draft)}")

    def _back(self, draft: Draft, held: Held) -> Kept:
        """Bring a withdrawn candidate back, whose ground is there again: as a hand left it, else as drafted now."""
        if held.stored.conflict:
            return _kept("broken", draft, held, f"it cannot be read in full ({held.complaint})")
        name = self._free(held.name, "traps", "candidates")
        data = finding.rekey(held.data, {}, ("retired",))
        if not Held(kind="candidates", name=name, data=data).touched:
            data = candidate.render(draft, name, data)
        self._put("candidates", name, data)
        self._remove(held)
        return Kept(status="created", slug=name, source=draft.source, note=f"it had been {held.reason}")

    def _broken_namesake(self, draft: Draft) -> Held | None:
        """Return a candidate that may be this source's own: whose key cannot be read under the draft's own name."""
        held = self.files.get(("candidates", draft.slug))
        return held if held and held.complaint and not held.source else None

    def _is_left(self, held: Held) -> bool:
        """Return whether a run that was killed left this candidate behind: it is a finding, or rejected, word for word.

        Its own move had written the new file and not yet removed the old one.
        """
        others = (self.files.get((kind, held.name)) for kind in ("traps", "retired"))
        return any(
            other.source == held.source != "" and other.digest == held.digest for other in others if other is not None
        )

    def _free(self, slug: str, *kinds: str) -> str:
        """Return the slug, numbered when one of these folders has a file of that name."""
        return rules.free_slug(slug, lambda name: any((kind, name) in self.files for kind in kinds))

    def _put(self, kind: str, name: str, data: bytes) -> None:
        self.changes.append(Change(kind=kind, name=name, data=data))
        held = Held(kind=kind, name=name, data=data)
        self.files[kind, name] = held
        self._learn(held)

    def _remove(self, held: Held) -> None:
        self.changes.append(Change(kind=held.kind, name=held.name, data=None))
        del self.files[held.kind, held.name]

    def _learn(self, held: Held) -> None:
        self.by_key |= dict.fromkeys(held.keys, held)
        if not held.withdrawn:
            self.by_text |= dict.fromkeys({held.digest, held.drafted} - {""}, held)


def _rank(held: Held) -> tuple[int, str]:
    """Order the files of one source: a finding counts before its candidate, that before a rejection."""
    return ("traps", "candidates", "retired").index(held.kind) + held.withdrawn, held.name


def _kept(status: str, draft: Draft, held: Held, note: str = "") -> Kept:
    return Kept(status=status, slug=held.name, source=draft.source, note=note)


def _new_text(draft: Draft) -> str:
    return f"its source says now: {draft.title} (set 'drafted: {draft.digest}' in the file to be told no more)"
