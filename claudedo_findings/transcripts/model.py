"""What a transcript says, as plain values: runs, and in each of them calls, messages and words."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What became of a call. Only FAILED, HIDDEN and HOOK are trouble that the project made."""

    OK = "ok"
    FAILED = "failed"
    HIDDEN = "hidden"
    """Flagged as fine, but its output ends in a failure: a pipe or a script swallowed the exit code."""
    HOOK = "hook"
    """A hook of the user or the project refused it."""
    DENIED = "denied"
    """The permission rules refused it."""
    REFUSED = "refused"
    """The user refused it."""
    CANCELLED = "cancelled"
    """It never ran: another call of its batch failed, or it was interrupted."""
    UNCHANGED = "unchanged"
    """A read that was answered with "unchanged since your last read"."""
    UNKNOWN = "unknown"
    """No outcome was seen: cut off, killed, or still running in the background. Not a success."""


TROUBLE = frozenset({Outcome.FAILED, Outcome.HIDDEN, Outcome.HOOK})


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call of a tool with its result. Texts are redacted quotes; paths are absolute where `cwd` was known."""

    key: str
    """The tool-use id, or what stands for it where that is no id: copies of a call share it.

    One that begins with "#" is unique in its run alone; so for messages and words.
    """
    tool: str
    """The tool's name; "" when only the result was seen."""
    line: int
    """The 1-based line of the result, or of the call when there is none."""
    at: str = ""
    """The time of `line`, ISO 8601 in UTC; "" when unknown."""
    model: str = ""
    agent: str = ""
    """The sub-agent that made it, "" for the main one."""
    batch: str = ""
    """The message it came in: the calls of one message are one attempt."""
    outcome: Outcome = Outcome.UNKNOWN
    asked: bool = True
    """Whether the call itself was seen, not only its result."""
    same: str = ""
    """A digest of the tool and its input, but for what does not change what it does (description, timeout)."""
    aim: str = ""
    """What it is for, coarsely: the program and its sub-command, or the tool and the file."""
    what: str = ""
    """The command or target, quoted; set for calls that failed and for those with the aim of one that failed."""
    error: str = ""
    """The telling line of what went wrong, quoted; "" where nothing did, WITHHELD where it may not be shown."""
    fingerprint: str = ""
    """Of the normalised error: the same for the same error elsewhere."""
    weak: bool = False
    """The error says too little ("exit code 1") to mean the same elsewhere."""
    reads: tuple[str, ...] = ()
    """Files whose content it asked for: a read tool, or `cat`, `head`, `sed -n` and the like in a shell."""
    searches: tuple[str, ...] = ()
    """What a search named or, for findings, showed lines of."""
    edits: tuple[str, ...] = ()
    saves: str = ""
    """The slug of the finding that it saved."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One answer of a model, which may span several lines, and the tokens it cost."""

    key: str
    model: str
    agent: str = ""
    at: str = ""
    line: int = 0
    """The 1-based line where it begins."""
    tokens_in: int = 0
    """Fresh input, without what the cache held."""
    tokens_out: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """What the user really said: a typed line, or the words beside a refusal."""

    key: str
    text: str
    line: int
    at: str = ""
    refusal: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """What an agent said about its own course: `kind` is "gives up" or "admits"."""

    kind: str
    text: str
    line: int
    at: str = ""
    agent: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A file of a store that came into the context by itself, through a hook or an attachment."""

    path: str
    at: str = ""
    line: int = 0
    agent: str = ""
    """The sub-agent into whose context it came, "" for the main one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One run of an agent with its sub-agents: a session, a part of a log, or a rollout."""

    kind: str
    """"session" (Claude Code), "log" (its stream-json output) or "rollout" (Codex)."""
    path: str
    part: int = 1
    """Its number within the file: several runs may be appended to one log."""
    session: str = ""
    task: str = ""
    """The host's task id, from the log's name."""
    number: int = 0
    """The host's run number of that task, from the log's name; 0 when unknown."""
    cwd: str = ""
    """The working directory at its start; "" when unknown."""
    version: str = ""
    started: str = ""
    ended: str = ""
    result: str = ""
    """What the client said at the end ("success", "error_max_turns", …); "" when it did not come to that."""
    turns: int | None = None
    """The client's own count; None when it did not say. `len` of the main agent's messages is ours."""
    calls: tuple[Call, ...] = ()
    messages: tuple[Message, ...] = ()
    words: tuple[Words, ...] = ()
    remarks: tuple[Remark, ...] = ()
    shown: tuple[Shown, ...] = ()
    injected: tuple[tuple[str, int], ...] = ()
    """How many user lines were not the user's, by kind."""
    inherited: tuple[Call, ...] = ()
    """Calls that another run told already: a resumed or forked session begins with their results in its context."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Digest:
    """What one file holds."""

    runs: tuple[Run, ...] = ()
    lines: int = 0
    broken: int = 0
    """Lines that are no JSON object, or longer than 64 MiB."""
    unknown: int = 0
    """Lines of a type that is not known here; they are skipped."""
    unfinished: bool = False
    """The last line was still being written."""
