"""Verbs about one finding: show, open."""

import argparse
from dataclasses import replace
from datetime import date
from typing import Any

from claudedo_findings import rules, stale
from claudedo_findings.cli import aside
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_text
from claudedo_findings.cli.read import as_json
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store
from claudedo_findings.verdict import UNKNOWN, Verdict

_COMMITS = 5  # that `show` lists: enough to see what happened


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "show", _show, "show one finding, else the candidate or the retired text of that name")
    parser.add_argument("slug", metavar="SLUG", help="key of the finding: its file name without .md")
    parser = add_verb(verbs, "open", _open, "open the folder of the findings in the file manager, or in VS Code")
    parser.add_argument("slug", metavar="SLUG", nargs="?", help="open the file of this finding instead")
    parser.add_argument("--code", action="store_true", help="in VS Code, its insiders' edition or VSCodium")


def _show(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slug = rules.slug(args.slug)
    stored = store.read(slug)
    if stored is None and aside.show_aside(item, store, slug, json=args.json):
        return 0
    if stored is None:
        return _unknown(store, slug)
    judged, commits = _judged(store, slug)
    notes, unseen = aside.beside(store, slug)
    if args.json:
        index = store.read_index()
        hook = next((entry.hook for entry in (index.entries if index else ()) if entry.slug == slug), "")
        row = {**as_json(store, slug, stored, hook), **judged, "commits": commits}
        print_json({**row, "kind": "finding", "list": item.name, "body": stored.body})
        for warning in unseen:
            print_text(warning, to_stderr=True)
        return 0
    keys = [f"{name}: {value}" for name, value in stored.keys.items() if value and name != "slug"]
    keys.append(f"verdict: {judged['verdict']} ({'; '.join([judged['why'], *judged['notes']])})")
    keys += [f"changed by: {commit['commit']} {commit['date']} {commit['subject']}" for commit in commits]
    print_text("\n".join([store.finding_path(slug), *keys, "", f"# {stored.title or slug}", "", stored.body]))
    complaint = [f"warning: {stored.complaint}"] if stored.complaint else []
    for note in (*complaint, *notes, *unseen):
        print_text(note, to_stderr=True)
    return 0


def _judged(store: Store, slug: str) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the verdict on one finding and the newest commits that touched its scope, both as `--json` has them."""
    try:
        (verdict,) = stale.verdicts(store, date.today(), [slug])
    except FindingsError as error:  # a finding can be read without git
        verdict = Verdict(slug=slug, word=UNKNOWN, why=f"git could not be asked: {error}")
    try:
        commits = stale.commits(store, verdict, _COMMITS) if verdict.touched else ()
    except FindingsError as error:  # in a partial clone a verdict needs fewer objects than the history of a path
        verdict, commits = replace(verdict, notes=(*verdict.notes, f"which commits did it is not known: {error}")), ()
    rows = [{"commit": commit.id, "date": commit.day, "subject": commit.subject} for commit in commits]
    return verdict.as_json(), rows


def _open(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    if not store.exists():
        print_text(f"no findings in {store.folder} (there is no such folder yet)", to_stderr=True)
        return 1
    store.guard(store.folder)
    path = store.folder
    if args.slug:
        slug = rules.slug(args.slug)
        path = store.finding_path(slug)
        if slug not in store.slugs():
            return _unknown(store, slug)
    from claudedo_findings import launch  # not for the start of `show`

    if args.code:
        launch.code(path)
    elif args.slug:
        launch.file(path)
    else:
        launch.folder(path)
    if args.json:
        print_json({"list": item.name, "opened": path})
    else:
        print_text(f"opened: {path}")
    return 0


def _unknown(store: Store, slug: str) -> int:
    near = ", ".join(sorted(name for name in store.slugs() if slug in name or name in slug))
    print_text(f"no finding {slug!r} in {store.folder}" + (f"; there is {near}" if near else ""), to_stderr=True)
    return 1
