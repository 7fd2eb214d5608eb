"""A made-up corpus whose truth is known: runs of three models that read the index or not, and the host's record.

Reading the index helps two of the models and harms the third.
"""

import sqlite3  # noqa: TID251  # plays the host
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from claudedo_findings import lists
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.lookalikes import Log

ERROR = "Exit code 1\nFrozenClockError: the clock stands at midnight UTC"
OTHER = "Exit code 2\nerror: no rule to make target 'wheel'"
GONE = "99999999-0000-4000-8000-000000000000"
LIST = "0f8fad5b-d9cb-469f-a165-70867728950e"


@dataclass(frozen=True, kw_only=True)
class Side:
    """The runs of one model that read the index, or that did not."""

    runs: int
    retried: int
    opened: int = 0
    failed_before: int = 0
    """Of those that opened the finding: those that met its error before."""
    failed_after: int = 0
    failed: int = 0
    """Of those that did not open it."""
    answers: int = 4
    """Of each run, the last of them after whatever it did."""


TRUTH = {
    "model-large": (
        Side(runs=40, retried=8, opened=20, failed_before=4, failed_after=3, failed=2, answers=6),
        Side(runs=30, retried=15, failed=9, answers=8),
    ),
    "model-mid": (
        Side(runs=35, retried=7, opened=10, failed_before=2, failed_after=1, answers=7),
        Side(runs=35, retried=14, failed=5, answers=9),
    ),
    "model-small": (
        Side(runs=30, retried=15, opened=25, failed_before=1, failed_after=12, answers=9),
        Side(runs=30, retried=6, failed=1, answers=5),
    ),
}
SLUG, NEVER = "frozen-clock", "two-caches"


def findings(root: Path) -> None:
    """Write the two findings of the corpus: one that is opened, one that never is."""
    store = Store(lists.root(lists.TodoList(name="app", working_dir=str(root))))
    for slug, title, body in (
        (SLUG, "FrozenClockError in the tests: the fixture holds the clock", "Use `freeze(tz=UTC)` instead."),
        (NEVER, "The second cache of the router is never emptied by a reload", "Restart the router instead."),
    ):
        store.save(Finding(slug=slug, title=title, body=body), keep_scope=True)


def tasks(models: Sequence[str] = tuple(TRUTH)) -> Iterator[tuple[str, str, bool, int, Side]]:
    """Yield the task id, model, whether it reads the index, number within its side, and side of each run."""
    for model in models:
        for reads, side in zip((True, False), TRUTH[model], strict=True):
            for number in range(side.runs):
                yield task(model, reads=reads, number=number), model, reads, number, side


def task(model: str, *, reads: bool, number: int) -> str:
    """Return the id of a task, which looks like the host's."""
    return f"{sorted(TRUTH).index(model) + 1:08x}-{int(reads):04x}-4000-8000-{number:012x}"


def write(home: Path, root: Path, models: Sequence[str] = tuple(TRUTH)) -> None:
    """Write the host's logs of all runs, of their retries too."""
    for at, (ident, model, reads, number, side) in enumerate(tasks(models)):
        log = Log(seed=f"{at:04d}", cwd=str(root), model=model, session=f"10600000-0000-4000-8000-{at:012d}")
        log.init()
        _work(log, root, number, side, reads=reads)
        while sum(b'"type": "assistant"' in line for line in log.lines) < side.answers:
            log.text("Done with this part.")
        log.end(num_turns=side.answers)
        log.write(home / ".todo-app" / "logs" / f"{ident}_run1.ndjson")
        if number < side.retried:
            again = Log(seed=f"9{at:03d}", cwd=str(root), model=model, session=log.session)
            again.init()
            again.bash("make", "fine")
            again.end(num_turns=1)
            again.write(home / ".todo-app" / "logs" / f"{ident}_run2.ndjson")


def record(database: Path, models: Sequence[str] = tuple(TRUTH)) -> None:
    """Write the host's record of all runs and their retries, and of one whose log is gone."""
    rows = []
    for ident, _, _, number, side in tasks(models):
        retried = number < side.retried
        rows += [(f"{ident}-1", ident, 1, 0, "done"), *([(f"{ident}-2", ident, 2, 1, "done")] if retried else [])]
    rows += [("gone-1", GONE, 1, 0, "done")]
    with sqlite3.connect(database) as connection:
        connection.executemany(
            "INSERT INTO task_runs (id, task_id, run_number, is_retry, finished_at) VALUES (?, ?, ?, ?, ?)", rows
        )
    connection.close()


def _work(log: Log, root: Path, number: int, side: Side, *, reads: bool) -> None:
    trap = f"{root}/.claudedo/traps/{SLUG}.md"
    if reads:
        log.call("Read", "1\t# Findings", file_path=f"{root}/.claudedo/INDEX.md")
    if number >= side.opened:
        log.bash("pytest", ERROR if number < side.opened + side.failed else OTHER, failed=True)
        return
    before = number < side.failed_before
    after = side.failed_before <= number < side.failed_before + side.failed_after
    if before:
        log.bash("pytest", ERROR, failed=True)
    log.call("Read", "1\t# FrozenClockError", file_path=trap)
    if after:
        log.bash("pytest", ERROR, failed=True)
