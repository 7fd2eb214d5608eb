"""What a shell command reads, searches and edits, and what it is for. Read from its text: it is never run."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

from claudedo_findings.transcripts import paths
from claudedo_findings.transcripts.lines import Json

_TOKEN = re.compile(
    r"""(?P<noise>\d?>&\d|\d(?=>)|\\\n)|(?:[^\s"'|;&<>()\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|\|\||&&|&?>>?|[|;&<()]|\n""",
    re.DOTALL,
)
_QUOTING = re.compile(r"""\\(\W)|"((?:[^"\\]|\\.)*)"|'([^']*)'""", re.DOTALL)
_REDIRECTS = ("<", ">", ">>", "&>", "&>>")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?^\s*\2[ \t]*$", re.DOTALL | re.MULTILINE)
_READERS = frozenset(
    ["cat", "head", "tail", "nl", "bat", "batcat", "less", "more", "tac", "sed", "awk", "get-content", "gc", "type"]
)
_SEARCHERS = frozenset(["grep", "egrep", "fgrep", "rg", "ag", "ack", "select-string"])
_TOUCHES = re.compile(r"(?i)\b(?:" + "|".join(sorted(_READERS | _SEARCHERS | {"tee"})) + r")\b|>")
_PATCHED = re.compile(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)
_BEFORE = frozenset(
    ["sudo", "time", "env", "command", "nohup", "exec", "builtin", "npx", "bunx"]
)  # what may stand before a program
_FILTERS = _READERS | _SEARCHERS | frozenset(["sort", "uniq", "wc", "tee", "cut", "tr", "jq", "xargs", "column"])
_NO_AIM = frozenset(
    [
        "cd",
        "export",
        "set",
        "echo",
        "printf",
        "source",
        ".",
        "true",
        "false",
        "sleep",
        ":",
        "wait",
        "exit",
        "return",
        "unset",
        "pwd",
    ]
)
_SHELLS = frozenset(["bash", "sh", "zsh", "dash", "pwsh", "powershell"])
_TAKES_VALUE = {
    "head": "nc", "tail": "nc", "nl": "bdfhilnsvw", "bat": "rlH", "sed": "efl", "awk": "Ffv",
    "grep": "efmABC", "egrep": "efmABC", "fgrep": "efmABC", "rg": "efgtTmABCjM", "ag": "ABCmG", "ack": "ABCm",
}  # fmt: skip
_LONG_VALUE = frozenset(
    [
        "--lines",
        "--bytes",
        "--regexp",
        "--file",
        "--glob",
        "--type",
        "--max-count",
        "--context",
        "--expression",
        "-Path",
        "-Pattern",
    ]
)
_FIRST_IS_NO_FILE = frozenset(["sed", "awk", "grep", "egrep", "fgrep", "rg", "ag", "ack", "select-string"])
_LISTS_ONLY = re.compile(
    r"-[a-zA-Z]*[lLcq][a-zA-Z]*\Z|--(?:files(?:-with(?:out)?-match(?:es)?)?|count|quiet|type-list)\b"
)
_QUIET_ONE = re.compile(r"(?:grep|egrep|fgrep|rg|find|diff|test|\[|cmp)\Z")


@dataclass(kw_only=True)
class Touched:
    """The files that a command names, absolute where the working directory is known."""

    reads: list[str] = field(default_factory=list)
    searches: list[str] = field(default_factory=list)
    edits: list[str] = field(default_factory=list)
    cwd: str = ""


def touched(command: str, cwd: str) -> Touched:
    """Return what a command reads, searches and edits when it is run in `cwd`."""
    found = Touched(cwd=cwd)
    if _TOUCHES.search(command):
        _walk(command, found, depth=0)
    return found


def of_input(given: Json) -> str:
    """Return the command in a tool's input: one string, or the words that follow `bash -lc`."""
    for name in ("command", "cmd", "script", "input", "chars"):
        value = given.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            words = [word for word in value if isinstance(word, str)]
            if len(words) >= 3 and words[0].rsplit("/", 1)[-1] in _SHELLS and re.match(r"-\w*c\Z|-Command\Z", words[1]):
                return words[2]
            return shlex.join(words)
    return ""


def patched(patch: str) -> list[str]:
    """Return the files that a patch of Codex updates, adds, deletes or moves."""
    return _PATCHED.findall(patch)


def aim(command: str) -> str:
    """Return what a command is for: its last program that is no filter, with its sub-command."""
    words: list[str] = []
    for words_of in _simple(_without_heredocs(command)[:2_000]):
        plain = _program(words_of)
        if plain and plain[0] not in _NO_AIM and (not words or plain[0] not in _FILTERS):
            words = plain
    if not words:
        return ""
    program, rest = words[0], words[1:]
    if rest[:1] == ["-m"] and len(rest) > 1:  # `python -m pytest`
        return rest[1]
    if program in _FILTERS or not rest or not re.match(r"[a-z][a-z0-9:_-]*\Z", rest[0]):
        return program
    # `npm run build` is for build.
    return " ".join(words[:3] if rest[0] in ("run", "exec") else words[:2])


def one_is_fine(command: str) -> bool:
    """Return whether exit code 1 of a command only means that it found nothing or a difference."""
    last: list[str] = []
    for words in _simple(_without_heredocs(command)[:4_000]):
        last = _program(words) or last
    return bool(last) and (bool(_QUIET_ONE.match(last[0])) or last[:2] in (["git", "diff"], ["git", "grep"]))


def _walk(command: str, found: Touched, depth: int) -> None:
    for words in _simple(_without_heredocs(command)):
        operands = _redirects(words, found)
        plain = _program(operands)
        if not plain:
            continue
        program, arguments = plain[0].casefold(), plain[1:]
        if program == "cd" and arguments:
            found.cwd = paths.absolute(arguments[0], found.cwd)
        elif program in _SHELLS and depth < 3:
            inner = [at for at, word in enumerate(arguments) if re.match(r"-\w*c\Z|-Command\Z", word)]
            if inner and inner[0] + 1 < len(arguments):
                _walk(arguments[inner[0] + 1], found, depth + 1)
        elif program in _READERS:
            in_place = program == "sed" and any(re.match(r"-\w*i|--in-place", word) for word in arguments)
            (found.edits if in_place else found.reads).extend(_files(program, arguments, found.cwd))
        elif program in _SEARCHERS and not any(_LISTS_ONLY.match(word) for word in arguments):
            found.searches.extend(_files(program, arguments, found.cwd))
        elif program == "tee":
            found.edits.extend(_files(program, arguments, found.cwd))


def _simple(command: str) -> Iterator[list[str]]:
    """Yield the words of each simple command; a redirection stays among them as `<`, `>` or `>>`."""
    words: list[str] = []
    for match in _TOKEN.finditer(command):
        token = match[0]
        if match["noise"]:  # `2>&1`, a line that goes on
            continue
        if token in ("|", "||", "&&", ";", "&", "\n", "(", ")"):
            if words:
                yield words
            words = []
        else:
            words.append(token if token in _REDIRECTS else _bare(token))
    if words:
        yield words


def _bare(token: str) -> str:
    """Return a word without its quotes and backslashes; a backslash before a letter is one of a Windows path."""
    return _QUOTING.sub(lambda part: part[1] or (part[2] or "") + (part[3] or ""), token)


def _program(words: list[str]) -> list[str]:
    """Return the words from the program on, its folder left out."""
    at = 0
    while at < len(words):
        word = words[at]
        if word in ("timeout", "nice", "xargs") and at + 1 < len(words):
            at += 2 if re.match(r"\d", words[at + 1]) else 1
        elif (
            word in _BEFORE
            or re.match(r"[A-Za-z_]\w*=", word)
            or word in ("then", "do", "else", "if", "!", "{", "while")
        ):
            at += 1
        else:
            break
    rest = words[at:]
    return [re.split(r"[\\/]", rest[0])[-1].removesuffix(".exe"), *rest[1:]] if rest else []


def _redirects(words: list[str], found: Touched) -> list[str]:
    kept: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word in _REDIRECTS:
            target = words[at + 1] if at + 1 < len(words) else ""
            if target and not re.match(r"/dev/|&|\$", target):
                (found.reads if word == "<" else found.edits).append(paths.absolute(target, found.cwd))
            at += 2
        else:
            kept.append(word)
            at += 1
    return kept


def _files(program: str, arguments: list[str], cwd: str) -> list[str]:
    operands, at, pattern_given, only_files = [], 0, False, False
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if only_files or not word.startswith("-") or word == "-":
            operands.append(word)
        elif word == "--":
            only_files = True
        elif word in _LONG_VALUE or (re.match(r"-[A-Za-z]\Z", word) and word[1] in _TAKES_VALUE.get(program, "")):
            pattern_given = pattern_given or word in ("-e", "-f", "--regexp", "--file", "--expression")
            if word == "-Path":
                operands.append(arguments[at] if at < len(arguments) else "")
            at += 1
    if program in _FIRST_IS_NO_FILE and not pattern_given:
        operands = operands[1:]
    return [paths.absolute(word, cwd) for word in operands if word not in ("-", "") and not re.search(r"[$`{}]", word)]


def _without_heredocs(command: str) -> str:
    return _HEREDOC.sub(r"\3\n", command) if "<<" in command else command
