"""A history: where the commit of which sha, title or number stands, and which merge brought it in."""

import itertools
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from heapq import heappop, heappush

from claudedo_findings.gather.reverts import words
from claudedo_findings.gather.reverts.commits import Commit

_CHAIN = 50  # commits of a merged branch that are walked: longer ones are no pull request of a revert
_ABBREVIATED = 7  # git's shortest default


class Log:
    """A whole history. Positions count from new to old, so a smaller one is later."""

    def __init__(self, commits: Iterable[Commit]) -> None:
        self.commits = tuple(commits)
        self._at = {commit.sha: position for position, commit in enumerate(self.commits)}

    def position(self, commit: Commit) -> int:
        """Return where a commit of this log stands."""
        return self._at[commit.sha]

    def find(self, sha: str) -> Commit | None:
        """Return the commit of a full or abbreviated sha, None for one that is unknown or stands for several."""
        if len(sha) == len(self.commits[0].sha if self.commits else ""):
            return self.commits[self._at[sha]] if sha in self._at else None
        found = [at for at in self._abbreviated.get(sha[:_ABBREVIATED], ()) if self.commits[at].sha.startswith(sha)]
        return self.commits[found[0]] if len(found) == 1 else None

    def titled(self, key: str) -> list[Commit]:
        """Return the commits whose normalised title is `key`, from new to old; of merges that of the pull request."""
        return [self.commits[at] for at in self._titles.get(key, ())]

    def starting(self, start: str) -> list[Commit]:
        """Return the commits whose normalised title starts with `start`, from new to old."""
        first = bisect_left(self._sorted_titles, start)
        keys = itertools.takewhile(lambda key: key.startswith(start), self._sorted_titles[first:])
        return [self.commits[at] for at in sorted(at for key in keys for at in self._titles[key])]

    def numbered(self, number: str) -> list[Commit]:
        """Return the commits that landed as pull request or change `number`, merges included, from new to old."""
        return [self.commits[at] for at in self._numbers.get(number, ())]

    def bringer(self, commit: Commit) -> Commit | None:
        """Return the merge whose short branch brought a commit in, None when it was made on the spot."""
        for _ in range(_CHAIN):
            children = self._children.get(commit.sha, ())
            if len(children) != 1:
                return None
            child = self.commits[children[0]]
            if len(child.parents) > 1:
                return child if child.parents[0] != commit.sha else None
            commit = child
        return None

    def brought(self, merge: Commit) -> list[Commit]:
        """Return the commits that a merge brought in, from new to old; merges among them are left out.

        Paints both sides downwards, newest first, until everything left is known on the merge's own side.
        """
        own, foreign = 1, 2
        seen: dict[int, int] = {}
        heap: list[int] = []
        for parent, side in [(merge.parents[0], own), *((parent, foreign) for parent in merge.parents[1:])]:
            if parent in self._at:
                seen[self._at[parent]] = seen.get(self._at[parent], 0) | side
                heappush(heap, self._at[parent])
        found = []
        while heap and any(seen[at] == foreign for at in heap):
            at = heappop(heap)
            while heap and heap[0] == at:
                heappop(heap)
            commit = self.commits[at]
            if seen[at] == foreign and len(commit.parents) < 2:
                found.append(commit)
            for parent in commit.parents:
                if parent in self._at:
                    seen[self._at[parent]] = seen.get(self._at[parent], 0) | seen[at]
                    heappush(heap, self._at[parent])
        return found

    @cached_property
    def _abbreviated(self) -> dict[str, list[int]]:
        return _places((commit.sha[:_ABBREVIATED], at) for at, commit in enumerate(self.commits))

    @cached_property
    def _titles(self) -> dict[str, list[int]]:
        return _places((words.title_key(commit.title), at) for at, commit in enumerate(self.commits))

    @cached_property
    def _sorted_titles(self) -> list[str]:
        return sorted(self._titles)

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        pairs = ((number, at) for at, commit in enumerate(self.commits) for number in words.landed_as(*commit[-2:]))
        return _places(pairs)

    @cached_property
    def _children(self) -> dict[str, list[int]]:
        return _places((parent, at) for at, commit in enumerate(self.commits) for parent in commit.parents)


def _places(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for key, at in pairs:
        if key:
            places.setdefault(key, []).append(at)
    return places
