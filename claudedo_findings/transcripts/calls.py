"""From the input of a tool to what a call is for and what it touches; from its output to why it failed."""

import hashlib
from dataclasses import replace

import pydantic_core

from claudedo_findings import rules
from claudedo_findings.transcripts import commands, fingerprint, outcome, paths, quote, shellwords
from claudedo_findings.transcripts.lines import Json, text
from claudedo_findings.transcripts.model import Call, Outcome
from claudedo_findings.transcripts.outcome import READERS, SHELLS

_NO_MATTER = ("description", "timeout")  # of an input: what does not change what the call does
_SEARCH_TOOLS = frozenset({"Grep", "Search"})
_EDIT_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_TARGETS = ("file_path", "notebook_path", "filePath", "path", "pattern", "query", "url", "skill", "slug")


def asked(
    key: str, tool: str, given: Json, *, line: int, at: str, model: str, agent: str, batch: str, cwd: str
) -> tuple[Call, str]:
    """Return a call with what its input tells, and the command or target it names."""
    command = commands.of_input(given)
    target = _target(given, _TARGETS[:2])
    reads, searches, edits = _touched(tool, given, command, cwd)
    call = Call(
        key=key,
        tool=tool,
        line=line,
        at=at,
        model=model,
        agent=agent,
        batch=batch,
        same=_digest(tool, given),
        aim=_aim(tool, target, command),
        saves=_saved(tool, given),
        reads=reads,
        searches=searches,
        edits=edits,
    )
    return call, command[: shellwords.LIMIT] or _target(given, _TARGETS)[: shellwords.LIMIT]


def failed(call: Call, output: str) -> Call:
    """Return a call with the error that its output tells."""
    if call.outcome is Outcome.HIDDEN:
        output = output[max(0, outcome.hidden(output)) :]
    line, sure = fingerprint.telling(output, first=call.outcome is Outcome.HOOK)
    normal = fingerprint.normalised(line)
    weak = not sure or fingerprint.weak(normal)
    key = fingerprint.fingerprint(normal, call.aim if weak else "")
    return replace(call, error=quote.quoted(line) or "(no output)", fingerprint=key, weak=weak)


def searched(call: Call, output: str, cwd: str) -> Call:
    """Return a call with the findings that its search showed lines of."""
    if not call.searches or ".claudedo" not in output:
        return call
    found = (paths.absolute(mention, cwd) for mention in paths.mentions(output))
    return replace(call, searches=tuple(dict.fromkeys((*call.searches, *found))))


def _saved(tool: str, given: Json) -> str:
    slug = text(given.get("slug")) if tool.endswith("save_finding") else ""
    return slug if rules.is_slug(slug) else ""


def _digest(tool: str, given: Json) -> str:
    kept = {name: value for name, value in given.items() if name not in _NO_MATTER}
    return hashlib.sha256(tool.encode("utf-8", "replace") + pydantic_core.to_json(kept)).hexdigest()[:12]


def _target(given: Json, names: tuple[str, ...]) -> str:
    return next((value for name in names if (value := text(given.get(name)))), "")


def _aim(tool: str, target: str, command: str) -> str:
    if tool in SHELLS:
        return commands.aim(command)
    return target.replace("\\", "/").rsplit("/", 1)[-1] or tool


def _touched(
    tool: str, given: Json, command: str, cwd: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the files that a call reads, searches and edits."""
    target = _target(given, _TARGETS[:2])
    path = (paths.absolute(target, cwd),) if target else ()
    if tool in SHELLS:
        found = commands.touched(command, cwd)
        return tuple(found.reads), tuple(found.searches), tuple(found.edits)
    if tool in READERS:
        return path, (), ()
    if tool in _EDIT_TOOLS:
        return (), (), path
    if tool == "apply_patch":
        return (), (), tuple(paths.absolute(name, cwd) for name in commands.patched(command))
    if tool in _SEARCH_TOOLS and given.get("output_mode") == "content":
        return (), (paths.absolute(text(given.get("path")), cwd),), ()
    return (), (), ()
