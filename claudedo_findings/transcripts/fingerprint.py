"""From the output of what failed to the one line that tells why, and to a key for the same fault elsewhere."""

import hashlib
import re

from claudedo_findings.transcripts import quote

_ENDS = 20_000  # characters of an output's head and tail that are searched
_LONG = 2_000  # characters: a longer line is data
_SHORT = 3  # lines of an output that is an error message as a whole
_WRAP = re.compile(r"</?(?:tool_use_error|persisted-output)>|<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_NO_TROUBLE = re.compile(
    r"(?:Exit code:? -?\d+|Process exited with code -?\d+|Shell cwd was reset to .*|Wall time:? .*"
    r"|Output too large \(.*|Preview \(first .*|Chunk ID:? .*|Total output lines:? .*|Original token count:? .*"
    r"|Output:|(?:\[[\w:.-]+\] )?\$ .*|> \S+@\S+ .*|ok\s+\S+\s.*"
    r"|\?\s+\S+\s+\[no test files\]|=== (?:RUN|PAUSE|CONT|NAME)\b.*|\s*--- PASS: .*|PASS|Finished in .*)\s*\Z"
)
_HOOK_PREFIX = re.compile(r"\A\s*(?:\w+(?::\w+)? hook (?:error|blocked)[^:\n]*:\s*)(?:\[[^\]\n]*\]:\s*)?")
# The first kind of line that is found tells the most; within a kind the first line does, but for the exception
# that ends a traceback.
_TELLING = tuple(
    re.compile(pattern)
    for pattern in (
        # The name of a failing test, as pytest, bun, jest, go, cargo and TAP write it.
        r"^(?:FAILED|ERROR) \S+::\S|^\(fail\) \S|^\s*● .+ › \S|^--- FAIL: \S|^test \S+ \.\.\. FAILED|^not ok \d+ - \S"
        r"|^ {2,4}\d+\) \S",
        r"^\s*E\s{2,}\S",
        r"(?i)^(?:[^\s:]+(?::\d+)*:\s+)?(?:fatal|(?:\w+ )?error|panic)(?:\[\w+\]|\s+[A-Z]+\d+)?\s*:\s*\S",
        r"^(?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b(?:\s*\[\w+\])?:?(?:\s|$)",
        r"^\S+\.\w+:\d+(?::\d+)?:? +[^\s:#]|^\S+\.\w+\(\d+,\d+\): \S",  # what a compiler says of a place
        r"(?i)\b(?:command not found|no such file or directory|permission denied|(?:unknown|unrecognized|invalid)"
        r" (?:option|argument|command|flag|subcommand)|is not recognized|cannot find|could not|cannot\b|not found)",
        r"(?i)\b[1-9]\d* (?:fail(?:ed|ures?|ing)?|errors?|problems?)\b",
        r"(?i)\b(?:error|failed|failure|refused|denied|forbidden|timed out)\b",
    )
)
_EXCEPTION = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit|Warning)\b.*$", re.MULTILINE)
# What build tools say when something below them failed: it is true of every failure.
_GENERIC = re.compile(
    r"""(?ix) \W* (?: \[[\w:.-]+\]\s* )? (?:
      (?:the\ )?(?:command|build|test|process|script|operation)?s?\s*(?:error|errors|failed|failure|fatal)
    | (?:error|warning|fatal)?[:\s]*(?:task|command|build|process|script|target|job|step|recipe)\b.{0,40}
        \b(?:failed|errored|completed|exited)\b.*
    | traceback.* | usage:?.* | oops.* | an\ error\ occurred | unknown\ error | see\ (?:above|log).*
    | exit(?:ed)?(?:\ with)?(?:\ (?:code|status))?:?\ (?:-?\d+|<n>)
    | npm\ (?:err!|error).* | make(?:\[(?:\d+|<n>)\])?:\ \*\*\*.*
    | (?:\d+|<n>)\ tests?,.* | ran\ (?:\d+|<n>)\ tests?.* | tests?:\s.* | =+\ .*\b(?:failed|passed|errors?)\b.*\ =+
    | (?:\d+|<n>)\ (?:errors?|failed|failures?|fail|problems?)
    | fail\s+\S+(?:\s+(?:\[(?:build|setup)\ failed\]|\S+s|<n>))? | \#\ \S+(?:\ \[\S+\])?
    ) \W* \Z"""
)
_UNFINISHED = re.compile(r"(?i)\W*(?:error|errors|fatal|failed|failure|traceback.*|oops)\W*\Z|.*:\Z")
_CODE = re.compile(r"[{};,(]\s*\Z")  # a line of source that a tool quotes ends like this
_TASK = re.compile(r"^\[[a-z][\w:.-]*\] (?=[^$\s])")  # the name of a task before each line of its output
_CUT = re.compile(r"\s*Note: your current working directory is .*", re.DOTALL)


