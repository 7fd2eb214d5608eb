"""The trails of all runs, one for each, however many transcripts tell of it."""

from collections.abc import Collection, Iterable

from claudedo_findings import runs
from claudedo_findings.report.follow import follow
from claudedo_findings.report.trail import Context, Fitting, Trail
from claudedo_findings.transcripts.model import Run


def of(every: Iterable[Run], fitting: Fitting, slugs: Collection[str]) -> list[Trail]:
    """Return the trails of runs, in the order of their start; holds no run longer than its turn."""
    trails: dict[str, Trail] = {}
    by_session: dict[str, Trail] = {}
    contexts: dict[str, dict[str, Context]] = {}
    for run in every:
        key = _key(run)
        trail = trails.get(key)
        if trail is None and not run.task and run.inherited:
            trail = by_session.get(run.session)  # what the session's file has beyond the host's log of it
        if trail is None:
            trail = Trail(key=key, name=runs.name(run), task=run.task, number=run.number, session=run.session)
            trails[key] = trail
        if run.session:
            by_session.setdefault(run.session, trail)
        follow(trail, run, contexts.setdefault(run.session or key, {}), fitting, slugs)
    return sorted(trails.values(), key=lambda trail: (trail.started, trail.key))


def _key(run: Run) -> str:
    """Return what the parts of a run share: a log that was begun anew is the same run of the host."""
    if run.task:
        return f"task {run.task} {run.number}"
    return f"{run.kind} {run.session}" if run.session else f"{run.path}:{run.part}"
