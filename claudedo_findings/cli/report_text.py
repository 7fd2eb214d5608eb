"""The report as text."""

from claudedo_findings import plural
from claudedo_findings.cli.common import print_table, print_text
from claudedo_findings.report import wording
from claudedo_findings.report.measures import Group, Share, Versus
from claudedo_findings.report.values import Counted, Report, Row


def show(report: Report) -> None:
    """Print the report: what was looked at, the findings, the figures, the index's price, what it cannot know."""
    print_text(wording.looked(report.looked))
    _findings(report)
    for figure in report.figures:
        print_text(f"\n{figure.what}:")
        shares = [*figure.models, ("all", figure.pooled)]
        print_table(("MODEL", "YES", "OF", "SHARE", "95 % INTERVAL"), [_share(name, one) for name, one in shares])
    _retries(report)
    _groups(report)
    if report.price:
        print_text(f"\n{wording.price(report.price)}")
    print_text("\nwhat this cannot know:")
    for sentence in report.not_known:
        print_text(f"* {sentence}")


def _findings(report: Report) -> None:
    if report.findings:
        print_text("\nfindings, by the runs that were offered and opened them, and the errors that fit them:")
        headings = ("SLUG", "OFFERED", "OPENED", "FIRST", "LAST", "ERRORS BEFORE", "AFTER", "UNOPENED")
        print_table(headings, [_row(row) for row in report.findings])
    if report.lists:
        print_text(f"\nnever offered: {', '.join(report.lists.never_offered) or 'none'}")
        print_text(f"offered, never opened: {', '.join(report.lists.never_opened) or 'none'}")
        print_text(f"opened and failed anyway: {', '.join(report.lists.opened_and_failed) or 'none'}")


def _row(row: Row) -> tuple[str, ...]:
    times = (wording.day(row.opened.first), wording.day(row.opened.last)) if row.opened else (wording.NONE,) * 2
    return (
        row.slug if row.state == "listed" else f"{row.slug} ({row.state})",
        _runs(row.offered),
        _runs(row.opened),
        *times,
        *(_errors(counted) for counted in (row.before, row.after, row.unopened)),
    )


def _runs(counted: Counted | None) -> str:
    return wording.NONE if counted is None else str(counted.runs)


def _errors(counted: Counted | None) -> str:
    if counted is None:
        return wording.NONE
    return f"{counted.times} in {plural.count(counted.runs, 'run')}" if counted.times else "0"


def _share(name: str, one: Share) -> tuple[str, ...]:
    return name, str(one.yes), str(one.of), wording.percent(one.share), wording.interval(one)


def _retries(report: Report) -> None:
    comparison = report.retries
    if comparison is None:
        return
    print_text("\nruns that needed a retry, with an index read and without:")
    rows = [_versus(one) for one in (*comparison.models, *filter(None, [comparison.pooled]))]
    if comparison.withheld:
        rows.append(("all", "withheld", "", "", comparison.withheld))
    print_table(("MODEL", "WITH", "WITHOUT", "POINTS", "95 % INTERVAL"), rows)


def _versus(one: Versus) -> tuple[str, ...]:
    sides = [f"{side.yes} of {side.of}, {wording.percent(side.share)}" for side in (one.with_index, one.without)]
    if one.difference is None:
        return one.model or "all", *sides, wording.NONE, wording.NONE
    way, low, high = map(wording.points, one.difference)
    return one.model or "all", *sides, way, f"{low} to {high}"


def _groups(report: Report) -> None:
    if not report.groups:
        return
    print_text("\nwhat runs took, as medians (and quarter points):")
    headings = ("MODEL", "INDEX", "RUNS", "TURNS", "TOKENS READ", "TOKENS WRITTEN")
    print_table(headings, [_group(group) for group in report.groups if group.runs])
    for measure, why in report.withheld:
        if measure != "retried":
            print_text(f"{wording.MEASURES[measure]} of all models are withheld: {why}")


def _group(group: Group) -> tuple[str, ...]:
    read = "read" if group.index else "not read"
    took = (wording.spread(one) for one in (group.turns, group.tokens_in, group.tokens_out))
    return group.model or "all", read, str(group.runs), *took
