"""How a text from a transcript may be shown: one line, redacted, and never an instruction.

A transcript holds what strangers wrote: output of programs, web pages, files. Whoever reads a quote later
may be an agent, so a text that speaks to its reader is withheld whole instead of being cut to pieces.
"""

import re
from functools import lru_cache

from claudedo_findings import redact

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
_ADDRESSES = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override|bypass|discard|skip|ignorier\w*|vergiss|missachte\w*)\b [^.!?\n]{0,40}
        \b(?:instructions?|prompts?|rules?|guidelines?|directives?|orders?|polic(?:y|ies)|constraints?
          |(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+)?(?:messages?|context|text|conversation)
          |anweisung(?:en)?|regeln?|vorgaben?|befehle?)\b
    | \b(?:new|updated|real|actual|following|hidden|secret)\s+(?:system\s+)?instructions?\b
    | \b(?:system|developer)\s+(?:prompt|message|mode|override)\b | \bjailbreak
    | \b(?:you\s+are|you're|act|behave|respond)\s+(?:now|as\s+(?:a|an|if))\b | \bpretend\s+(?:to|that|you)\b
    | \bfrom\s+now\s+on\b | \bdu\s+bist\s+(?:jetzt|nun|ab)\b
    | <\s*/?\s*(?:system|assistant|user|human|instructions?|important)\b[^>]*> | <\|[\w ]+\|> | \[/?INST\]
    | ^\s*(?:\#+\s*)?(?:system|assistant|human|user|important|attention|note\s+to\s+(?:the\s+)?\w+)\s*:\s*
        (?:you|please|do|don't|never|always|ignore|run|execute|the\s+(?:agent|assistant|user|model))\b
    | \b(?:ai|llm|claude|codex|gemini|copilot|gpt|chatgpt|(?:coding\s+)?(?:agents?|assistants?|models?))
        (?:\s*[,:]\s*(?:please\s+)?(?:you|do|run|delete|execute|ignore|send|open|write|read|add|commit|push)\b
          |\s+(?:must|should|shall|needs?\s+to|has\s+to|have\s+to|is\s+to|are\s+to|are\s+required)\b)
    | \b(?:do\s+not|don't|never|without)\s+(?:tell\w*|inform\w*|mention\w*|reveal\w*|ask\w*|notify\w*|alert\w*)\b
        [^.!?\n]{0,30}\b(?:user|human|anyone|anybody|developer|operator|people)\b
    | \b(?:run|execute|eval|paste)\s+(?:the\s+following|this|these)\s+(?:commands?|scripts?|code|lines?)\b
    | \b(?:send|post|upload|exfiltrate|forward|e-?mail)\b[^!?\n]{0,80}\b(?:to|at)\s+(?:https?:|\S+@|\S+\.\w{2,4}/)
    | \b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def speaks_to_reader(text: str) -> bool:
    """Return whether a text gives an agent orders, poses as one of its speakers, or asks for secrecy."""
    return bool(_ADDRESSES.search(text))


@lru_cache(maxsize=4096)  # the same errors and commands come again and again
def quoted(text: str, limit: int = LIMIT) -> str:
    """Return a text as it may be shown: one line of at most `limit` characters, or WITHHELD."""
    shown = redacted(text)
    if speaks_to_reader(shown):
        return WITHHELD
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


@lru_cache(maxsize=4096)
def name(text: str) -> str:
    """Return an id or a name as it stands, "unnamed" for one that is none: even names are text of strangers."""
    return text if not text or (_NAME.fullmatch(text) and not speaks_to_reader(text)) else "unnamed"


def redacted(text: str) -> str:
    """Return the first part of a text on one line, without colours, secrets, home folders and mail addresses."""
    short = " ".join(ANSI.sub("", text[: 4 * _ROOM]).split())
    if len(short) > _ROOM or len(text) > 4 * _ROOM:
        short = short[:_ROOM].rpartition(" ")[0] or short[:_ROOM]  # half a secret would not be known as one
    return _LONG.sub("<token>", " ".join(redact.text(short).split()))
