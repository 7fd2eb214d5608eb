"""Verbs about projects: lists, track, untrack."""

import argparse
import os
import shlex
from datetime import UTC, datetime

from claudedo_findings import exclude, git, listfile, lists, plural, tracking
from claudedo_findings.cli.common import Verbs, add_verb, chosen, current_folder, print_json, print_table, print_text
from claudedo_findings.errors import FindingsError
from claudedo_findings.lists import TodoList
from claudedo_findings.store import Store


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "lists", _lists, "show the lists (projects), add one or remove one", store=False)
    actions = parser.add_subparsers(metavar="ACTION")
    text = "name a folder as a list, in lists.toml"
    add = actions.add_parser("add", help=text, description=f"N{text[1:]}.")
    add.add_argument("name", metavar="NAME", help="name of the project, as you will say it in --list")
    add.add_argument("folder", metavar="DIR", help="its checkout, or a folder in it")
    add.add_argument("--track", action="store_true", help="check its findings in, to share them through git")
    add.set_defaults(verb=_add)
    text = "take a list out of lists.toml; its findings stay"
    remove = actions.add_parser("remove", help=text, description=f"T{text[1:]}.")
    remove.add_argument("name", metavar="NAME", help="name of the list")
    remove.set_defaults(verb=_remove)
    for action in (add, remove):
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")
    add_verb(verbs, "track", _track, "let git see the findings, so that a team can share them; commits nothing")
    add_verb(verbs, "untrack", _untrack, "hide the findings from git again")


def _lists(args: argparse.Namespace) -> int:
    rows = [_described(item) for item in lists.known()]
    if args.json:
        print_json({"lists": rows, "config": listfile.path()})
    elif rows:
        columns = ("name", "id", "checkedIn", "findings", "lastSave", "root")
        table = [[_cell(row[column]) for column in columns[:-1]] + [str(row["error"] or row["root"])] for row in rows]
        print_table(("NAME", "ID", "CHECKED IN", "FINDINGS", "LAST SAVE", "ROOT"), table)
    else:
        print_text("no lists; add one with 'claudedo-findings lists add NAME DIR'")
    return 0 if rows else 1


def _described(item: TodoList) -> dict[str, object]:
    """Return a list and the state of its store; what cannot be told is null, and why is its `error`."""
    row: dict[str, object] = {"name": item.name, "id": item.id, "folder": item.working_dir}
    row |= dict.fromkeys(("root", "checkedIn", "trackedFiles", "findings", "lastSave", "error"))
    try:
        store = Store(lists.root(item))
        row |= {"root": store.places.root, "findings": len(store.slugs()), "lastSave": _last_save(store)}
        if store.exists() and store.places.common_dir:
            now = tracking.state(store)
            row |= {"checkedIn": now.checked_in, "trackedFiles": now.files}
    except FindingsError as error:
        row["error"] = str(error)
    return row


def _last_save(store: Store) -> str | None:
    saved = store.last_change()
    return datetime.fromtimestamp(saved, UTC).isoformat(timespec="seconds") if saved else None


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value in (None, "") else str(value)


def _add(args: argparse.Namespace) -> int:
    folder = os.path.expanduser(args.folder)
    folder = folder if os.path.isabs(folder) else os.path.join(current_folder(), folder)
    if args.track:
        exclude.check_git(git.places(folder))
    before = [known for known in lists.configured() if lists.names(known, args.name)]
    item = lists.add(args.name, folder)
    tracked = tracking.track(Store(lists.root(item))) if args.track else None
    if args.json:
        print_json(_described(item))
    else:
        was = f", was {before[0].working_dir}" if before else ""
        print_text(f"list {item.name!r} is {item.working_dir}{was} (in {listfile.path()})")
    for warning in tracked.warnings if tracked else ():
        print_text(f"warning: {warning}", to_stderr=True)
    return 0


def _remove(args: argparse.Namespace) -> int:
    item = lists.remove(args.name)
    if args.json:
        print_json({"name": item.name, "folder": item.working_dir})
    else:
        print_text(f"list {item.name!r} removed; the findings in {item.working_dir} stay")
    return 0


def _track(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    return _told(args, item, store, tracking.track(store))


def _untrack(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    return _told(args, item, store, tracking.untrack(store))


def _told(args: argparse.Namespace, item: TodoList, store: Store, now: tracking.Tracking) -> int:
    if args.json:
        print_json(
            {
                "list": item.name,
                "store": store.folder,
                "checkedIn": now.checked_in,
                "rule": now.rule,
                "trackedFiles": now.files,
                "warnings": list(now.warnings),
            }
        )
    else:
        says = f"ignored by {now.rule}" if now.rule else "not ignored"
        print_text(f"{store.folder}: {says}, {plural.count(now.files, 'file')} tracked")
        if now.checked_in:
            at = f"git -C {shlex.quote(store.places.root)}"
            print_text(f"commit it alone: {at} add -- .claudedo && {at} commit -m Findings -- .claudedo")
    for warning in now.warnings:
        print_text(f"warning: {warning}", to_stderr=True)
    return 0
