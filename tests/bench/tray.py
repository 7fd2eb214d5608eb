"""What the idle tray takes. Needs what its tests need."""

import os
import time
from pathlib import Path

from claudedo_findings import lists
from tests.bench import ground
from tests.bench.rows import Row
from tests.bench.stage import Stage
from tests.trayrig import Desktop, python_with_gtk, until

_LISTS, _FINDINGS, _SECONDS = 12, 300, 60.0


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    base = stage.base / "tray"
    base.mkdir()
    for number in range(_LISTS):
        repo = ground.repository(base / f"list{number}")
        ground.fill(repo, _FINDINGS)
        lists.add(f"list {number:02}", str(repo))
    with Desktop(python_with_gtk(base / "venv")) as desktop:
        panel = desktop.panel()
        tray = desktop.tray(interval="2")
        until(lambda: panel.item(f"list {_LISTS - 1:02} ({_FINDINGS}) ⚠"), "the menu is there", panel.menu)
        time.sleep(_SECONDS)  # with what is done once, and once in a while, behind it
        before, resident = _cpu_seconds(tray.pid), ground.status_kib(tray.pid, "VmRSS")
        time.sleep(_SECONDS)
        used = _cpu_seconds(tray.pid) - before
        grown = ground.status_kib(tray.pid, "VmRSS") - resident
    for number in range(_LISTS):
        lists.remove(f"list {number:02}")
    return [
        Row(
            what=f"idle tray, {_LISTS} lists × {_FINDINGS} findings, looking every 2 s",
            ours=used / _SECONDS * 100,
            unit="% of a core",
            note=f"git's processes included; {resident / 1024:.0f} MiB resident, {grown:+d} KiB in {_SECONDS:.0f} s",
        )
    ]


def _cpu_seconds(pid: int) -> float:
    """Return what a process and the children it waited for have used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
