"""Makes transcripts that look like real ones: Claude Code sessions, its stream-json logs, Codex rollouts."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the"
    " new_string was NOT written to the file). "
)
SAID = REFUSED + "To tell you how to proceed, the user said:\n"
STOP = REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed."


@dataclass(kw_only=True)
class Made:
    """Lines so far; ids count up below `seed`, so that two look-alikes with one seed share theirs."""

    seed: str = "0001"
    cwd: str = "/srv/shop"
    model: str = "model-large"
    lines: list[bytes] = field(default_factory=list)
    count: int = 0

    def ident(self, kind: str) -> str:
        """Return a new id in the shape of real ones."""
        self.count += 1
        return f"{kind}_{self.seed}{self.count:010d}"

    def uuid(self) -> str:
        """Return a new id of a line."""
        self.count += 1
        return f"{self.seed:0>8.8}-0000-4000-8000-{self.count:012d}"

    def at(self) -> str:
        """Return a time that goes on with the lines."""
        seconds = len(self.lines)
        return f"2026-03-01T{8 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"

    def put(self, line: Json) -> Json:
        """Add a line."""
        self.lines.append(json.dumps(line, ensure_ascii=False).encode())
        return line

    def data(self) -> bytes:
        """Return the file's bytes."""
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, path: Path) -> Path:
        """Write the file, with its folder."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path


@dataclass(kw_only=True)
class Session(Made):
    """A session file of Claude Code; with `agent` that of a sub-agent."""

    session: str = "5e55104e-0000-4000-8000-000000000001"
    agent: str = ""
    version: str = "2.1.40"

    def envelope(self) -> Json:
        """Return what every line holds."""
        line: Json = {"cwd": self.cwd, "sessionId": self.session, "version": self.version, "uuid": self.uuid()}
        line |= {"timestamp": self.at(), "isSidechain": bool(self.agent), "parentUuid": None}
        return line | ({"agentId": self.agent} if self.agent else {})

    def answer(self, *blocks: Json, message: str = "", model: str = "", **more: Any) -> str:
        """Add an answer of the model, one line for each block; return the message's id."""
        message = message or self.ident("msg")
        for block in blocks:
            content: Json = {"id": message, "model": model or self.model, "role": "assistant", "content": [block]}
            content["usage"] = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100}
            self.put(self.envelope() | {"type": "assistant", "message": content} | more)
        return message

    def text(self, words: str, **more: Any) -> None:
        """Add words of the model."""
        self.answer({"type": "text", "text": words}, **more)

    def asks(self, tool: str, *, message: str = "", ident: str = "", **given: Any) -> str:
        """Add a call without a result; return its id."""
        ident = ident or self.ident("toolu")
        self.answer({"type": "tool_use", "id": ident, "name": tool, "input": given}, message=message)
        return ident

    def result(self, ident: str, output: str, *, failed: bool = False, **more: Any) -> None:
        """Add the result of a call."""
        block = {"type": "tool_result", "tool_use_id": ident, "content": output} | (
            {"is_error": True} if failed else {}
        )
        self.put(self.envelope() | {"type": "user", "message": {"role": "user", "content": [block]}} | more)

    def call(self, tool: str, output: str = "done", *, failed: bool = False, message: str = "", **given: Any) -> str:
        """Add a call and its result; return its id."""
        ident = self.asks(tool, message=message, **given)
        self.result(ident, output, failed=failed)
        return ident

    def bash(self, command: str, output: str = "done", *, failed: bool = False) -> str:
        """Add a shell command and its result."""
        return self.call("Bash", output, failed=failed, command=command, description="what it is for")

    def user(self, words: str, **more: Any) -> None:
        """Add a line of type "user"."""
        self.put(self.envelope() | {"type": "user", "message": {"role": "user", "content": words}} | more)

    def echo(self, lines: list[bytes], agent: str) -> None:
        """Add the lines of a sub-agent as its parent's file repeats them."""
        for raw in lines:
            inner = json.loads(raw)
            kept = {name: inner[name] for name in ("type", "message", "uuid", "timestamp")}
            data = {"type": "agent_progress", "agentId": agent, "message": kept, "normalizedMessages": []}
            self.put(self.envelope() | {"type": "progress", "data": data})

    def hook_saw(self, ident: str, tool: str) -> None:
        """Add the line that says that a hook ran before a call."""
        data = {
            "type": "hook_progress",
            "hookEvent": "PreToolUse",
            "hookName": f"PreToolUse:{tool}",
            "command": "check",
        }
        self.put(self.envelope() | {"type": "progress", "data": data, "toolUseID": ident})


@dataclass(kw_only=True)
class Log(Session):
    """What `--output-format stream-json` prints, as the host keeps it."""

    parent: str | None = None

    def envelope(self) -> Json:
        """Return what every line holds."""
        line = {"session_id": self.session, "uuid": self.uuid(), "timestamp": self.at()}
        return line | {"parent_tool_use_id": self.parent}

    def init(self, **more: Any) -> None:
        """Add the line with which a run begins."""
        line = {"type": "system", "subtype": "init", "cwd": self.cwd, "session_id": self.session, "model": self.model}
        self.put(line | {"claude_code_version": self.version, "tools": ["Bash", "Read"]} | more)

    def end(self, subtype: str = "success", **more: Any) -> None:
        """Add the line with which a run ends."""
        line = {"type": "result", "subtype": subtype, "is_error": False, "num_turns": 3, "session_id": self.session}
        self.put(line | {"permission_denials": [], "total_cost_usd": 0.1} | more)


@dataclass(kw_only=True)
class Rollout(Made):
    """A rollout of Codex."""

    session: str = "c0de0000-0000-4000-8000-000000000001"
    total: int = 0

    def item(self, kind: str, **payload: Any) -> None:
        """Add a line."""
        self.put({"timestamp": self.at(), "type": kind, "payload": payload})

    def begin(self) -> None:
        """Add the first lines."""
        self.item("session_meta", id=self.session, cwd=self.cwd, cli_version="0.120.0", originator="codex_cli")
        self.item("turn_context", cwd=self.cwd, model=self.model, approval_policy="never")

    def asks(self, cmd: str, *, name: str = "exec_command", **given: Any) -> str:
        """Add a call without an output; return its id."""
        ident = self.ident("call")
        arguments = json.dumps({"cmd": cmd} | given if cmd else given)
        self.item("response_item", type="function_call", name=name, arguments=arguments, call_id=ident)
        return ident

    def output(self, ident: str, text: str) -> None:
        """Add the output of a call."""
        self.item("response_item", type="function_call_output", call_id=ident, output=text)

    def shell(self, command: str, output: str = "done", code: int = 0) -> str:
        """Add a command and its output."""
        ident = self.asks(command)
        self.output(ident, f"Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}")
        return ident

    def patch(self, patch: str, output: str = "Success. Updated the following files:\nM src/app.py") -> str:
        """Add a patch and what came of it."""
        ident = self.ident("call")
        self.item("response_item", type="custom_tool_call", name="apply_patch", input=patch, call_id=ident)
        self.item("response_item", type="custom_tool_call_output", call_id=ident, output=output)
        return ident

    def tokens(self, fresh: int, cached: int, out: int) -> None:
        """Add the count of the tokens of one answer."""
        self.total += fresh + cached + out
        last = {"input_tokens": fresh + cached, "cached_input_tokens": cached, "output_tokens": out}
        info = {"total_token_usage": {"total_tokens": self.total}, "last_token_usage": last}
        self.item("event_msg", type="token_count", info=info)

    def user(self, words: str) -> None:
        """Add a message of the user, as it stands there twice."""
        content = [{"type": "input_text", "text": words}]
        self.item("response_item", type="message", role="user", content=content)
        self.item("event_msg", type="user_message", message=words)
