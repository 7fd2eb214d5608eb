"""The command line: one parser, one error handler, one module per family of verbs."""

import itertools
import os
import sys
from collections.abc import Callable, Sequence

from claudedo_findings import __version__
from claudedo_findings.errors import FindingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

# Which module adds which verbs. Only the chosen verb's module is imported: `pointer` and `hook` must start fast.
FAMILIES = {
    "setup": ("serve", "demo", "connect"),
    "completion": ("completion",),
    "projects": ("lists", "track", "untrack"),
    "write": ("save",),
    "read": ("list",),
    "show": ("show", "open"),
    "check": ("check",),
    "stale": ("stale", "renew"),
    "curate": ("sync", "history", "restore", "forget"),
    "audit": ("lint", "doctor"),
    "merge": ("retire", "merge"),
    "candidates": ("approve", "reject"),
    "review": ("review",),
    "agents": ("pointer", "hook", "snippet"),
    "distill": ("distill",),
    "report": ("report",),
    "harvest": ("harvest",),
    "trial": ("trial",),
    "detect": ("detect", "install-hook"),
}


def main(arguments: Sequence[str]) -> int:
    """Run one verb and return its exit code; a FindingsError becomes one line on stderr."""
    if "_ARGCOMPLETE" in os.environ:  # the shell asks what may come next
        from claudedo_findings.cli import completion

        completion.answer(parser(completion.verb_at_hand()))
    return _guarded(lambda: _parsed([_decoded(argument) for argument in arguments]))


def pointer(wanted: str | None, *, here: bool) -> int:
    """Run `pointer` without argparse, which it cannot afford: a host waits for it at the start of every run."""

    def run() -> int:
        from claudedo_findings.cli import agents

        return agents.point(None if wanted is None else _decoded(wanted), here=here)

    return _guarded(run)


def _guarded(verb: Callable[[], int]) -> int:
    """Run a verb and return the exit code; what goes wrong is told on stderr."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a closed one is None
        # Whatever the locale or code page says, output is UTF-8.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = verb()
        if sys.stdout:
            sys.stdout.flush()
    except FindingsError as error:
        from claudedo_findings.cli.common import print_text  # a path in the message may hold anything

        print_text(f"error: {error}", to_stderr=True)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # every door wraps its own: this is our output, a full disk for one
        print(f"error: cannot write the output: {error.strerror}", file=sys.stderr)
        return 2
    except Exception:  # noqa: BLE001  # the last edge: a bug keeps its traceback and has its own exit code
        import traceback

        traceback.print_exc()
        print("error: this is a bug in claudedo-findings; please report it with the lines above", file=sys.stderr)
        return 3
    return code


def _parsed(arguments: list[str]) -> int:
    if not arguments:
        print(parser().format_help(), end="", file=sys.stderr)
        return 2
    args = parser(arguments[0]).parse_args(_body_from_stdin(arguments))
    code: int = args.verb(args)
    return code


def parser(verb: str = "") -> "argparse.ArgumentParser":
    """Return the parser with the family of `verb`, or with every verb when that is none."""
    import importlib

    from claudedo_findings.cli.parsers import Parser, Top

    top = Top(prog="claudedo-findings", usage="claudedo-findings VERB [--help] [options]")
    top.add_argument("--version", action="version", version=f"claudedo-findings {__version__}")
    verbs = top.add_subparsers(metavar="VERB", required=True, prog="claudedo-findings", parser_class=Parser)
    top.verbs = verbs.choices
    families = [name for name, members in FAMILIES.items() if verb in members]
    for family in families or (() if verb == "--version" else FAMILIES):  # all of them take a third of a second
        importlib.import_module(f"{__name__}.{family}").add_verbs(verbs)
    return top


def _body_from_stdin(arguments: list[str]) -> list[str]:
    """Return the arguments with `--body -` as `-`, which argparse can tell from an option that lacks its value."""
    for at, pair in enumerate(itertools.pairwise(arguments)):
        if pair == ("--body", "-"):
            return [*arguments[:at], *arguments[at + 1 :]]
    return arguments


def _decoded(argument: str) -> str:
    """Return an argument as UTF-8, also where the locale made Python read its bytes as something else."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument
