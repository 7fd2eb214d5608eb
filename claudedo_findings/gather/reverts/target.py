"""What a revert takes back: the commits that its message names, by sha, number or title."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claudedo_findings.gather.reverts import words
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.log import Log

_TITLE_START = 25  # characters of a title that a forge cut off: shorter ones fit too many
_NEAREST = 5  # commits of one title are tried: a title like "fix build" stands for hundreds

_SHA = re.compile(r"(?<![\w/.-])[0-9a-f]{7,64}(?![\w-])")
# A sentence that says what is reverted, up to a full stop, an empty line or what a merge was reversed to.
_SENTENCE = re.compile(
    r"\b(?:revert(?:s|ed|ing)?|back(?:s|ed)?[ -]out|roll(?:s|ed|ing)?[ -]?back|undo(?:es)?)\b"
    r"(.{1,600}?)(?:\.(?:\s|\Z)|\n\s*\n|\breversing\b|\bbecause\b|\bwhich\b|\bsince\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_LIST_LINE = re.compile(r"^[ \t*-]*([0-9a-f]{7,64})\b", re.MULTILINE)
_CHANGE = re.compile(r"\bCL[ /#]*(\d{4,})|\bcl/(\d{4,})|/\+/(\d{4,})")
_PULL = re.compile(r"(?:[\w.-]+/[\w.-]+)?#(\d+)|/pull/(\d+)")
_RIGHT_AFTER = re.compile(r"\brevert(?:s|ed)?:? (?:pr |pull request )?#(\d+)\b", re.IGNORECASE)
_LAST_TWO = re.compile(r"\(#(\d+)\)\s*\(#\d+\)\s*$")


@dataclass(frozen=True, kw_only=True)
class Named:
    """Commits that a message names, and how: "sha", "number" or "title"."""

    commits: tuple[Commit, ...]
    how: str


def named(revert: Commit, log: Log) -> Iterator[Named]:
    """Yield what a revert may take back, the best evidence first.

    A sha must be in this history and older: squashes and rebases leave the shas of commits that never were in it.
    """
    title = words.quoted(revert.subject)
    ways = [
        ("sha", _by_sha(revert, log)),
        ("number", _by_number(revert, title, log)),
        ("title", _by_title(title, log, revert)),
        ("title", _by_start(title, log, revert)),
    ]
    if words.quotes(revert.subject) and not words.says_which(revert.body):
        ways.insert(0, ways.pop(2))  # such a message may tell of another revert, with its sha
    for how, groups in ways:
        for group in groups:
            older = tuple(dict.fromkeys(commit for commit in group if log.position(commit) > log.position(revert)))
            if older:
                yield Named(commits=older, how=how)


def _by_sha(revert: Commit, log: Log) -> Iterator[list[Commit]]:
    sentences = [found[1] for found in _SENTENCE.finditer(f"{revert.subject}\n\n{revert.body}")]
    yield [commit for text in sentences for sha in _SHA.findall(text) if (commit := log.find(sha))]
    yield [commit for sha in _LIST_LINE.findall(revert.body) if (commit := log.find(sha))]


def _by_number(revert: Commit, title: str, log: Log) -> Iterator[list[Commit]]:
    sentences = [found[1] for found in _SENTENCE.finditer(f"{revert.subject}\n\n{revert.body}")]
    changes = [next(filter(None, found)) for text in sentences for found in _CHANGE.findall(text)]
    # A `#N` elsewhere in a title is an issue.
    in_title = re.search(r"\(#(\d+)\)$", title), _LAST_TWO.search(revert.subject), _RIGHT_AFTER.search(revert.subject)
    for number in [*changes, *(found[1] for found in in_title if found)]:
        yield _landed(number, log, revert)
    body_sentences = [found[1] for found in _SENTENCE.finditer(revert.body)]
    for number in [next(filter(None, found)) for text in body_sentences for found in _PULL.findall(text)]:
        yield _landed(number, log, revert)


def _landed(number: str, log: Log, revert: Commit) -> list[Commit]:
    """Return what landed under a number; of one that landed twice the nearest."""
    older = [commit for commit in log.numbered(number) if log.position(commit) > log.position(revert)]
    return _whole(older[0], log) if older else []


def _by_title(title: str, log: Log, revert: Commit) -> Iterator[list[Commit]]:
    older = [
        commit
        for commit in log.titled(words.title_key(title))
        if log.position(commit) > log.position(revert) and not words.is_nested(commit.subject)
    ]
    # A commit speaks for itself before the pull request that brought it in.
    older.sort(key=lambda commit: commit.merged)
    yield from (_whole(commit, log) for commit in older[:_NEAREST])


def _by_start(title: str, log: Log, revert: Commit) -> Iterator[list[Commit]]:
    start = re.split(r"\(#\d*(?:…|\.\.\.)?$|…|\.\.\.", title)[0].strip()
    if len(start) >= _TITLE_START:
        key = words.title_key(start)
        older = [commit for commit in log.starting(key) if log.position(commit) > log.position(revert)]
        yield from ([commit] for commit in older[:_NEAREST])


def _whole(commit: Commit, log: Log) -> list[Commit]:
    """Return a commit, or what it brought in when it is a merge."""
    return log.brought(commit) if commit.merged else [commit]
