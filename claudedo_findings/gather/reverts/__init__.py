"""`detect`: approaches that were tried and taken back, found in the history of HEAD."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from claudedo_findings import finding, git
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import candidates
from claudedo_findings.gather.draft import Draft
from claudedo_findings.gather.plan import Kept
from claudedo_findings.gather.reverts import draft, evidence, read, story, verdict
from claudedo_findings.gather.reverts.search import Search
from claudedo_findings.gather.reverts.verdict import Judged
from claudedo_findings.store import Store

_GROUND_GONE = (verdict.BACK, verdict.GONE)

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Detection:
    """Every revert of a history with what became of it, from new to old, and what could not be looked at."""

    judged: tuple[Judged, ...]
    commits: int
    thorough: bool = False
    notes: tuple[str, ...] = ()

    def proposed(self, *, reason_missing: bool = False) -> list[Judged]:
        """Return what to draft: the reverts that say why, with `reason_missing` those that do not too."""
        kinds = verdict.PROPOSED if reason_missing else (verdict.DRAFT,)
        return [item for item in self.judged if item.kind in kinds]

    def gone(self) -> dict[str, str]:
        """Return the keys of the reverts that no longer warn of anything, each with why."""
        gone = [item for item in self.judged if item.kind in _GROUND_GONE]
        return {key: item.why for item in gone for key in draft.keys(item)}


def remembered(store: Store, found: Detection) -> Detection:
    """Return a plain run's answer with what a thorough run saw before: it does not bring back what that withdrew."""
    if found.thorough:
        return found
    retired = (held for held in candidates.held(store, "retired") if not held.unreadable and held.withdrawn)
    reasons = {held.source: held.reason for held in retired if verdict.IN_A_PATCH in held.reason}
    return replace(found, judged=tuple(_recalled(item, reasons) for item in found.judged))


def _recalled(item: Judged, reasons: Mapping[str, str]) -> Judged:
    reason = reasons.get(draft.keys(item)[0], "")
    if not reason or item.kind not in verdict.PROPOSED:
        return item
    return replace(item, kind=verdict.BACK, why=reason.removeprefix(finding.WITHDRAWN))


def keep(store: Store, found: Detection, *, reason_missing: bool = False, save: bool = False) -> tuple[Kept, ...]:
    """Return what becomes of each draft as a candidate, then of candidates and findings whose approach came back.

    Writes with `save` alone.
    """
    drafts = _drafts(store, found, reason_missing=reason_missing)
    kept = (candidates.keep if save else candidates.preview)(store, drafts, gone=found.gone())
    # A return is told under both keys of its revert; one of them is enough for people.
    by_sha = {one.slug for one in kept if not one.source.startswith(draft.LOOK_ALIKE)}
    return tuple(one for one in kept if one.slug not in by_sha or not one.source.startswith(draft.LOOK_ALIKE))


def _drafts(store: Store, found: Detection, *, reason_missing: bool) -> list[Draft]:
    """Return what to draft; a revert without a reason that was drafted once stays true to its source."""
    drafts = [(item.kind, draft.of(item)) for item in found.proposed(reason_missing=True)]
    if reason_missing:
        return [one for _, one in drafts]
    kinds = ("traps", "candidates", "retired")
    known = {key for kind in kinds for held in candidates.held(store, kind) if not held.unreadable for key in held.keys}
    return [one for kind, one in drafts if kind == verdict.DRAFT or known.intersection(one.keys)]


def detect(places: git.Places, *, thorough: bool = False, progress: Progress = lambda _: None) -> Detection:
    """Return the reverts in the history of the main checkout's HEAD; those outside the store's folder are skipped.

    One git process reads the whole history, at most four more read what its reverts changed. With `thorough` one
    of these reads every later patch of the files in question. Raises FindingsError where there is no git.
    """
    if not places.common_dir:
        raise FindingsError(f"{places.root} is not inside a git checkout, so there are no reverts to look for")
    if not places.head:
        return Detection(judged=(), commits=0, thorough=thorough, notes=("there are no commits yet",))
    notes = []
    if read.shallow(places):
        notes.append("this clone is shallow, so what lies beyond its border is not seen: 'git fetch --unshallow'")
    progress("reading the history")
    history = read.log(places.toplevel)
    progress("comparing the reverts")
    search = Search(history, places)
    judged = [search.judge(revert) for revert in search.chains.reverts.values()]
    if thorough:
        progress("reading later patches")
    judged, more = evidence.weigh(judged, search, places, thorough=thorough)
    told = story.told_once(judged, history)
    return Detection(judged=tuple(told), commits=len(history.commits), thorough=thorough, notes=(*notes, *more))
