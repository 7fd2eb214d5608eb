"""What a field of a finding may hold. Each rule returns the value in its stored form or refuses it."""

import re
import unicodedata
from collections.abc import Callable

from claudedo_findings.errors import FindingsError, shown

SLUG_LIMIT = 64
TITLE_LIMIT = 160
BODY_LIMIT = 8_000
SCOPE_LIMIT = 400
NOTE_LIMIT = 500
LONG_BODY = 1_200  # characters, about 300 tokens: what is longer is stored with a warning
# Budget of the index: beyond it, agents pay more for the index than it saves them.
INDEX_ENTRIES = 80
INDEX_BYTES = 12_000
_SHOWABLE = 1_000  # characters: what is longer is not searched for secrets, so it is not shown either

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
# Windows opens a device for these names, with any extension, in every folder.
_DEVICES = frozenset(["con", "prn", "aux", "nul"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)])
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue", "ß": "ss", "ẞ": "ss"})
_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z|[0-9a-fA-F]{32}\Z")


def slug(value: str) -> str:
    """Return `value` as a slug; ASCII case, spaces, underscores and a trailing `.md` are folded.

    Raises FindingsError with the rule and, where one can be derived, a proposal.
    """
    if len(value) > _SHOWABLE:
        raise FindingsError(f"slug has {len(value)} characters, the limit is {SLUG_LIMIT}: shorten it")
    visible("slug", value)
    folded = re.sub(r"[ _]+", "-", re.sub(r"(?i)\.md\Z", "", value.strip(" ")).strip(" "))
    folded = "".join(char.lower() if char.isascii() else char for char in folded)
    if is_slug(folded):
        return folded
    if folded in _DEVICES:
        why = "that is a device name on Windows"
    elif len(folded) > SLUG_LIMIT and _SLUG.match(folded):
        why = f"it has {len(folded)} characters, the limit is {SLUG_LIMIT}"
    else:
        why = f"a slug is ASCII words joined by '-', like 'clock-skew-in-ci', at most {SLUG_LIMIT} characters"
        why += f"; this has {len(folded)}" if len(folded) > SLUG_LIMIT else ""
    # Where a word of another script would be lost, four titles could get one proposal and overwrite each other.
    proposal = propose_slug(value) if _latin(value).isascii() else ""
    raise FindingsError(f"slug {shown(value)} is refused: {why}" + (f"; try {proposal!r}" if proposal else ""))


def is_slug(value: str) -> bool:
    """Return whether `value` is a slug as stored: it can be a file name on every system."""
    return bool(_SLUG.match(value)) and len(value) <= SLUG_LIMIT and value not in _DEVICES


def propose_slug(value: str) -> str:
    """Return a slug made from the Latin words of `value`, or "" when none remains."""
    proposal = "-".join(re.findall(r"[a-z0-9]+", _latin(value).lower()))
    if len(proposal) > SLUG_LIMIT:
        proposal = proposal[: SLUG_LIMIT + 1].rpartition("-")[0] or proposal[:SLUG_LIMIT]
    return proposal if is_slug(proposal) else ""


def free_slug(slug: str, taken: Callable[[str], bool]) -> str:
    """Return `slug`, with the first number from 2 behind it that makes it free when it is taken."""
    name, number = slug, 1
    while taken(name):
        number += 1
        name = f"{slug[: SLUG_LIMIT - len(str(number)) - 1].rstrip('-')}-{number}"
    return name


def title(value: str) -> str:
    """Return `value` as one line of at most 160 characters, white space folded."""
    folded = _bounded("title", " ".join(value.split()), TITLE_LIMIT)
    visible("title", folded)
    if not folded:
        raise FindingsError("title is empty: say in one line what looks like X and is Y")
    return folded


def body(value: str) -> str:
    """Return `value` with LF line ends and no blank lines around it, at most 8,000 characters."""
    text = re.sub(r"\r\n?|[\u2028\u2029]", "\n", value)
    text = _bounded("body", re.sub(r"\A(?:[ \t]*\n)+", "", text).rstrip(), BODY_LIMIT)
    visible("body", text, allowed="\n\t")
    if not text:
        raise FindingsError("body is empty: say what happens, why it does not look like it, and what to do instead")
    return text


def scope(value: str) -> str:
    """Return `value` as a relative path with `/` between its parts; "." for the whole root, "" for none."""
    path = _bounded("scope", value.replace("\\", "/"), SCOPE_LIMIT)
    visible("scope", path)
    parts = [part.strip() for part in path.split("/")]
    kept = "/".join(part for part in parts if part not in ("", "."))
    # What is left counts too: "./C:/x" and "./~/x" would be absolute without their first part.
    absolute = path.strip().startswith("/") or re.match(r"~|.:", kept)
    if absolute or ".." in parts:
        raise FindingsError(
            f"scope {shown(value)} is refused: give a path relative to the project's folder,"
            " like 'src/billing/invoice.py'"
        )
    return kept or ("." if "." in parts else "")


def note(name: str, value: str) -> str:
    """Return the value of an optional key: one line of at most 500 characters."""
    folded = _bounded(name, " ".join(value.split()), NOTE_LIMIT)
    visible(name, folded)
    return folded


def source_task(task_id: str) -> str:
    """Return the first 8 characters of a GUID-shaped task id, otherwise the whole id."""
    task = _bounded("task id", task_id.strip(" "), 100)
    visible("task id", task)
    return task[:8].lower() if _GUID.match(task) else task


def visible(name: str, value: str, allowed: str = "") -> None:
    """Refuse hidden characters and secrets in `value`; the error names field and kind, never the value."""
    from claudedo_findings import hidden, screen  # who asks what a slug is has no use for their patterns

    unseen = hidden.kind(value, allowed)
    if unseen:
        raise FindingsError(f"{name} holds a hidden character ({unseen}): remove it and save again")
    secret = screen.secret(value)
    if secret:
        raise FindingsError(
            f"{name} holds what looks like a secret ({secret}): nothing was saved; describe it without its value"
        )


def _latin(value: str) -> str:
    """Return `value` with umlauts written out and without the marks of other letters."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", value).translate(_UMLAUTS))
    return "".join(char for char in parts if not unicodedata.combining(char))


def _bounded(name: str, value: str, limit: int) -> str:
    if len(value) > limit:
        raise FindingsError(f"{name} has {len(value)} characters, the limit is {limit}: shorten it")
    return value
