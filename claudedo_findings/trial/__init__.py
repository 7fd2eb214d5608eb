"""Does a recorded trap change what an agent does? A rerunnable experiment: plan, clean copies, verdicts, a table."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from claudedo_findings import files, folders, lock
from claudedo_findings.commands import Commands
from claudedo_findings.errors import FindingsError
from claudedo_findings.trial import ground, record, summary
from claudedo_findings.trial.cell import Runner
from claudedo_findings.trial.ground import Ground
from claudedo_findings.trial.plan import Plan
from claudedo_findings.trial.record import Cell, Record

EXAMPLE = os.path.join(os.path.dirname(__file__), "example")


@dataclass(frozen=True, kw_only=True)
class Result:
    """The table of each metric, the hash of what the answers rest on, and what a reader must know of changes."""

    ground: str
    tables: dict[str, list[summary.Row]]
    notes: list[str]


def run(plan: Plan, out: str, progress: Callable[[int, int], None]) -> Result:
    """Run what is not yet in the results folder `out`, `plan.parallel` runs at a time, and return the whole table.

    `progress` is told how many runs of how many are done. An interrupted trial goes on where it stood.
    Raises FindingsError when a command cannot be started, the folder holds another plan, or is in use.
    """
    if ground.holds(plan, out):
        raise FindingsError(
            f"the results folder {out} lies in the fixture, which it would change: give '--out' another"
        )
    files.make_folder(out)
    work = os.path.join(folders.state(), "trials", folders.key(os.path.realpath(out)))
    with lock.locked(os.path.join(out, "lock")):
        shutil.rmtree(work, ignore_errors=True)  # of a trial that was killed
        hashed = plan.ground_hash(ground.fixture_hash(plan))
        notes = Record(out).open(plan, hashed)
        ready = Ground(plan, work)
        try:
            for condition in plan.tried:
                ready.prepare(condition)
            os.makedirs(os.path.join(work, "runs"), exist_ok=True)
            commands = Commands()
            runner = Runner(plan=plan, ground=ready, record=Record(out), commands=commands)
            verdicts = _all(runner, list(record.cells(plan)), progress)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    tables = {
        name: summary.rows(
            ((cell.model, cell.condition, found[name]) for cell, found in verdicts.items()), plan.models, plan.tried
        )
        for name in plan.metrics
    }
    return Result(ground=hashed, tables=tables, notes=notes)


def write_example(folder: str) -> str:
    """Copy the example into a new folder and return the path of its plan.

    Raises FindingsError when something is there already, or it cannot be written.
    """
    if os.path.lexists(folder):
        raise FindingsError(f"{folder} is there already: name a folder that is not")
    try:
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise FindingsError(f"cannot write the example to {folder}: {files.reason(error)}") from error
    return os.path.join(folder, "trial.toml")


def _all(runner: Runner, todo: list[Cell], progress: Callable[[int, int], None]) -> dict[Cell, dict[str, str]]:
    pool = ThreadPoolExecutor(runner.plan.parallel)
    cells = {pool.submit(runner.run, cell): cell for cell in todo}
    verdicts = {}
    try:
        for future in as_completed(cells):
            verdicts[cells[future]] = future.result()
            progress(len(verdicts), len(todo))
    finally:
        # Otherwise threads would start the next run while the program ends, and wait for the last one.
        pool.shutdown(wait=False, cancel_futures=True)
        if len(verdicts) < len(todo):
            runner.commands.end()
        pool.shutdown(wait=True)
    return verdicts
