"""Per project: shares by model, and runs with an index read beside those without."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings import stats
from claudedo_findings.report.measures import Comparison, Figure, Share, Versus
from claudedo_findings.report.trail import Phase, Trail


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

    It may not where models point in opposite directions, where the sum points against every one of them, nor where
    no model has runs of both kinds.
    """
    up = ", ".join(model for model, value in directions.items() if value > 0)
    down = ", ".join(model for model, value in directions.items() if value < 0)
    if not stats.agree(list(directions.values())):
        return f"models disagree in direction (more with the index: {up}; less: {down})"
    if pooled is not None and not directions:
        return "no model has runs of both kinds, so the difference would be one of models"
    if pooled is not None and not stats.agree([*directions.values(), pooled]):
        return "the sum points against its parts, because the models differ in how many of their runs read the index"
    return ""


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
