"""Pieces of HTML and SVG. Every text goes through `text`: stored words, and those of transcripts, are a stranger's."""

import html
from collections.abc import Sequence

from claudedo_findings import printable
from claudedo_findings.report import wording
from claudedo_findings.report.measures import Share


def text(value: object) -> str:
    """Return a value as text inside an element or a quoted attribute, with control characters made visible."""
    return html.escape(printable.clean(str(value)), quote=True)


def bar(low: float, middle: float, high: float, told: str, *, kind: str = "", centred: bool = False) -> str:
    """Return a figure with its interval as a line with a dot, from 0 to 1, or from -1 to 1 when it is centred."""

    def at(value: float) -> str:
        return f"{50 + 50 * value if centred else 100 * value:.2f}%"

    grid = "".join(f'<line class="grid" x1="{x}%" x2="{x}%" y1="2" y2="22"/>' for x in (0, 25, 50, 75, 100))
    zero = '<line class="zero" x1="50%" x2="50%" y1="0" y2="24"/>' if centred else ""
    return (
        f'<svg class="bar {kind}" height="24" role="img" aria-label="{text(told)}">{grid}{zero}'
        f'<line class="whisker" x1="{at(low)}" x2="{at(high)}" y1="12" y2="12"/>'
        f'<circle class="dot" cx="{at(middle)}" cy="12" r="5.5"/></svg>'
    )


def chart(rows: Sequence[str], *, centred: bool = False) -> str:
    """Return rows as a chart with the ends of its scale below."""
    ends = ("-100", "0", "+100 points") if centred else ("0", "50", "100 %")
    scale = "".join(f"<span>{end}</span>" for end in ends)
    axis = f'<li class="row" aria-hidden="true"><span></span><span class="scale">{scale}</span></li>'
    return f'<ul class="chart">{"".join(rows)}{axis}</ul>'


def share(name: str, one: Share, *, kind: str = "") -> str:
    """Return a row: its name, the share with its interval as a picture and in figures."""
    if one.share is None or one.interval is None:
        return row(name, '<span class="none">no data</span>', wording.NONE, kind=kind)
    told = f"{wording.percent(one.share)}, 95 % interval {wording.interval(one)}"
    figures = f"<b>{text(wording.percent(one.share))}</b> <small>{text(wording.interval(one))}</small>"
    counts = f" <small>· {one.yes:,} of {one.of:,}</small>"
    return row(name, bar(one.interval[0], one.share, one.interval[1], told, kind=kind), figures + counts, kind=kind)


def row(name: str, picture: str, figures: str, *, kind: str = "") -> str:
    """Return a row of a chart; `picture` and `figures` are markup."""
    told = f'<span class="figures">{figures}</span>'
    return f'<li class="row {kind}"><span class="name">{text(name)}</span>{picture}{told}</li>'


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a plain table; the first cell of a row is its heading. Cells are texts."""
    head = "".join(f'<th scope="col">{text(heading)}</th>' for heading in headings)
    body = "".join(
        f'<tr><th scope="row">{text(cells[0])}</th>'
        + "".join(
            f'<td data-label="{text(label)}">{text(cell)}</td>'
            for label, cell in zip(headings[1:], cells[1:], strict=True)
        )
        + "</tr>"
        for cells in rows
    )
    return f'<table class="plain"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def section(title: str, inner: str, *, note: str = "", name: str = "") -> str:
    """Return a part of the page with its heading; `inner` is markup."""
    ident = f' id="{name}"' if name else ""
    told = f'<p class="note">{text(note)}</p>' if note else ""
    return f"<section{ident}><h2>{text(title)}</h2>{told}{inner}</section>"