def telling(text: str, *, first: bool = False) -> tuple[str, bool]:
    """Return the line that tells what went wrong, with what belongs to it, and whether it surely does.

    The line is "" when nothing was printed. `first` takes the first line, as is right for the message of a hook.
    """
    text = _WRAP.sub("\n", text[:_ENDS] if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}\n{text[-_ENDS:]}")
    text = quote.ANSI.sub("", _HOOK_PREFIX.sub("", text))
    if "\\n" in text[:400] and text.count("\\n") >= text[:400].count("\n"):
        text = text.replace("\\n", "\n")  # hooks print their message as a shell string
    lines = [_TASK.sub("", line.rstrip()) for line in re.split(r"[\r\n]+", text) if line.strip()]
    lines = [line for line in lines if not _NO_TROUBLE.match(line.strip())]
    if not lines:
        return "", False
    at = 0 if first else _place(lines)
    found = lines[at or 0].strip()
    # The first line of a long output says little when no line looks like an error.
    sure = at is not None or len(lines) <= _SHORT
    return _CUT.sub("", _with_next(found, lines[(at or 0) + 1 : (at or 0) + 3])) or found, sure


def normalised(line: str) -> str:
    """Return a telling line without what differs from one run to the next: paths, places, numbers, ids, times."""
    line = quote.redacted(line)
    for pattern, replacement in _VARIABLE:
        line = pattern.sub(replacement, line)
    return " ".join(line.casefold().split())


def fingerprint(normal: str, about: str = "") -> str:
    """Return the key of a normalised error, of its aim too where the error says too little."""
    return hashlib.sha256(f"{normal}\0{about}".encode("utf-8", "replace")).hexdigest()[:16]


def weak(normal: str) -> bool:
    """Return whether a normalised error says too little to mean the same elsewhere."""
    return len(normal) < 6 or bool(_GENERIC.match(normal)) or normal == quote.WITHHELD


_VARIABLE = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^(?:(?:/\S+/)?(?:ba|z|da|k)?sh: (?:line )?\d*:? ?)", ""),
        (r"^[\w.-]+: (?=(?i:fatal|error|unknown|unrecognized|invalid|illegal|cannot|unable)\b)", ""),
        (r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", "<time>"),
        (r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b", "<time>"),
        (r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "<id>"),
        (r"(?i)\b0x[0-9a-f]+\b", "<hex>"),
        (r"(?i)\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b", "<hex>"),
        (r"\b[a-z][a-z0-9+.-]*://[^\s'\"`)>]+", "<url>"),
        (
            r"(?:(?<=^)|(?<=[\s'\"`(\[=,:]))(?:[A-Za-z]:)?(?:~|\.{1,2})?(?:[\\/][^\s'\"`:;,()\[\]<>|\\/]+)+[\\/]?",
            "<path>",
        ),
        (r"(?:(?<=^)|(?<=[\s'\"`(\[=,:]))[\w.@+-]+(?:[\\/][\w.@+-]+)+[\\/]?", "<path>"),
        (r"(?<=<path>)(?::\d+){1,2}|(?<=<path>)\(\d+(?:,\d+)?\)", ""),
        (r"(?<=\w\.\w)(?::\d+){1,2}|(?<=\.\w\w)(?::\d+){1,2}|(?<=\.\w\w\w)(?::\d+){1,2}", ""),
        (r"(?i)\bline \d+(?:,? col(?:umn)? \d+)?", "line <n>"),
        (r"\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?|m \d+s|[KMG]i?B|bytes)\b", "<n>"),
        (r"(?i)(?<!code )(?<!code: )(?<!status )(?<!http )(?<!errno )(?<![\w<.-])-?\d+(?:[.,]\d+)*(?![\w>])", "<n>"),
    )
)


def _place(lines: list[str]) -> int | None:
    """Return the index of the most telling line, None when no line looks like an error."""
    traceback = next((at for at, line in enumerate(lines) if line.startswith("Traceback (most recent")), None)
    if traceback is not None:
        last = [at for at, line in enumerate(lines[traceback:], traceback) if _EXCEPTION.match(line)]
        if last:
            return last[-1]
    told = [at for at, line in enumerate(lines) if len(line) < _LONG and not _says_nothing(line)]
    return next((at for pattern in _TELLING for at in told if pattern.search(lines[at])), None)


def _says_nothing(line: str) -> bool:
    return bool(_GENERIC.match(line.strip()) or _CODE.search(line))


def _with_next(found: str, following: list[str]) -> str:
    """Return a line with those after it that complete it: it ends in a colon, or they stand in brackets."""
    for line in following:
        line = line.strip()
        if _UNFINISHED.match(found) or re.match(r"\([^)]*\)\Z", line):
            found = f"{found} {line}"
        else:
            break
    return re.sub(r"^E\s{2,}", "", found)
