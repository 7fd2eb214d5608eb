"""Reverts that belong to one story are told once."""

from collections.abc import Sequence
from dataclasses import replace

from claudedo_findings.gather.reverts import verdict, words
from claudedo_findings.gather.reverts.log import Log
from claudedo_findings.gather.reverts.verdict import Judged

_DAY = 24 * 60 * 60


def told_once(judged: Sequence[Judged], log: Log) -> list[Judged]:
    """Return the reverts with one proposal for each story.

    An approach that failed twice is told by its newest revert. Of reverts by one author within a day that share
    files the one whose approach is oldest speaks: the others took back what had followed from it.
    """
    told: list[Judged] = list(judged)
    leaders: list[int] = []
    for at in sorted(_proposed(told), key=lambda at: _age(told[at], log), reverse=True):
        leader = next((other for other in leaders if _follows(told[at], told[other], log)), None)
        if leader is None:
            leaders.append(at)
        else:
            told[leader], told[at] = _joined(told[leader], told[at], verdict.TOGETHER)
    newest: dict[str, int] = {}
    for at in _proposed(told):
        title = words.title_key(told[at].targets[-1].title)
        leader = newest.setdefault(title, at)
        if leader != at and set(told[leader].paths) & set(told[at].paths):
            told[leader], told[at] = _joined(told[leader], told[at], verdict.AGAIN)
    return _with_earlier(told)


def _proposed(judged: Sequence[Judged]) -> list[int]:
    return [at for at, item in enumerate(judged) if item.kind in verdict.PROPOSED]


def _age(item: Judged, log: Log) -> int:
    return max(log.position(target) for target in item.targets)


def _follows(other: Judged, leader: Judged, log: Log) -> bool:
    """Return whether `other` takes back what was built on the approach of `leader` while that was in."""
    first, second = leader.revert.commit, other.revert.commit
    near = first.author == second.author and abs(first.authored - second.authored) <= _DAY
    built_on = all(log.position(target) > log.position(first) for target in other.targets)
    return near and built_on and bool(set(leader.paths) & set(other.paths))


def _joined(leader: Judged, other: Judged, kind: str) -> tuple[Judged, Judged]:
    reason = leader.reason or other.reason
    told = replace(
        leader,
        kind=verdict.DRAFT if reason else leader.kind,
        reason=reason,
        others=(*leader.others, other.revert.commit, *other.others),
    )
    return told, replace(other, kind=kind, why=f"it is told with {leader.revert.commit.short}")


def _with_earlier(judged: list[Judged]) -> list[Judged]:
    """Give each proposal the earlier reverts of the same approach, which came back before it failed again."""
    earlier: dict[str, list[Judged]] = {}
    for item in judged:
        if item.kind == verdict.AGAIN and item.targets:
            earlier.setdefault(words.title_key(item.targets[-1].title), []).append(item)
    told = []
    for item in judged:
        key = words.title_key(item.targets[-1].title) if item.targets else ""
        found = earlier.get(key, []) if item.kind in verdict.PROPOSED else []
        told.append(replace(item, others=tuple(dict.fromkeys([*item.others, *(one.revert.commit for one in found)]))))
    return told
