"""The verb that lists: findings, those that are stale, candidates, or what was retired."""

import argparse
from datetime import date

from claudedo_findings.cli.common import (
    Verbs,
    add_verb,
    chosen,
    print_json,
    print_skipped,
    print_table,
    print_text,
)
from claudedo_findings.cli.progress import Progress
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Stored
from claudedo_findings.store import Store


def add_verbs(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(verbs, "list", _list, "list the findings, one line each")
    parser.add_argument("--stale", action="store_true", help="only those that are not fresh, the worst first")
    parser.add_argument("--candidates", action="store_true", help="the drafts that await a review instead")
    parser.add_argument("--retired", action="store_true", help="what was retired, rejected or withdrawn instead")


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
        rows = [as_json(store, slug, stored, hooks.get(slug, "")) for slug, stored in findings.items()]
        print_json({"list": item.name, "store": store.folder, "findings": rows, "skipped": skipped})
    elif findings:
        rows_of_text = [
            (slug, stored.scope or "-", hooks.get(slug) or f"{stored.title or slug} (not in the index)")
            for slug, stored in findings.items()
        ]
        print_table(("SLUG", "SCOPE", "HOOK"), rows_of_text)
    else:
        print_text(f"no findings in {store.folder}" + ("" if store.exists() else " (there is no such folder yet)"))
    print_skipped(store, skipped if not args.json else ())
    return 0 if findings else 1


def _list_stale(args: argparse.Namespace) -> int:
    from claudedo_findings import stale  # `list` alone asks nothing of git

    item, store = chosen(args)
    index = store.read_index()
    hooks = {entry.slug: entry.hook for entry in (index.entries if index else ())}
    findings, skipped = store.read_all()
    verdicts = stale.verdicts(store, date.today(), findings, progress=Progress("findings"))
    found = [verdict for verdict in verdicts if not verdict.fresh]
    if args.json:
        rows = [
            {
                **as_json(store, verdict.slug, findings[verdict.slug], hooks.get(verdict.slug, "")),
                **verdict.as_json(),
            }
            for verdict in found
        ]
        print_json({"list": item.name, "store": store.folder, "findings": rows, "skipped": skipped})
    elif found:
        rows_of_text = [
            (verdict.slug, verdict.word, verdict.scope or "-", hooks.get(verdict.slug, "-")) for verdict in found
        ]
        print_table(("SLUG", "VERDICT", "SCOPE", "HOOK"), rows_of_text)
    else:
        print_text(f"no finding in {store.folder} is stale" if findings else f"no findings in {store.folder}")
    print_skipped(store, skipped if not args.json else ())
    return 0 if found else 1


def as_json(store: Store, slug: str, stored: Stored, hook: str) -> dict[str, object]:
    """Return a finding as the object of `--json`."""
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
