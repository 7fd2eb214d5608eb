"""What a shell command reads, searches and edits, and what it is for. Read from its text: it is never run."""

import re
import shlex
from dataclasses import dataclass, field

from claudedo_findings.transcripts import paths, shellwords
from claudedo_findings.transcripts.lines import Json


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_READERS = _set("cat head tail nl bat batcat less more tac sed awk get-content gc type")
_SEARCHERS = _set("grep egrep fgrep rg ag ack select-string")
_FILTERS = _READERS | _SEARCHERS | _set("sort uniq wc tee cut tr jq xargs column")
_NO_AIM = _set("cd export set echo printf source . true false sleep : wait exit return unset pwd")
_SHELLS = _set("bash sh zsh dash pwsh powershell")
_FIRST_IS_NO_FILE = _SEARCHERS | _set("sed awk")
_TOUCHES = re.compile(r"(?i)\b(?:" + "|".join(sorted(_READERS | _SEARCHERS | {"tee"})) + r")\b|>")
_TAKES_VALUE = {
    "head": "nc", "tail": "nc", "nl": "bdfhilnsvw", "bat": "rlH", "sed": "efl", "awk": "Ffv",
    "grep": "efmABC", "egrep": "efmABC", "fgrep": "efmABC", "rg": "efgtTmABCjM", "ag": "ABCmG", "ack": "ABCm",
}  # fmt: skip
_LONG_VALUES = _set("--lines --bytes --regexp --file --glob --type --max-count --context --expression -Pattern")
_PATTERN_GIVEN = _set("-e -f --regexp --file --expression -Pattern")
_LISTS_ONLY = re.compile(
    r"-[a-zA-Z]*[lLcq][a-zA-Z]*\Z|--(?:files(?:-with(?:out)?-match(?:es)?)?|count|quiet|type-list)\b"
)
_INNER = re.compile(r"-\w*c\Z|-Command\Z")
_SUB = re.compile(r"[a-z][a-z0-9:_-]*\Z")
_ONE_IS_FINE = _set("grep egrep fgrep rg find diff test [ cmp")
_PATCHED = re.compile(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)


@dataclass(kw_only=True)
class Touched:
    """The files that a command names, absolute where the working directory is known."""

    reads: list[str] = field(default_factory=list)
    searches: list[str] = field(default_factory=list)
    edits: list[str] = field(default_factory=list)
    cwd: str = ""


def of_input(given: Json) -> str:
    """Return the command in a tool's input: one string, or the words that follow `bash -lc`."""
    for name in ("command", "cmd", "script", "input", "chars"):
        value = given.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            words = [word for word in value if isinstance(word, str)]
            if len(words) >= 3 and words[0].rsplit("/", 1)[-1] in _SHELLS and _INNER.match(words[1]):
                return words[2]
            return shlex.join(words)
    return ""


def patched(patch: str) -> list[str]:
    """Return the files that a patch of Codex updates, adds, deletes or moves."""
    return _PATCHED.findall(patch)


def touched(command: str, cwd: str) -> Touched:
    """Return what a command reads, searches and edits when it is run in `cwd`."""
    found = Touched(cwd=cwd)
    if _TOUCHES.search(command):
        _walk(command, found, depth=0)
    return found


def aim(command: str) -> str:
    """Return what a command is for: its last program that is no filter, with its sub-command."""
    meant = None
    for simple in shellwords.parse(command):
        if simple.program and simple.program not in _NO_AIM and (not meant or simple.program not in _FILTERS):
            meant = simple
    if not meant:
        return ""
    program, rest = meant.program, meant.arguments
    if rest[:1] == ("-m",) and len(rest) > 1:  # `python -m pytest`
        return rest[1]
    if program in _FILTERS or not rest or not _SUB.match(rest[0]):
        return program
    # `npm run build` is for build.
    return " ".join((program, *(rest[:2] if rest[0] in ("run", "exec") else rest[:1])))


def one_is_fine(command: str) -> bool:
    """Return whether exit code 1 of a command only means that it found nothing or a difference."""
    programs = [simple for simple in shellwords.parse(command) if simple.program]
    if not programs:
        return False
    last = programs[-1]
    return last.program in _ONE_IS_FINE or (last.program == "git" and last.arguments[:1] in (("diff",), ("grep",)))


def _walk(command: str, found: Touched, depth: int) -> None:
    for simple in shellwords.parse(command):
        found.reads += [paths.absolute(path, found.cwd) for path in simple.reads]
        found.edits += [paths.absolute(path, found.cwd) for path in simple.writes]
        program, arguments = simple.program.casefold(), simple.arguments
        if program == "cd" and arguments:
            found.cwd = paths.absolute(arguments[0], found.cwd)
        elif program in _SHELLS and depth < 3:
            inner = [at for at, word in enumerate(arguments[:-1]) if _INNER.match(word)]
            if inner:
                _walk(arguments[inner[0] + 1], found, depth + 1)
        elif program in _READERS:
            in_place = program == "sed" and any(re.match(r"-\w*i|--in-place", word) for word in arguments)
            (found.edits if in_place else found.reads).extend(_files(program, arguments, found.cwd))
        elif program in _SEARCHERS and not any(_LISTS_ONLY.match(word) for word in arguments):
            found.searches += _files(program, arguments, found.cwd)
        elif program == "tee":
            found.edits += _files(program, arguments, found.cwd)


def _files(program: str, arguments: tuple[str, ...], cwd: str) -> list[str]:
    """Return the operands of a program that are files."""
    operands: list[str] = []
    pattern_given = only_files = False
    words = iter(arguments)
    for word in words:
        if only_files or not word.startswith("-") or word == "-":
            operands.append(word)
        elif word == "--":
            only_files = True
        elif word == "-Path":
            operands.append(next(words, ""))
        elif word in _LONG_VALUES or (len(word) == 2 and word[1] in _TAKES_VALUE.get(program, "")):
            pattern_given = pattern_given or word in _PATTERN_GIVEN
            next(words, "")
    if program in _FIRST_IS_NO_FILE and not pattern_given:
        operands = operands[1:]
    return [paths.absolute(word, cwd) for word in operands if word not in ("-", "") and not re.search(r"[$`{}]", word)]
