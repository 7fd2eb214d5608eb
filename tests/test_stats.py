"""Intervals of shares, held to published values and to what they promise."""

import math

import pytest

from claudedo_findings import stats


@pytest.mark.parametrize(
    ("yes", "of", "low", "high"),
    [  # Newcombe, Statistics in Medicine 17 (1998) 857, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0000),
    ],
)
def test_wilson_gives_the_published_intervals(yes: int, of: int, low: float, high: float) -> None:
    assert stats.wilson(yes, of) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [  # Newcombe, Statistics in Medicine 17 (1998) 873, table II, method 10
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((10, 10, 0, 20), 0.6791, 1.0000),
    ],
)
def test_difference_gives_the_published_intervals(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    found = stats.difference(*counts)
    assert found
    assert found[1:] == pytest.approx((low, high), abs=5e-5)


def test_no_data_has_no_interval() -> None:
    assert stats.wilson(0, 0) is None
    assert stats.difference(0, 0, 3, 4) is None
    assert stats.difference(3, 4, 0, 0) is None


@pytest.mark.parametrize("of", [5, 20, 100])
def test_wilson_covers_the_truth_about_as_often_as_it_says(of: int) -> None:
    shares = [step / 100 for step in range(5, 100, 5)]
    covered = [coverage(of, share) for share in shares]
    assert 0.93 <= sum(covered) / len(covered) <= 0.97
    assert min(covered) > 0.83  # its known dips lie at small counts and rare events


def coverage(of: int, share: float) -> float:
    """Return how often the interval of a count drawn with `share` holds `share`, summed exactly."""
    total = 0.0
    for yes in range(of + 1):
        interval = stats.wilson(yes, of)
        assert interval
        if interval[0] <= share <= interval[1]:
            total += math.comb(of, yes) * share**yes * (1 - share) ** (of - yes)
    return total


@pytest.mark.parametrize(
    ("differences", "agree"),
    [([], True), ([0.1], True), ([0.1, 0.3], True), ([-0.1, 0.0], True), ([0.1, -0.1], False), ([0.1, 0, -0.2], False)],
)
def test_opposite_directions_do_not_agree(differences: list[float], agree: bool) -> None:
    assert stats.agree(differences) is agree
