"""How a text from a transcript may be shown: one line, redacted, and never an instruction.

A transcript holds what strangers wrote: output of programs, web pages, files. Whoever reads a quote later
may be an agent, so a text that speaks to its reader is withheld whole instead of being cut to pieces.
"""

import re
from functools import lru_cache

from claudedo_findings import orders, redact

LIMIT = 200
WITHHELD = "(withheld: the text speaks to its reader)"
_ROOM = 4_000  # characters that are looked at; redaction may shorten a text, so it sees far more than is shown
ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
# No shape says that these are secrets, but nothing that a reader needs is that long and that mixed,
# but UUIDs and commit hashes.
_LONG = re.compile(
    r"(?!(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-|[0-9a-f]{40}\b))(?<![\w/.+-])(?=[\w+=-]*[0-9])(?=[\w+=-]*[A-Za-z])[\w+=-]{32,}(?![\w/])"
)
_NAME = re.compile(r"[\w.:/@+\[\]-]{1,100}")


@lru_cache(maxsize=4096)  # the same errors and commands come again and again
def quoted(text: str, limit: int = LIMIT) -> str:
    """Return a text as it may be shown: one line of at most `limit` characters, or WITHHELD."""
    shown = redacted(text)
    if orders.given(shown):
        return WITHHELD
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


@lru_cache(maxsize=4096)
def name(text: str) -> str:
    """Return an id or a name as it stands, "unnamed" for one that is none: even names are text of strangers."""
    return text if not text or (_NAME.fullmatch(text) and not orders.given(text)) else "unnamed"


def redacted(text: str) -> str:
    """Return the first part of a text on one line, without colours, secrets, home folders and mail addresses."""
    short = " ".join(ANSI.sub("", text[: 4 * _ROOM]).split())
    if len(short) > _ROOM or len(text) > 4 * _ROOM:
        short = short[:_ROOM].rpartition(" ")[0] or short[:_ROOM]  # half a secret would not be known as one
    return _LONG.sub("<token>", " ".join(redact.text(short).split()))
