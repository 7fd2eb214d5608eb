"""What a source proposes: a finding that nobody has confirmed yet."""

import hashlib
import re
from dataclasses import dataclass, field

from claudedo_findings import redact, rules
from claudedo_findings.errors import FindingsError

_BODY_LIMIT = 2_000  # characters: a candidate longer than that would not be read through by the one who approves it


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A finding-to-be. Any text is taken: every field is brought into the form that a store keeps.

    `source` is the key that makes a run repeatable: `revert:SHA`, `note:PATH#TITLE` or `error:FINGERPRINT`;
    `also` holds other keys under which the same source may have been kept before, or may be met again.
    """

    source: str
    title: str
    body: str
    scope: str = ""
    evidence: str = ""
    retry_when: str = ""
    also: tuple[str, ...] = ()
    name: str = ""
    """What the slug is made from, where the title would make a poor one."""
    slug: str = field(init=False)
    digest: str = field(init=False)
    """Of title, body and scope: another digest under the same key means that the source changed."""

    def __post_init__(self) -> None:
        title = line(self.title, rules.TITLE_LIMIT)
        kind, _, rest = self.source.partition(":")
        name = f"{_words(kind) or 'draft'}-{_hash(rest)[:8]}"
        values = {
            "source": key(self.source),
            "title": title or f"Unnamed {name}",
            "body": _text(self.body, _BODY_LIMIT) or title,
            "scope": _scope(self.scope),
            "evidence": line(self.evidence, rules.NOTE_LIMIT),
            "retry_when": line(self.retry_when, rules.NOTE_LIMIT),
            "also": tuple(dict.fromkeys(map(key, self.also))),
            "slug": rules.propose_slug(line(self.name, rules.TITLE_LIMIT)) or rules.propose_slug(title) or name,
        }
        for field_name, value in values.items():
            object.__setattr__(self, field_name, value)
        object.__setattr__(self, "digest", digest(self.title, self.body, self.scope))

    @property
    def keys(self) -> tuple[str, ...]:
        """The digests of its keys, its own first."""
        return tuple(map(digest, (self.source, *self.also)))


def key(source: str) -> str:
    """Return a source's key in the form that a file keeps: one line with nothing personal in it, still its own."""
    folded = " ".join(source.split())
    if line(folded, rules.NOTE_LIMIT) == folded:
        return folded
    told, own = line(folded, rules.NOTE_LIMIT - 10), _hash(folded)[:8]
    # `token=4096` is none, but with a hash at its end it looks like a secret, which would be masked when keyed again.
    forms = (f"{told}~{own}", f"{told} ~{own}")
    return next((form for form in forms if line(form, rules.NOTE_LIMIT) == form), own)


def digest(*parts: str) -> str:
    """Return a short digest of texts, the same in every run."""
    return _hash("\0".join(parts))[:12]


def line(value: str, limit: int) -> str:
    """Return `value` as one line that may be stored, cut at a word to `limit` characters."""
    return _cut(" ".join(redact.text(" ".join(value.split()), "").split()), limit)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text(value: str, limit: int) -> str:
    lines = redact.text(value).split("\n")
    return _cut("\n".join(line.rstrip() for line in lines).strip("\n"), limit)


def _scope(value: str) -> str:
    try:
        return rules.scope(value)
    except FindingsError:  # a source guesses; no scope is better than one that leads out of the project
        return ""


def _words(kind: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", kind.lower())[:20]


def _cut(value: str, limit: int) -> str:
    """Return `value` cut at a word; what is left is redacted again, since a cut can bring out a new shape."""
    while len(value) > limit:
        value = redact.text(value[: limit - 1].rsplit(maxsplit=1)[0].rstrip() + "…")
    return value
