"""Shares and spreads with what they are worth: intervals, by model, side by side."""

from dataclasses import dataclass

from claudedo_findings import stats


@dataclass(frozen=True, kw_only=True)
class Share:
    """So many of so many."""

    yes: int
    of: int

    @property
    def share(self) -> float | None:
        return self.yes / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval."""
        return stats.wilson(self.yes, self.of)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The middle of some figures and the quarter points below and above it."""

    of: int
    low: float
    median: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A share by model and over all models."""

    name: str
    what: str
    models: tuple[tuple[str, Share], ...]
    pooled: Share


@dataclass(frozen=True, kw_only=True)
class Versus:
    """Runs with an index read beside those without, in one measure of one model, or of all where `model` is ""."""

    model: str
    with_index: Share
    without: Share

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """The first share less the second, with its 95 % interval (Newcombe's)."""
        one, other = self.with_index, self.without
        return stats.difference(one.yes, one.of, other.yes, other.of)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What followed with and without an index read, by model; pooled where no two models disagree in direction."""

    models: tuple[Versus, ...]
    pooled: Versus | None
    withheld: str = ""
    """Why there is no pooled figure."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """The runs of one model (of all where it is "") with or without an index read, and what they took."""

    model: str
    index: bool
    runs: int
    retried: Share | None
    turns: Spread | None
    tokens_in: Spread | None
    tokens_out: Spread | None
