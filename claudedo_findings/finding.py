"""One finding: a trap, an invariant or a rejected approach, and its file as text."""

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from claudedo_findings import frontmatter, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.stored import Stored as Stored  # callers need one name for a finding
from claudedo_findings.stored import decode as decode
from claudedo_findings.stored import eol as eol
from claudedo_findings.stored import expired as expired
from claudedo_findings.stored import parse as parse

# The order of the four keys that are always present; the optional ones follow.
KEYS = ("slug", "scope", "source-task", "verified-against")
OPTIONAL_KEYS = ("expires", "evidence", "retry-when", "source", "also", "drafted", "retired")

# How a `retired` reason begins that means something: a retry succeeded; what was a candidate comes back as one.
OVERTURNED, REJECTED, WITHDRAWN = "overturned: ", "rejected: ", "withdrawn: "


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A finding that may be stored: every field is checked when it is made."""

    slug: str
    title: str
    body: str
    scope: str = ""
    source_task: str = ""
    verified_against: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = {
            "slug": rules.slug(self.slug),
            "title": rules.title(self.title),
            "body": rules.body(self.body),
            "scope": rules.scope(self.scope),
            "source_task": rules.source_task(self.source_task),
            "notes": {name: rules.note(name, value) for name, value in self.notes.items()},
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def stamped(self, *, source_task: str, verified_against: str) -> "Finding":
        """Return the same finding with a task and a stamp; its texts, checked when it was made, are not again."""
        made = copy.copy(self)
        object.__setattr__(made, "source_task", rules.source_task(source_task))
        object.__setattr__(made, "verified_against", verified_against)
        return made


def require_settled(stored: Stored, path: str) -> None:
    """Refuse to rewrite the file at `path` when git left a conflict in its front matter: a person chooses the side."""
    if stored.conflict:
        raise FindingsError(
            f"git left a conflict in the front matter of {path}: choose a side there and delete the markers first"
        )


def render(finding: Finding, old: str = "") -> str:
    """Return the text of the finding's file; unknown keys, comments and line ends of the `old` text stay.

    Of a conflict that git left in its front matter both sides stay, the markers go.
    """
    keys = {
        "slug": finding.slug,
        "scope": finding.scope,
        "source-task": finding.source_task,
        "verified-against": finding.verified_against,
        **finding.notes,
    }
    front = frontmatter.update(frontmatter.settled(parse(old).front), keys)
    text = "\n".join(["---", *front, "---", "", f"# {finding.title}", "", finding.body, ""])
    return text.replace("\n", eol(old))


def rekey(data: bytes, values: Mapping[str, str], drop: Collection[str] = ()) -> bytes:
    """Return a finding's file with `values` in its front matter, new ones last, and the keys of `drop` out of it.

    What cannot be read is kept too, bytes that are not UTF-8 among it; line ends become those of the first line.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    lines, rest, _ = frontmatter.split(text.replace("\r\n", "\n"))
    kept = frontmatter.without(lines, drop)
    known = frontmatter.read(kept)
    front = frontmatter.update(kept, {name: value for name, value in values.items() if name in known})
    front += frontmatter.update([], {name: value for name, value in values.items() if name not in known})
    gap = [] if rest.startswith("\n") else [""]
    new = "\n".join(["---", *front, "---", *gap, rest]) if front else rest.lstrip("\n")
    return new.replace("\n", eol(text)).encode("utf-8", "surrogateescape")
