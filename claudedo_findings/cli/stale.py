"""Verbs that ask whether findings can still be true: stale."""

import argparse
from datetime import date

from claudedo_findings import stale
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_table, print_text
from claudedo_findings.verdict import Verdict


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "stale", _stale, "say which findings can no longer be trusted, the worst first")


def _stale(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    found = stale.verdicts(store, date.today())
    if args.json:
        print_json({"list": item.name, "store": store.folder, "findings": [as_json(verdict) for verdict in found]})
    elif found:
        print_table(("SLUG", "VERDICT", "SCOPE", "WHY"), [row(verdict) for verdict in found])
    else:
        print_text(f"no findings in {store.folder}" + ("" if store.exists() else " (there is no such folder yet)"))
    return 0 if all(verdict.fresh for verdict in found) else 1


def row(verdict: Verdict) -> tuple[str, str, str, str]:
    """Return a verdict as a row for people."""
    return verdict.slug, verdict.word, verdict.scope or "-", "; ".join([verdict.why, *verdict.notes])


def as_json(verdict: Verdict) -> dict[str, object]:
    """Return a verdict as the object of `--json`."""
    return {
        "slug": verdict.slug,
        "verdict": verdict.word,
        "why": verdict.why,
        "scope": verdict.scope,
        "verifiedAgainst": verdict.stamp,
        "linesGonePercent": verdict.percent,
        "symbolsGone": list(verdict.symbols_gone),
        "places": list(verdict.places),
        "notes": list(verdict.notes),
    }
