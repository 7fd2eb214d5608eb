"""The lines of Claude Code in which nobody speaks: hooks, permissions, attachments, how a run began and ended."""

from claudedo_findings.transcripts.lines import Json, items, mapping, text
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


def take(recorder: Recorder, line: Json, raw: bytes, where: Where) -> bool:
    """Take one line into a run; return False when its type is not known."""
    kind = text(line.get("type"))
    if kind == "progress":
        _progress(recorder, line, raw, where)
    elif kind == "system":
        _system(recorder, line, raw, where)
    elif kind == "attachment":
        recorder.mentions(raw, where)
    elif kind == "result":
        _result(recorder, line)
    else:
        return kind in _QUIET
    return True


def _progress(recorder: Recorder, line: Json, raw: bytes, where: Where) -> None:
    data = mapping(line.get("data"))
    if data.get("type") == "hook_progress":
        event, _, tool = text(data.get("hookName")).partition(":")
        if event == "PreToolUse":
            recorder.pairing.hooked[text(line.get("toolUseID"))] = tool
        recorder.mentions(raw, where)


def _system(recorder: Recorder, line: Json, raw: bytes, where: Where) -> None:
    subtype = text(line.get("subtype"))
    recorder.note(where, version=text(line.get("claude_code_version")))
    if subtype == "permission_denied":
        recorder.pairing.denied.add(text(line.get("tool_use_id")))
    elif subtype.startswith("hook_"):
        recorder.mentions(raw, where)


def _result(recorder: Recorder, line: Json) -> None:
    denials = (text(mapping(denial).get("tool_use_id")) for denial in items(line.get("permission_denials")))
    recorder.pairing.denied.update(denials)
    subtype, turns = text(line.get("subtype")), line.get("num_turns")
    failed = subtype == "success" and line.get("is_error") is True
    recorder.result = "error_api" if failed else subtype
    recorder.turns = turns if isinstance(turns, int) and not isinstance(turns, bool) else None
