"""Where one run struggled: errors, loops, corrections and giving up. Pure: a run in, what happened out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from claudedo_findings.gather import hits
from claudedo_findings.gather.hits import Hit
from claudedo_findings.transcripts import fingerprint, quote, remarks
from claudedo_findings.transcripts.model import TROUBLE, Call, Outcome, Remark, Run, Words

_NEAR = 3  # calls that may lie between words and the answer to them
_BEFORE = 10  # calls that a remark about giving up may speak of


@dataclass(frozen=True, kw_only=True)
class Loop:
    """An error that came back after each of several edits to one file."""

    key: str
    error: str
    file: str
    rounds: int
    first: str
    last: str


@dataclass(frozen=True, kw_only=True)
class Correction:
    """Words of the user that turned the agent round: beside a refusal, or typed and then admitted."""

    text: str
    line: int
    at: str
    refusal: bool
    admitted: str = ""
    """The agent's admission, quoted; "" when it just did otherwise."""


@dataclass(frozen=True, kw_only=True)
class GaveUp:
    """An agent's words that it leaves something, right after something failed."""

    text: str
    line: int
    at: str
    error: str


@dataclass(frozen=True, kw_only=True)
class Struggle:
    """What went wrong in one run."""

    hits: tuple[Hit, ...]
    """Every error, also one that came once: another run may have met it too."""
    loops: tuple[Loop, ...]
    corrections: tuple[Correction, ...]
    gave_up: tuple[GaveUp, ...]


def of(run: Run) -> Struggle:
    """Return where a run struggled."""
    return Struggle(
        hits=tuple(hits.of(run.calls)),
        loops=tuple(_loops(run.calls)),
        corrections=tuple(_corrections(run)),
        gave_up=tuple(_gave_up(run)),
    )


def _loops(calls: Sequence[Call]) -> Iterator[Loop]:
    groups: dict[str, list[int]] = {}
    for at, call in enumerate(calls):
        if call.outcome in TROUBLE and not call.weak:
            groups.setdefault(call.fingerprint, []).append(at)
    for mark, places in groups.items():
        rounds: dict[str, list[tuple[int, int]]] = {}
        for before, after in pairwise(places):
            edits = {path for call in calls[before:after] if call.outcome is Outcome.OK for path in call.edits}
            for path in edits:
                rounds.setdefault(path, []).append((before, after))
        for path, pairs in sorted(rounds.items()):
            if len(pairs) >= 2:
                first, last = calls[pairs[0][0]], calls[pairs[-1][1]]
                key = fingerprint.fingerprint(mark, "")
                yield Loop(
                    key=key, error=first.error, file=quote.quoted(path), rounds=len(pairs), first=first.at, last=last.at
                )


def _corrections(run: Run) -> Iterator[Correction]:
    admissions = [remark for remark in run.remarks if remark.kind == remarks.ADMITS and not remark.agent]
    own = [call for call in run.calls if not call.agent]
    for words, following in zip_longest(run.words, run.words[1:]):
        after = (one for one in admissions if words.line < one.line and (not following or one.line < following.line))
        admitted = next(after, None)
        if not words.refusal and not (admitted and _turned(words, admitted, own)):
            continue
        said = admitted.text if admitted else ""
        yield Correction(text=words.text, line=words.line, at=words.at, refusal=words.refusal, admitted=said)


def _turned(words: Words, admitted: Remark, calls: Sequence[Call]) -> bool:
    """Return whether typed words met an agent at work that admitted its mistake soon after."""
    before = any(call.line < words.line for call in calls)
    return before and sum(words.line < call.line < admitted.line for call in calls) <= _NEAR


def _gave_up(run: Run) -> Iterator[GaveUp]:
    for remark in run.remarks:
        if remark.kind != remarks.GIVES_UP:
            continue
        before = [call for call in run.calls if call.agent == remark.agent and call.line < remark.line]
        failed = [call for call in before[-_BEFORE:] if call.outcome in TROUBLE or call.outcome is Outcome.DENIED]
        if failed:
            yield GaveUp(text=remark.text, line=remark.line, at=remark.at, error=failed[-1].error)
