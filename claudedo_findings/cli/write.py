"""The verb that writes: save, on the same path as the tool."""

import argparse
import os
import sys
from datetime import date

from claudedo_findings import commit, lists, resolution
from claudedo_findings.cli.common import Verbs, add_verb, current_folder, print_json, print_text
from claudedo_findings.errors import FindingsError, shown


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "save", _save, "save a finding, or correct the one with that slug")
    parser.add_argument("slug", metavar="SLUG", help="short ASCII key, words joined by '-'")
    parser.add_argument("--title", metavar="T", help="one line: what looks like X and is Y")
    parser.add_argument("--body", metavar="B", help="what happens, why, what to do instead; without it, stdin is read")
    parser.add_argument("-", dest="body", action="store_const", const="-", help="read the body from stdin")
    parser.add_argument("--scope", default="", metavar="P", help="path it is about, relative to the project")
    parser.add_argument("--evidence", metavar="E", help="where it was seen: a commit, a link")
    parser.add_argument("--retry-when", metavar="R", help="what would make a rejected approach worth another try")
    parser.add_argument("--expires", metavar="DATE", help="ISO date after which it leaves the index")
    parser.add_argument(
        "--from-commit", metavar="SHA", help="take title, body, scope and evidence from a commit where not given"
    )


def _save(args: argparse.Namespace) -> int:
    from claudedo_findings.save import save_finding  # not for the start of every other verb

    caller = _caller(args)
    drafted = _drafted(args, caller)
    if not args.title and not drafted.title:
        raise FindingsError("a title is needed: --title 'what looks like X and is Y', or --from-commit SHA")
    notes = {
        "evidence": args.evidence or drafted.evidence,
        "retry-when": args.retry_when,
        "expires": _date(args.expires),
    }
    answer = save_finding(
        slug=args.slug,
        title=args.title or drafted.title,
        body=drafted.body if drafted.body and args.body is None else _body(args),
        scope=args.scope or drafted.scope,
        wanted_list=args.list or "",
        caller=caller,
        notes={name: value for name, value in notes.items() if value},
    )
    if args.json:
        print_json(answer)
    else:
        print_text(f"{answer['status']}: {answer['path']} (list {answer['list']!r})")
    for warning in answer["warnings"]:  # type: ignore[attr-defined]  # a list of strings, design §5
        print_text(f"warning: {warning}", to_stderr=True)
    return 0


def _caller(args: argparse.Namespace) -> resolution.Caller:
    return resolution.Caller(
        task=os.environ.get("CLAUDEDO_TASK_ID", ""),
        task_list=os.environ.get("CLAUDEDO_LIST", ""),
        here=args.here,
        cwd=current_folder(),
        nearby=True,
    )


def _drafted(args: argparse.Namespace, caller: resolution.Caller) -> commit.Draft:
    if not args.from_commit:
        return commit.Draft()
    meant = resolution.resolve(caller, args.list or "").list
    return commit.draft(lists.root(meant), args.from_commit)


def _body(args: argparse.Namespace) -> str:
    if args.body is not None and args.body != "-":
        return str(args.body)
    if sys.stdin.isatty():
        print("body, then Ctrl-D:", file=sys.stderr)
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FindingsError(f"the body on stdin is not UTF-8 (byte {error.start}): convert it") from error


def _date(text: str | None) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError as error:
        raise FindingsError(f"{shown(text)} is no date: give it as YYYY-MM-DD") from error
