"""Verbs that settle candidates by name: approve, reject."""

import argparse

from claudedo_findings import approve, retire, rules
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_text


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "approve", _approve, "make candidates findings, stamped with HEAD")
    parser.add_argument("slugs", metavar="SLUG", nargs="+", help="key of it: its file name without .md")
    parser = add_verb(verbs, "reject", _reject, "take candidates out of the review for good, with a reason")
    parser.add_argument("slugs", metavar="SLUG", nargs="+", help="key of it: its file name without .md")
    parser.add_argument("--why", required=True, metavar="REASON", help="what is wrong with them")


def _approve(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    done = approve.approve(store, [rules.slug(slug) for slug in args.slugs])
    if args.json:
        rows = [
            {"slug": one.slug, "path": one.path, "verifiedAgainst": one.verified_against, "warnings": one.warnings}
            for one in done
        ]
        print_json({"list": item.name, "approved": rows})
        return 0
    for one in done:
        print_text(f"approved: {one.path}")
        for warning in one.warnings:
            print_text(f"warning: {warning}", to_stderr=True)
    return 0


def _reject(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slugs = [rules.slug(slug) for slug in args.slugs]
    paths = retire.reject(store, slugs, args.why)
    if args.json:
        rows = [{"slug": slug, "path": path} for slug, path in zip(dict.fromkeys(slugs), paths, strict=True)]
        print_json({"list": item.name, "rejected": rows})
    else:
        print_text("\n".join(f"rejected: {path}" for path in paths))
    return 0
