"""JSON with comments and trailing commas, as editors write their settings."""

import json
import re

# Each pattern takes what is not closed whole: to look for the end anew from every quote in it would take minutes.
_STRING = r'"(?:[^"\\\n]|\\.)*"?'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])")


def loads(text: str) -> object:
    """Return the value of a JSON text that may have comments and trailing commas. Raises ValueError."""
    plain = _COMMENT.sub(_blank, text)
    return json.loads(_COMMA.sub(_blank, plain))


def _blank(found: re.Match[str]) -> str:
    """Return a string as it is, and of a comment its line breaks: an error must name the line of the file."""
    return found[0] if found[0].startswith('"') else "\n" * found[0].count("\n")
