"""Lines of Claude Code: its session files, and what `--output-format stream-json` prints."""

from claudedo_findings.transcripts import claude_events, outcome, quote, speaker
from claudedo_findings.transcripts.lines import Json, count, items, mapping, text
from claudedo_findings.transcripts.model import Message, Outcome
from claudedo_findings.transcripts.pairing import Where, unique
from claudedo_findings.transcripts.recorder import Recorder


def read(recorder: Recorder, line: Json, raw: bytes, number: int) -> bool:
    """Take one line into a run; return False when its type is not known."""
    line = _unwrapped(line)
    kind = line.get("type")
    if kind not in ("assistant", "user"):
        return claude_events.take(recorder, line, raw, number)
    where = claude_events.where(recorder, line, number)
    session = text(line.get("sessionId")) or text(line.get("session_id"))
    recorder.note(where, session=session, version=text(line.get("version")))
    if kind == "assistant":
        _assistant(recorder, line, where)
    else:
        _user(recorder, line, where)
    return True


def _unwrapped(line: Json) -> Json:
    """Return the line of a sub-agent that its parent's file repeats, sometimes as the only copy; others as they are."""
    data = line.get("data")
    if line.get("type") != "progress" or not isinstance(data, dict) or data.get("type") != "agent_progress":
        return line
    inner = mapping(data.get("message"))
    if inner.get("type") not in ("assistant", "user"):
        return line
    kept = {name: line.get(name) for name in ("cwd", "sessionId", "version", "timestamp")}
    return kept | inner | {"agentId": text(data.get("agentId")) or "unnamed"}


def _assistant(recorder: Recorder, line: Json, where: Where) -> None:
    message = mapping(line.get("message"))
    model = text(message.get("model"))
    if model == "<synthetic>" or line.get("isApiErrorMessage"):  # the client's own words
        return
    batch = text(message.get("id")) or where.uuid
    used = mapping(message.get("usage"))
    recorder.message(
        Message(
            key=batch if unique(batch) else f"#{batch or where.line}",
            model=quote.name(model),
            agent=where.agent,
            at=where.at,
            line=where.line,
            tokens_in=count(used.get("input_tokens")),
            tokens_out=count(used.get("output_tokens")),
            cache_read=count(used.get("cache_read_input_tokens")),
            cache_write=count(used.get("cache_creation_input_tokens")),
        )
    )
    for block in items(message.get("content")):
        block = mapping(block)
        if block.get("type") == "tool_use":
            ident, tool = text(block.get("id")), text(block.get("name"))
            recorder.pairing.ask(ident, tool, mapping(block.get("input")), where, model=model, batch=batch)
        elif block.get("type") == "text":
            recorder.remarked(text(block.get("text")), where)


def _user(recorder: Recorder, line: Json, where: Where) -> None:
    content = mapping(line.get("message")).get("content")
    blocks = [mapping(block) for block in items(content)]
    words = [content] if isinstance(content, str) else []
    for block in blocks:
        if block.get("type") == "tool_result":
            _answer(recorder, line, block, where)
        elif block.get("type") == "text":
            words.append(text(block.get("text")))
    said = "\n".join(words)
    if not said.strip():
        return
    if where.agent:  # its prompt was written by the agent that called it
        return
    injected = speaker.injected(line, said)
    if injected:
        recorder.injected[injected] += 1
        recorder.mentions(said.encode("utf-8", "replace"), where)
    else:
        recorder.said(speaker.typed(said), where)


def _answer(recorder: Recorder, line: Json, block: Json, where: Where) -> None:
    ident = text(block.get("tool_use_id"))
    output = _output(block.get("content"))
    flagged = block.get("is_error") is True
    kinds = {
        text(meta.get("id")): text(meta.get("non_execution_kind"))
        for meta in map(mapping, items(line.get("tool_result_meta")))
    }
    tool = recorder.pairing.tool(ident)
    result = outcome.of_claude(
        tool,
        output,
        recorder.pairing.command(ident),
        flagged=flagged,
        kind=kinds.get(ident, ""),
        hooked=ident in recorder.pairing.hooked,
        version=recorder.version,
    )
    details = mapping(line.get("toolUseResult") or line.get("tool_use_result"))
    if not flagged and details.get("interrupted") is True:
        result = Outcome.CANCELLED
    if result is Outcome.REFUSED:
        words = speaker.beside_refusal(output)
        if words:
            recorder.said(words, where, refusal=True)
    recorder.pairing.answer(ident, result, output, where)
    for reminder in speaker.reminders(output):  # what a hook says is handed over beside the result
        recorder.mentions(reminder.encode("utf-8", "replace"), where)


def _output(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text(mapping(block).get("text")) for block in items(content))
