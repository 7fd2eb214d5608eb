"""From verdicts to a table: per metric, model and condition; no model is pooled with one that disagrees."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from claudedo_findings import stats

# What one run can say to one metric; only the first two are an answer.
VERDICTS = ("yes", "no", "failed", "timed out", "unproven", "no verdict")
# What is set against what: the finding with the code there and without it, and the three that guard the result.
PAIRS = (
    ("finding", "none"),
    ("finding-without-code", "none-without-code"),
    ("irrelevant", "none"),
    ("control", "none"),
    ("stale", "none"),
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """The runs of one model under one condition, by their verdict."""

    model: str
    condition: str
    counts: Mapping[str, int]

    @property
    def answered(self) -> int:
        return self.counts["yes"] + self.counts["no"]

    @property
    def share(self) -> float | None:
        return self.counts["yes"] / self.answered if self.answered else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return stats.wilson(self.counts["yes"], self.answered)


@dataclass(frozen=True, kw_only=True)
class Effect:
    """The share under a condition less the share under another; `interval` is the 95 % interval."""

    model: str
    condition: str
    against: str
    difference: float
    interval: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Pooled:
    """The effect over all models, or why it is withheld."""

    condition: str
    against: str
    effect: Effect | None
    withheld: str = ""


def rows(verdicts: Iterable[tuple[str, str, str]], models: Iterable[str], conditions: Iterable[str]) -> list[Row]:
    """Return a row a model and condition from (model, condition, verdict) triples."""
    counted = Counter(verdicts)
    asked = list(conditions)
    return [
        Row(
            model=model,
            condition=condition,
            counts={verdict: counted[model, condition, verdict] for verdict in VERDICTS},
        )
        for model in models
        for condition in asked
    ]


def effects(table: Iterable[Row]) -> list[Effect]:
    """Return what a condition changed, for each pair and each model that has answers to both."""
    found = {(row.model, row.condition): row for row in table}
    models = dict.fromkeys(model for model, _ in found)
    pairs = ((model, pair) for pair in PAIRS for model in models)
    return [
        effect
        for model, (condition, against) in pairs
        if (model, condition) in found and (model, against) in found
        if (effect := _effect(model, found[model, condition], found[model, against]))
    ]


def pooled(table: Iterable[Row]) -> list[Pooled]:
    """Return the effect over all models, a pair of conditions; withheld where models point in opposite directions."""
    table = list(table)
    results = []
    for condition, against in PAIRS:
        single = [effect for effect in effects(table) if effect.condition == condition]
        if len(single) < 2:
            continue
        if not stats.agree([effect.difference for effect in single]):
            up = ", ".join(effect.model for effect in single if effect.difference > 0)
            down = ", ".join(effect.model for effect in single if effect.difference < 0)
            why = f"models disagree in direction (up: {up}; down: {down})"
            results.append(Pooled(condition=condition, against=against, effect=None, withheld=why))
            continue
        models = {effect.model for effect in single}
        both = [
            _sum(row for row in table if row.model in models and row.condition == name) for name in (condition, against)
        ]
        effect = _effect("all", *both)
        if effect and not stats.agree([effect.difference, *(one.difference for one in single)]):
            # Simpson's paradox: where the answers are spread unevenly, a sum of counts compares models, not conditions.
            why = "the sum points the other way than each model: their answers are spread unevenly"
            results.append(Pooled(condition=condition, against=against, effect=None, withheld=why))
            continue
        results.append(Pooled(condition=condition, against=against, effect=effect))
    return results


def _sum(parts: Iterable[Row]) -> Row:
    parts = list(parts)
    counts = {verdict: sum(row.counts[verdict] for row in parts) for verdict in VERDICTS}
    return Row(model="all", condition=parts[0].condition, counts=counts)


def _effect(model: str, shown: Row, bare: Row) -> Effect | None:
    found = stats.difference(shown.counts["yes"], shown.answered, bare.counts["yes"], bare.answered)
    if found is None:
        return None
    return Effect(
        model=model,
        condition=shown.condition,
        against=bare.condition,
        difference=found[0],
        interval=(found[1], found[2]),
    )
