"""The verb harvest: drafts candidates from the traps that notes mark."""

import argparse
from collections.abc import Iterator

from claudedo_findings import plural
from claudedo_findings.cli.common import (
    Verbs,
    add_verb,
    chosen,
    current_folder,
    new_candidates,
    print_json,
    print_table,
    print_text,
)
from claudedo_findings.cli.progress import Progress
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import harvest
from claudedo_findings.gather.harvest import Harvest
from claudedo_findings.gather.notedrafts import Found
from claudedo_findings.gather.plan import Kept
from claudedo_findings.store import Store


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "harvest", _harvest, "draft candidates from the traps that notes mark")
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="*",
        help="notes or folders; without one CLAUDE.md, AGENTS.md, GOTCHAS.md and docs",
    )
    parser.add_argument("--weak", action="store_true", help="also take what is marked weakly: one in three is a trap")
    parser.add_argument("--save", action="store_true", help="keep the drafts as candidates, for review")


def _harvest(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    done = harvest.run(store, args.path, current_folder(), weak=args.weak, save=args.save, progress=Progress("notes"))
    for complaint in done.complaints:
        print_text(f"warning: {complaint}", to_stderr=True)
    if not done.found and done.complaints:
        read = plural.count(done.read, "note")
        raise FindingsError(f"no trap was found in what could be read ({read}); the rest could not be read")
    if args.json:
        print_json(_as_json(item.name, store, done, saved=args.save))
    else:
        _print(store, done, saved=args.save)
    return 0 if done.found else 1


def _print(store: Store, done: Harvest, *, saved: bool) -> None:
    rows = [_row(found, kept, saved=saved) for found, kept in zip(done.found, done.kept, strict=False)]
    if rows:
        print_table(("STATUS", "SLUG", "NOTE", "TITLE"), rows)
    for remark in _remarks(done):
        print_text(remark)
    new = sum(one.status == "created" for one in done.kept)
    if not rows:
        print_text(f"{plural.count(done.read, 'note')} read, none marks a trap", to_stderr=True)
    elif saved and new:
        print_text(new_candidates(store, new))
    elif new:
        print_text(f"{new} of {len(rows)} are new; nothing was written, --save keeps them as candidates")


def _remarks(done: Harvest) -> Iterator[str]:
    yield from (f"{one.slug or one.source}: {one.note}" for one in done.kept if one.note)
    for found in done.found:
        if found.also_at:
            yield f"{found.place} stands also at {', '.join(found.also_at)}: drafted once"
    yield from (f"{copy} is the same as {original}: read once" for copy, original in sorted(done.copies.items()))
    for gone in done.gone:
        yield f"{gone.slug}: {gone.reason}; the {'candidate' if gone.kind == 'candidates' else 'finding'} stays"


def _row(found: Found, kept: Kept, *, saved: bool) -> tuple[str, str, str, str]:
    status = "new" if kept.status == "created" and not saved else kept.status
    return status, kept.slug or found.draft.slug, found.place, found.draft.title


def _as_json(name: str, store: Store, done: Harvest, *, saved: bool) -> dict[str, object]:
    drafts = [
        {
            "slug": kept.slug or found.draft.slug,
            "status": kept.status,
            "title": found.draft.title,
            "body": found.draft.body,
            "scope": found.draft.scope,
            "evidence": found.draft.evidence,
            "source": found.draft.source,
            "place": found.place,
            "alsoAt": list(found.also_at),
            "mark": found.strength,
            "note": kept.note,
        }
        for found, kept in zip(done.found, done.kept, strict=False)
    ]
    return {
        "list": name,
        "store": store.folder,
        "saved": saved,
        "notesRead": done.read,
        "drafts": drafts,
        "gone": [{"slug": one.slug, "kind": one.kind, "source": one.source, "reason": one.reason} for one in done.gone],
        "copies": done.copies,
        "complaints": list(done.complaints),
    }
