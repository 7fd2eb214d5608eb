"""A text of the store that may stem from a source: its keys, and whether a hand touched it since it was drafted."""

from dataclasses import dataclass
from functools import cached_property

from claudedo_findings import finding, rules
from claudedo_findings.finding import Finding, Stored
from claudedo_findings.gather import draft as drafts_of
from claudedo_findings.gather.draft import Draft


@dataclass(frozen=True, kw_only=True)
class Held:
    """A file of the store: its folder, its name without `.md`, its bytes, and what they say."""

    kind: str
    name: str
    data: bytes = b""
    unreadable: str = ""

    @cached_property
    def stored(self) -> Stored:
        return finding.parse(finding.decode(self.data))

    @property
    def source(self) -> str:
        return self.stored.keys.get("source", "")

    @property
    def keys(self) -> set[str]:
        also = set(self.stored.keys.get("also", "").split())
        return also | ({drafts_of.digest(self.source)} if self.source else set())

    @property
    def digest(self) -> str:
        return drafts_of.digest(self.stored.title, self.stored.body, self.stored.scope)

    @property
    def drafted(self) -> str:
        """Of the text as its source told it; "" when a hand wrote the file."""
        return self.stored.keys.get("drafted", "").partition("-")[0]

    @property
    def touched(self) -> bool:
        """Whether a hand changed anything that a source would write again."""
        return self.stored.keys.get("drafted", "") != seal(self.stored, self.drafted)

    @property
    def reason(self) -> str:
        return self.stored.keys.get("retired", "")

    @property
    def complaint(self) -> str:
        bad_name = "" if rules.is_slug(self.name) else "its name is no slug"
        return self.unreadable or bad_name or self.stored.complaint

    @property
    def withdrawn(self) -> bool:
        return self.kind == "retired" and self.reason.startswith(finding.WITHDRAWN)


def render(draft: Draft, name: str, old: bytes = b"") -> bytes:
    """Return the file of a candidate; what a hand added to the front matter of the `old` one stays.

    Raises FindingsError when the draft may not be stored.
    """
    stored = finding.parse(finding.decode(old))
    said = {"evidence": draft.evidence, "retry-when": draft.retry_when}
    notes = {key: value for key, value in said.items() if value or key in stored.keys}
    also = " ".join(map(drafts_of.digest, draft.also))
    new = Finding(
        slug=name,
        title=draft.title,
        body=draft.body,
        scope=draft.scope,
        notes={
            **notes,
            "source": draft.source,
            **({"also": also} if also or "also" in stored.keys else {}),
            "drafted": draft.digest,
        },
    )
    text = finding.render(new, finding.decode(old))
    mark = seal(finding.parse(text), draft.digest)
    return finding.rekey(text.encode("utf-8"), {"drafted": mark})


def seal(stored: Stored, drafted: str) -> str:
    """Return the value of `drafted`: the digest of what the source said, and of all that was made of it."""
    notes = (stored.keys.get(name, "") for name in ("evidence", "retry-when"))
    return f"{drafted}-{drafts_of.digest(stored.title, stored.body, stored.scope, *notes)}"
