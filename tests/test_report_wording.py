"""The words and figures of a report."""

import pytest

from claudedo_findings.report import wording
from claudedo_findings.report.measures import Share, Spread
from claudedo_findings.report.values import Price


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (7, "7"),
        (7.25, "7.2"),
        (950, "950"),
        (1234.5, "1,234"),
        (12_345, "12,300"),
        (4_120_000, "4.1 M"),
        (2_500_000_000, "2.5 G"),
    ],
)
def test_figures_are_as_long_as_they_are_worth(value: float | None, text: str) -> None:
    assert wording.number(value) == text


def test_a_share_of_nothing_is_no_share() -> None:
    nothing = Share(yes=0, of=0)
    assert (wording.percent(nothing.share), wording.interval(nothing)) == ("–", "–")
    assert (wording.percent(Share(yes=1, of=4).share), wording.interval(Share(yes=1, of=4))) == ("25 %", "5 to 70 %")


def test_quarter_points_are_given_where_there_are_several_figures() -> None:
    assert wording.spread(None) == "–"
    assert wording.spread(Spread(of=1, low=3, median=3, high=3)) == "3"
    assert wording.spread(Spread(of=3, low=2, median=3, high=5.5)) == "3 (2 to 5.5)"


def price(runs: int | None, turns: int | None, tokens_in: int | None) -> str:
    return wording.price(Price(entries=2, bytes=400, tokens=100, runs=runs, turns=turns, tokens_in=tokens_in))


def test_the_price_of_an_index_nobody_read_is_not_known() -> None:
    size = "the index has 2 lines, 400 bytes, about 100 tokens"
    assert price(None, None, None) == f"{size}; no run read it, so what it cost is not known"
    assert price(1, 30, 60_000) == (
        f"{size}; 1 run read it and carried it for 30 turns: about 3,000 tokens, 5.0 % of what those runs read"
        " (by its size of today)"
    )
    assert price(1, 30, None) == (
        f"{size}; 1 run read it and carried it for 30 turns: about 3,000 tokens (by its size of today)"
    )
