"""Stored text as a terminal or a menu may show it."""

import unicodedata


def clean(text: str, keep: str = "") -> str:
    r"""Return text that a terminal shows as it is: control and format characters become `\x1b` and the like."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(ascii(char)[1:-1] if hides(char) and char not in keep else char for char in text)


def hides(char: str) -> bool:
    """Return whether a terminal would obey the character or show nothing for it."""
    # Joiners draw nothing either, but emoji and several scripts need them.
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\u200c\u200d"
