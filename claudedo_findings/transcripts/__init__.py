"""Transcripts of coding agents as plain values: what was called, what failed, who spoke, what was read."""

import re
from dataclasses import replace
from typing import BinaryIO

from claudedo_findings.transcripts import claude, codex, lines, quote
from claudedo_findings.transcripts.lines import Json, text
from claudedo_findings.transcripts.model import Digest, Run
from claudedo_findings.transcripts.recorder import Recorder

_LOG = re.compile(r"(?P<task>[^/\\]+)_run(?P<number>\d+)\.ndjson\Z")


def read(file: BinaryIO, path: str) -> Digest:
    """Return what a transcript holds: a session of Claude Code, its stream-json output, or a rollout of Codex.

    Streams: a line is gone when the next one comes. `path` is what the runs are named by. Lines that are not
    understood are counted, never fatal, since none of the formats is promised.
    """
    tally, unknown = lines.Tally(), 0
    runs: list[Run] = []
    recorder: Recorder | None = None
    for number, raw, line in lines.objects(file, tally):
        kind = _kind(line)
        if recorder is None or _starts_run(recorder, line):
            if recorder and not recorder.empty():
                runs.append(recorder.finish())
            recorder = Recorder(kind=kind, path=path, part=len(runs) + 1)
        elif recorder.empty() and recorder.kind == "session" != kind:
            recorder.kind = kind
        if kind == "rollout":
            unknown += not codex.read(recorder, line, number)
        else:
            unknown += not claude.read(recorder, line, raw, number)
    if recorder and not recorder.empty():
        runs.append(recorder.finish())
    return Digest(
        runs=tuple(_named(run) for run in runs),
        lines=tally.lines,
        broken=tally.broken,
        unknown=unknown,
        unfinished=tally.unfinished,
    )


def _kind(line: Json) -> str:
    if codex.is_line(line):
        return "rollout"
    return "log" if "session_id" in line else "session"


def _starts_run(recorder: Recorder, line: Json) -> bool:
    """Return whether a line of stream-json belongs to another run than the lines before it."""
    session = quote.name(text(line.get("session_id")))
    if not session or recorder.kind != "log" or not recorder.session:
        return False
    started = line.get("type") == "system" and line.get("subtype") == "init"
    return session != recorder.session or (started and not recorder.empty())


def _named(run: Run) -> Run:
    found = _LOG.search(run.path)
    if not found:
        return run
    # Several runs in the log of one run are its own restarts.
    return replace(run, task=found["task"], number=int(found["number"]))
