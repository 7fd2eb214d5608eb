"""`python -m tests.bench.tray`: what the idle tray takes, with 12 lists of 300 findings. Needs what its tests need."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from claudedo_findings import lists
from tests.bench import ground
from tests.trayrig import Desktop, python_with_gtk, until

LISTS, FINDINGS = 12, 300


def main() -> int:
    """Measure, print the figures, and return 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tray", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long is measured, after as long a warm-up")
    seconds: float = parser.parse_args().seconds
    with tempfile.TemporaryDirectory(prefix="findings-bench-") as folder:
        base = Path(folder)
        ground.seal(base / "home")
        for number in range(LISTS):
            repo = ground.repository(base / f"list{number}")
            ground.fill(repo, FINDINGS)
            lists.add(f"list {number:02}", str(repo))
        with Desktop(python_with_gtk(base / "venv")) as desktop:
            panel = desktop.panel()
            tray = desktop.tray(interval="2")
            until(lambda: panel.item(f"list {LISTS - 1:02} ({FINDINGS})"), "the menu is there", panel.menu)
            time.sleep(seconds)  # with what is done once, and once in a while, behind it
            before, resident = cpu_seconds(tray.pid), resident_kib(tray.pid)
            time.sleep(seconds)
            used, grown = cpu_seconds(tray.pid) - before, resident_kib(tray.pid) - resident
    print(f"{LISTS} lists x {FINDINGS} findings, idle for {seconds:.0f} s, looking every 2 s")
    print(f"CPU     {used:6.2f} s   {used / seconds * 100:.2f} % of one core, git's processes included")
    print(f"memory  {resident / 1024:6.1f} MiB resident, {grown:+d} KiB over the time")
    return 0


def cpu_seconds(pid: int) -> float:
    """Return what a process and the children it waited for have used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def resident_kib(pid: int) -> int:
    """Return a process's resident memory in KiB."""
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2].split()[0])


if __name__ == "__main__":
    sys.exit(main())
