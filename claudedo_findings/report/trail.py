"""What one run did with the findings, as plain values that its transcripts are added to."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from claudedo_findings.transcripts.model import Call, Run

Fitting = Callable[[Call], tuple[str, ...]]
"""Tells the findings that the error of a call fits."""


class Phase(StrEnum):
    """Where an error stands beside the opening of a finding that fits it."""

    BEFORE = "before"
    AFTER = "after"
    UNOPENED = "unopened"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One thing that happened to a finding: when, and with which model."""

    at: str
    model: str = ""


@dataclass(kw_only=True)
class Context:
    """What stands in one context: the files of one are not in another, not even of the same run's sub-agent."""

    index: str | None = None
    """The attempt that read the index."""
    opened: dict[str, str] = field(default_factory=dict)
    """The attempt that opened, or saved, each finding."""


@dataclass(kw_only=True)
class Trail:
    """One run, which several transcripts may tell in parts."""

    key: str
    name: str = ""
    """What people call it."""
    task: str = ""
    number: int = 0
    session: str = ""
    result: str = ""
    started: str = ""
    models: Counter[str] = field(default_factory=Counter)
    turns: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    carries: bool = False
    """The index stands in its main context, read by itself or before it was resumed; or a sub-agent read it."""
    index: list[Step] = field(default_factory=list)
    index_turns: int = 0
    hooked: dict[str, list[Step]] = field(default_factory=dict)
    opened: dict[str, list[Step]] = field(default_factory=dict)
    saved: dict[str, list[Step]] = field(default_factory=dict)
    errors: dict[tuple[str, Phase], list[Step]] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """The model that gave most of the main agent's answers."""
        return max(self.models, key=lambda model: (self.models[model], model), default="unknown")

    def about(self, run: Run) -> None:
        """Take what a transcript says of the run as a whole."""
        started = moment(run.started)
        self.started = min(filter(None, (self.started, started)), default="")
        self.result = run.result or self.result
        main = [message for message in run.messages if not message.agent]
        self.models.update(message.model for message in main if message.model)
        turns = run.turns if run.turns is not None else len(main) or None
        self.turns = _sum(self.turns, turns)
        sent = sum(message.tokens_in + message.cache_read + message.cache_write for message in run.messages)
        self.tokens_in = _sum(self.tokens_in, sent or None)
        self.tokens_out = _sum(self.tokens_out, sum(message.tokens_out for message in run.messages) or None)


def moment(text: str) -> str:
    """Return a time as ISO 8601 in UTC to the second, "" for a text that is none: it is a stranger's."""
    try:
        time = datetime.fromisoformat(text)
        return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one + (other or 0)
