"""Lines of a Markdown file: which lie in fences and comments, and which git's conflicts left behind."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def outside_blocks(lines: tuple[str, ...]) -> Iterator[tuple[int, str, bool]]:
    """Yield each line with its number and whether it lies in a code fence or a comment."""
    fence = ""
    comment = False
    for number, text in enumerate(lines):
        if not fence and not comment and text.startswith("- "):  # most lines: an entry opens no block
            yield number, text, False
            continue
        match = _FENCE.match(text.rstrip("\r"))
        shut = bool(fence) or comment or bool(match)
        if comment:
            comment = "-->" not in text
        elif fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
        elif text.lstrip().startswith("<!--"):
            shut = True
            comment = "-->" not in text
        yield number, text, shut


def open_block(lines: tuple[str, ...]) -> int:
    """Return the line where a fence or comment starts that is never closed, else the number of lines."""
    start = len(lines)
    for number, _, shut in outside_blocks((*lines, "")):
        if not shut:
            start = len(lines)
        elif start == len(lines):
            start = number
    return start


def conflict_lines(lines: tuple[str, ...]) -> set[int]:
    """Return the numbers of the markers of each whole conflict, and of the lines of its common ancestor."""
    gone: set[int] = set()
    if not any(text.startswith("<<<<<<<") for text in lines):
        return gone
    for start, _, shut in outside_blocks(lines):
        end = 0 if shut else _conflict_end(lines, start)
        if end:
            inner = range(start + 1, end)
            dividers = {number for number in inner if _is_divider(lines[number])}
            base = next((number for number in inner if _marks(lines[number], "|")), end)
            gone |= {start, end, *dividers, *range(base, min(dividers))}
    return gone


def _conflict_end(lines: tuple[str, ...], start: int) -> int:
    if not _marks(lines[start], "<"):
        return 0
    divided = False
    for number in range(start + 1, len(lines)):
        if _marks(lines[number], "<"):
            return 0
        divided = divided or _is_divider(lines[number])
        if divided and _marks(lines[number], ">"):
            return number
    return 0


def _marks(text: str, char: str) -> bool:
    return text.startswith(char * 7) and text[7:8] in ("", " ", "\r")


def _is_divider(text: str) -> bool:
    return text.rstrip("\r") == "======="
