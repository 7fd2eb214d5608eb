"""A shell command's text as its simple commands. Only as much of a shell as agents write; nothing is expanded."""

import re
from dataclasses import dataclass
from functools import lru_cache

LIMIT = 4_000  # characters of a command that are looked at
_TOKEN = re.compile(
    r"""(?P<noise>\d?>&\d|\d(?=>)|\\\n)"""  # `2>&1`, the number of a redirection, a line that goes on
    r"""|(?:[^\s"'|;&<>()\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|\|\||&&|&?>>?|[|;&<()]|\n""",
    re.DOTALL,
)
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?^\s*\2[ \t]*$", re.DOTALL | re.MULTILINE)
# A backslash before a letter is one of a Windows path.
_QUOTING = re.compile(r"""\\(\W)|"((?:[^"\\]|\\.)*)"|'([^']*)'""", re.DOTALL)
_ENDS = frozenset(["|", "||", "&&", ";", "&", "\n", "(", ")"])
_REDIRECTS = frozenset(["<", ">", ">>", "&>", "&>>"])
# What may stand before a program.
_BEFORE = frozenset(
    [
        "sudo",
        "time",
        "env",
        "command",
        "nohup",
        "exec",
        "builtin",
        "npx",
        "bunx",
        "then",
        "do",
        "else",
        "if",
        "!",
        "{",
        "while",
        "until",
    ]
)
_ASSIGNS = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True, slots=True)
class Simple:
    """One program with its arguments, and the files that its redirections name."""

    program: str
    """Without its folder and `.exe`; "" when there are only redirections."""
    arguments: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@lru_cache(maxsize=64)  # a command is asked about twice or three times in a row
def parse(command: str) -> tuple[Simple, ...]:
    """Return the simple commands of a command, in their order; here-documents are left out."""
    command = command[:LIMIT]
    if "<<" in command:
        command = _HEREDOC.sub(r"\3\n", command)
    found: list[Simple] = []
    words: list[str] = []
    for match in _TOKEN.finditer(command):
        token = match[0]
        if token in _ENDS:
            if words:
                found.append(_simple(words))
                words = []
        elif match["noise"] is None:
            words.append(token)
    return (*found, _simple(words)) if words else tuple(found)


def _simple(parts: list[str]) -> Simple:
    words: list[str] = []
    targets: dict[str, list[str]] = {"<": [], ">": []}
    redirect = ""
    for part in parts:
        if part in _REDIRECTS:
            redirect = "<" if part == "<" else ">"
        elif redirect:
            target = _bare(part)
            if not target.startswith(("/dev/", "&", "$")):
                targets[redirect].append(target)
            redirect = ""
        else:
            words.append(_bare(part))
    words = words[_start(words) :]
    program = re.split(r"[\\/]", words[0])[-1].removesuffix(".exe") if words else ""
    return Simple(program, tuple(words[1:]), tuple(targets["<"]), tuple(targets[">"]))


def _start(words: list[str]) -> int:
    """Return the index of the program: assignments and `sudo`, `timeout 5` and the like stand before it."""
    at = 0
    while at < len(words):
        if words[at] in ("timeout", "nice", "xargs") and at + 1 < len(words):
            at += 2 if words[at + 1][:1].isdigit() else 1
        elif words[at] in _BEFORE or _ASSIGNS.match(words[at]):
            at += 1
        else:
            break
    return at


def _bare(token: str) -> str:
    if "\\" in token or '"' in token or "'" in token:
        return _QUOTING.sub(lambda part: part[1] or (part[2] or "") + (part[3] or ""), token)
    return token
