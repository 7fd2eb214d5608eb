"""The report as one page that needs nothing else: no network, no font, no other file."""

import base64
import hashlib
from importlib import resources

from claudedo_findings.report import findings_table, timeline, wording
from claudedo_findings.report.markup import bar, row, share, table, text
from claudedo_findings.report.values import Comparison, Group, Report, Share, Versus

MARK = '<meta name="generator" content="claudedo-findings report">'


def html(report: Report) -> str:
    """Return the page."""
    style, script = _part("page.css"), _part("page.js")
    # Nothing but these two texts may run or style: what is stored cannot, whatever slips into the page.
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n{MARK}\n<title>Findings of {text(report.list)}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n{_body(report)}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(part: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"


def _body(report: Report) -> str:
    columns = (_figures(report), _retries(report.retries) + _groups(report))
    drawn = timeline.draw(report.events)
    parts = [
        f'<header><p class="kicker">claudedo-findings report</p><h1>{text(report.list)}</h1>'
        f"<p>{text(wording.looked(report.looked))}.</p></header>",
        f"<main>{_tiles(report)}",
        '<div class="columns">' + "".join(f"<div>{column}</div>" for column in columns if column) + "</div>",
        _section("When findings were saved and read", drawn) if drawn else "",
        _section("Findings", findings_table.draw(report), name="all-findings") if report.findings else "",
        _unknown(report),
        f"</main><footer>Made {text(report.made)} from <code>{text(report.store)}</code></footer>",
    ]
    return "\n".join(filter(None, parts))


def _section(title: str, inner: str, *, note: str = "", name: str = "") -> str:
    ident = f' id="{name}"' if name else ""
    told = f'<p class="note">{text(note)}</p>' if note else ""
    return f"<section{ident}><h2>{text(title)}</h2>{told}{inner}</section>"


def _tiles(report: Report) -> str:
    lists, price = report.lists, report.price
    pooled = {figure.name: figure.pooled for figure in report.figures}
    shares = {"indexRead": "read the index", "opened": "of those opened a finding"}
    named = {
        "never offered": lists.never_offered if lists else None,
        "offered, never opened": lists.never_opened if lists else None,
        "opened and failed anyway": lists.opened_and_failed if lists else None,
    }
    carried, size = (price.carried, f"{price.bytes:,} bytes") if price else (None, "there is no index")
    tiles = [
        ("runs", f"{report.looked.runs:,}", f"in {wording.count(report.looked.transcripts, 'transcript')}"),
        *((what, *_share(pooled.get(name))) for name, what in shares.items()),
        *((what, wording.NONE if slugs is None else f"{len(slugs):,}", "findings") for what, slugs in named.items()),
        ("tokens the index cost", wording.number(carried), size),
    ]
    items = "".join(
        f"<li><b>{text(value)}</b><span>{text(what)}</span><small>{text(more)}</small></li>"
        for what, value, more in tiles
    )
    return f'<ul class="tiles">{items}</ul>'


def _share(one: Share | None) -> tuple[str, str]:
    return (wording.percent(one.share), wording.interval(one)) if one and one.of else (wording.NONE, "no data")


def _figures(report: Report) -> str:
    charts = []
    for figure in report.figures:
        rows = [share(model, one) for model, one in figure.models]
        charts.append(
            f"<h3>{text(figure.what.capitalize())}</h3>"
            f'<ul class="chart">{"".join(rows)}{share("all", figure.pooled, kind="all")}</ul>'
        )
    return (
        _section("Is it read?", "".join(charts), note="The dot is the share, the line its 95 % interval.")
        if charts
        else ""
    )


def _retries(comparison: Comparison | None) -> str:
    title = "Runs that needed a retry"
    if comparison is None:
        return _section(title, '<p class="none">No retries are known: no host recorded these runs.</p>')
    every = [*comparison.models, *filter(None, [comparison.pooled])]
    inner = "".join(_versus(one) for one in every)
    if comparison.withheld:
        inner += f'<p class="withheld"><b>No figure for all models:</b> {text(comparison.withheld)}.</p>'
    return _section(title, inner, note="With an index read and without, and the difference in points.")


def _versus(one: Versus) -> str:
    parts = [share("index read", one.with_index, kind="with"), share("not read", one.without, kind="without")]
    if one.difference:
        middle, low, high = one.difference
        between = f"{wording.points(low)} to {wording.points(high)}"
        told = f"{wording.points(middle)} points, 95 % interval {between}"
        figures = f"<b>{text(wording.points(middle))}</b> <small>{text(between)} points</small>"
        parts.append(row("difference", bar(low, middle, high, told, kind="way", centred=True), figures, kind="way"))
    return f'<h3>{text(one.model or "all models")}</h3><ul class="chart">{"".join(parts)}</ul>'


def _groups(report: Report) -> str:
    rows = [_group(group) for group in report.groups if group.runs]
    if not rows:
        return ""
    headings = ("Model", "Index", "Runs", "Turns", "Tokens read", "Tokens written")
    notes = [
        f'<p class="withheld"><b>No {text(wording.MEASURES[measure])} for all models:</b> {text(why)}.</p>'
        for measure, why in report.withheld
        if measure != "retried"
    ]
    cost = f'<p class="note">{text(wording.price(report.price).capitalize())}.</p>' if report.price else ""
    return _section(
        "What runs took", table(headings, rows) + "".join(notes) + cost, note="Medians, with the quarter points."
    )


def _group(group: Group) -> tuple[str, ...]:
    took = (wording.spread(one) for one in (group.turns, group.tokens_in, group.tokens_out))
    return group.model or "all", "read" if group.index else "not read", f"{group.runs:,}", *took


def _unknown(report: Report) -> str:
    told = [*report.not_known, *report.looked.complaints]
    return _section(
        "What this cannot know", f"<ul>{''.join(f'<li>{text(one)}</li>' for one in told)}</ul>", name="unknown"
    )
