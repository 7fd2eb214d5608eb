"""Which runs of the host needed a retry, and which transcript tells which of them."""

import pytest

from claudedo_findings.host_runs import HostRun
from claudedo_findings.report import retries
from claudedo_findings.report.trail import Trail

TASK = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
OTHER = "8d9e6679-7425-40de-944b-e07fc1f90ae7"


def run(number: int, *, retry: bool | None = False, ended: bool = True, task: str = TASK) -> HostRun:
    return HostRun(task_id=task, number=number, is_retry=retry, ended=ended)


@pytest.mark.parametrize(
    ("runs", "retried"),
    [
        ([run(1)], [False]),
        ([run(1), run(2, retry=True)], [True, None]),
        ([run(1), run(2, retry=True), run(3)], [True, None, False]),
        ([run(1), run(2), run(3, retry=True)], [False, True, None]),
        ([run(1), run(2, retry=True, task=OTHER)], [False, None]),
        ([run(1, ended=False)], [None]),  # it goes on: nobody knows yet
        ([run(1, ended=False), run(2, retry=True)], [True, None]),
        ([run(1, retry=None)], [None]),
        ([run(1, retry=None), run(2, retry=True)], [None, None]),
    ],
)
def test_a_retry_belongs_to_the_run_before_it(runs: list[HostRun], retried: list[bool | None]) -> None:
    assert [one.retried for one in retries.recorded(runs)] == retried


@pytest.mark.parametrize(
    ("trail", "record", "found"),
    [
        (Trail(key="a", task=TASK, number=2), HostRun(task_id=TASK.upper(), number=2), True),
        (Trail(key="a", task=TASK.replace("-", ""), number=2), HostRun(task_id=TASK, number=2), True),
        (Trail(key="a", task=TASK, number=2), HostRun(task_id=TASK, number=1), False),
        (Trail(key="a", task=TASK, number=2), HostRun(task_id=TASK, log=rf"C:\logs\{TASK}_run2.ndjson"), True),
        (Trail(key="a", task=TASK, number=2), HostRun(task_id=TASK, log=f"{TASK}_run{'9' * 5_000}.ndjson"), False),
        (Trail(key="a", session="s1"), HostRun(task_id=TASK, number=1, session_id="s1"), True),
        (Trail(key="a", session="s2"), HostRun(task_id=TASK, number=1, session_id="s1"), False),
        (Trail(key="a"), HostRun(task_id=TASK, number=1), False),
    ],
)
def test_a_transcript_is_matched_by_its_name_or_its_session(trail: Trail, record: HostRun, *, found: bool) -> None:
    assert bool(retries.matched([trail], retries.recorded([record]))) is found


def test_of_the_runs_of_one_session_its_transcript_tells_the_first() -> None:
    first = HostRun(task_id=TASK, number=1, session_id="s", is_retry=False)
    second = HostRun(task_id=TASK, number=2, session_id="s", is_retry=True)
    record = retries.matched([Trail(key="a", session="s")], retries.recorded([first, second]))["a"]
    assert (record.run, record.retried) == (first, True)
