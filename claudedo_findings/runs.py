"""The runs of a project: sub-agents joined to their parents, copies counted once, paths as in the main checkout."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from claudedo_findings import digests, sources
from claudedo_findings.errors import FindingsError
from claudedo_findings.sources import Sources
from claudedo_findings.tally import Tally
from claudedo_findings.transcripts import paths, quote
from claudedo_findings.transcripts.model import Call, Digest, Outcome, Run

Progress = Callable[[int, int], None]
_AGENT = re.compile(r"agent-[^/\\]+\.jsonl\Z")
# A working directory that is nobody's project: what lies below it belongs to many.
_HOME = re.compile(r"(?i)(?:/|~|/root|/(?:home|users)/[^/]+|[a-z]:/(?:users/[^/]+)?)/?\Z")


def load(found: Sources, tally: Tally, progress: Progress | None = None) -> Iterator[Run]:
    """Yield the runs in transcripts, one at a time, so that memory does not grow with their number.

    Paths in a run are relative to the project's root where they lie in one of its checkouts, otherwise absolute.
    A transcript that cannot be read is a complaint in `tally`. `progress` gets the bytes done and all bytes.
    """
    sizes = {path: os.path.getsize(path) if os.path.exists(path) else 0 for path in found.files}
    done, total = 0, sum(sizes.values())
    seen: set[str] = set()
    for group in _groups(found.files):
        read: list[Digest] = []
        for path in group:
            try:
                read.append(digests.of(path))
            except FindingsError as error:
                tally.complaints.append(str(error))
            done += sizes[path]
            if progress:
                progress(done, total)
        for digest in read:
            tally.files += 1
            tally.lines += digest.lines
            tally.broken += digest.broken
            tally.unknown += digest.unknown
            tally.unfinished += digest.unfinished
        for run in _joined([run for digest in read for run in digest.runs]):
            own = _own(run, seen)
            tally.copies += len(run.calls) - len(own.calls)
            if own.calls or (own.messages and not run.calls):  # else all of it was told by another transcript
                yield mapped(own, found.roots)
    digests.sweep()


def name(one: Run) -> str:
    """Return what a run is called: its task and number for the host's, else its session, else its file."""
    if one.task:
        text = f"task {one.task[:8]} run {one.number}"
    else:
        text = f"{one.kind} {one.session[:8]}" if one.session else re.split(r"[\\/]", one.path)[-1]
    return quote.quoted(text + (f" part {one.part}" if one.part > 1 else ""), 80)


def _groups(found: Sequence[str]) -> Iterable[list[str]]:
    """Return the transcripts in groups: a session first, then the files of its sub-agents."""
    groups: dict[str, list[str]] = {}
    for path in found:
        parent = path
        if _AGENT.search(path):
            folder, _, _ = path.partition(f"{os.sep}subagents{os.sep}")
            if folder == path:  # older versions put them beside the session
                session = sources.peek(path)[1]
                folder = os.path.join(os.path.dirname(path), session or os.path.basename(path))
            parent = f"{folder}.jsonl"
        group = groups.setdefault(parent, [])
        group.insert(0 if parent == path else len(group), path)
    return groups.values()


def _joined(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the runs with those of sub-agents' files joined to the session they belong to."""
    parents = [run for run in runs if not _AGENT.search(run.path)] or runs[:1]
    first = parents[0].session if parents else ""
    for at, run in enumerate(parents):
        agents = [
            one
            for one in runs
            if one not in parents and (one.session == run.session or (at == 0 and one.session != first))
        ]
        yield _with_agents(run, agents) if agents else run


def _with_agents(run: Run, agents: Sequence[Run]) -> Run:
    every = (run, *agents)
    calls: dict[str, Call] = {}
    for call in (call for one in every for call in one.calls):
        # A sub-agent's calls stand in its own file and, as an echo, in its parent's; one of them may be cut off.
        if call.key not in calls or calls[call.key].outcome is Outcome.UNKNOWN:
            calls[call.key] = call
    return replace(
        run,
        started=min((one.started for one in every if one.started), default=""),
        ended=max(one.ended for one in every),
        calls=tuple(sorted(calls.values(), key=_order)),
        messages=tuple(message for one in every for message in one.messages),
        remarks=tuple(remark for one in every for remark in one.remarks),
        shown=tuple(shown for one in every for shown in one.shown),
    )


def _order(call: Call) -> tuple[str, int]:
    return call.at, call.line


def _own(run: Run, seen: set[str]) -> Run:
    """Return a run without what stood in an earlier one: sessions are copied when they are resumed or forked."""

    def is_new(kind: str, key: str) -> bool:
        key = f"{kind} {run.path} {run.part} {key}" if key.startswith("#") else f"{kind} {key}"
        new = key not in seen
        seen.add(key)
        return new

    calls = tuple(call for call in run.calls if is_new("call", call.key))
    mine = {call.key for call in calls} if len(calls) < len(run.calls) else None
    return replace(
        run,
        calls=calls,
        inherited=() if mine is None else tuple(call for call in run.calls if call.key not in mine),
        messages=tuple(message for message in run.messages if is_new("message", message.key)),
        words=tuple(words for words in run.words if is_new("words", words.key)),
    )


def mapped(run: Run, roots: Sequence[str]) -> Run:
    """Return a run with its paths relative to the innermost of `roots`, or to its own working directory."""
    own = () if not run.cwd or _HOME.match(run.cwd) or paths.relative(run.cwd, roots) else (run.cwd,)
    every = (*roots, *own)
    return replace(
        run,
        calls=tuple(_mapped_call(call, every) for call in run.calls),
        inherited=tuple(_mapped_call(call, every) for call in run.inherited),
        shown=tuple(replace(shown, path=_relative(shown.path, every)) for shown in run.shown),
    )


def _mapped_call(call: Call, roots: Sequence[str]) -> Call:
    if not (call.reads or call.searches or call.edits):
        return call
    return replace(
        call,
        reads=tuple(_relative(path, roots) for path in call.reads),
        searches=tuple(_relative(path, roots) for path in call.searches),
        edits=tuple(_relative(path, roots) for path in call.edits),
    )


def _relative(path: str, roots: Sequence[str]) -> str:
    return paths.relative(path, roots) or path
