"""One finding: a trap, an invariant or a rejected approach, and its file as text."""

import copy
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from claudedo_findings import frontmatter, rules, scalar
from claudedo_findings.errors import FindingsError

# The order of the four keys that are always present; the optional ones follow.
KEYS = ("slug", "scope", "source-task", "verified-against")
OPTIONAL_KEYS = ("expires", "evidence", "retry-when", "source", "also", "drafted", "retired")
# What the tool itself writes, read in one step; anything else goes the lenient way to the same answer.
_HEAD = r"---\nslug: [a-z0-9-]+\nscope:(?: (\w[\w./-]*))?\n(?:(?!scope)[a-z-]+:.*\n)*---\n"
_SCOPE = re.compile(_HEAD)
_REST = re.compile(_HEAD + r"\n# (.*)(?:\n|\Z)([\s\S]*)")

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


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A finding's file as it was read, however it was written: lenient, with what is wrong beside it.

    Each part is worked out when it is asked for: a list of 10,000 findings needs no bodies, a search few of them.
    """

    text: str
    """The file with LF line ends and without BOM."""

    @property
    def front(self) -> tuple[str, ...]:
        """The lines of the front matter."""
        return self._split[0]

    @property
    def rest(self) -> str:
        """What follows the front matter."""
        return self._split[1]

    @property
    def front_complaint(self) -> str:
        """What is wrong with the front matter, "" when nothing is."""
        return self._split[2]

    @cached_property
    def keys(self) -> Mapping[str, str]:
        return frontmatter.read(list(self.front))

    @property
    def scope(self) -> str:
        written = _SCOPE.match(self.text)
        return scalar.unquote(written[1] or "") if written else self.keys.get("scope", "")

    @property
    def title(self) -> str:
        return " ".join(self._parts[1].split())

    @property
    def body(self) -> str:
        before, _, after = self._parts
        text = f"{before}\n{after}" if before.strip() else after
        return text.strip("\n").rstrip()

    @property
    def complaint(self) -> str:
        return self.front_complaint or ("" if self._parts[1] else "there is no line '# title'")

    @property
    def conflict(self) -> bool:
        """Whether git left a conflict in the front matter, or right where it begins."""
        return bool(frontmatter.conflict(self.front or self.rest.lstrip("\n").split("\n", 1)[:1]))

    @cached_property
    def _split(self) -> tuple[tuple[str, ...], str, str]:
        lines, rest, complaint = frontmatter.split(self.text)
        return tuple(lines), rest, complaint

    @cached_property
    def _parts(self) -> tuple[str, str, str]:
        written = _REST.match(self.text)
        return ("", written[2].strip(), written[3]) if written else _heading(self.rest)


def require_settled(stored: Stored, path: str) -> None:
    """Refuse to rewrite the file at `path` when git left a conflict in its front matter: a person chooses the side."""
    if stored.conflict:
        raise FindingsError(
            f"git left a conflict in the front matter of {path}: choose a side there and delete the markers first"
        )


def expired(stored: Stored, today: date) -> bool:
    """Return whether the finding's `expires` date lies before `today`; a value that is no date never does."""
    try:
        return date.fromisoformat(stored.keys.get("expires", "")) < today
    except ValueError:
        return False


def decode(data: bytes) -> str:
    """Return a file's bytes as text; bytes that are not UTF-8 become U+FFFD."""
    # Python's own "utf-8-sig" takes five times as long, which 10,000 files feel.
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")


def eol(text: str) -> str:
    """Return the end-of-line style of `text`: that of its first line, LF when it has none."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def parse(text: str) -> Stored:
    """Read a finding's file. Accepts BOM, CRLF, any key order, unknown keys, a missing front matter or title."""
    return Stored(text=text.removeprefix("\ufeff").replace("\r\n", "\n"))


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


def _heading(text: str) -> tuple[str, str, str]:
    """Return the text before the first heading, that heading's words, and the text after it."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("# "):
            return "\n".join(lines[:number]), line[2:].strip(), "\n".join(lines[number + 1 :])
        if line.startswith(("```", "~~~")):
            break
    return "", "", text
