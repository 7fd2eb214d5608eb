"""Verbs about reverts: detect, install-hook."""

import argparse

from claudedo_findings import commit_hook
from claudedo_findings.cli import detect_page, progress
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_text
from claudedo_findings.gather import reverts


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "detect", _detect, "show which approaches were tried and reverted, from git's history")
    parser.add_argument("--all", action="store_true", help="draft those without a reason too, and say what was skipped")
    parser.add_argument(
        "--thorough", action="store_true", help="read every later patch of the files in question: fewer false ones"
    )
    parser.add_argument("--save", action="store_true", help="keep the drafts as candidates, for review")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser = add_verb(verbs, "install-hook", _install_hook, "let git run detect after a revert was committed or pulled")
    parser.add_argument("--remove", action="store_true", help="take it out again; what was there before is there again")
    parser.add_argument(
        "--shared", action="store_true", help="also in a hooks folder that other repositories or people use too"
    )


def _detect(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    try:
        found = reverts.detect(store.places, thorough=args.thorough, progress=progress.stage)
    finally:
        progress.stage("")
    found = reverts.remembered(store, found)
    kept = reverts.keep(store, found, reason_missing=args.all, save=args.save)
    code = 0 if found.proposed(reason_missing=True) else 1
    if args.quiet:
        return code
    if args.json:
        print_json(detect_page.as_json(item.name, store, found, kept, args))
        return code
    for note in found.notes:
        print_text(f"note: {note}", to_stderr=True)
    detect_page.show(store, found, kept, args)
    return code


def _install_hook(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    places = store.places
    if args.remove:
        done = commit_hook.remove(places)
    else:
        which = [f"--list={item.id or item.name}"] if not args.here else ["--here"]
        done = commit_hook.install(places, which, shared=args.shared)
    if args.json:
        hooks = [{"hook": one.hook, "path": one.path, "status": one.status, "note": one.note} for one in done]
        print_json({"list": item.name, "hooks": hooks})
    else:
        for one in done:
            print_text(f"{one.status}: {one.path}")
            if one.note:
                print_text(f"note: {one.note}", to_stderr=True)
    return 1 if all(one.status == commit_hook.ABSENT for one in done) else 0
