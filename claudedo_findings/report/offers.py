"""Which runs were offered a finding: those whose index could name it, and those where a hook showed it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from claudedo_findings.report.trail import Step, Trail
from claudedo_findings.report.values import Counted


@dataclass(frozen=True)
class Readers:
    """The runs that read the index, reckoned up once: with many findings and runs it would take long for each."""

    trails: Sequence[Trail]
    """Those that read it, and nothing that they read before the finding was there."""
    steps: Sequence[Step]

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(trail.key for trail in self.trails)

    @cached_property
    def models(self) -> Counter[str]:
        return Counter(trail.model for trail in self.trails)

    @cached_property
    def counted(self) -> Counted:
        return counted([self.steps], len(self.trails))

    def since(self, moment: str) -> "Readers":
        """Return those that read it when a finding was there that was first saved then, or when nobody knows."""
        if not moment:
            return self
        read = [(trail, [step for step in trail.index if not step.at or step.at >= moment]) for trail in self.trails]
        return Readers([trail for trail, steps in read if steps], [step for _, steps in read for step in steps])


def readers(trails: Iterable[Trail]) -> Readers:
    """Return the runs of these that read the index."""
    found = [trail for trail in trails if trail.index]
    return Readers(found, [step for trail in found for step in trail.index])


def counted(groups: Iterable[Sequence[Step]], runs: int | None = None) -> Counted:
    """Return how often something happened and when; each group of steps is one run, unless `runs` says how many."""
    groups = [group for group in groups if group]
    times = sorted(step.at for group in groups for step in group if step.at)
    return Counted(
        times=sum(map(len, groups)),
        runs=len(groups) if runs is None else runs,
        first=times[0] if times else "",
        last=times[-1] if times else "",
    )


def together(one: Counted, other: Counted, runs: int) -> Counted:
    """Return two counts as one; `runs` is the number of runs in either."""
    return Counted(
        times=one.times + other.times,
        runs=runs,
        first=min(filter(None, (one.first, other.first)), default=""),
        last=max(one.last, other.last),
    )
