"""The report as one page that needs nothing else: no network, no font, no other file."""

import base64
import hashlib
from importlib import resources

from claudedo_findings import plural, redact
from claudedo_findings.report import findings_table, sections, timeline, wording
from claudedo_findings.report.markup import section, text
from claudedo_findings.report.measures import Share
from claudedo_findings.report.values import Report

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
    took = sections.groups(report)
    beside = took if report.retries is None else ""  # then there is room
    columns = (sections.shares(report.figures), sections.retries(report.retries) + beside)
    drawn = timeline.draw(report.events)
    parts = [
        f'<header><p class="kicker">claudedo-findings report</p><h1>{text(report.list)}</h1>'
        f"<p>{text(wording.looked(report.looked))}.</p></header>",
        f"<main>{_tiles(report)}",
        '<div class="columns">' + "".join(f"<div>{column}</div>" for column in columns if column) + "</div>",
        "" if beside else took,
        section("When findings were saved and read", drawn) if drawn else "",
        section("Findings", findings_table.draw(report), name="all-findings") if report.findings else "",
        _unknown(report),
        f"</main><footer>Made {text(report.made)} from <code>{text(redact.text(report.store))}</code></footer>",
    ]
    return "\n".join(filter(None, parts))


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
        ("runs", f"{report.looked.runs:,}", f"in {plural.count(report.looked.transcripts, 'transcript')}"),
        *((what, *_share(pooled.get(name))) for name, what in shares.items()),
        *(
            (what, wording.NONE if slugs is None else f"{len(slugs):,}", plural.word(len(slugs or ()), "finding"))
            for what, slugs in named.items()
        ),
        ("tokens the index cost", wording.number(carried), size),
    ]
    items = "".join(
        f"<li><b>{text(value)}</b><span>{text(what)}</span><small>{text(more)}</small></li>"
        for what, value, more in tiles
    )
    return f'<ul class="tiles">{items}</ul>'


def _share(one: Share | None) -> tuple[str, str]:
    return (wording.percent(one.share), wording.interval(one)) if one and one.of else (wording.NONE, "no data")


def _unknown(report: Report) -> str:
    told = [*report.not_known, *map(redact.text, report.looked.complaints)]
    return section(
        "What this cannot know", f"<ul>{''.join(f'<li>{text(one)}</li>' for one in told)}</ul>", name="unknown"
    )
