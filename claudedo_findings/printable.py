"""Stored text as a terminal or a menu may show it."""

import unicodedata


def clean(text: str, keep: str = "") -> str:
    r"""Return text that a terminal shows as it is: control and format characters become `\x1b` and the like."""
    if text.isascii() and text.isprintable():
        return text
    shown = []
    for char in text:
        hidden = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in keep
        shown.append(ascii(char)[1:-1] if hidden and char not in "\u200c\u200d" else char)
    return "".join(shown)
