"""Verbs that keep the store true: sync, history, restore, forget."""

import argparse
import sys

from claudedo_findings import files, finding, history, index, plural, recall, rules
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_table, print_text
from claudedo_findings.errors import FindingsError


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "sync", _sync, "make the index true to the files; expired findings leave it, renewed ones return")
    parser = add_verb(verbs, "history", _history, "list the texts of a finding that were replaced, the newest first")
    parser.add_argument("slug", metavar="SLUG", help="key of the finding: its file name without .md")
    parser = add_verb(
        verbs, "restore", _restore, "bring back what was retired or rejected, else the text replaced last"
    )
    parser.add_argument("slug", metavar="SLUG", help="key of the finding: its file name without .md")
    parser.add_argument("--version", type=int, metavar="N", help="bring back this text of the history")
    parser = add_verb(verbs, "forget", _forget, "delete a finding and its history for good, for a leaked secret")
    parser.add_argument("slug", metavar="SLUG", help="key of the finding: its file name without .md")
    parser.add_argument("--yes", action="store_true", help="do not ask")


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
    count = len(after.entries)
    print_text(f"{store.index_path}: {plural.count(count, 'finding')}")
    for word, slugs in (("added", now - listed), ("dropped", listed - now)):
        for slug in sorted(slugs):
            print_text(f"{word}: {slug}")
    return 0


def _history(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slug = rules.slug(args.slug)
    rows = []
    for version in reversed(history.versions(store.history_folder(slug))):
        data = files.read(version.path) or b""
        title = finding.parse(finding.decode(data)).title
        rows.append((version, len(data), title))
    if args.json:
        versions = [
            {"slug": slug, "version": v.number, "byHand": v.by_hand, "bytes": size, "title": title, "path": v.path}
            for v, size, title in rows
        ]
        print_json({"list": item.name, "versions": versions})
    elif rows:
        lines = [(str(v.number), "hand" if v.by_hand else "tool", str(size), title) for v, size, title in rows]
        print_table(("VERSION", "WRITTEN BY", "BYTES", "TITLE"), lines)
    else:
        known = store.read(slug) is not None
        print_text(f"no text of {slug!r} was ever replaced" if known else f"there is no finding {slug!r}")
    return 0 if rows else 1


def _restore(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slug = rules.slug(args.slug)
    restored = recall.restore(store, slug, args.version)
    if args.json:
        kind = "finding" if restored.kind == "traps" else "candidate"
        print_json({"slug": slug, "list": item.name, "kind": kind, "version": restored.number, "path": restored.path})
    elif restored.number:
        print_text(f"restored version {restored.number}: {restored.path}")
    else:
        print_text(f"restored as a {'finding' if restored.kind == 'traps' else 'candidate'}: {restored.path}")
    return 0


def _forget(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slug = rules.slug(args.slug)
    if not args.yes and not _agreed(
        f"delete {slug!r}, its history, candidate and retired text in {store.folder} for good? [y/N] "
    ):
        print_text("nothing was deleted", to_stderr=True)
        return 1
    gone = recall.forget(store, slug)
    if args.json:
        print_json({"slug": slug, "list": item.name, "deleted": gone})
    elif gone:
        print_text("\n".join(f"deleted: {path}" for path in gone))
        print_text("git keeps what was ever committed: a secret that was must be revoked", to_stderr=True)
    else:
        print_text(f"there is no finding {slug!r} in {store.folder}", to_stderr=True)
    return 0 if gone else 1


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise FindingsError("forget deletes for good and asks first, but there is no terminal: add --yes")
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
