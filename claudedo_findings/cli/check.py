"""Verb that asks what is known before an agent or a person tries something: check."""

import argparse
import sys
from datetime import date

from claudedo_findings import check, plural, spot
from claudedo_findings.cli.common import Verbs, add_verb, chosen, current_folder, print_json, print_skipped, print_text
from claudedo_findings.store import Store


def add_verbs(verbs: Verbs) -> None:
    """Add the verb of this family."""
    parser = add_verb(
        verbs, "check", _check, "say what is known about a plan, an error text or a file; the index without any"
    )
    parser.add_argument("text", metavar="TEXT", nargs="*", help="what you plan or what went wrong; - reads stdin")
    parser.add_argument(
        "--file", metavar="P", action="append", default=[], help="findings about this file or folder; may be repeated"
    )


def _check(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    if not args.text and not args.file:
        return _index(item.name, store, as_json=args.json)
    question = _stdin() if args.text == ["-"] else " ".join(args.text)
    paths = [spot.in_project(path, current_folder(), store.places) for path in args.file]
    answer = check.ask(store, question, paths, date.today())
    if args.json:
        print_json(
            {
                "list": item.name,
                "store": store.folder,
                "findings": [_as_json(store, known) for known in answer.known],
                "looked": answer.looked,
                "skipped": list(answer.skipped),
                "expired": list(answer.expired),
            }
        )
    else:
        _print(store, answer)
    return 0 if answer.known else 1


def _print(store: Store, answer: check.Answer) -> None:
    for known in answer.known:
        hit = known.hit
        print_text(
            f"{'strong' if hit.strong else 'weak  '} {hit.score:.2f}  {hit.slug}  {known.hook or known.stored.title}"
        )
        print_text(f"    {'; '.join(hit.reasons)}")
    looked = plural.count(answer.looked, "finding")
    if answer.known:
        print_text(f"{len(answer.known)} of {looked}; each is a file in {store.folder}/traps")
    else:
        print_text(f"none of {looked} in {store.folder} fits")
    print_skipped(store, answer.skipped)
    if answer.expired:
        print_text(f"warning: left out as expired: {', '.join(answer.expired)}", to_stderr=True)


def _index(name: str, store: Store, *, as_json: bool) -> int:
    hooks = check.listed(store)
    if as_json:
        rows = [{"slug": slug, "hook": hook, "path": store.finding_path(slug)} for slug, hook in hooks.items()]
        print_json({"list": name, "store": store.folder, "findings": rows})
    elif hooks:
        print_text("\n".join(f"{slug} — {hook}" for slug, hook in hooks.items()))
    else:
        print_text(f"no findings in {store.folder}")
    return 0 if hooks else 1


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", errors="replace") if sys.stdin else ""


def _as_json(store: Store, known: check.Known) -> dict[str, object]:
    hit = known.hit
    return {
        "slug": hit.slug,
        "fit": "strong" if hit.strong else "weak",
        "score": hit.score,
        "reasons": list(hit.reasons),
        "title": known.stored.title,
        "hook": known.hook,
        "scope": known.stored.scope,
        "path": store.finding_path(hit.slug),
    }
