"""`detect`: approaches that were tried and taken back, found in the history of HEAD."""

from collections.abc import Callable
from dataclasses import dataclass

from claudedo_findings import git
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import reverts_draft, reverts_evidence, reverts_read, reverts_story, reverts_verdict
from claudedo_findings.gather.draft import Draft
from claudedo_findings.gather.reverts_search import Search
from claudedo_findings.gather.reverts_verdict import Judged

_GROUND_GONE = (reverts_verdict.BACK, reverts_verdict.GONE)

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Detection:
    """Every revert of a history with what became of it, from new to old, and what could not be looked at."""

    judged: tuple[Judged, ...]
    commits: int
    notes: tuple[str, ...] = ()

    def drafts(self, *, reason_missing: bool = False) -> list[Draft]:
        """Return what to propose: the reverts that say why, with `reason_missing` those that do not too."""
        kinds = (reverts_verdict.DRAFT, reverts_verdict.NO_REASON) if reason_missing else (reverts_verdict.DRAFT,)
        return [reverts_draft.draft(item) for item in self.judged if item.kind in kinds]

    def gone(self) -> dict[str, str]:
        """Return the keys of the reverts that no longer warn of anything, each with why."""
        return {reverts_draft.key(item.revert.commit): item.why for item in self.judged if item.kind in _GROUND_GONE}


def detect(places: git.Places, *, thorough: bool = False, progress: Progress = lambda _: None) -> Detection:
    """Return the reverts in the history of the main checkout's HEAD; those outside the store's folder are skipped.

    One git process reads the whole history, at most four more read what its reverts changed. With `thorough` one
    of these reads every later patch of the files in question. Raises FindingsError where there is no git.
    """
    if not places.common_dir:
        raise FindingsError(f"{places.root} is not inside a git checkout, so there are no reverts to look for")
    if not places.head:
        return Detection(judged=(), commits=0, notes=("there are no commits yet",))
    notes = []
    if reverts_read.shallow(places):
        notes.append("this clone is shallow, so what lies beyond its border is not seen: 'git fetch --unshallow'")
    progress("reading the history")
    history = reverts_read.log(places.toplevel)
    progress("comparing the reverts")
    search = Search(history, places)
    judged = [search.judge(revert) for revert in search.chains.reverts.values()]
    if thorough:
        progress("reading later patches")
    judged, more = reverts_evidence.weigh(judged, search, places, thorough=thorough)
    told = reverts_story.told_once(judged, history)
    return Detection(judged=tuple(told), commits=len(history.commits), notes=(*notes, *more))
