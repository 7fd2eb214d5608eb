"""The plot for README: an SVG that brings its own ground, so that it is legible on a light page and on a dark one."""

import math
from collections.abc import Iterator, Sequence
from html import escape

from tests.bench.curve import HEIGHT, curves
from tests.bench.rows import OURS, Row, number

_WIDTH, _LEFT, _BAR, _GAP, _TITLE = 760, 250, 16, 6, 34
_FIGURE = 145  # room for what stands behind the longest bar
_STYLE = """text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}.ground{fill:#fff;stroke:#d1d9e0}
.ours{fill:#0969da;stroke:#0969da}.other{fill:#8c959f;stroke:#8c959f}.line{fill:none;stroke-width:2}
.grid{stroke:#d1d9e0}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.ground{fill:#151b23;stroke:#3d444d}.ours{fill:#4493f8;stroke:#4493f8}
.other{fill:#656c76;stroke:#656c76}.grid{stroke:#3d444d}}"""


def svg(rows: Sequence[Row]) -> str:
    """Return the plot of the rows that compare us with something: the curves, then a group of bars for each other."""
    points = [row for row in rows if row.at]
    groups = [row for row in rows if row.beside and not row.at]
    heights = [_TITLE + (_BAR + _GAP) * (1 + len(row.beside)) for row in groups]
    top = HEIGHT if points else 0
    height = top + sum(heights) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img"'
        f' aria-label="What {OURS} takes beside others">',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="8"/>',
        *(curves(points, _WIDTH) if points else ()),
    ]
    for row, taken in zip(groups, heights, strict=True):
        parts += _group(row, top)
        top += taken
    return "\n".join([*parts, "</svg>", ""])


def _group(row: Row, top: int) -> Iterator[str]:
    yield f'<text class="title" x="16" y="{top + 26}">{escape(row.what)}</text>'
    figures = {OURS: row.ours, **row.beside}
    widest = max(figures.values())
    for place, (name, figure) in enumerate(figures.items()):
        at = top + _TITLE + place * (_BAR + _GAP)
        width = max(1, math.floor((_WIDTH - _LEFT - _FIGURE) * figure / widest))
        yield f'<text x="{_LEFT - 8}" y="{at + 12}" text-anchor="end">{escape(name)}</text>'
        kind = "ours" if name == OURS else "other"
        yield f'<rect class="{kind}" x="{_LEFT}" y="{at}" width="{width}" height="{_BAR}" rx="2"/>'
        yield f'<text x="{_LEFT + width + 6}" y="{at + 12}">{number(figure)} {escape(row.unit)}</text>'
