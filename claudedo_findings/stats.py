"""Intervals of shares: how much a count of yes and no can say."""

import math

# The two-sided 95 % point of the normal distribution.
Z = 1.959963984540054


def wilson(yes: int, of: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a share, between 0 and 1; None where nothing was counted.

    Wilson's score interval (JASA 22, 1927): it stays inside 0 and 1 and holds at small counts.
    """
    if not of:
        return None
    share, square = yes / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(yes: int, of: int, other_yes: int, other_of: int) -> tuple[float, float, float] | None:
    """Return the first share less the second and its 95 % interval; None where either counts nothing.

    Newcombe's interval from two Wilson intervals (Statistics in Medicine 17, 1998, method 10).
    """
    one, other = wilson(yes, of), wilson(other_yes, other_of)
    if not one or not other:
        return None
    share, other_share = yes / of, other_yes / other_of
    between = share - other_share
    low = between - math.hypot(share - one[0], other[1] - other_share)
    high = between + math.hypot(one[1] - share, other_share - other[0])
    return between, low, high


def agree(differences: list[float]) -> bool:
    """Return whether no two of the differences point in opposite directions, so that they may be pooled."""
    return not (min(differences, default=0.0) < 0 < max(differences, default=0.0))
