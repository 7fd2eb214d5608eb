"""What the verbs share: how they are added, which store they mean, and the one renderer of output."""

import os
import sys
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from claudedo_findings import git, lists
from claudedo_findings.cli import progress
from claudedo_findings.errors import FindingsError
from claudedo_findings.lists import TodoList
from claudedo_findings.printable import clean as clean
from claudedo_findings.printable import hides

TYPE_CHECKING = False  # `pointer` imports this module, and does not wait for argparse
if TYPE_CHECKING:
    import argparse

    from claudedo_findings.store import Store

Verbs = Any  # argparse names the type of its sub-parsers privately
Verb = Callable[["argparse.Namespace"], int]


def add_verb(
    verbs: Verbs, name: str, verb: Verb, summary: str, *, store: bool = True, json: bool = True
) -> "argparse.ArgumentParser":
    """Add a verb, with `--json`, and with `--list` and `--here` when it works on a store; return its parser."""
    import argparse

    from claudedo_findings.cli import guide

    description = f"{summary[0].upper()}{summary[1:]}."
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=summary,
        description=description,
        epilog=guide.epilog(name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(verb=verb)
    if json:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
    if store:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--list", metavar="NAME", type=list_name, help="the list with this name or id")
        which.add_argument("--here", action="store_true", help="the checkout of the current directory")
    return parser


def chosen(args: "argparse.Namespace") -> "tuple[TodoList, Store]":
    """Return the list and the store that `--list`, `--here` or the current directory means."""
    from claudedo_findings.store import Store

    item, places = meant(args.list, here=args.here)
    return item, Store(places)


def meant(wanted: str | None, *, here: bool) -> tuple[TodoList, git.Places]:
    """Return the list that `--list`, `--here` or the current directory means, and where its store lies."""
    if wanted is not None:
        item = lists.find(wanted)
        return item, lists.root(item)
    from claudedo_findings import nearby  # not for the start of `pointer --list`

    item = nearby.here(current_folder()) if here else nearby.of_folder(current_folder())
    return item, lists.root(item)


def current_folder() -> str:
    """Return the current directory. Raises FindingsError when it was removed under the shell."""
    try:
        return os.getcwd()
    except OSError as error:
        raise FindingsError("the current directory is gone: change to another one") from error


def list_name(value: str) -> str:
    """Return the value of `--list`; refuses an empty one, as an unset variable in a script would give."""
    if not value.strip():
        import argparse

        raise argparse.ArgumentTypeError("the name is empty: give a list's name or id")
    return value


def print_json(value: dict[str, object]) -> None:
    """Print one JSON object; what a terminal would obey or hide is written as JSON's own escapes."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.isascii() or "\x7f" in text:
        text = "".join(json.dumps(char)[1:-1] if hides(char) and char != "\n" else char for char in text)
    progress.stage("")
    print(text)


def print_text(text: str, *, to_stderr: bool = False) -> None:
    """Print text for people, with stored control characters made visible."""
    progress.stage("")
    print(clean(text, keep="\n\t"), file=sys.stderr if to_stderr else sys.stdout)


def print_skipped(store: "Store", names: Sequence[str]) -> None:
    """Warn of what lies among the findings and could not be taken as one."""
    for name in names:
        print_text(
            f"warning: skipped {store.folder}/traps/{name}:"
            " not a file inside the project that can be read and whose name is a slug",
            to_stderr=True,
        )


def new_candidates(store: "Store", number: int) -> str:
    """Return what is said after a source's drafts were saved."""
    from claudedo_findings import plural  # not for the start of `pointer`

    count = plural.count(number, "new candidate")
    return f"{count} in {store.folder}/candidates: read them with 'claudedo-findings review'"


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows as columns: fitted to a terminal, whole and tab-free in a pipe."""
    table = [[clean(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(_width(row[column]) for row in table) for column in range(len(headings) - 1)]
    room = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout and sys.stdout.isatty() else 0
    lines = []
    for row in table:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)]
        line = "  ".join([*cells, row[-1]]).rstrip()
        lines.append(_cut(line, room) if room else line)
    if room:
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    progress.stage("")
    print("\n".join(lines))


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(bool(unicodedata.combining(char)) for char in text)


def _cut(line: str, room: int) -> str:
    if _width(line) <= room:
        return line
    while _width(line) >= room:
        line = line[:-1]
    return line + "…"
