"""`python -m tests.bench`: one table of medians and ratios. Linux; needs the package registries once."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.bench import agents, ground, many, plot, programs, reading, reports, saves, start, tray, upkeep
from tests.bench import rows as table
from tests.bench.rows import Row
from tests.bench.stage import Stage

FAMILIES: Mapping[str, Callable[[Stage], list[Row]]] = {
    "start": start.rows,
    "saves": saves.rows,
    "many": many.rows,
    "agents": agents.rows,
    "reading": reading.rows,
    "upkeep": upkeep.rows,
    "transcripts": reports.rows,
    "tray": tray.rows,
}


def main() -> int:
    """Measure, print the table as Markdown, and return 1 when a budget is not met."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="counted runs of each figure (20)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the plot")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=FAMILIES, help=", ".join(FAMILIES))
    parser.add_argument("--megabytes", type=int, default=1_000, metavar="N", help="of transcripts (1000)")
    args = parser.parse_args()
    found: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="findings-bench-") as folder:
        base = Path(folder)
        say("installing the project, and the peers unless they are there")
        epitaph, memory, ours = programs.epitaph(), programs.memory(), programs.ours(base / "ours")
        ground.seal(base / "home")
        stage = Stage(base, args.runs, args.megabytes, ours, epitaph, tuple(memory))
        print(table.HEAD, flush=True)
        for name in args.only or FAMILIES:
            started = time.monotonic()
            rows = FAMILIES[name](stage)
            print("\n".join(map(table.line, rows)), flush=True)
            found += rows
            say(f"{name}: {time.monotonic() - started:.0f} s, load {os.getloadavg()[0]:.1f}")
    if args.json:
        machine = {"cores": os.cpu_count(), "python": sys.version.split()[0], "load": os.getloadavg()[2]}
        args.json.write_text(json.dumps({"machine": machine, "rows": table.as_json(found)}, indent=1) + "\n")
    if args.svg:
        args.svg.write_text(plot.svg(found), encoding="utf-8")
    return 0 if all(budget.met for row in found for budget in row.budgets) else 1


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
