"""Collects one run while its lines go by; every format writes into the same one."""

import re
from collections import Counter, deque
from dataclasses import dataclass, field, replace

from claudedo_findings.transcripts import calls, paths, quote, remarks
from claudedo_findings.transcripts.lines import Json
from claudedo_findings.transcripts.model import TROUBLE, Call, Message, Outcome, Remark, Run, Shown, Words

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
class Asked:
    """A call before and after its result is known."""

    id: str
    call: Call
    command: str = ""
    cwd: str = ""


@dataclass(kw_only=True)
class Recorder:
    """The run so far."""

    kind: str
    path: str
    part: int = 1
    session: str = ""
    cwd: str = ""
    version: str = ""
    started: str = ""
    ended: str = ""
    result: str = ""
    turns: int | None = None
    hooked: dict[str, str] = field(default_factory=dict)
    """The tool by the id of each call that a hook saw."""
    denied: set[str] = field(default_factory=set)
    """The ids of calls of which the client says that the permission rules refused them."""
    model: str = ""
    """The model at work, where a format does not name it beside each call; `batch` likewise."""
    batch: str = ""
    running: dict[str, str] = field(default_factory=dict)
    """The id of the call behind each shell session that still runs."""
    polls: dict[str, str] = field(default_factory=dict)
    """The shell session that each poll asks about."""
    injected: Counter[str] = field(default_factory=Counter)
    calls: list[Asked] = field(default_factory=list)
    waiting: dict[str, deque[Asked]] = field(default_factory=dict)
    """The calls without a result, by id: where ids were scrubbed, the oldest is answered first."""
    keys: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)
    words: dict[str, Words] = field(default_factory=dict)
    remarks: dict[tuple[str, str], Remark] = field(default_factory=dict)
    shown: dict[Shown, None] = field(default_factory=dict)

    def note(self, where: Where, *, session: str = "", version: str = "") -> None:
        """Keep what a line says about the run as a whole."""
        if where.at:
            self.started = min(self.started or where.at, where.at)
            self.ended = max(self.ended, where.at)
        self.cwd = self.cwd or where.cwd
        self.session = self.session or quote.name(session)
        self.version = self.version or quote.name(version)

    def call(self, ident: str, tool: str, given: Json, where: Where, *, model: str = "", batch: str = "") -> None:
        """Record that a tool was called; a copy (an echo, a repeated line) is passed over."""
        key = _key(ident, where)
        if key in self.keys:
            return
        self.keys.add(key)
        model = quote.name(model)
        call, command = calls.asked(
            key, tool, given, line=where.line, at=where.at, model=model, agent=where.agent, batch=batch, cwd=where.cwd
        )
        asked = Asked(id=ident, call=call, command=command, cwd=where.cwd)
        self.waiting.setdefault(ident, deque()).append(asked)
        self.calls.append(asked)

    def tool_of(self, ident: str) -> str:
        """Return the tool of the call that a result answers, as far as it is known."""
        queue = self.waiting.get(ident)
        return queue[0].call.tool if queue else self.hooked.get(ident, "")

    def command_of(self, ident: str) -> str:
        """Return the command or target of the call that a result answers."""
        queue = self.waiting.get(ident)
        return queue[0].command if queue else ""

    def answer(self, ident: str, outcome: Outcome, output: str, where: Where) -> None:
        """Record the result of a call; one whose call was not seen stands for itself."""
        queue = self.waiting.get(ident)
        if queue:
            asked = queue.popleft()
            if not queue:
                del self.waiting[ident]
        else:
            key = _key(ident, where)
            if key in self.keys:  # a second copy of the result
                return
            self.keys.add(key)
            tool = self.hooked.get(ident, "")
            asked = Asked(id=ident, call=Call(key=key, tool=tool, line=where.line, agent=where.agent, asked=False))
            self.calls.append(asked)
        call = replace(asked.call, line=where.line, at=where.at or asked.call.at, outcome=outcome)
        if outcome in TROUBLE or outcome is Outcome.DENIED:
            call = calls.failed(call, output)
        asked.call = calls.searched(call, output, asked.cwd)

    def message(self, message: Message) -> None:
        """Record an answer of a model; of the lines of one answer the last count of its tokens holds."""
        old = self.messages.get(message.key)
        if old is None:
            self.messages[message.key] = message
        elif message.tokens_out > old.tokens_out:
            self.messages[message.key] = replace(message, at=old.at)

    def said(self, words: str, where: Where, *, refusal: bool = False) -> None:
        """Record words of the user."""
        key = where.uuid or f"#{where.line}"
        said = Words(key=key, text=quote.quoted(words), line=where.line, at=where.at, refusal=refusal)
        self.words.setdefault(key, said)

    def remarked(self, said: str, where: Where) -> None:
        """Record what an agent said about its own course, where it said anything of that kind."""
        for kind, sentence in remarks.found(said):
            remark = Remark(kind=kind, text=quote.quoted(sentence), line=where.line, at=where.at, agent=where.agent)
            self.remarks.setdefault((where.uuid or str(where.line), kind), remark)

    def mentions(self, raw: bytes, where: Where) -> None:
        """Record the findings that a line brought into the context by itself."""
        if b".claudedo" in raw:
            for found in paths.mentions(raw.decode("utf-8", "replace")):
                path = paths.absolute(found, where.cwd or self.cwd)
                self.shown.setdefault(Shown(path=path, at=where.at))

    def empty(self) -> bool:
        """Return whether nothing was recorded yet."""
        return not (self.calls or self.messages or self.words)

    def finish(self) -> Run:
        """Return the run."""
        for asked in self.calls:
            if asked.id in self.denied and asked.call.outcome in TROUBLE:
                asked.call = replace(asked.call, outcome=Outcome.DENIED)
        aims = {(asked.call.tool, asked.call.aim) for asked in self.calls if asked.call.error}
        return Run(
            kind=self.kind,
            path=self.path,
            part=self.part,
            session=self.session,
            cwd=self.cwd,
            version=self.version,
            started=self.started,
            ended=self.ended,
            result=quote.name(self.result),
            turns=self.turns,
            calls=tuple(_told(asked) if _aimed(asked.call) in aims else asked.call for asked in self.calls),
            messages=tuple(self.messages.values()),
            words=tuple(self.words.values()),
            remarks=tuple(self.remarks.values()),
            shown=tuple(self.shown),
            injected=tuple(sorted(self.injected.items())),
        )


def _aimed(call: Call) -> tuple[str, str]:
    return call.tool, call.aim


def _told(asked: Asked) -> Call:
    return replace(asked.call, what=quote.quoted(asked.command))


def unique(ident: str) -> bool:
    """Return whether an id is long enough to be the only one. Some models count, scrubbed files say "REDACTED"."""
    return len(ident) >= 12 and bool(_DIGIT.search(ident))


def _key(ident: str, where: Where) -> str:
    """Return what copies of a call share: its id, else its line's; "#" marks a key that counts in its file alone."""
    if unique(ident):
        return ident
    return f"{where.uuid}#{ident}" if where.uuid else f"#{where.line} {ident}"
