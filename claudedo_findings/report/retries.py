"""Which of the host's runs needed a retry, and which transcript tells which of them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claudedo_findings.host import same_id
from claudedo_findings.host_runs import HostRun
from claudedo_findings.report.trail import Trail

_LOG = re.compile(r"(?P<task>[^/\\]+)_run(?P<number>\d{1,9})\.ndjson\Z")


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A run of the host, and whether a retry followed it; None while it goes on, for a retry, or when nobody knows."""

    run: HostRun
    retried: bool | None


def recorded(runs: Sequence[HostRun]) -> list[Recorded]:
    """Return the runs, each with whether it was followed by a retry of its task. They come in the order of start."""
    followed: set[int] = set()
    first: dict[str, int] = {}
    for at, run in enumerate(runs):
        task = same_id(run.task_id)
        if not run.is_retry:
            first[task] = at
        elif task in first:
            followed.add(first[task])
    return [Recorded(run=run, retried=_outcome(run, followed=at in followed)) for at, run in enumerate(runs)]


def matched(trails: Iterable[Trail], runs: Iterable[Recorded]) -> dict[str, Recorded]:
    """Return the record of each trail that has one, by the trail's key."""
    by_number: dict[tuple[str, int], Recorded] = {}
    by_session: dict[str, Recorded] = {}
    for one in runs:
        number, log = one.run.number, _LOG.search(one.run.log)
        if number is None and log:
            number = int(log["number"])
        if number is not None:
            by_number[same_id(one.run.task_id), number] = one
        if one.run.session_id:  # a retry resumes the session of the run before it, whose transcript begins
            by_session.setdefault(one.run.session_id, one)
    found = {}
    for trail in trails:
        one_of_log = by_number.get((same_id(trail.task), trail.number)) if trail.task else None
        record = one_of_log or (None if trail.task else by_session.get(trail.session))
        if record:
            found[trail.key] = record
    return found


def _outcome(run: HostRun, *, followed: bool) -> bool | None:
    if run.is_retry is not False:
        return None
    return True if followed else False if run.ended else None
