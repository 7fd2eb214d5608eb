"""What a process holds: resident memory and open files, from Linux's /proc."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MEMORY = 4 * 1024  # KiB that a server may grow after its warm-up: the arena of an allocator, not a leak


@dataclass(frozen=True, kw_only=True)
class Held:
    """Resident memory in KiB and the number of open files of a process that has nothing to do."""

    memory: int
    files: int


def held(pid: int) -> Held:
    """Return what a process holds now."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return Held(memory=int(found[1]), files=len(os.listdir(f"/proc/{pid}/fd")))


def grown(before: Mapping[str, Held], after: Mapping[str, Held]) -> list[str]:
    """Return which processes hold more than after their warm-up."""
    found = []
    for name, then in before.items():
        now = after[name]
        if now.files > then.files:
            found.append(f"{name} holds {now.files} files open, after its warm-up {then.files}")
        if now.memory > then.memory + MEMORY:
            found.append(f"{name} holds {now.memory} KiB, after its warm-up {then.memory}")
    return found


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
