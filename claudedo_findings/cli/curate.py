"""Verbs that keep the store true: sync."""

import argparse

from claudedo_findings import index
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_text


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "sync", _sync, "make the index true to the files; expired findings leave it, renewed ones return")


def _sync(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    if not store.exists():
        print_text(f"no findings in {store.folder} (there is no such folder yet)", to_stderr=True)
        return 1
    before = store.read_index()
    after = store.sync()
    listed = {entry.slug for entry in before.entries} if before else set()
    now = {entry.slug for entry in after.entries}
    if args.json:
        print_json(
            {
                "list": item.name,
                "index": store.index_path,
                "entries": len(after.entries),
                "indexBytes": len(index.render(after).encode("utf-8")),
                "added": sorted(now - listed),
                "dropped": sorted(listed - now),
            }
        )
        return 0
    print_text(f"{store.index_path}: {len(after.entries)} findings")
    for word, slugs in (("added", now - listed), ("dropped", listed - now)):
        for slug in sorted(slugs):
            print_text(f"{word}: {slug}")
    return 0
