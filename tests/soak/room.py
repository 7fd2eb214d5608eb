"""The room that all actors share: the store, the human's waste basket, the clock, and what went wrong."""

import random
import subprocess  # noqa: TID251  # the verbs are real processes
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from claudedo_findings import git, lists
from claudedo_findings.store import Store
from tests.conftest import make_repo
from tests.soak.journal import Journal

GUARD = 100.0  # seconds for one verb: ten times what it may wait for the lock

BUSY = "refused because the store was busy"


@dataclass
class Room:
    """One repository with its store, and everybody who works there."""

    repo: Path
    trash: Path
    journal: Journal
    faults: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    _open: threading.Event = field(default_factory=threading.Event)
    _busy: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def folder(self) -> Path:
        return self.repo / ".claudedo"

    @property
    def index(self) -> Path:
        return self.folder / "INDEX.md"

    def store(self) -> Store:
        """Return the store as the tool sees it now."""
        return Store(git.places(str(self.repo)))

    def slugs(self, kind: str = "traps") -> list[str]:
        """Return the slugs of one folder of the store."""
        return sorted(path.stem for path in (self.folder / kind).glob("*.md"))

    def pick(self, chance: random.Random, number: int = 1, kind: str = "traps") -> list[str]:
        """Return some slugs of the store, fewer when there are not enough."""
        there = self.slugs(kind)
        return chance.sample(there, min(number, len(there)))

    def fault(self, what: str) -> None:
        """Note what must not happen."""
        self.faults.append(what)
        self.journal.count("faults")

    def refused(self, what: str) -> None:
        """Note a refusal: a fault, unless the store was busy for ten seconds, which is a promise too."""
        if "the store is busy: waited 10 s" in what:
            self.journal.count(BUSY)
        else:
            self.fault(what)

    def open(self) -> None:
        """Let everybody work."""
        self._open.set()

    def quiet(self, measure: Callable[[], object]) -> None:
        """Let everybody finish what they do, measure, and go on."""
        self._open.clear()
        with self._changed:
            if not self._changed.wait_for(lambda: self._busy == 0, GUARD):
                self.fault("somebody hangs")
        measure()
        self._open.set()

    def act(self, deed: Callable[[], object], pause: float) -> None:
        """Do a deed again and again until the end; an error of the actor itself is a fault of the run."""
        while not self.over.is_set():
            self._open.wait()
            with self._changed:
                self._busy += 1
            try:
                deed()
            except Exception:  # noqa: BLE001  # whatever it is, the run is no proof with it
                self.fault(traceback.format_exc())
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()
            self.over.wait(pause)

    def verb(self, *arguments: str) -> tuple[int, str, str]:
        """Run a verb of the command line as a process; return its exit code and what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "claudedo_findings", *arguments, "--list", "app"],
            cwd=self.repo,
            capture_output=True,
            text=True,
            timeout=GUARD,
            check=False,
        )
        self.journal.count(f"{arguments[0]} exits with {done.returncode}")
        if done.returncode not in (0, 1, 2) or "Traceback" in done.stderr:
            self.fault(f"{arguments} exited with {done.returncode}: {done.stderr}")
        return done.returncode, done.stdout, done.stderr


def furnish(base: Path) -> Room:
    """Make the room: a repository that is the only list, `app`, and a waste basket on the same disk."""
    repo = make_repo(base / "repo")
    trash = base / "trash"
    trash.mkdir()
    lists.add("app", str(repo))
    return Room(repo=repo, trash=trash, journal=Journal(base / "journal.ndjson"))
