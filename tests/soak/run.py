"""One run: everybody comes in, works for a while, and what they leave behind is judged."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from tests.conftest import git
from tests.serving import Service
from tests.soak import verdict
from tests.soak.curator import Curator
from tests.soak.gitter import Gitter
from tests.soak.human import Human
from tests.soak.measure import Held, grown, held, quantile
from tests.soak.reader import Reader
from tests.soak.room import GUARD, Room, furnish
from tests.soak.writers import Pipe, Web, end_service

PIPES, WEBS, CURATORS = 8, 2, 3
WARM = 0.4  # share of the run after which the servers must not grow any more


@dataclass(kw_only=True)
class Report:
    """What a run saw: its figures, and what is wrong ([] when all is well)."""

    seconds: float
    complaints: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    before: dict[str, Held] = field(default_factory=dict)
    after: dict[str, Held] = field(default_factory=dict)

    def text(self) -> str:
        """Return the report as people read it."""
        saves = len(self.latencies)
        lines = [
            f"{saves} saves acknowledged in {self.seconds:.0f} s, {saves / self.seconds:.1f} a second,"
            f" p50 {quantile(self.latencies, 0.5) * 1000:.0f} ms, p99 {quantile(self.latencies, 0.99) * 1000:.0f} ms",
            json.dumps(dict(sorted(self.counts.items())), indent=1),
        ]
        for name, then in self.before.items():
            now = self.after[name]
            lines.append(f"{name}: {then.memory} → {now.memory} KiB, {then.files} → {now.files} open files")
        lines.append("\n".join(self.complaints) or "nothing lost, nothing wrong")
        return "\n".join(lines)


def soak(base: Path, seconds: float) -> Report:
    """Let everybody work for some seconds in a room below `base`, in a sealed home, and judge what remains."""
    room = furnish(base)
    room.verb("save", "first", "--title", "The first trap is there", "--body", "It is.")
    with Service(cwd=base) as service:
        pipes = [Pipe(room, f"pipe-{number}", _place(room, number)) for number in range(PIPES)]
        writers: list[Pipe | Web] = [*pipes, *(Web(room, f"web-{number}", service) for number in range(WEBS))]
        pids = {pipe.name: pipe.pid for pipe in pipes} | {"service": service.process.pid}
        human, gitter, report = Human(room), Gitter(room), Report(seconds=seconds)
        deeds: list[tuple[Callable[[], object], float]] = [
            *((writer.write, 0.02) for writer in writers),
            *((Curator(room, f"curator-{number}").curate, 0.05) for number in range(CURATORS)),
            *((human.work, 0.1), (gitter.work, 0.2), (Reader(room).read, 0.01)),
        ]
        threads = [Thread(target=room.act, args=deed, daemon=True) for deed in deeds]
        for thread in threads:
            thread.start()
        room.open()
        time.sleep(seconds * WARM)
        room.quiet(lambda: report.before.update({name: held(pid) for name, pid in pids.items()}))
        time.sleep(seconds * (1 - WARM))
        room.over.set()
        for thread in threads:
            thread.join(GUARD)
        if any(thread.is_alive() for thread in threads):
            room.fault("somebody hangs")
        pipes[0].write()  # what hands left behind is healed by the next save
        report.after = {name: held(pid) for name, pid in pids.items()}
        ends = [writer.end() for writer in writers]
        report.complaints += [*filter(None, [*ends, end_service(service)]), *grown(report.before, report.after)]
    gitter.untrack()
    report.complaints += [*room.faults, *verdict.complaints(room, human.notes)]
    report.counts, report.latencies = dict(room.journal.counts), room.journal.seconds
    return report


def _place(room: Room, number: int) -> Path:
    """Return a working directory: every other server is started in a linked worktree that stays."""
    if number % 2 == 0:
        return room.repo
    path = room.trash.parent / f"session-{number}"
    git(room.repo, "worktree", "add", "-q", "--detach", str(path))
    return path
