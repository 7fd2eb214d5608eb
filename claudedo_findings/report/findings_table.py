"""The table of findings, which the page's script sorts and filters."""

from collections.abc import Iterator

from claudedo_findings import plural
from claudedo_findings.report import wording
from claudedo_findings.report.markup import bar, text
from claudedo_findings.report.values import Counted, Lists, Report, Row

_OPENINGS = 40  # runs named below a finding; --json has them all
_COLUMNS = (
    ("Finding", "text"),
    ("Offered", "number"),
    ("Opened", "number"),
    ("Opened of offered", "number"),
    ("Errors before", "number"),
    ("Errors after", "number"),
    ("Errors unopened", "number"),
    ("First opened", "text"),
    ("Last opened", "text"),
)
LISTS = {
    "never-offered": "Never offered",
    "never-opened": "Offered, never opened",
    "failed": "Opened and failed anyway",
}


def draw(report: Report) -> str:
    """Return the filter and the table as markup."""
    head = "".join(
        f'<th scope="col" role="columnheader" aria-sort="none"><button type="button" data-type="{kind}">{text(name)}'
        '<span class="arrow" aria-hidden="true"></span></button></th>'
        for name, kind in _COLUMNS
    )
    body = "".join(_row(row, _lists(row, report.lists)) for row in report.findings)
    return (
        f"{_filter(report)}"
        f'<table class="findings" role="table" id="findings"><thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{body}</tbody></table>'
    )


def _filter(report: Report) -> str:
    sizes = {name: sum(name in _lists(row, report.lists) for row in report.findings) for name in LISTS}
    options = "".join(f'<option value="{name}">{text(told)} ({sizes[name]:,})</option>' for name, told in LISTS.items())
    return (
        '<form class="filter" hidden><label>Search <input type="search" id="search" autocomplete="off"'
        ' placeholder="slug, title or path"></label>'
        f'<label>Show <select id="which"><option value="">All ({len(report.findings):,})</option>{options}</select>'
        "</label>"
        '<p id="shown" role="status"></p></form>'
    )


def _lists(row: Row, lists: Lists | None) -> list[str]:
    if lists is None:
        return []
    named = zip(LISTS, (lists.never_offered, lists.never_opened, lists.opened_and_failed), strict=True)
    return [name for name, slugs in named if row.slug in slugs]


def _row(row: Row, lists: list[str]) -> str:
    name = _name(row)
    cells = [_cell("Finding", row.slug, name)]
    cells += [_number("Offered", row.offered), _number("Opened", row.opened), _opened_share(row)]
    for label, counted in (("before", row.before), ("after", row.after), ("unopened", row.unopened)):
        cells.append(_errors(f"Errors {label}", counted))
    for label, moment in _times(row):
        cells.append(_cell(label, moment, text(wording.day(moment)), kind="date"))
    return f'<tr role="row" data-lists="{" ".join(lists)}">{"".join(cells)}</tr>'


def _times(row: Row) -> Iterator[tuple[str, str]]:
    yield "First opened", row.opened.first if row.opened else ""
    yield "Last opened", row.opened.last if row.opened else ""


def _name(row: Row) -> str:
    state = "" if row.state == "listed" else f' <span class="state">{text(row.state)}</span>'
    scope = f'<code class="scope">{text(row.scope)}</code>' if row.scope not in ("", ".") else ""
    title = f'<span class="title">{text(row.title)}</span>'
    return f'<span class="slug">{text(row.slug)}</span>{state}{title}{scope}{_openings(row)}'


def _openings(row: Row) -> str:
    if not row.openings:
        return ""
    items = "".join(
        f"<li>{text(wording.day(one.at))} {text(one.run)} <small>{text(one.model)}</small></li>"
        for one in row.openings[-_OPENINGS:]
    )
    left = len(row.openings) - _OPENINGS
    more = f"<li>and {left:,} before them</li>" if left > 0 else ""
    summary = f"opened in {plural.count(len(row.openings), 'run')}"
    return f"<details><summary>{text(summary)}</summary><ul>{items}{more}</ul></details>"


def _cell(label: str, value: object, markup: str, *, kind: str = "") -> str:
    """Return a cell; `value` is what it is sorted by, "" for none, which comes last whichever way."""
    return (
        f'<td role="cell" class="{kind}" data-label="{text(label)}" data-value="{text(value)}"><div>{markup}</div></td>'
    )


def _number(label: str, counted: Counted | None) -> str:
    if counted is None:
        return _cell(label, "", wording.NONE, kind="number")
    return _cell(label, counted.runs, f"{counted.runs:,}", kind="number")


def _opened_share(row: Row) -> str:
    one = row.share
    if one is None or one.share is None or one.interval is None:
        return _cell("Opened of offered", "", wording.NONE, kind="number")
    told = f"{wording.percent(one.share)}, {wording.interval(one)}"
    picture = bar(one.interval[0], one.share, one.interval[1], told)
    return _cell("Opened of offered", f"{one.share:.4f}", f"{picture}<small>{text(told)}</small>", kind="share")


def _errors(label: str, counted: Counted | None) -> str:
    if counted is None:
        return _cell(label, "", wording.NONE, kind="number")
    runs = f" <small>in {plural.count(counted.runs, 'run')}</small>" if counted.times else ""
    return _cell(label, counted.times, f"{counted.times:,}{runs}", kind="number")
