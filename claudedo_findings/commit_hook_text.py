"""The text of a git hook: our lines in it, put in and taken out without touching the rest."""

import re
import shlex
import sys
from collections.abc import Sequence

FRESH = b"#!/bin/sh\n# Made by 'claudedo-findings install-hook'; it goes with 'install-hook --remove'.\n"
_CHAINED = b"# The hook that was here before: its exit code is this one's.\n"
_SHELL = re.compile(rb"#![ \t]*(?:/usr)?/bin/(?:env[ \t]+(?:-S[ \t]+)?)?(?:sh|bash|dash|zsh|ksh)\b[^\r\n]*\n")
_ANY = b"# >>> claudedo-findings "
# Words of a message that may take something back or bring it back: only then a commit is worth a look.
_WORDS = "revert|back(ed)? ?out|rol(l|led|ling) ?back|undo|re-?appl|re-?land|roll.?forward|回退|回滚|还原|撤销"


def mark(root: str) -> bytes:
    """Return the line that our lines for the store at `root` begin with."""
    return _ANY + f"{shlex.quote(root)} >>>\n".encode("utf-8", "surrogateescape")


def block(hook: str, root: str, common_dir: str, which: Sequence[str]) -> bytes:
    """Return our lines: in the background, silent, and for this repository alone."""
    run = [sys.executable, "-P", "-m", "claudedo_findings", "detect", "--save", "--quiet", *which]
    look = f"    git log -1 --format=%B | grep -qiE {shlex.quote(_WORDS)} || exit 0\n" if hook == "post-commit" else ""
    return (
        "# Looks for reverts in the background. To take this out: claudedo-findings install-hook --remove\n"
        "(\n"
        f"{look}"
        f'    [ "$(git rev-parse --git-common-dir)" -ef {shlex.quote(common_dir)} ] || exit 0\n'
        f"    cd {shlex.quote(root)} && exec {shlex.join(run)}\n"
        ") </dev/null >/dev/null 2>&1 &\n"
    ).encode("utf-8", "surrogateescape")


def chained(kept: str) -> bytes:
    """Return a script that runs the program `kept` beside it, if that may run, and ends as it does."""
    beside = f'"$(dirname "$0")/{kept}"'
    return FRESH + _CHAINED + f'[ ! -x {beside} ] || exec {beside} "$@"\n'.encode()


def is_shell(text: bytes) -> bool:
    """Return whether a hook is a shell script, which can take our lines in."""
    return bool(_SHELL.match(text))


def is_ours(text: bytes) -> bool:
    """Return whether our lines for any store are in a hook."""
    return _ANY in text


def holds(text: bytes, begin: bytes) -> bool:
    """Return whether a hook has the lines that begin with `begin`."""
    return begin in text


def put(text: bytes, begin: bytes, lines: bytes) -> bytes:
    """Return a hook with our lines below its first one, or in the place of those it has."""
    end = _end(begin)
    if begin in text and end in text:
        before, _, rest = text.partition(begin)
        return before + begin + lines + end + rest.partition(end)[2]
    if text.startswith(FRESH):
        return FRESH + begin + lines + end + text[len(FRESH) :]
    first, newline, rest = text.partition(b"\n")
    return first + newline + begin + lines + end + rest


def drop(text: bytes, begin: bytes) -> bytes:
    """Return a hook without the lines that begin with `begin`."""
    before, _, rest = text.partition(begin)
    return before + rest.partition(_end(begin))[2]


def _end(begin: bytes) -> bytes:
    return b"# <<<" + begin.removeprefix(b"# >>>").removesuffix(b">>>\n") + b"<<<\n"
