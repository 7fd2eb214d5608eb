"""Collects one run while its lines go by; every format writes into the same one."""

from collections import Counter
from dataclasses import dataclass, field, replace

from claudedo_findings.transcripts import paths, quote, remarks
from claudedo_findings.transcripts.model import Message, Remark, Run, Shown, Words
from claudedo_findings.transcripts.pairing import Pairing, Where


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
    model: str = ""
    """The model at work, where a format does not name it beside each call; `batch` likewise."""
    batch: str = ""
    running: dict[str, str] = field(default_factory=dict)
    """The id of the call behind each shell session that still runs."""
    polls: dict[str, str] = field(default_factory=dict)
    """The shell session that each poll asks about."""
    injected: Counter[str] = field(default_factory=Counter)
    pairing: Pairing = field(default_factory=Pairing)
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

    def message(self, message: Message) -> None:
        """Record an answer of a model; of the lines of one answer the last count of its tokens holds."""
        old = self.messages.get(message.key)
        if old is None:
            self.messages[message.key] = message
        elif message.tokens_out > old.tokens_out:
            self.messages[message.key] = replace(message, at=old.at, line=old.line)

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
                at = where.at or self.ended  # hooks of stream-json bear no time
                self.shown.setdefault(Shown(path=path, at=at, line=where.line, agent=where.agent))

    def empty(self) -> bool:
        """Return whether nothing was recorded yet."""
        return not (self.pairing.calls or self.messages or self.words)

    def finish(self) -> Run:
        """Return the run."""
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
            calls=self.pairing.finish(),
            messages=tuple(self.messages.values()),
            words=tuple(self.words.values()),
            remarks=tuple(self.remarks.values()),
            shown=tuple(self.shown),
            injected=tuple(sorted(self.injected.items())),
        )
