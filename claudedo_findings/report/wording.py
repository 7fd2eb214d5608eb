"""The words and figures that the page and the terminal share."""

from claudedo_findings import plural, tally
from claudedo_findings.report.measures import Share, Spread
from claudedo_findings.report.values import Looked, Price

NONE = "–"
MEASURES = {
    "retried": "needed a retry",
    "turns": "turns",
    "tokens_in": "tokens read",
    "tokens_out": "tokens written",
}


def number(value: float | None) -> str:
    """Return a figure that a person can take in: 950, 12,300, 4.1 M."""
    if value is None:
        return NONE
    if abs(value) >= 1e9:
        return f"{value / 1e9:.1f} G"
    if abs(value) >= 1e6:
        return f"{value / 1e6:.1f} M"
    if abs(value) >= 10_000:
        return f"{round(value, -2):,.0f}"
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:,.1f}"


def percent(value: float | None) -> str:
    """Return a share as a percentage."""
    return NONE if value is None else f"{100 * value:.0f} %"


def interval(one: Share) -> str:
    """Return the 95 % interval of a share."""
    return f"{100 * one.interval[0]:.0f} to {100 * one.interval[1]:.0f} %" if one.interval else NONE


def points(value: float) -> str:
    """Return a difference of shares in points."""
    return f"{100 * value:+.0f}"


def spread(one: Spread | None) -> str:
    """Return a median with its quarter points."""
    if one is None:
        return NONE
    return number(one.median) + (f" ({number(one.low)} to {number(one.high)})" if one.of > 1 else "")


def day(moment: str) -> str:
    """Return the date of a moment."""
    return moment[:10] or NONE


def looked(one: Looked) -> str:
    """Return what was looked at, in a sentence."""
    first, last = day(one.first), day(one.last)
    when = "" if not one.first else f", {first}" if first == last else f", {first} to {last}"
    parts = [f"{plural.count(one.runs, 'run')} in {plural.count(one.transcripts, 'transcript')}{when}"]
    if one.retries:
        parts.append(f"{plural.count(one.retries, 'run')} of them retries, which the figures leave out")
    if one.host_runs is None:
        parts.append("the host records no runs here, so nothing is known of retries")
    else:
        parts.append(
            f"the host recorded {plural.count(one.host_runs, 'run')}, {one.matched:,} of them with a transcript"
        )
    parts += tally.passed_over(broken=one.broken, unknown=one.unknown, unfinished=one.unfinished, copies=one.copies)
    return "; ".join(parts)


def price(one: Price) -> str:
    """Return what the index costs, in a sentence."""
    size = f"the index has {plural.count(one.entries, 'line')}, {one.bytes:,} bytes, about {one.tokens:,} tokens"
    if one.runs is None or one.turns is None:
        return f"{size}; no run read it, so what it cost is not known"
    cost = f"{plural.count(one.runs, 'run')} read it and carried it for {plural.count(one.turns, 'turn')}"
    carried = f"about {number(one.carried)} tokens"
    part = (
        f", {100 * one.carried / one.tokens_in:.1f} % of what those runs read"
        if one.carried and one.tokens_in and one.carried <= one.tokens_in
        else ""
    )
    return f"{size}; {cost}: {carried}{part} (by its size of today)"
