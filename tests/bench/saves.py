"""A save in stores of three sizes, how its time grows with them, and what memory many saves take."""

import math
import os
import subprocess  # noqa: TID251  # benchmarks drive real programs
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path

from tests.bench.client import Client
from tests.bench.clock import Action, in_turn
from tests.bench.rows import Row, most, number
from tests.bench.stage import Stage

SIZES = (50, 1_000, 10_000)
_OVER_FLOOR, _OVER_SMALL, _RESIDENT_MIB = 2.0, 5.0, 30.0


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    stores = {size: stage.store(size, "saves") for size in SIZES}
    ours = {size: Client([stage.ours, "serve", "--here"], repo) for size, repo in stores.items()}
    memory = {size: Client(stage.memory, repo, stage.remembering(repo)) for size, repo in stores.items()}
    numbers = count(500_000)
    actions: dict[str, Action] = {"floor": partial(_floor, stage.base, stores[50])}
    for size in SIZES:
        actions[f"ours {size}"] = partial(_next, ours[size].save, numbers)
        actions[f"memory {size}"] = partial(_next, memory[size].remember, numbers)
    times = {name: each.median for name, each in in_turn(stage.runs, actions).items()}
    for client in (*ours.values(), *memory.values()):
        client.end()
    mine = {size: times[f"ours {size}"] for size in SIZES}
    return [*_rows(times, mine), _memory(stage)]


def _next(save: Callable[[int], None], numbers: Iterator[int]) -> None:
    save(next(numbers))


def _rows(times: Mapping[str, float], mine: Mapping[int, float]) -> list[Row]:
    budgets = {
        50: [most("≤ 2 × floor", mine[50] / times["floor"], _OVER_FLOOR)],
        1_000: [most("≤ 5 × the one at 50", mine[1_000] / mine[50], _OVER_SMALL)],
        10_000: [most("at most linear: exponent ≤ 1", exponent(mine), 1.0)],
    }
    beside = {"floor": times["floor"]}
    return [
        Row(
            what=f"save, {size:,} findings",
            ours=mine[size],
            at=size,
            beside={**beside, "server-memory": times[f"memory {size}"]},
            note=f"from 1,000 on {number(exponent({n: mine[n] for n in SIZES[1:]}))}" if size == SIZES[-1] else "",
            budgets=budgets[size],
        )
        for size in SIZES
    ]


def exponent(times: Mapping[int, float]) -> float:
    """Return the power of the size with which the time grows: the slope of the straight line through the logarithms."""
    points = [(math.log(size), math.log(time)) for size, time in times.items()]
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    slope: float = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return slope


def _floor(base: Path, repo: Path) -> None:
    """Do what no save can do without, and nothing else: one git process and two durable replaces."""
    subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=repo, check=True, stdout=subprocess.DEVNULL)
    for name in ("finding", "index"):
        temp, target = base / f"{name}.tmp", base / name
        with temp.open("wb") as file:
            file.write(b"x" * 1_000)
            file.flush()
            os.fsync(file.fileno())
        temp.replace(target)
        folder = os.open(base, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _memory(stage: Stage) -> Row:
    repo = stage.store(0, "memory")
    ours = Client([stage.ours, "serve", "--here"], repo)
    peer = Client(stage.memory, repo, stage.remembering(repo))
    resident = []
    for number_of_saves in (100, 900):
        for each in range(number_of_saves):
            ours.save(each + number_of_saves)
            peer.remember(each + number_of_saves)
        resident.append((ours.resident_mib(), peer.resident_mib()))
    ours.end()
    peer.end()
    return Row(
        what="resident memory after 1,000 saves",
        ours=resident[1][0],
        unit="MiB",
        beside={"server-memory": resident[1][1]},
        note=f"after 100 saves ours {number(resident[0][0])}",
        budgets=[most("after 100 saves ≤ 30 MiB", resident[0][0], _RESIDENT_MIB)],
    )
