"""What runs took: turns and tokens, with an index read and without, by model."""

import statistics
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from claudedo_findings.report.figures import Unit, disagreement, retries
from claudedo_findings.report.measures import Group, Share, Spread

MEASURES = ("turns", "tokens_in", "tokens_out")


def groups(units: Sequence[Unit]) -> tuple[tuple[Group, ...], tuple[tuple[str, str], ...]]:
    """Return what runs took, by model and over all, with an index read and without; and what is withheld, and why."""
    models = sorted({unit.trail.model for unit in units})
    by_model = [_group(model, side, units) for model in models for side in (True, False)]
    every = [_group("", side, units, every=True) for side in (True, False)]
    withheld = []
    for measure in MEASURES:
        pairs = zip(by_model[::2], by_model[1::2], strict=True)
        directions = {one.model: way for one, other in pairs if (way := _way(one, other, measure)) is not None}
        if why := disagreement(directions, _way(every[0], every[1], measure)):
            withheld.append((measure, why))
    comparison = retries(units)
    if comparison and comparison.withheld:
        withheld.append(("retried", comparison.withheld))
    return (*by_model, *(_without(group, {measure for measure, _ in withheld}) for group in every)), tuple(withheld)


def total(values: Iterable[int | None]) -> int | None:
    """Return the sum of the values that there are, None when there are none."""
    found = [value for value in values if value is not None]
    return sum(found) if found else None


def spread(values: Iterable[int | None]) -> Spread | None:
    """Return the median and the quarter points of the values that there are, None when there are none."""
    found = sorted(value for value in values if value is not None)
    if not found:
        return None
    if len(found) == 1:
        return Spread(of=1, low=found[0], median=found[0], high=found[0])
    low, median, high = statistics.quantiles(found, n=4, method="inclusive")
    return Spread(of=len(found), low=low, median=median, high=high)


def _group(model: str, side: bool, units: Sequence[Unit], *, every: bool = False) -> Group:  # noqa: FBT001
    mine = [unit for unit in units if unit.trail.carries is side and (every or unit.trail.model == model)]
    outcomes = [unit.retried for unit in mine if unit.retried is not None]
    return Group(
        model=model,
        index=side,
        runs=len(mine),
        retried=Share(yes=sum(outcomes), of=len(outcomes)) if outcomes else None,
        turns=spread(unit.trail.turns for unit in mine),
        tokens_in=spread(unit.trail.tokens_in for unit in mine),
        tokens_out=spread(unit.trail.tokens_out for unit in mine),
    )


def _without(group: Group, withheld: Collection[str]) -> Group:
    return replace(
        group,
        retried=None if "retried" in withheld else group.retried,
        turns=None if "turns" in withheld else group.turns,
        tokens_in=None if "tokens_in" in withheld else group.tokens_in,
        tokens_out=None if "tokens_out" in withheld else group.tokens_out,
    )


def _way(one: Group, other: Group, measure: str) -> float | None:
    """Return by how much more the runs with an index read took, by the medians."""
    mine, theirs = getattr(one, measure), getattr(other, measure)
    return mine.median - theirs.median if mine and theirs else None
