"""The reverts of one history: what each takes back, and what its message alone makes of it."""

import re
from collections.abc import Iterable, Sequence

from claudedo_findings import git
from claudedo_findings.gather.reverts import read, reasons, target, verdict, words
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.log import Log
from claudedo_findings.gather.reverts.returned import SAME_TITLE, Chains, Revert
from claudedo_findings.gather.reverts.verdict import Judged

_SPEAKS = re.compile(r"revert|back(?:ed)? ?out|rol(?:l|led) ?back|undo", re.IGNORECASE)
_TARGETS = 30  # commits of one revert are compared: a merge can bring in a thousand


class Search:
    """One run over one history. Reads what the reverts, their targets and namesakes of these changed."""

    def __init__(self, log: Log, places: git.Places) -> None:
        self.log = log
        self.prefix = places.prefix
        commits = [one for one in log.commits if len(one.parents) < 2 and words.is_candidate(*one[-2:])]
        named = {commit.sha: list(target.named(commit, log)) for commit in commits}
        targets = {one.sha: one for groups in named.values() for group in groups for one in group.commits[:_TARGETS]}
        titles = {words.title_key(one.title) for one in targets.values()}
        namesakes = [one for title in titles for one in log.titled(title)[:_TARGETS]]
        asked = targets | {one.sha: one for one in [*commits, *namesakes]}
        self.changes = read.changes(asked.values(), places.toplevel)
        self.chains = Chains((self._resolved(commit, named[commit.sha]) for commit in commits), log)

    def judge(self, revert: Revert) -> Judged:
        """Return what becomes of a revert as far as messages and touched files tell; else without a kind."""
        approach = self.chains.approach(revert)
        paths = self._shared(revert.commit, approach)
        reason = self._reason(revert.commit, approach)
        mention = self.chains.mention(revert)
        kind, why = self._kind(revert, approach, reason, paths)
        return Judged(
            revert=revert,
            kind=kind,
            why=why,
            targets=_named_last(revert.commit, approach),
            reason=reason,
            paths=tuple(paths),
            touched=tuple(sorted(self._paths(revert.commit))),
            maybe=f"{mention.short} names it later ({mention.subject})" if mention else "",
        )

    def blobs(self, judged: Judged, path: str) -> list[tuple[str, str]]:
        """Return the blobs of a file before and after: first those of the revert, then those of its targets."""
        commits = [judged.revert.commit, *judged.targets[:_TARGETS]]
        found = [self.changes.get(commit.sha, {}).get(path) for commit in commits]
        return [(change.before, change.after) for change in found if change]

    def changesets(self, judged: Judged) -> list[str]:
        """Return the blobs of the changesets that a revert added."""
        changes = self.changes.get(judged.revert.commit.sha, {})
        return [
            c.after
            for path, c in changes.items()
            if path.startswith(".changeset/") and path.endswith(".md") and c.after
        ]

    def _resolved(self, commit: Commit, named: Iterable[target.Named]) -> Revert:
        """Return the revert with the first of its possible targets that changed a file in common with it."""
        for group in named:
            if self._common(commit, group.commits):
                return Revert(commit=commit, targets=group.commits, how=group.how)
        return Revert(commit=commit)

    def _paths(self, commit: Commit) -> set[str]:
        return set(self.changes.get(commit.sha, ()))

    def _common(self, commit: Commit, others: Sequence[Commit]) -> set[str]:
        theirs: set[str] = set().union(*(self._paths(other) for other in others[:_TARGETS]))
        return self._paths(commit) & theirs

    def _shared(self, commit: Commit, approach: Sequence[Commit]) -> list[str]:
        return sorted(self._common(commit, approach) or self._paths(commit))

    def _reason(self, commit: Commit, approach: Sequence[Commit]) -> str:
        """Return why, from the message, else from the merge that brought the revert in."""
        theirs = "\n".join(one.body for one in approach)
        return reasons.of(commit.body, theirs) or reasons.of(self._description(commit), theirs)

    def _description(self, commit: Commit) -> str:
        """Return what the merge that brought a revert in says of it: a pull request with more in it speaks of that."""
        merge = self.log.bringer(commit)
        if not merge or not (_SPEAKS.search(merge.title) or len(self.log.brought(merge)) == 1):
            return ""
        return merge.body.lstrip().partition("\n")[2]

    def _kind(self, revert: Revert, approach: Sequence[Commit], reason: str, paths: Sequence[str]) -> tuple[str, str]:
        if self.chains.depth(revert) % 2 == 0:
            return verdict.REAPPLY, "it takes a revert back"
        if found := self._returned(revert) or verdict.noise(revert.commit.subject, approach, reason):
            return found
        if not approach:
            return verdict.UNKNOWN, "it names no older commit that changed the same files"
        if self.prefix and not any(path.startswith(f"{self.prefix}/") for path in paths):
            return verdict.ELSEWHERE, f"it changes nothing below {self.prefix}"
        if verdict.side_only(sorted(self._paths(revert.commit))):
            more = f" and {len(paths) - 1} more" if paths[1:] else ""
            return verdict.SIDE, f"it changes {paths[0]}{more}"
        return "", ""

    def _returned(self, revert: Revert) -> tuple[str, str] | None:
        if other := self.chains.undone_by(revert):
            return verdict.BACK, f"{other.commit.short} takes it back ({other.commit.subject})"
        for again in self.chains.returns(revert):
            if again.how == SAME_TITLE and not self._common(again.commit, [revert.commit]):
                continue
            other = self.chains.reverted_by(again.commit)
            if other is None:
                return verdict.BACK, f"{again.commit.short} {again.how} ({again.commit.subject})"
            if other != revert:
                return verdict.AGAIN, f"{again.commit.short} tried again and {other.commit.short} reverted that"
        return None


def _named_last(revert: Commit, approach: Sequence[Commit]) -> tuple[Commit, ...]:
    """Return an approach with the commit that the subject names at its end: that one gives a draft its name."""
    key = words.title_key(words.quoted(revert.subject))
    return tuple(sorted(approach, key=lambda commit: words.title_key(commit.title) == key))
