"""`python -m tests.bench`: one table of medians and ratios. Linux; takes some minutes; needs the package registry."""

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess  # noqa: TID251  # benchmarks drive real programs
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.bench import ground

Row = tuple[str, str, str]


def main() -> int:
    """Measure, print the table, and return 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON")
    parser.add_argument("--runs", type=int, default=20, help="counted runs of each figure")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="findings-bench-") as base:
        rows = _rows(Path(base), args.runs)
    width = max(len(row[0]) for row in rows)
    for what, figure, ratio in rows:
        print(f"{what.ljust(width)}  {figure.rjust(12)}  {ratio}")
    if args.json:
        Path(args.json).write_text(
            json.dumps([dict(zip(("what", "figure", "ratio"), row, strict=True)) for row in rows])
        )
    return 0


def _rows(base: Path, runs: int) -> list[Row]:
    print("installing the project and its peer, each in an environment of its own", file=sys.stderr)
    ours = ground.install(base / "ours", str(ground.ROOT))
    epitaph = ground.install(base / "epitaph", ground.EPITAPH)
    ground.seal(base / "home")
    stores = {}
    for size in (0, 50, 1_000, 10_000):
        stores[size] = ground.repository(base / f"r{size}")
        if size:
            ground.fill(stores[size], size)
            ground.fill_epitaph(epitaph, stores[size], size)
    rows = [("what (median)", "figure", "ratio")]
    rows += _start(ours, epitaph, stores, runs)
    rows += _saves(ours, base, stores, runs)
    rows += _reading(ours, epitaph, stores, runs)
    rows.append(_writers(ours, base))
    return rows


def _start(ours: Path, epitaph: Path, stores: dict[int, Path], runs: int) -> list[Row]:
    repo = stores[10_000]
    python = ours / "python"
    commands: dict[str, list[Path | str]] = {
        "first reply, ours, 10,000 findings": [ours / "claudedo-findings", "serve", "--here"],
        "first reply, minimal server on the SDK": [python, ground.ROOT / "tests" / "bench" / "sdk_server.py"],
        "first reply, epitaph 0.3.0": [epitaph / "python", "-m", "epitaph.mcp"],
    }
    bare = ground.process([python, "-c", "pass"], repo)
    figures: dict[str, list[float]] = {what: [] for what in commands}
    plain = []
    for _ in range(runs):
        plain += ground.medians_ms(1, bare)
        for what, command in commands.items():
            figures[what].append(_first_reply_ms(command, repo))
    floor = statistics.median(plain)
    rows = [("bare python -c pass", f"{floor:.1f} ms", "1.0 x bare")]
    for what, taken in figures.items():
        figure = statistics.median(taken)
        rows.append((what, f"{figure:.1f} ms", f"{figure / floor:.1f} x bare"))
    return rows


def _first_reply_ms(command: list[Path | str], repo: Path) -> float:
    started = time.perf_counter()
    client = ground.Client(command, repo)
    figure = (time.perf_counter() - started) * 1000
    client.end()  # what it still loads must not slow down the next one
    return figure


def _saves(ours: Path, base: Path, stores: dict[int, Path], runs: int) -> list[Row]:
    sizes = (50, 1_000, 10_000)
    clients = [ground.Client([ours / "claudedo-findings", "serve", "--here"], stores[size]) for size in sizes]
    saves = [partial(_save_next, client, (f"bench-{number:03}" for number in range(200))) for client in clients]
    floor, *figures = ground.medians_ms(runs, partial(_floor, base, stores[50]), *saves)
    rows = [("floor: 2 durable replaces + 1 git rev-parse", f"{floor:.1f} ms", "1.0 x floor")]
    for size, figure in zip(sizes, figures, strict=True):
        ratios = f"{figure / floor:.1f} x floor, {figure / figures[0]:.1f} x at 50"
        rows.append((f"save, {size:,} findings", f"{figure:.1f} ms", ratios))
    for client in clients:
        client.end()
    client = ground.Client([ours / "claudedo-findings", "serve", "--here"], stores[0])
    for number in range(100):
        client.save(f"memory-{number}")
    rows.append(("resident memory after 100 saves", f"{client.resident_mib():.1f} MiB", ""))
    client.end()
    return rows


def _save_next(client: ground.Client, slugs: Iterator[str]) -> None:
    client.save(next(slugs))


def _floor(base: Path, repo: Path) -> None:
    """Do what no save can do without, and nothing else: one git process and two durable replaces."""
    subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=repo, check=True, stdout=subprocess.DEVNULL)
    for number in range(2):
        temp, target = base / f"floor{number}.tmp", base / f"floor{number}"
        with temp.open("wb") as file:
            file.write(b"x" * 1_000)
            file.flush()
            os.fsync(file.fileno())
        temp.replace(target)
        folder = os.open(base, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _reading(ours: Path, epitaph: Path, stores: dict[int, Path], runs: int) -> list[Row]:
    bare, pointer = ground.medians_ms(
        runs,
        ground.process([ours / "python", "-c", "pass"], stores[50]),
        ground.process([ours / "claudedo-findings", "pointer", "--here"], stores[50]),
    )
    mine, peer = ground.medians_ms(
        max(5, runs // 2),
        ground.process([ours / "claudedo-findings", "list", "--here"], stores[10_000]),
        ground.process([epitaph / "epitaph", "list"], stores[10_000]),
    )
    question = "Module 77 looks idempotent, call 539 twice"
    mine_check, peer_check = ground.medians_ms(
        max(5, runs // 2),
        ground.process([ours / "claudedo-findings", "check", "--here", question], stores[10_000]),
        ground.process([epitaph / "epitaph", "check", question], stores[10_000]),
    )
    return [
        ("pointer", f"{pointer:.1f} ms", f"{pointer / bare:.1f} x bare"),
        ("list, ours, 10,000 findings", f"{mine:.0f} ms", f"{mine / peer:.2f} x epitaph"),
        ("list, epitaph 0.3.0, 10,000 records", f"{peer:.0f} ms", "1.0 x epitaph"),
        ("check, ours, 10,000 findings", f"{mine_check:.0f} ms", f"{mine_check / peer_check:.2f} x epitaph"),
        ("check, epitaph 0.3.0, 10,000 records", f"{peer_check:.0f} ms", "1.0 x epitaph"),
    ]


def _writers(ours: Path, base: Path) -> Row:
    repo = ground.repository(base / "writers")

    def write(writer: int) -> list[float]:
        client = ground.Client([ours / "claudedo-findings", "serve", "--here"], repo)
        times = []
        for number in range(50):
            started = time.perf_counter()
            client.save(f"w{writer}-{number}")
            times.append((time.perf_counter() - started) * 1000)
        client.end()
        return times

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        times = sorted(time for of_writer in pool.map(write, range(8)) for time in of_writer)
    kept = len(list((repo / ".claudedo" / "traps").glob("*.md")))
    lines = (repo / ".claudedo" / "INDEX.md").read_text(encoding="utf-8").count("](traps/")
    p99 = times[int(len(times) * 0.99)]
    return ("8 processes x 50 saves", f"{p99:.0f} ms p99", f"{kept} files and {lines} lines of 400")


if __name__ == "__main__":
    sys.exit(main())
