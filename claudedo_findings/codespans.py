"""Code spans of Markdown, in one pass: a pattern would look for the end of each anew from every backtick."""

import re
from collections.abc import Callable, Iterator

_TICKS = re.compile("`+")


def spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start and end of each code span and how many backticks it has on each side.

    As CommonMark (6.1) says: a row of backticks is closed by the next row that is as long, or means nothing.
    """
    rows = [found.span() for found in _TICKS.finditer(text)]
    ends: list[int] = []  # of the next row that is as long, for each row; 0 without one
    latest: dict[int, int] = {}
    for start, end in reversed(rows):
        ends.append(latest.get(end - start, 0))
        latest[end - start] = end
    done = 0
    for (start, end), shut in zip(rows, reversed(ends), strict=True):
        if shut and start >= done:
            yield start, shut, end - start
            done = shut


def replaced(text: str, instead: Callable[[str], str]) -> str:
    """Return `text` with what `instead` makes of each code span in its place."""
    parts, done = [], 0
    for start, end, _ in spans(text):
        parts += [text[done:start], instead(text[start:end])]
        done = end
    return "".join([*parts, text[done:]])
