"""Characters that a reader cannot see: one invisible instruction would spread to every later agent."""

import re
import unicodedata
from collections.abc import Iterator

_NOT_PLAIN = re.compile(r"[^ -~]")  # all but printable ASCII, of which most texts are made
# Letters and marks that draw nothing although Unicode does not class them as format characters.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")


def kind(text: str, allowed: str = "") -> str:
    """Return what kind of character in `text` a reader cannot see, or "".

    `allowed` holds the control characters that this text may contain. Joiners pass between visible
    non-ASCII characters, where emoji and several scripts need them.
    """
    position, found = next(_hidden(text, allowed), (0, ""))
    return f"{found} U+{ord(text[position]):04X}" if found else ""


def without(text: str, allowed: str = "") -> str:
    """Return `text` without its hidden characters."""
    while gone := {position for position, _ in _hidden(text, allowed)}:  # again: what joined them may be hidden now
        text = "".join(char for position, char in enumerate(text) if position not in gone)
    return text


def _hidden(text: str, allowed: str) -> Iterator[tuple[int, str]]:
    for match in _NOT_PLAIN.finditer(text):
        position, char = match.start(), match[0]
        if char in allowed:
            continue
        found = _kind(char)
        if found and not (char in _JOINERS and _joins(text, position)):
            yield position, found
        elif _selects(char) and position and _selects(text[position - 1]):
            yield position, "run of variation selectors"


def _kind(char: str) -> str:
    if 0xE0000 <= ord(char) <= 0xE007F:
        return "Unicode tag character"
    if _unassigned_and_blank(ord(char)):
        return "invisible character"
    category = unicodedata.category(char)
    kinds = {"Cc": "control character", "Cf": "invisible formatting character", "Cs": "lone surrogate"}
    kinds |= {"Zl": "line separator", "Zp": "paragraph separator"}
    return kinds.get(category, "invisible character" if char in _BLANK else "")


def _unassigned_and_blank(code: int) -> bool:
    # Unicode reserves these for characters that draw nothing (Default_Ignorable_Code_Point).
    return code == 0x2065 or 0xFFF0 <= code <= 0xFFF8 or 0xE0080 <= code <= 0xE00FF or 0xE01F0 <= code <= 0xE0FFF


def _joins(text: str, position: int) -> bool:
    around = text[position - 1 : position] + text[position + 1 : position + 2]
    return len(around) == 2 and not any(char.isascii() or _kind(char) for char in around)


def _selects(char: str) -> bool:
    # Long runs of variation selectors carry hidden bytes; a single one picks a glyph.
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in "\u180b\u180c\u180d\u180f"
