"""What became of a call, from the words of its result: failures, and all that only looks like one."""

import re

from claudedo_findings.transcripts.model import Outcome

SHELLS = frozenset(
    {"Bash", "PowerShell", "Shell", "exec_command", "shell", "shell_command", "local_shell", "write_stdin"}
)
READERS = frozenset({"Read", "NotebookRead"})
# Their own errors always stand in a tag, so a bare text is a hook's.
_TAGGED = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "Grep", "Glob"})
_REFUSED = re.compile(
    r"(?is)(?:Error: )?(?:the user doesn'?t want to (?:proceed with|take) this|user rejected tool use"
    r"|permission for this tool use was denied\..{0,300}the user said:"
    r"|user declined|tool use was rejected by the user)"
)
_CANCELLED = re.compile(r"(?:<tool_use_error>)?\s*(?:Sibling tool call errored|Cancelled: parallel tool call)")
_INTERRUPTED = "[Request interrupted by user"
_DENIED = re.compile(
    r"(?i)this (?:bash )?command requires approval|permission to use \S+ .{0,200}?(?:has been|was) denied"
    r"|requested permissions? to |permission for this (?:tool use|command) (?:has been|was) denied"
    r"|denied by your permission"
    r"|permission (?:rule|settings?)s? (?:denied|denies|blocked)|was blocked\. for security|auto-denied"
)
_HOOK = re.compile(
    r"(?i)\A\s*(?:Error: )?(?:\w+(?::[\w*|]+)? hook (?:error|blocked|denied|stopped)|blocked by (?:\w+ )?hook)"
)
_RAW_ERRORS = re.compile(  # of the client itself, without a tag
    r"(?i)\A\s*(?:<tool_use_error>|exit code -?\d|command timed out|command was aborted|command failed"
    r"|.{0,200}\bE(?:NOENT|ISDIR|ACCES|PERM|NOTDIR|EXIST|BUSY|MFILE|TIMEDOUT|NAMETOOLONG|NOSPC|CONN[A-Z]+)\b"
    r"|error:|file (?:content|is too large)|cannot read|unable to read|pdf|image|inputvalidationerror|failed to|no such"
    r"|the (?:file|notebook|command)|request|unexpected|\[?errno|.{0,40}\btimed? ?out\b|<persisted-output>|api error"
    r"|\Z)"
)
_UNCHANGED = re.compile(r"(?i)\A\s*(?:wasted call\b|file unchanged since|.{0,80}\bunchanged since your last read)")
_RUNNING = re.compile(
    r"(?i)\A\s*command (?:is )?running in (?:the )?background|\A.{0,400}process running with session id \d+", re.DOTALL
)
_TAGS_EXIT = (2, 0, 64)  # the first version that was seen to write "Exit code N" before the output of a failed command
# At the end of an output that was flagged as fine. Counts of zero, file names and diffs must not match.
_HIDDEN = re.compile(
    r"(?m)^(?:=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+|(?:Tests?|Test Suites|Test Files):?\s+[1-9]\d* failed\b.*"
    r"|FAILED \((?:failures|errors)=.*|\s*[1-9]\d* fail(?:ed|ing)?\s*|FAIL\t\S+.*|--- FAIL: .*|test result: FAILED\..*"
    r"|error: could not compile .*|error\[E\d{4}\]: .*|\S+\(\d+,\d+\): error [A-Z]+\d+: .*"
    r"|\S+:\d+:\d+ - error TS\d+: .*"
    r"|make(?:\[\d+\])?: \*\*\* .*|npm (?:ERR!|error) .*|BUILD FAILED.*|Build FAILED\..*|FAILURE: Build failed.*"
    r"|(?:/\S+/)?(?:ba|z|da)?sh: (?:line \d+: |\d+: )?\S+: (?:command )?not found|Traceback \(most recent call last\):"
    r"|(?:fatal|error): .*|[Ee][Xx][Ii][Tt](?:[ _]?[Cc]ode)?\s?[:=]\s?[1-9]\d*\s*)$"
)
_SIGNS = ("fail", "err", "***", "not found", "traceback", "fatal", "exit")  # one of them stands in all of these
_TAIL = 2_000  # characters of the output's end where a swallowed failure is looked for


def of_claude(
    tool: str, text: str, command: str = "", *, flagged: bool, kind: str = "", hooked: bool = False, version: str = ""
) -> Outcome:
    """Return the outcome of a call of Claude Code.

    `flagged` is `is_error`; `kind` is the client's own word for why it was not run; `hooked` says that a hook saw it.
    """
    if not flagged:
        return _unflagged(tool, text, command)
    if kind == "user-rejected" or _REFUSED.match(text):
        return Outcome.REFUSED
    if kind == "interrupted" or _CANCELLED.match(text) or _INTERRUPTED in text[-200:]:
        return Outcome.CANCELLED
    if kind == "permission-rule" or _DENIED.search(text[:1_000]):
        return Outcome.DENIED
    if _HOOK.match(text):
        return Outcome.HOOK
    if not _RAW_ERRORS.match(text):
        tagged = tool in _TAGGED or tool in READERS or (tool in SHELLS and (hooked or _at_least(version, _TAGS_EXIT)))
        if tagged:
            return Outcome.HOOK
    return Outcome.FAILED


def hidden(text: str, command: str = "") -> int:
    """Return where in a shell's output the failure stands that nothing flagged; -1 for none.

    A command that prints `$?` itself looks for failures; what it then shows is no surprise.
    """
    start = max(0, len(text) - _TAIL)
    folded = text[start:].casefold()
    if "$?" in command or not any(sign in folded for sign in _SIGNS):
        return -1
    found = _HIDDEN.search(text, start)
    return found.start() if found else -1


def running(text: str) -> bool:
    """Return whether a result only says that the command goes on in the background."""
    return bool(_RUNNING.match(text[:600]))


def _unflagged(tool: str, text: str, command: str) -> Outcome:
    if tool in READERS and _UNCHANGED.match(text):
        return Outcome.UNCHANGED
    if tool in SHELLS:
        if running(text):
            return Outcome.UNKNOWN
        if hidden(text, command) >= 0:
            return Outcome.HIDDEN
    return Outcome.OK


def _at_least(version: str, wanted: tuple[int, ...]) -> bool:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    return bool(numbers) and numbers >= wanted
