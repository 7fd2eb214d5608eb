"""Per project: shares by model, and runs with an index read beside those without."""

import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from claudedo_findings import stats
from claudedo_findings.report.trail import Phase, Trail
from claudedo_findings.report.values import Comparison, Figure, Group, Share, Spread, Versus

MEASURES = ("turns", "tokens_in", "tokens_out")


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A run that is no retry, and whether it needed one; None where nobody knows."""

    trail: Trail
    retried: bool | None = None


def shares(units: Sequence[Unit]) -> tuple[Figure, ...]:
    """Return the shares that need no comparison, so that models may always be pooled."""
    read = [(unit.trail.model, unit.trail.carries) for unit in units]
    opened = [(unit.trail.model, bool(unit.trail.opened)) for unit in units if unit.trail.carries]
    failed = [
        (unit.trail.model, (slug, Phase.AFTER) in unit.trail.errors) for unit in units for slug in unit.trail.opened
    ]
    return (
        _figure("indexRead", "runs that read the index", read),
        _figure("opened", "of those, runs that opened a finding", opened),
        _figure("failedAnyway", "findings opened in a run, after which an error that fits them came anyway", failed),
    )


def retries(units: Iterable[Unit]) -> Comparison | None:
    """Return the runs that needed a retry, with an index read and without; None where no retries are recorded."""
    counts: dict[str, dict[bool, list[bool]]] = {}
    for unit in units:
        if unit.retried is not None:
            sides = counts.setdefault(unit.trail.model, {True: [], False: []})
            sides[unit.trail.carries].append(unit.retried)
    if not counts:
        return None
    models = tuple(_versus(model, counts[model]) for model in sorted(counts))
    every = {side: [value for one in counts.values() for value in one[side]] for side in (True, False)}
    pooled = _versus("", every)
    directions = {one.model: one.difference[0] for one in models if one.difference}
    withheld = disagreement(directions, pooled.difference[0] if pooled.difference else None)
    return Comparison(models=models, pooled=None if withheld else pooled, withheld=withheld)


def disagreement(directions: Mapping[str, float], pooled: float | None) -> str:
    """Return why no figure over all models may be given, "" when one may.

    It may not where models point in opposite directions, nor where the sum points against every one of them.
    """
    up = ", ".join(model for model, value in directions.items() if value > 0)
    down = ", ".join(model for model, value in directions.items() if value < 0)
    if not stats.agree(list(directions.values())):
        return f"models disagree in direction (more with the index: {up}; less: {down})"
    if pooled is not None and directions and not stats.agree([*directions.values(), pooled]):
        return "the sum points against its parts, because the models differ in how many of their runs read the index"
    return ""


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


def _figure(name: str, what: str, answers: Sequence[tuple[str, bool]]) -> Figure:
    counts: dict[str, list[bool]] = {}
    for model, yes in answers:
        counts.setdefault(model, []).append(yes)
    models = tuple((model, _share(counts[model])) for model in sorted(counts))
    return Figure(name=name, what=what, models=models, pooled=_share([yes for _, yes in answers]))


def _versus(model: str, sides: Mapping[bool, Sequence[bool]]) -> Versus:
    return Versus(model=model, with_index=_share(sides[True]), without=_share(sides[False]))


def _share(values: Sequence[bool]) -> Share:
    return Share(yes=sum(values), of=len(values))


def _group(model: str, side: bool, units: Sequence[Unit], *, every: bool = False) -> Group:  # noqa: FBT001
    mine = [unit for unit in units if unit.trail.carries is side and (every or unit.trail.model == model)]
    outcomes = [unit.retried for unit in mine if unit.retried is not None]
    return Group(
        model=model,
        index=side,
        runs=len(mine),
        retried=_share(outcomes) if outcomes else None,
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
