"""A finding's file as it was read. No dataclass and nothing that writes: hooks and `pointer` wait for this."""

import re
from collections.abc import Mapping
from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date

# What the tool itself writes, read in one step; anything else goes the lenient way to the same answer.
_HEAD = r"---\nslug: [a-z0-9-]+\nscope:(?: (\w[\w./-]*))?\n(?:(?!scope)[a-z-]+:.*\n)*---\n"
_SCOPE = re.compile(_HEAD)
_REST = re.compile(_HEAD + r"\n# (.*)(?:\n|\Z)([\s\S]*)")
_NOTHING = (None, "null", "Null", "NULL")  # what YAML reads as no value


class Stored:
    """A finding's file as it was read, however it was written: lenient, with what is wrong beside it.

    Each part is worked out when it is asked for: a list of 10,000 findings needs no bodies, a search few of them.
    """

    def __init__(self, *, text: str) -> None:
        self.text = text
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
        from claudedo_findings import frontmatter

        return frontmatter.read(list(self.front))

    @property
    def scope(self) -> str:
        written = _SCOPE.match(self.text)
        if written:
            return "" if written[1] in _NOTHING else written[1]
        return self.keys.get("scope", "")

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
        from claudedo_findings import frontmatter

        return bool(frontmatter.conflict(self.front or self.rest.lstrip("\n").split("\n", 1)[:1]))

    @cached_property
    def _split(self) -> tuple[tuple[str, ...], str, str]:
        from claudedo_findings import frontmatter

        lines, rest, complaint = frontmatter.split(self.text)
        return tuple(lines), rest, complaint

    @cached_property
    def _parts(self) -> tuple[str, str, str]:
        written = _REST.match(self.text)
        return ("", written[2].strip(), written[3]) if written else _heading(self.rest)


def expired(stored: Stored, today: "date") -> bool:
    """Return whether the finding's `expires` date lies before `today`; a value that is no date never does."""
    if "expires" not in stored.text:  # few have one, and to read the keys costs more
        return False
    from datetime import date

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


def _heading(text: str) -> tuple[str, str, str]:
    """Return the text before the first heading, that heading's words, and the text after it."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("# "):
            return "\n".join(lines[:number]), line[2:].strip(), "\n".join(lines[number + 1 :])
        if line.startswith(("```", "~~~")):
            break
    return "", "", text
