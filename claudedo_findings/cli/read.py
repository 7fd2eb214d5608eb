"""Verbs that read: list, show, open."""

import argparse
import os
from collections.abc import Collection
from datetime import date
from typing import Any

from claudedo_findings import files, rules
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_table, print_text
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Stored
from claudedo_findings.store import Store

_COMMITS = 5  # that `show` lists: enough to see what happened


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "list", _list, "list the findings, one line each")
    parser.add_argument("--stale", action="store_true", help="only those that are not fresh, the worst first")
    parser.add_argument("--candidates", action="store_true", help="the drafts that await a review instead")
    parser.add_argument("--retired", action="store_true", help="what was retired, rejected or withdrawn instead")
    parser = add_verb(verbs, "show", _show, "show one finding, else the candidate or the retired text of that name")
    parser.add_argument("slug", metavar="SLUG", help="key of the finding: its file name without .md")
    parser = add_verb(verbs, "open", _open, "open the folder of the findings in the file manager, or in VS Code")
    parser.add_argument("slug", metavar="SLUG", nargs="?", help="open the file of this finding instead")
    parser.add_argument("--code", action="store_true", help="in VS Code, its insiders' edition or VSCodium")


def _list(args: argparse.Namespace) -> int:
    if args.stale + args.candidates + args.retired > 1:
        raise FindingsError("--stale, --candidates and --retired are three lists: ask for one of them")
    if args.candidates or args.retired:
        from claudedo_findings.cli import aside  # `list` alone asks for no candidates

        return aside.list_aside(*chosen(args), "candidates" if args.candidates else "retired", json=args.json)
    if args.stale:
        return _list_stale(args)
    item, store = chosen(args)
    index = store.read_index()
    hooks = {entry.slug: entry.hook for entry in (index.entries if index else ())}
    findings, skipped = store.read_all()
    if args.json:
        rows = [_as_json(store, slug, stored, hooks.get(slug, "")) for slug, stored in findings.items()]
        print_json({"list": item.name, "store": store.folder, "findings": rows, "skipped": skipped})
    elif findings:
        rows_of_text = [
            (slug, stored.scope or "-", hooks.get(slug) or f"{stored.title or slug} (not in the index)")
            for slug, stored in findings.items()
        ]
        print_table(("SLUG", "SCOPE", "HOOK"), rows_of_text)
    else:
        print_text(f"no findings in {store.folder}" + ("" if store.exists() else " (there is no such folder yet)"))
    for name in skipped if not args.json else ():
        print_text(
            f"warning: skipped {store.folder}/traps/{name}:"
            " not a file inside the project that can be read and whose name is a slug",
            to_stderr=True,
        )
    return 0 if findings else 1


def _list_stale(args: argparse.Namespace) -> int:
    from claudedo_findings import stale  # `list` alone asks nothing of git

    item, store = chosen(args)
    index = store.read_index()
    hooks = {entry.slug: entry.hook for entry in (index.entries if index else ())}
    found = [verdict for verdict in stale.verdicts(store, date.today()) if not verdict.fresh]
    if args.json:
        rows = [
            {**_as_json(store, verdict.slug, stored, hooks.get(verdict.slug, "")), **verdict.as_json()}
            for verdict in found
            if (stored := store.read(verdict.slug))
        ]
        print_json(
            {"list": item.name, "store": store.folder, "findings": rows, "skipped": _skipped(store, store.slugs())}
        )
    elif found:
        rows_of_text = [
            (verdict.slug, verdict.word, verdict.scope or "-", hooks.get(verdict.slug, "-")) for verdict in found
        ]
        print_table(("SLUG", "VERDICT", "SCOPE", "HOOK"), rows_of_text)
    else:
        print_text(f"no finding in {store.folder} is stale" if store.slugs() else f"no findings in {store.folder}")
    return 0 if found else 1


def _show(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slug = rules.slug(args.slug)
    stored = store.read(slug)
    from claudedo_findings.cli import aside  # `list` alone asks for no candidates

    if stored is None and aside.show_aside(item, store, slug, json=args.json):
        return 0
    if stored is None:
        return _unknown(store, slug)
    judged, commits = _judged(store, slug)
    if args.json:
        index = store.read_index()
        hook = next((entry.hook for entry in (index.entries if index else ()) if entry.slug == slug), "")
        row = {**_as_json(store, slug, stored, hook), **judged, "commits": commits}
        print_json({**row, "kind": "finding", "list": item.name, "body": stored.body})
        return 0
    keys = [f"{name}: {value}" for name, value in stored.keys.items() if value and name != "slug"]
    keys.append(f"verdict: {judged['verdict']} ({'; '.join([judged['why'], *judged['notes']])})")
    keys += [f"changed by: {commit['commit']} {commit['date']} {commit['subject']}" for commit in commits]
    print_text("\n".join([store.finding_path(slug), *keys, "", f"# {stored.title or slug}", "", stored.body]))
    for note in [f"warning: {stored.complaint}"] * bool(stored.complaint) + aside.beside(store, slug):
        print_text(note, to_stderr=True)
    return 0


def _judged(store: Store, slug: str) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the verdict on one finding and the newest commits that touched its scope, both as `--json` has them."""
    from claudedo_findings import stale

    try:
        (verdict,) = stale.verdicts(store, date.today(), [slug])
        commits = stale.commits(store, verdict, _COMMITS) if verdict.touched else ()
    except FindingsError as error:  # a finding can be read without git
        return {"verdict": "unknown", "why": f"git could not be asked: {error}", "notes": []}, []
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
    from claudedo_findings import launch  # not for the start of `list`

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


def _skipped(store: Store, known: Collection[str]) -> list[str]:
    names = files.names(os.path.join(store.folder, "traps"))
    return sorted(name for name in names if name.removesuffix(".md") not in known and not files.is_temp(name))


def _as_json(store: Store, slug: str, stored: Stored, hook: str) -> dict[str, object]:
    return {
        "slug": slug,
        "title": stored.title,
        "hook": hook,
        "scope": stored.scope,
        "sourceTask": stored.keys.get("source-task", ""),
        "verifiedAgainst": stored.keys.get("verified-against", ""),
        "expires": stored.keys.get("expires", ""),
        "source": stored.keys.get("source", ""),
        "evidence": stored.keys.get("evidence", ""),
        "path": store.finding_path(slug),
        "complaint": stored.complaint,
    }
