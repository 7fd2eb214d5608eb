"""The timeline: a lane for the index and one for each finding, with what happened to it."""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from claudedo_findings import plural
from claudedo_findings.report import wording
from claudedo_findings.report.markup import text
from claudedo_findings.report.values import Event

KINDS = {
    "saved": "saved",
    "index": "index read",
    "hook": "shown by a hook",
    "opened": "opened",
    "failed": "failed after it was opened",
}
_LANES = 40  # more would be no picture; the table has them all
_BINS = 150  # marks beside each other that an eye can tell apart
_SHAPES = {
    "saved": "M0-7 7 0 0 7-7 0Z",
    "failed": "M-5-5 5 5M-5 5 5-5",
    "hook": "M-5-5H5V5H-5Z",
}


def draw(events: Sequence[Event]) -> str:
    """Return the timeline as markup, "" when nothing bears a time."""
    if not events:
        return ""
    times = [_seconds(event.at) for event in events]
    first, last = min(times), max(times)
    busy = Counter(event.slug for event in events if event.slug)
    slugs = [slug for slug, _ in busy.most_common(_LANES)]
    slugs.sort(key=lambda slug: min(event.at for event in events if event.slug == slug))
    lanes = []
    for slug in ("", *slugs):
        mine = [
            (event.kind, _bin(time, first, last))
            for event, time in zip(events, times, strict=True)
            if event.slug == slug
        ]
        if mine:
            lanes.append(_lane(slug or "INDEX.md", Counter(mine), first, last))
    left = len(busy) - len(slugs)
    more = (
        f'<p class="note">{plural.count(left, "finding")} with fewer events left out; the table has them.</p>'
        if left
        else ""
    )
    return (
        f'{_legend({event.kind for event in events})}<ol class="lanes">{"".join(lanes)}</ol>{_axis(first, last)}{more}'
    )


def _lane(name: str, marks: Counter[tuple[str, int]], first: float, last: float) -> str:
    parts = []
    for (kind, place), many in sorted(marks.items(), key=lambda mark: (mark[0][0] == "failed", mark[0])):
        told = f"{KINDS[kind]}{f', {many} times' if many > 1 else ''}, {_day(place, first, last)}"
        inner = f"{_shape(kind, many)}<title>{text(told)}</title>"
        parts.append(f'<svg class="mark {kind}" x="{_percent(place)}" y="14">{inner}</svg>')
    totals = Counter[str]()
    for (kind, _), many in marks.items():
        totals[kind] += many
    told = f"{name}: " + ", ".join(f"{KINDS[kind]} {plural.count(many, 'time')}" for kind, many in totals.items())
    return (
        f'<li><span class="name">{text(name)}</span><svg class="lane" height="28" role="img" aria-label="{text(told)}">'
        f'<line class="grid" x1="0" x2="100%" y1="14" y2="14"/>{"".join(parts)}</svg></li>'
    )


def _shape(kind: str, many: int) -> str:
    if kind in _SHAPES:
        return f'<path d="{_SHAPES[kind]}"/>'
    return f'<circle r="{min(11, 3.5 + 1.5 * math.log2(many)):.1f}"/>'


def _legend(kinds: set[str]) -> str:
    items = (
        f'<li><svg class="key" width="18" height="18" aria-hidden="true"><svg class="mark {kind}" x="9" y="9">'
        f"{_shape(kind, 2)}</svg></svg>{text(told)}</li>"
        for kind, told in KINDS.items()
        if kind in kinds
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _axis(first: float, last: float) -> str:
    moments = [_iso(first + (last - first) * part / 2) for part in range(3)]
    # Of less than three days the times tell more than the dates.
    ticks = [moment[:16].replace("T", " ") if last - first < 3 * 86_400 else moment[:10] for moment in moments]
    shown = ticks if len(set(ticks)) == 3 else [ticks[0], "", ticks[2] if ticks[2] != ticks[0] else ""]
    return f'<div class="axis" aria-hidden="true">{"".join(f"<span>{text(tick)}</span>" for tick in shown)}</div>'


def _bin(time: float, first: float, last: float) -> int:
    return round(_BINS * (time - first) / (last - first)) if last > first else _BINS // 2


def _percent(place: int) -> str:
    return f"{1 + 98 * place / _BINS:.2f}%"


def _day(place: int, first: float, last: float) -> str:
    return wording.day(_iso(first + (last - first) * place / _BINS))


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
