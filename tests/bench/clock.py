"""How long things take: what is compared is taken in turn, so that all of it meets the same machine."""

import resource
import statistics
import subprocess  # noqa: TID251  # benchmarks drive real programs
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Action = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class Times:
    """What one action took, each time in milliseconds: by the clock, and of processor in processes it waited for."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.wall)

    @property
    def median_cpu(self) -> float:
        return statistics.median(self.cpu)


def in_turn(runs: int, actions: Mapping[str, Action]) -> dict[str, Times]:
    """Return what each action took, by its own words where it returns milliseconds; a round before does not count."""
    wall: dict[str, list[float]] = {name: [] for name in actions}
    cpu: dict[str, list[float]] = {name: [] for name in actions}
    for number in range(runs + 1):
        for name, action in actions.items():
            started, used = time.perf_counter(), _children()
            told = action()
            if number:
                wall[name].append(told if isinstance(told, float) else (time.perf_counter() - started) * 1000)
                cpu[name].append((_children() - used) * 1000)
    return {name: Times(wall=tuple(wall[name]), cpu=tuple(cpu[name])) for name in actions}


def process(
    command: Sequence[object], cwd: Path, given: Callable[[], bytes] = bytes, *, says: bool | None = None
) -> Action:
    """Return an action that runs a program to its end, with what `given` returns on its input.

    With `says` it fails unless the program printed something, or unless it did not.
    """

    def run() -> None:
        out = None if says is None else subprocess.PIPE
        done = subprocess.run(
            [str(part) for part in command], cwd=cwd, input=given(), stdout=out or subprocess.DEVNULL, check=True
        )
        assert says is None or bool(done.stdout) == says, f"{command} printed {done.stdout[:200]!r}"

    return run


def share(times: Sequence[float], of_hundred: float) -> float:
    """Return the time that so many of a hundred did not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * of_hundred / 100))]


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
