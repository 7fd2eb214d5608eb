"""Commits as values, read from what `git log` says."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from claudedo_findings.gather.reverts import words

FORMAT = "%H%x00%P%x00%at%x00%ae%x00%s%x00%b%x00"
_FIELDS = 6
_BODY_LIMIT = 20_000  # characters; a generated message of 10 MB holds no reason that a person would read
_SUBJECT_LIMIT = 1_000  # characters: without an empty line a whole message is the subject


class Commit(NamedTuple):
    """One commit. A tuple, because a long history makes a hundred thousand of them."""

    sha: str
    parents: tuple[str, ...]
    authored: int
    """Seconds since the epoch."""
    author: str
    subject: str
    body: str

    @property
    def short(self) -> str:
        return self.sha[:10]

    @property
    def merged(self) -> bool:
        """Whether it is a merge."""
        return len(self.parents) > 1

    @property
    def title(self) -> str:
        """The subject; of a merge of a pull request that one's title."""
        return words.title(self.subject, self.body) if self.merged else self.subject


def parse(pieces: Iterable[bytes]) -> Iterator[Commit]:
    """Yield the commits of a log in FORMAT, whatever the borders of its pieces."""
    fields: list[bytes] = []
    rest: list[bytes] = []  # of one field: joined once, or a message of many pieces would be copied for each
    for piece in pieces:
        first, *others = piece.split(b"\0")
        rest.append(first)
        for other in others:
            fields.append(b"".join(rest))
            rest = [other]
            if len(fields) == _FIELDS:
                yield _commit(fields)
                fields = []


def _commit(fields: list[bytes]) -> Commit:
    sha, parents, authored, author, subject, body = (field.decode("utf-8", "replace") for field in fields)
    return Commit(
        sha=sha.strip(),  # a line break ends the record before
        parents=tuple(parents.split()),
        authored=int(authored or 0),
        author=author,
        subject=subject[:_SUBJECT_LIMIT],
        body=body[:_BODY_LIMIT],
    )
