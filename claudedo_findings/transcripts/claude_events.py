"""The lines of Claude Code in which nobody speaks: hooks, permissions, attachments, how a run began and ended."""

from claudedo_findings.transcripts import quote
from claudedo_findings.transcripts.lines import Json, items, mapping, moment, text
from claudedo_findings.transcripts.pairing import Where
from claudedo_findings.transcripts.recorder import Recorder

# What is known and holds nothing that is asked for here.
_QUIET = frozenset(
    {
        "file-history-snapshot", "queue-operation", "summary", "pr-link", "last-prompt", "custom-title", "ai-title",
        "stream_event", "agent-name", "agent-color", "tag", "mode", "permission-mode", "rate_limit_event",
        "control_request", "control_response", "tool_use_summary", "keep_alive",
    }
)  # fmt: skip


def take(recorder: Recorder, line: Json, raw: bytes, number: int) -> bool:
    """Take one line into a run; return False when its type is not known."""
    kind = text(line.get("type"))
    if kind == "progress":
        _progress(recorder, line)
    elif kind == "system":
        _system(recorder, line, number)
    elif kind == "result":
        _result(recorder, line)
    elif kind != "attachment":
        return kind in _QUIET
    if b".claudedo" in raw and kind != "result":  # a hook or an attachment that brings findings into the context
        recorder.mentions(raw, where(recorder, line, number))
    return True


def where(recorder: Recorder, line: Json, number: int) -> Where:
    """Return where a line stands, and who is at work in it."""
    agent = text(line.get("agentId")) or text(line.get("parent_tool_use_id"))
    return Where(
        line=number,
        at=moment(line.get("timestamp")),
        agent=quote.name(agent or ("unnamed" if line.get("isSidechain") else "")),
        cwd=text(line.get("cwd")) or recorder.cwd,
        uuid=text(line.get("uuid")),
    )


def _progress(recorder: Recorder, line: Json) -> None:
    data = mapping(line.get("data"))
    event, _, tool = text(data.get("hookName")).partition(":")
    if event == "PreToolUse":
        recorder.pairing.hooked[text(line.get("toolUseID"))] = tool


def _system(recorder: Recorder, line: Json, number: int) -> None:
    version = text(line.get("version")) or text(line.get("claude_code_version"))
    session = text(line.get("sessionId")) or text(line.get("session_id"))
    recorder.note(where(recorder, line, number), session=session, version=version)
    if line.get("subtype") == "permission_denied":
        recorder.pairing.denied.add(text(line.get("tool_use_id")))


def _result(recorder: Recorder, line: Json) -> None:
    denials = (text(mapping(denial).get("tool_use_id")) for denial in items(line.get("permission_denials")))
    recorder.pairing.denied.update(denials)
    subtype, turns = text(line.get("subtype")), line.get("num_turns")
    failed = subtype == "success" and line.get("is_error") is True
    recorder.result = "error_api" if failed else subtype
    recorder.turns = turns if isinstance(turns, int) and not isinstance(turns, bool) else None
