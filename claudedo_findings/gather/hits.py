"""The errors of one run: what each is, how often it came, and what ended it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claudedo_findings.transcripts import fingerprint, quote
from claudedo_findings.transcripts.model import Call, Outcome
from claudedo_findings.transcripts.outcome import SHELLS

WALL, TEST, SLIP, DENIED = "wall", "test", "slip", "denied"
_TEST = re.compile(r"(?:FAILED|ERROR) \S+::|\(fail\) |● |--- FAIL: |test \S+ \.\.\. FAILED|not ok \d|\d+\) ")
# Errors that any wrong path gives: they mean the same only for the same path.
_ABOUT_PATH = re.compile(
    r"no such file|does not exist|doesn't exist|not a directory|is a directory|eisdir|enoent"
    r"|cannot (?:access|stat|open)|could not (?:open|find|read) (?:file|<path>)|cannot find path|permission denied"
    r"|file exists|no matches found|pathspec|did not match any file|unknown revision or path|directory not found"
)
_PATH = re.compile(r"[\w.@+~-]*(?:[\\/][\w.@+-]+)+|[\w@+-]+\.\w{1,8}\b")


@dataclass(frozen=True, kw_only=True)
class Error:
    """An error and the call that met it."""

    key: str
    """The same for the same error in another run."""
    kind: str
    """WALL; TEST, a test that failed; SLIP, a wrong use of the client's own tools; DENIED, by the permission rules."""
    text: str
    weak: bool
    """The text says too little to mean the same elsewhere."""
    call: str
    """The command or target of the last call that met it, quoted."""
    aim: str
    """What that call was for, coarsely."""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One error of one run, with how often it came and what ended it."""

    error: Error
    count: int
    attempts: int
    """The calls of one message are one attempt: parallel guesses are one mistake."""
    first: str
    last: str
    models: tuple[str, ...]
    solved: bool = False
    """Whether a later call with the same aim succeeded, and the error did not come back after it."""
    way_out: str = ""
    """That call, quoted, where it differs from the one that failed and nothing was edited in between."""
    edited: tuple[str, ...] = ()
    """The project's files that were edited between the last failure and that call."""


def of(calls: Sequence[Call]) -> Iterator[Hit]:
    """Yield the errors of a run; those about a path once for the error (walls of this run) and once for each path."""
    groups: dict[tuple[str, str], list[int]] = {}
    for at, call in enumerate(calls):
        if call.error:
            groups.setdefault((call.fingerprint, ""), []).append(at)
            if about := _about(call):
                groups.setdefault((call.fingerprint, about), []).append(at)
    for (mark, about), places in groups.items():
        first = calls[places[0]]
        by_path = bool(_about(first))
        if by_path and not about and len(places) < 2:
            continue
        yield _hit(calls, places, fingerprint.fingerprint(mark, about), named=bool(about) or not by_path)


def _hit(calls: Sequence[Call], places: list[int], key: str, *, named: bool) -> Hit:
    failed = [calls[at] for at in places]
    first, last = failed[0], failed[-1]
    times = sorted(call.at for call in failed if call.at)
    solved = _solution(calls, places[-1])
    between = _edited(calls[places[-1] : solved]) if solved else ()
    differs = solved is not None and calls[solved].same != last.same
    return Hit(
        error=Error(
            key=key,
            kind=_kind(first, named=named),
            text=first.error,
            weak=first.weak,
            call=next((call.what for call in reversed(failed) if call.what), ""),
            aim=next((call.aim for call in reversed(failed) if call.aim), ""),
        ),
        count=len(failed),
        attempts=len({(call.agent, call.batch or str(call.line)) for call in failed}),
        first=times[0] if times else "",
        last=times[-1] if times else "",
        models=tuple(sorted({call.model for call in failed if call.model})),
        solved=solved is not None,
        way_out=calls[solved].what if solved is not None and differs and not between else "",
        edited=between,
    )


def _edited(calls: Sequence[Call]) -> tuple[str, ...]:
    """Return the project's files that calls edited."""
    found = (path for call in calls if call.outcome is Outcome.OK for path in call.edits)
    return tuple(dict.fromkeys(quote.quoted(path) for path in found if not path.startswith(("/", "~"))))


def _kind(call: Call, *, named: bool) -> str:
    if call.outcome is Outcome.DENIED:
        return DENIED
    if call.outcome is Outcome.FAILED and call.tool and call.tool not in SHELLS and not call.tool.startswith("mcp__"):
        return SLIP
    if _TEST.match(call.error):
        return TEST
    return WALL if named else SLIP


def _about(call: Call) -> str:
    """Return the end of the path that an error is about, "" for an error that means the same for every path."""
    normal = fingerprint.normalised(call.error)
    if not _ABOUT_PATH.search(normal):
        return ""
    found = _PATH.findall(call.error) or _PATH.findall(call.what)
    return "/".join(re.split(r"[\\/]", found[-1])[-2:]).casefold() if found else ""


def _solution(calls: Sequence[Call], failed: int) -> int | None:
    """Return the index of the first success with the aim of a failed call, after which nothing like it failed."""
    call = calls[failed]
    if not call.aim:
        return None
    for at in range(failed + 1, len(calls)):
        later = calls[at]
        if later.outcome is Outcome.OK and (later.tool, later.aim) == (call.tool, call.aim):
            return at
    return None
