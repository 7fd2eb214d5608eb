"""One event of an agent's hook, read from JSON, and the answer in that agent's dialect.

Claude Code, Codex and Gemini CLI name the same things alike but not the same; what is not known is passed over.
"""

import json
import re
from collections.abc import Iterator

from claudedo_findings.errors import FindingsError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

DIALECTS = ("claude", "codex", "gemini")
LIMIT = 8 * 1024 * 1024  # bytes; an event that is longer is somebody's accident, and reading it would delay the agent
_ERROR = 4_000  # characters of an error text that are looked at, half at its start and half at its end
_GREP_FILES = 20  # files of one search; who finds more has not looked at any of them
_PATHS = ("file_path", "notebook_path", "absolute_path", "path")
_TOUCHING = {  # tools that read or write the files they name
    "PreToolUse": {"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"},
    "PostToolUse": {"Read", "Grep", "apply_patch"},
    "AfterTool": {"read_file", "write_file", "replace", "search_file_content"},
}
# Compiled when they are needed: few events hold a patch or the words of another agent's shell.
_PATCHED = r"(?m)^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$"
_EXIT = r"(?im)^(?:Process exited with code|Exit code:) *0*[1-9]"


class Event:
    """What happened, in words that all agents share."""

    # No dataclass, whose import takes as long as everything else that an event without an answer needs.

    def __init__(
        self,
        *,
        name: str,
        cwd: str,
        session: str,
        agent: str,
        starts: bool,
        forgets: bool,
        paths: tuple[str, ...],
        error: str,
    ) -> None:
        self.name = name
        """The agent's own name of the event, which the answer repeats."""
        self.cwd = cwd
        self.session = session
        self.agent = agent
        """The sub-agent's id; it has a context of its own."""
        self.starts = starts
        """A context begins: of a session or of a sub-agent."""
        self.forgets = forgets
        """What was said before is no longer in the context."""
        self.paths = paths
        """Files and folders that were read or are edited, absolute or relative to `cwd`."""
        self.error = error


def parse(data: bytes, dialect: str = "") -> Event:
    """Return the event in an agent's JSON; one that is never answered has neither paths nor an error.

    `dialect` is one of `DIALECTS`; without it the event's keys tell. Raises FindingsError for what is no event.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FindingsError(f"the event on stdin is no JSON: {error}") from error
    if not isinstance(value, dict) or not isinstance(value.get("hook_event_name"), str):
        raise FindingsError(f"the event on stdin has no 'hook_event_name': {shown(value)}")
    name, cwd, session = value["hook_event_name"], value.get("cwd"), value.get("session_id")
    if not _names(cwd) or not cwd or not _names(session):
        raise FindingsError(f"the event {shown(name)} has no 'cwd' or no 'session_id' that can be used")
    dialect = dialect or _dialect(value)
    source, agent = value.get("source"), value.get("agent_id")
    return Event(
        name=name,
        cwd=cwd,
        session=session,
        agent=agent if _names(agent) else "",
        starts=name in ("SessionStart", "SubagentStart"),
        forgets=name == "SessionStart" and source in ("compact", "clear"),
        paths=tuple(path for path in dict.fromkeys(_paths(value)) if _names(path)),
        error=_shortened(_error(value, dialect)),
    )


def answer(event: Event, text: str) -> str:
    """Return what the agent reads on the hook's stdout: the text as context, and no word on permissions."""
    specific = {"hookEventName": event.name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": specific}, ensure_ascii=False) + "\n"


def _names(value: object) -> "TypeGuard[str]":
    """Return whether a value can name a file: JSON can also hold a NUL and half a character, which no name has."""
    try:
        return isinstance(value, str) and b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def _dialect(value: "dict[str, Any]") -> str:
    if value["hook_event_name"] in ("AfterTool", "BeforeAgent", "BeforeTool"):
        return "gemini"
    return "codex" if "turn_id" in value else "claude"


def _paths(value: "dict[str, Any]") -> Iterator[str]:
    tool = value.get("tool_name")
    if not isinstance(tool, str) or tool not in _TOUCHING.get(value["hook_event_name"], ()):
        return
    handed, response = value.get("tool_input"), value.get("tool_response")
    if isinstance(handed, str):  # Codex hands a patch over as it is
        handed = {"command": handed}
    if not isinstance(handed, dict):
        return
    patch = handed.get("command", handed.get("input"))
    if tool == "apply_patch":
        yield from (path.strip() for path in re.findall(_PATCHED, patch if isinstance(patch, str) else ""))
    yield from (path for name in _PATHS if isinstance(path := handed.get(name), str) and path)
    found = response.get("filenames") if tool == "Grep" and isinstance(response, dict) else None
    if isinstance(found, list) and len(found) <= _GREP_FILES:
        yield from (path for path in found if isinstance(path, str) and path)


def _error(value: "dict[str, Any]", dialect: str) -> str:
    name, response = value["hook_event_name"], value.get("tool_response")
    if name == "PostToolUseFailure":
        error = value.get("error")
        return error if isinstance(error, str) and not value.get("is_interrupt") else ""
    if dialect == "claude" or name not in ("PostToolUse", "AfterTool"):
        return ""
    # Codex and Gemini report a failing command as an ordinary answer; its text gives the exit code.
    code: object = None
    if isinstance(response, dict):
        stated, code = response.get("error"), response.get("exit_code")
        texts = [stated, *(text for key in ("output", "llmContent", "returnDisplay") if (text := response.get(key)))]
        response = "\n".join(text for text in texts if isinstance(text, str))
        if isinstance(stated, str) and stated:
            return response
    if not isinstance(response, str):
        return ""
    failed = re.search(_EXIT, response) or (isinstance(code, int) and code)
    return response if failed else ""


def _shortened(text: str) -> str:
    return text if len(text) <= _ERROR else f"{text[: _ERROR // 2]}\n{text[-_ERROR // 2 :]}"
