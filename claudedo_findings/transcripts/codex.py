"""Lines of Codex: its rollouts. They have no error flag, so the output's own words decide."""

import re
from dataclasses import replace

from claudedo_findings.transcripts import commands, lines, outcome, quote, speaker
from claudedo_findings.transcripts.lines import Json, count, items, mapping, moment, text
from claudedo_findings.transcripts.model import Message, Outcome
from claudedo_findings.transcripts.pairing import Where
from claudedo_findings.transcripts.recorder import Recorder

_TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_EXIT = re.compile(r"^\s*(?:Process exited with code|Exit code:) (-?\d+)\s*$", re.MULTILINE)
_RUNNING = re.compile(r"Process running with session ID (\d+)")
_REFUSED = re.compile(r"\b(?:rejected|aborted|denied|declined) by (?:the )?user", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:rejected|blocked) by (?:policy|configuration|rule|sandbox)|approval (?:is )?required|not permitted by",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\s*(?:apply_patch verification failed|failed to |error[: ]|err: |patch failed|unsupported call|tool call error)",
    re.IGNORECASE,
)
_HEAD = 1_000  # characters of an output in which its status stands


def is_line(line: Json) -> bool:
    """Return whether a line is one of Codex."""
    return text(line.get("type")) in _TYPES and isinstance(line.get("payload"), dict)


def read(recorder: Recorder, line: Json, number: int) -> bool:
    """Take one line into a run; return False when its type is not known."""
    payload = mapping(line.get("payload"))
    where = Where(line=number, at=moment(line.get("timestamp")), cwd=recorder.cwd)
    kind = text(line.get("type"))
    if kind == "session_meta":
        session, version = text(payload.get("id")), text(payload.get("cli_version"))
        recorder.note(replace(where, cwd=text(payload.get("cwd"))), session=session, version=version)
    elif kind == "turn_context":
        recorder.note(replace(where, cwd=text(payload.get("cwd"))))
        recorder.model = quote.name(text(payload.get("model"))) or recorder.model
    elif kind == "response_item":
        recorder.note(where)
        return _item(recorder, payload, where)
    elif kind == "event_msg":
        _event(recorder, payload, where)
    else:  # `compacted` repeats old messages
        return kind in _TYPES
    return True


def _item(recorder: Recorder, payload: Json, where: Where) -> bool:
    ident, kind = text(payload.get("call_id")) or text(payload.get("id")), text(payload.get("type"))
    if kind in ("function_call", "local_shell_call"):
        arguments = text(payload.get("arguments")).encode("utf-8", "replace")
        given = lines.parse(arguments) or mapping(payload.get("action"))
        there = replace(where, cwd=text(given.get("workdir")) or where.cwd)
        tool = text(payload.get("name")) or "local_shell"
        recorder.pairing.ask(ident, tool, given, there, model=recorder.model, batch=recorder.batch)
        if tool == "write_stdin":
            recorder.polls[ident] = str(given.get("session_id"))
    elif kind == "custom_tool_call":
        given = {"input": text(payload.get("input"))}
        recorder.pairing.ask(ident, text(payload.get("name")), given, where, model=recorder.model, batch=recorder.batch)
    elif kind in ("function_call_output", "custom_tool_call_output"):
        _output(recorder, ident, payload.get("output"), where)
    elif kind == "message":
        if payload.get("role") == "assistant":
            parts = (text(mapping(part).get("text")) for part in items(payload.get("content")))
            recorder.remarked("\n".join(parts), where)
    else:
        return kind in ("reasoning", "web_search_call", "ghost_snapshot", "compaction")
    return True


def _output(recorder: Recorder, ident: str, raw: object, where: Where) -> None:
    recorder.batch = f"after line {where.line}"  # what is asked from here on is another attempt
    output, code = _read_output(raw)
    pairing = recorder.pairing
    running = _RUNNING.search(output[:_HEAD])
    # A command that takes long gets its exit code with the output of a later poll.
    behind = recorder.running.pop(recorder.polls.pop(ident, ""), "")
    if behind:
        pairing.answer(ident, Outcome.OK, output, where)
    if running:
        recorder.running[running[1]] = behind or ident
        return
    ended = behind or ident
    pairing.answer(ended, judge(pairing.tool(ended), pairing.command(ended), output, code), output, where)


def judge(tool: str, command: str, output: str, code: int | None) -> Outcome:
    """Return the outcome of a call by its output and exit code (None when the output names none)."""
    head = output[:_HEAD]
    if code in (None, 0) and tool in outcome.SHELLS and outcome.hidden(output, command) >= 0:
        return Outcome.HIDDEN
    if code == 0 or (code == 1 and commands.one_is_fine(command)):
        return Outcome.OK
    if _REFUSED.search(head):
        return Outcome.REFUSED
    if _DENIED.search(head):
        return Outcome.DENIED
    if code is not None or _FAILED.match(head):
        return Outcome.FAILED
    return Outcome.OK


def _read_output(raw: object) -> tuple[str, int | None]:
    """Return what a tool printed and its exit code; older versions wrap both in JSON."""
    output = raw if isinstance(raw, str) else "\n".join(text(mapping(part).get("text")) for part in items(raw))
    if isinstance(raw, dict):
        output = text(raw.get("content"))
    wrapped = lines.parse(output.encode("utf-8", "replace")) if output.startswith('{"') else None
    if wrapped and isinstance(wrapped.get("output"), str):
        code = mapping(wrapped.get("metadata")).get("exit_code")
        return wrapped["output"], code if isinstance(code, int) else None
    found = _EXIT.search(output[:_HEAD])
    return output, int(found[1]) if found else None


def _event(recorder: Recorder, payload: Json, where: Where) -> None:
    kind = text(payload.get("type"))
    if kind == "user_message":
        words = text(payload.get("message"))
        injected = speaker.injected({}, words) if words.strip() else "empty"
        if injected:
            recorder.injected[injected] += 1
        else:
            recorder.said(speaker.typed(words), where)
    elif kind == "token_count":
        _tokens(recorder, mapping(payload.get("info")), where)
    elif kind == "turn_aborted":
        recorder.injected["interrupt_marker"] += 1
        recorder.result = kind
    elif kind == "task_complete":
        recorder.result = kind


def _tokens(recorder: Recorder, info: Json, where: Where) -> None:
    total = count(mapping(info.get("total_token_usage")).get("total_tokens"))
    last = mapping(info.get("last_token_usage"))
    if total and last:  # the same total again is the same answer again
        cached = count(last.get("cached_input_tokens"))
        message = Message(
            key=f"{recorder.session}:{total}" if recorder.session else f"#{total}",
            model=recorder.model,
            at=where.at,
            line=where.line,
            tokens_in=max(0, count(last.get("input_tokens")) - cached),
            tokens_out=count(last.get("output_tokens")),
            cache_read=cached,
        )
        recorder.message(message)
