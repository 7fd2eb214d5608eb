"""Whether what was reverted came back, as far as messages tell: nested reverts, a sha named later, the same title."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from claudedo_findings.gather.reverts import words
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.log import Log

_REF = r"(?:commits? |cls? |prs? |changes? |pull requests? |the |[(<#\s])*(?:https?://\S*/|go\.dev/cl/)?[(<#]?"
_NAMES = re.compile(r"(?<![\w.-])(?:([0-9a-f]{7,64})(?![\w-])|(?:CL ?|#|cl/|/\+/|/pull/)(\d{2,})\b)")
_REVERTS = re.compile(rf"\b(?:revert(?:s|ing)?|undo(?:es|ing)?)[\s:]+{_REF}$", re.IGNORECASE)
_RETURNS = re.compile(
    r"\bre-?(?:appl(?:y|ies|ying|ied)|land(?:s|ing|ed)?|commit(?:s|ting|ted)?|introduc\w+|instat\w+)\b"
    r"|\broll\w* ?forward\b",
    re.IGNORECASE,
)
SAME_TITLE = "has the same title"
_BEFORE = 200  # characters between the word and what it means


@dataclass(frozen=True, kw_only=True)
class Revert:
    """A commit that takes others back."""

    commit: Commit
    targets: tuple[Commit, ...] = ()
    how: str = ""
    """How its targets were found: "sha", "number" or "title"."""


@dataclass(frozen=True, kw_only=True)
class Return:
    """What brought an approach back, and how that was seen."""

    commit: Commit
    how: str


class Chains:
    """The reverts of a history, and which of them undo each other."""

    def __init__(self, reverts: Iterable[Revert], log: Log) -> None:
        self.reverts = {revert.commit.sha: revert for revert in reverts}
        self._log = log

    def depth(self, revert: Revert) -> int:
        """Return how many reverts lie on each other: 1 for one of an approach, 2 for one of a revert."""
        inner = [self.reverts[target.sha] for target in revert.targets if target.sha in self.reverts]
        if inner and len(inner) * 2 >= len(revert.targets):
            return 1 + self.depth(inner[0])  # ends: targets are older
        named = any(not words.is_nested(target.subject) and _reverts(target) for target in revert.targets)
        return 2 if named or (not revert.targets and words.is_nested(revert.commit.subject)) else 1

    def approach(self, revert: Revert) -> tuple[Commit, ...]:
        """Return the commits that a revert of odd depth takes back in the end."""
        inner = [self.reverts[target.sha] for target in revert.targets if target.sha in self.reverts]
        return self.approach(inner[0]) if inner else revert.targets

    def undone_by(self, revert: Revert) -> Revert | None:
        """Return the later revert of this one that is still in force, None when there is none."""
        later = self._undoing.get(revert.commit.sha, ())
        return next((other for other in later if self.undone_by(other) is None), None)

    @cached_property
    def _undoing(self) -> Mapping[str, Sequence[Revert]]:
        found: dict[str, list[Revert]] = {}
        for revert in self.reverts.values():
            for target in revert.targets:
                found.setdefault(target.sha, []).append(revert)
        return found

    def reverted_by(self, commit: Commit) -> Revert | None:
        """Return the revert of a commit that is still in force, None when there is none."""
        return next((other for other in self._undoing.get(commit.sha, ()) if self.undone_by(other) is None), None)

    def returns(self, revert: Revert) -> Iterable[Return]:
        """Yield the later commits that say that they bring back what a revert took."""
        at = self._log.position(revert.commit)
        for commit in self._namers.get(revert.commit.sha, ()):
            yield Return(commit=commit, how="names the revert")
        for target in revert.targets:
            later = (commit for commit in self._bringers.get(target.sha, ()) if self._log.position(commit) < at)
            yield from (Return(commit=commit, how="names what was reverted") for commit in later)
        # A merge brings back what a merge brought: many pull requests are called "Fix tests".
        for key, merged in dict.fromkeys((words.title_key(t.title), t.merged) for t in self.approach(revert)):
            for commit in self._log.titled(key):
                if self._log.position(commit) < at and commit.sha not in self.reverts and commit.merged <= merged:
                    yield Return(commit=commit, how=SAME_TITLE)

    def mention(self, revert: Revert) -> Commit | None:
        """Return the last later commit that names a revert, whatever it says."""
        return next(iter(self._mentions.get(revert.commit.sha, ())), None)

    @cached_property
    def _namers(self) -> Mapping[str, Sequence[Commit]]:
        return self._scan[0]

    @cached_property
    def _bringers(self) -> Mapping[str, Sequence[Commit]]:
        return self._scan[1]

    @cached_property
    def _mentions(self) -> Mapping[str, Sequence[Commit]]:
        return self._scan[2]

    @cached_property
    def _scan(self) -> tuple[dict[str, list[Commit]], dict[str, list[Commit]], dict[str, list[Commit]]]:
        """Read every message once: who brings a revert back, who brings its targets back, who names a revert at all."""
        known = {revert.commit.sha: revert.commit for revert in self.reverts.values()}
        targets = {target.sha: target for revert in self.reverts.values() for target in revert.targets}
        by_sha = {sha[:7]: commit for sha, commit in (targets | known).items()}
        by_number = {
            number: commit
            for commit in (targets | known).values()
            for number in words.landed_as(commit.subject, commit.body)
        }
        namers: dict[str, list[Commit]] = {}
        bringers: dict[str, list[Commit]] = {}
        mentions: dict[str, list[Commit]] = {}
        for commit in self._log.commits:
            text = f"{commit.subject}\n{commit.body}"
            for found in _NAMES.finditer(text):
                meant = by_sha.get(found[1][:7]) if found[1] else by_number.get(found[2])
                if meant is None or meant == commit or not meant.sha.startswith(found[1] or ""):
                    continue
                if self._log.position(meant) <= self._log.position(commit):
                    continue
                before = text[max(0, found.start() - _BEFORE) : found.start()]
                returns = _RETURNS.search(before)
                if meant.sha in known:
                    kind = namers if returns or _REVERTS.search(before) else mentions
                    kind.setdefault(meant.sha, []).append(commit)
                elif returns:
                    bringers.setdefault(meant.sha, []).append(commit)
        return namers, bringers, mentions


def _reverts(commit: Commit) -> bool:
    """Return whether a commit that is no candidate reverts all the same, as "revert to the old index" does."""
    return bool(re.search(r"\brevert(?:s|ed|ing)?\b", commit.subject, re.IGNORECASE))
