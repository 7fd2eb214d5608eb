"""One line of the table: what was measured, beside what, and whether the budget is met."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

OURS = "claudedo-findings"


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a figure may be at most, and whether it is."""

    text: str
    met: bool


@dataclass(frozen=True, kw_only=True)
class Row:
    """Our figure, those that were taken beside it in the same run, and the ratios that tell something."""

    what: str
    ours: float
    unit: str = "ms"
    beside: Mapping[str, float] = field(default_factory=dict)
    """In the same unit, by name."""
    note: str = ""
    at: int = 0
    """The number of findings, of a row that is a point of a curve."""
    budgets: Sequence[Budget] = ()


def most(text: str, value: float, limit: float) -> Budget:
    """Return the budget that a value is at most a limit."""
    return Budget(text=f"{text}: {number(value)}", met=value <= limit)


def number(value: float) -> str:
    """Return a figure with three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


HEAD = "| what | ours | beside it, in the same run (ours is … times that) | budget |\n|---|---|---|---|"


def line(row: Row) -> str:
    """Return the row as a line of a Markdown table that begins with HEAD."""
    beside = " · ".join(
        f"{name} {number(value)} {row.unit} ({number(row.ours / value)} ×)" if value else f"{name} 0 {row.unit}"
        for name, value in row.beside.items()
    )
    told = "; ".join(filter(None, [beside, row.note]))
    budgets = ", ".join(f"{budget.text} {'✓' if budget.met else '✗'}" for budget in row.budgets)
    return f"| {row.what} | {number(row.ours)} {row.unit} | {told} | {budgets} |"


def as_json(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Return the rows as JSON takes them."""
    return [asdict(row) for row in rows]
