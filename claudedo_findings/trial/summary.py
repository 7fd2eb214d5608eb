"""From verdicts to a table: per metric, model and condition; no model is pooled with one that disagrees."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
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
    """Of each of VERDICTS."""

    @property
    def answered(self) -> int:
        return self.counts["yes"] + self.counts["no"]

    @property
    def share(self) -> float | None:
        """The share of yes, from 0 to 1; None without an answer."""
        return self.counts["yes"] / self.answered if self.answered else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of it."""
        return stats.wilson(self.counts["yes"], self.answered)


@dataclass(frozen=True, kw_only=True)
class Effect:
    """The share under a condition less the share under another, from -1 to 1; `interval` is Newcombe's, of 95 %."""

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
    """Return the effect over all models for each pair of conditions that two models or more have answers to.

    It is withheld where models point in opposite directions, or where the sum points the other way than each of them.
    """
    table = list(table)
    single = {pair: [one for one in effects(table) if (one.condition, one.against) == pair] for pair in PAIRS}
    return [_pooled(table, pair, found) for pair, found in single.items() if len(found) > 1]


def _pooled(table: Iterable[Row], pair: tuple[str, str], single: Collection[Effect]) -> Pooled:
    models = {one.model for one in single}
    mine = [row for row in table if row.model in models]
    sides = [_sum(row for row in mine if row.condition == condition) for condition in pair]
    effect = _effect("all", *sides)
    why = _disagreement(single, effect)
    return Pooled(condition=pair[0], against=pair[1], effect=None if why else effect, withheld=why)


def _disagreement(single: Iterable[Effect], every: Effect | None) -> str:
    """Return why no effect over all models may be told, "" when one may."""
    found = {one.model: one.difference for one in single}
    if not stats.agree(list(found.values())):
        up = ", ".join(model for model, difference in found.items() if difference > 0)
        down = ", ".join(model for model, difference in found.items() if difference < 0)
        return f"models disagree in direction (up: {up}; down: {down})"
    if every and not stats.agree([every.difference, *found.values()]):
        # Simpson's paradox: where the answers are spread unevenly, a sum of counts compares models, not conditions.
        return "the sum points the other way than each model: their answers are spread unevenly"
    return ""


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
