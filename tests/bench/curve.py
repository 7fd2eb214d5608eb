"""How a time grows with the number of findings: both scales are logarithmic, so that a power is a straight line."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tests.bench.rows import OURS, Row, number

HEIGHT = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 250, 50, 260  # where the curves lie, of the plot's width and this height


def curves(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield the drawing of rows that are points of curves, HEIGHT high."""
    times = [figure for row in rows for figure in (row.ours, *row.beside.values())]
    low, high = (
        10.0 ** around(math.log10(edge)) for edge, around in ((min(times), math.floor), (max(times), math.ceil))
    )
    sizes = [row.at for row in rows]

    def x(size: float) -> float:
        return round(_LEFT + (width - _LEFT - _RIGHT) * _part(size, sizes[0], sizes[-1]), 1)

    def y(time: float) -> float:
        return round(_BOTTOM - (_BOTTOM - _TOP) * _part(time, low, high), 1)

    yield '<text class="title" x="16" y="26">a save, by the number of findings in the store</text>'
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        yield f'<path class="grid" d="M{_LEFT} {y(10.0**power)}H{width - _RIGHT}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y(10.0**power) + 4}" text-anchor="end">{10.0**power:,g} {rows[0].unit}</text>'
    for size in sizes:
        yield f'<text x="{x(size)}" y="{_BOTTOM + 20}" text-anchor="middle">{size:,}</text>'
    drawn = {OURS: [row.ours for row in rows]} | {name: [row.beside[name] for row in rows] for name in rows[0].beside}
    labels = _apart({name: y(values[-1]) + 4 for name, values in drawn.items()})
    for name, values in drawn.items():
        points = [(x(size), y(value)) for size, value in zip(sizes, values, strict=True)]
        kind = "ours" if name == OURS else "other"
        yield f'<path class="{kind} line" d="M{"L".join(f"{at} {value}" for at, value in points)}"/>'
        yield from (f'<circle class="{kind}" cx="{at}" cy="{value}" r="3"/>' for at, value in points)
        said = f"{name}: {' · '.join(map(number, values))}"
        yield f'<text x="{width - _RIGHT + 10}" y="{labels[name]}">{escape(said)}</text>'


def _part(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """Return the heights of labels, moved down where two would touch."""
    placed: dict[str, float] = {}
    lowest = -math.inf
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        lowest = placed[name] = max(height, lowest + 16)
    return placed
