"""The parts of the page that show figures: shares, retries, and what runs took."""

from collections.abc import Sequence

from claudedo_findings.report import wording
from claudedo_findings.report.markup import bar, chart, row, section, share, table, text
from claudedo_findings.report.measures import Comparison, Figure, Group, Spread, Versus
from claudedo_findings.report.values import Report


def shares(figures: Sequence[Figure]) -> str:
    """Return the shares by model, "" when there are none."""
    if not figures:
        return ""
    inner = ""
    for figure in figures:
        rows = [share(model, one) for model, one in figure.models]
        pooled = share("all models", figure.pooled, kind="all")
        inner += f"<h3>{text(figure.what.capitalize())}</h3>{chart([*rows, pooled])}"
    return section("Are they read?", inner, note="The dot is the share, the line its 95 % interval.")


def retries(comparison: Comparison | None) -> str:
    """Return the runs that needed a retry, with an index read beside those without."""
    title = "Runs that needed a retry"
    if comparison is None:
        return section(title, '<p class="none">No retries are known: no host recorded these runs.</p>')
    inner = "".join(_versus(one) for one in (*comparison.models, *filter(None, [comparison.pooled])))
    if comparison.withheld:
        inner += _withheld("figure", comparison.withheld)
    return section(title, inner, note="With an index read and without, and the difference in points.")


def groups(report: Report) -> str:
    """Return what runs took, and what the index itself costs; "" when there are no runs."""
    if not report.groups:
        return ""
    withheld = dict(report.withheld)
    headings = ("Model", "Index", "Runs", "Turns", "Tokens read", "Tokens written")
    inner = table(headings, [_group(group, withheld) for group in report.groups if group.runs])
    for why in dict.fromkeys(why for measure, why in report.withheld if measure != "retried"):
        measures = [wording.MEASURES[name] for name, reason in report.withheld if reason == why and name != "retried"]
        inner += _withheld(", ".join(measures), why)
    if report.price:
        inner += f"<h3>The index's own price</h3><p>{text(wording.price(report.price).capitalize())}.</p>"
    return section("What runs took", inner, note="Medians, with the quarter points.")


def _versus(one: Versus) -> str:
    sides = [share("index read", one.with_index, kind="with"), share("not read", one.without, kind="without")]
    markup = f"<h3>{text(one.model or 'All models')}</h3>{chart(sides)}"
    if one.difference is None:
        return markup
    middle, low, high = one.difference
    between = f"{wording.points(low)} to {wording.points(high)}"
    told = f"{wording.points(middle)} points, 95 % interval {between}"
    figures = f"<b>{text(wording.points(middle))}</b> <small>{text(between)} points</small>"
    picture = bar(low, middle, high, told, kind="way", centred=True)
    return markup + chart([row("difference", picture, figures, kind="way")], centred=True)


def _group(group: Group, withheld: dict[str, str]) -> tuple[str, ...]:
    def took(measure: str, spread: Spread | None) -> str:
        return "withheld" if not group.model and measure in withheld else wording.spread(spread)

    return (
        group.model or "all models",
        "read" if group.index else "not read",
        f"{group.runs:,}",
        took("turns", group.turns),
        took("tokens_in", group.tokens_in),
        took("tokens_out", group.tokens_out),
    )


def _withheld(what: str, why: str) -> str:
    return f'<p class="withheld"><b>No {text(what)} for all models:</b> {text(why)}.</p>'
