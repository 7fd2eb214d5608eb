"""What a source proposes: a finding that nobody has confirmed yet."""

import hashlib
from dataclasses import dataclass, field

from claudedo_findings import redact, rules

_BODY_LIMIT = 2_000  # characters: a candidate longer than that would not be read through by the one who approves it


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A finding-to-be. Any text is taken: every field is brought into the form that a store keeps.

    `source` is the key that makes a run repeatable: `revert:SHA`, `note:PATH#TITLE` or `error:FINGERPRINT`;
    `also` holds other keys under which the same source may have been kept before.
    """

    source: str
    title: str
    body: str
    scope: str = ""
    evidence: str = ""
    retry_when: str = ""
    also: tuple[str, ...] = ()
    slug: str = field(init=False)
    digest: str = field(init=False)
    """Of title, body and scope: another digest under the same key means that the source changed."""

    def __post_init__(self) -> None:
        title = _line(self.title, rules.TITLE_LIMIT)
        body = _cut(redact.text(self.body).strip(), _BODY_LIMIT)
        kind, _, key = self.source.partition(":")
        unique = hashlib.sha256(key.encode("utf-8")).hexdigest()[:8]
        values = {
            "source": _line(self.source, rules.NOTE_LIMIT),
            "title": title or f"Unnamed {kind} {unique}",
            "body": body or title,
            "evidence": _line(self.evidence, rules.NOTE_LIMIT),
            "retry_when": _line(self.retry_when, rules.NOTE_LIMIT),
            "slug": rules.propose_slug(title) or f"{kind}-{unique}",
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        parts = "\0".join([self.title, self.body, self.scope])
        object.__setattr__(self, "digest", hashlib.sha256(parts.encode("utf-8")).hexdigest()[:12])


def _line(value: str, limit: int) -> str:
    return _cut(" ".join(redact.text(" ".join(value.split()), "").split()), limit)


def _cut(value: str, limit: int) -> str:
    if len(value) <= limit:
        return value
    return value[: limit - 1].rsplit(maxsplit=1)[0].rstrip() + "…"
