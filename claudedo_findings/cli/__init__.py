"""The command line: one parser, one error handler, one module per family of verbs."""

import argparse
import os
import sys
from collections.abc import Sequence

from claudedo_findings import __version__
from claudedo_findings.cli import agents, curate, projects, read, setup, write
from claudedo_findings.errors import FindingsError

_EPILOG = """exit codes: 0 fine, 1 the answer is "no" (nothing found), 2 could not do it, 3 a bug, 130 interrupted.
Reading and curating verbs without --list or --here take the list whose folder holds the current
directory, else the only list."""


def main(arguments: Sequence[str]) -> int:
    """Run one verb and return its exit code; a FindingsError becomes one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        # Whatever the locale or code page says, output is UTF-8.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        args = parser().parse_args([_decoded(argument) for argument in arguments])
        code: int = args.verb(args)
        sys.stdout.flush()
    except FindingsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:  # noqa: BLE001  # the last edge: a bug keeps its traceback and has its own exit code
        import traceback

        traceback.print_exc()
        print("error: this is a bug in claudedo-findings; please report it with the lines above", file=sys.stderr)
        return 3
    return code


def parser() -> argparse.ArgumentParser:
    """Return the whole parser: every verb of every family."""
    top = argparse.ArgumentParser(
        prog="claudedo-findings",
        description="Save the traps that cost an agent turns, and let the next run read them before it explores.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"claudedo-findings {__version__}")
    verbs = top.add_subparsers(title="verbs", metavar="VERB", required=True)
    for family in (setup, projects, write, read, curate, agents):
        family.add_verbs(verbs)
    return top


def _decoded(argument: str) -> str:
    """Return an argument as UTF-8, also where the locale made Python read its bytes as something else."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument
