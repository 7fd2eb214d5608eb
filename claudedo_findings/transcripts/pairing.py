"""Pairs calls with their results, whatever order they come in and however often each is repeated."""

import re
from collections import deque
from dataclasses import dataclass, field, replace

from claudedo_findings.transcripts import calls, quote
from claudedo_findings.transcripts.lines import Json
from claudedo_findings.transcripts.model import TROUBLE, Call, Outcome

_DIGIT = re.compile(r"\d")


@dataclass(kw_only=True, slots=True)
class Where:
    """Where in a file something stands, and who is at work there."""

    line: int
    at: str = ""
    agent: str = ""
    cwd: str = ""
    uuid: str = ""


@dataclass(kw_only=True, slots=True)
class _Asked:
    id: str
    call: Call
    command: str = ""
    cwd: str = ""


@dataclass(kw_only=True)
class Pairing:
    """The calls of a run so far."""

    hooked: dict[str, str] = field(default_factory=dict)
    """The tool by the id of each call that a hook saw."""
    denied: set[str] = field(default_factory=set)
    """The ids of calls of which the client says that the permission rules refused them."""
    calls: list[_Asked] = field(default_factory=list)
    waiting: dict[str, deque[_Asked]] = field(default_factory=dict)
    """The calls without a result, by id: where ids were scrubbed, the oldest is answered first."""
    seen: set[str] = field(default_factory=set)

    def ask(self, ident: str, tool: str, given: Json, where: Where, *, model: str = "", batch: str = "") -> None:
        """Record that a tool was called; a copy (an echo, a repeated line) is passed over."""
        key = _key(ident, where)
        if key in self.seen:
            return
        self.seen.add(key)
        tool, model = quote.name(tool), quote.name(model)
        call, command = calls.asked(
            key, tool, given, line=where.line, at=where.at, model=model, agent=where.agent, batch=batch, cwd=where.cwd
        )
        asked = _Asked(id=ident, call=call, command=command, cwd=where.cwd)
        self.waiting.setdefault(ident, deque()).append(asked)
        self.calls.append(asked)

    def tool(self, ident: str) -> str:
        """Return the tool of the call that a result answers, as far as it is known."""
        queue = self.waiting.get(ident)
        return queue[0].call.tool if queue else self.hooked.get(ident, "")

    def command(self, ident: str) -> str:
        """Return the command or target of the call that a result answers."""
        queue = self.waiting.get(ident)
        return queue[0].command if queue else ""

    def answer(self, ident: str, outcome: Outcome, output: str, where: Where) -> None:
        """Record the result of a call; one whose call was not seen stands for itself."""
        key = _key(ident, where)
        queue = self.waiting.get(ident)
        if queue:
            asked = queue.popleft()
            if not queue:
                del self.waiting[ident]
        elif key in self.seen:  # a second copy of the result
            return
        else:
            tool = self.hooked.get(ident, "")
            asked = _Asked(id=ident, call=Call(key=key, tool=tool, line=where.line, agent=where.agent, asked=False))
            self.calls.append(asked)
        self.seen.add(key)
        call = replace(asked.call, line=where.line, at=where.at or asked.call.at, outcome=outcome)
        if outcome in TROUBLE or outcome is Outcome.DENIED:
            call = calls.failed(call, output)
        asked.call = calls.searched(call, output, asked.cwd)

    def finish(self) -> tuple[Call, ...]:
        """Return the calls. What they did is quoted for those that failed and for those with the aim of one."""
        for asked in self.calls:
            if asked.id in self.denied and asked.call.outcome in TROUBLE:
                asked.call = replace(asked.call, outcome=Outcome.DENIED)
        aims = {_aim(asked.call) for asked in self.calls if asked.call.error}
        return tuple(_told(asked) if _aim(asked.call) in aims else asked.call for asked in self.calls)


def unique(ident: str) -> bool:
    """Return whether an id is long enough to be the only one. Some models count, scrubbed files say "REDACTED"."""
    return len(ident) >= 12 and bool(_DIGIT.search(ident))


def _key(ident: str, where: Where) -> str:
    """Return what copies of a call share: its id, else its line's; "#" marks a key that counts in its file alone."""
    if unique(ident):
        return ident
    return f"{where.uuid}#{ident}" if where.uuid else f"#{where.line} {ident}"


def _aim(call: Call) -> tuple[str, str]:
    return call.tool, call.aim


def _told(asked: _Asked) -> Call:
    return replace(asked.call, what=quote.quoted(asked.command))
