"""Errors of many runs brought together: which ones come back, how often, and what got past them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from claudedo_findings.gather.hits import DENIED, SLIP, TEST, WALL, Error, Hit
from claudedo_findings.gather.struggles import Loop

_KINDS = {WALL: 0, TEST: 1, SLIP: 2, DENIED: 3}


@dataclass(frozen=True, kw_only=True)
class Wall:
    """An error that came at least twice in a run, or in at least two runs."""

    error: Error
    """With a call that `way_out` followed, where there is one."""
    count: int
    attempts: int
    runs: tuple[str, ...]
    """What the runs that met it are called."""
    solved: int
    """In how many of them it was got past."""
    repaired: int
    """In how many of those the project's files were edited before."""
    first: str
    last: str
    models: tuple[str, ...]
    way_out: str
    """What got past it, quoted: the call that most runs ended with; "" when none did, or none that differed."""
    edited: tuple[str, ...]
    """The files that were edited before it went away."""
    files: tuple[str, ...]
    """The files that were edited again and again while it stayed."""

    @property
    def told(self) -> bool:
        """Whether it deserves a draft: a trap of the project, met more than once, that says what it is."""
        again = len(self.runs) >= 2 or (self.attempts >= 2 and self.error.kind == WALL)
        return again and not self.error.weak and self.error.kind in (WALL, TEST)


@dataclass(kw_only=True)
class Walls:
    """The errors met so far. Holds a few values for each, whatever the number of runs."""

    met: dict[str, "_Met"] = field(default_factory=dict)

    def add(self, place: str, name: str, hits: Iterable[Hit], loops: Iterable[Loop]) -> None:
        """Take the errors of one run: `place` is its own, `name` what people call it."""
        for hit in hits:
            self.met.setdefault(hit.error.key, _Met(first=hit)).take(place, name, hit)
        for loop in loops:
            if loop.key in self.met:
                self.met[loop.key].files[loop.file] = None

    def ranked(self) -> list[Wall]:
        """Return the walls: those that tell the most about the project first, then those of most runs."""
        walls = [met.wall() for met in self.met.values() if met.most >= 2 or len(met.runs) >= 2]
        told: dict[tuple[object, ...], Wall] = {}
        for wall in sorted(walls, key=_rank):
            # An error that only ever spoke of one path was met once for the error and once for the path.
            told.setdefault((wall.error.text, wall.error.call, wall.count, wall.runs, wall.first, wall.last), wall)
        return list(told.values())


def _rank(wall: Wall) -> tuple[bool, int, bool, int, bool, int, str]:
    # What went away when the code was mended was mostly the code's own fault; what needed another call, or never
    # went away, tells of the surroundings, and those the next run meets again.
    mended = wall.repaired * 2 > wall.solved
    runs = -len(wall.runs)
    return not wall.told, _KINDS[wall.error.kind], mended, runs, not wall.way_out, -wall.attempts, wall.error.key


@dataclass(kw_only=True)
class _Met:
    first: Hit
    count: int = 0
    attempts: int = 0
    most: int = 0
    solved: int = 0
    repaired: int = 0
    began: str = ""
    ended: str = ""
    runs: dict[str, str] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)
    ways: dict[str, list[Hit]] = field(default_factory=dict)
    edited: dict[str, None] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)

    def take(self, place: str, name: str, hit: Hit) -> None:
        self.count += hit.count
        self.attempts += hit.attempts
        self.most = max(self.most, hit.count)
        self.solved += hit.solved
        self.repaired += hit.solved and bool(hit.edited)
        self.began = min(filter(None, (self.began, hit.first)), default="")
        self.ended = max(self.ended, hit.last)
        self.runs[place] = name
        self.models |= set(hit.models)
        if hit.way_out:
            self.ways.setdefault(hit.way_out, []).append(hit)
        self.edited |= dict.fromkeys(hit.edited)

    def wall(self) -> Wall:
        # The way that most runs went, told with a call that it followed.
        way = max(self.ways, key=lambda way: len(self.ways[way]), default="")
        hit = self.ways[way][0] if way else self.first
        return Wall(
            error=hit.error,
            count=self.count,
            attempts=self.attempts,
            runs=tuple(self.runs.values()),
            solved=self.solved,
            repaired=self.repaired,
            first=self.began,
            last=self.ended,
            models=tuple(sorted(self.models)),
            way_out=way,
            edited=tuple(self.edited)[:5],
            files=tuple(self.files)[:5],
        )
