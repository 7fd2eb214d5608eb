"""Verbs about whether findings are still true: stale, renew."""

import argparse
from datetime import date

from claudedo_findings import renewal, stale
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_table, print_text
from claudedo_findings.cli.progress import Progress
from claudedo_findings.verdict import Verdict


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "stale", _stale, "say which findings can no longer be trusted, the worst first")
    parser = add_verb(verbs, "renew", _renew, "say that findings still hold: they get HEAD as their new stamp")
    parser.add_argument("slugs", metavar="SLUG", nargs="+", help="keys of the findings: their file names without .md")
    parser.add_argument("--scope", metavar="P", default="", help="the path it is about now, for a single finding")
    parser.add_argument("--expires", metavar="DATE", default="", help="its new last day, or 'never'")


def _stale(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    found = stale.verdicts(store, date.today(), progress=Progress("findings"))
    if args.json:
        print_json({"list": item.name, "store": store.folder, "findings": [verdict.as_json() for verdict in found]})
    elif found:
        print_table(("SLUG", "VERDICT", "SCOPE", "WHY"), [_row(verdict) for verdict in found])
    else:
        print_text(f"no findings in {store.folder}" + ("" if store.exists() else " (there is no such folder yet)"))
    return 0 if all(verdict.fresh for verdict in found) else 1


def _renew(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    done = renewal.renew(store, args.slugs, scope=args.scope, expires=args.expires, today=date.today())
    if args.json:
        rows = [
            {
                "slug": renewed.slug,
                "status": renewed.status,
                "scope": renewed.stored.scope,
                "verifiedAgainst": store.places.head,
                "expires": renewed.stored.keys.get("expires", ""),
                "path": store.finding_path(renewed.slug),
                "warnings": list(renewed.warnings),
            }
            for renewed in done
        ]
        print_json({"list": item.name, "store": store.folder, "findings": rows})
        return 0
    for renewed in done:
        print_text(f"{renewed.status}: {store.finding_path(renewed.slug)} (stamp {store.places.head})")
        for warning in renewed.warnings:
            print_text(f"warning: {renewed.slug}: {warning}", to_stderr=True)
    return 0


def _row(verdict: Verdict) -> tuple[str, str, str, str]:
    """Return a verdict as a row for people."""
    return verdict.slug, verdict.word, verdict.scope or "-", "; ".join([verdict.why, *verdict.notes])
