"""What detect found, as text and as JSON."""

import argparse
from collections import Counter
from datetime import UTC, datetime

from claudedo_findings import plural
from claudedo_findings.cli.common import new_candidates, print_table, print_text
from claudedo_findings.gather.plan import Kept
from claudedo_findings.gather.reverts import Detection, draft, verdict
from claudedo_findings.gather.reverts.verdict import Judged
from claudedo_findings.store import Store

_SETTLED = ("accepted", "rejected", "duplicate", "refused")  # what needs nobody's word any more
_SILENT = "without a reason"  # and therefore not drafted


def show(store: Store, found: Detection, kept: tuple[Kept, ...], args: argparse.Namespace) -> None:
    """Print the page, and on stderr what became of it all."""
    by_source = {one.source: one for one in kept}
    shown = [item for item in found.judged if args.all or item.kind in verdict.PROPOSED]
    if shown:
        print_table(("REVERT", "DATE", "VERDICT", "TEXT"), [_row(item, by_source) for item in shown])
    for one in kept:
        if one.status in ("withdrawn", "flagged", "broken", "changed"):
            print_text(f"{one.status}: {one.slug}: {one.note}", to_stderr=True)
    print_text(_summary(store, found, kept, args), to_stderr=True)


def _row(item: Judged, kept: dict[str, Kept]) -> tuple[str, str, str, str]:
    revert = item.revert.commit
    one = kept.get(f"revert:{revert.sha}")
    became = f"{item.kind} ({one.status})" if one and one.status != "created" else item.kind
    text = f"{revert.subject} - {item.why}" if item.why else revert.subject
    return revert.short, _date(revert.authored), became, draft.of(item).title if one else text


def _summary(store: Store, found: Detection, kept: tuple[Kept, ...], args: argparse.Namespace) -> str:
    by_source = {one.source: one.status for one in kept}
    proposed = found.proposed(reason_missing=True)
    became = Counter(by_source.get(f"revert:{item.revert.commit.sha}", _SILENT) for item in proposed)
    skipped = [item for item in found.judged if item not in proposed]
    lost = sum(item.kind == verdict.UNKNOWN and bool(item.reason) for item in skipped)
    open_ = became.total() - sum(became[word] for word in (*_SETTLED, _SILENT))
    parts = [f"{plural.count(found.commits, 'commit')}, {plural.count(len(found.judged), 'revert')}: {open_} to draft"]
    parts += [f"{became[word]} {word}" for word in (*_SETTLED, _SILENT) if became[word]]
    if skipped:
        said = f" ({lost} of them say why, but name no known commit)" if lost else ""
        parts.append(f"{len(skipped)} skipped{said}")
    parts += ["--all shows and drafts more"] if (became[_SILENT] or skipped) and not args.all else []
    new = sum(one.status == "created" for one in kept)
    if args.save and new:
        parts.append(new_candidates(store, new))
    elif args.save:
        parts.append("nothing new")
    elif new:
        parts.append(f"{new} of them new; nothing was written, --save keeps them as candidates")
    return "; ".join(parts)


def as_json(
    name: str, store: Store, found: Detection, kept: tuple[Kept, ...], args: argparse.Namespace
) -> dict[str, object]:
    """Return the answer as `--json` prints it."""
    by_source = {one.source: one for one in kept}
    rows = [_revert_as_json(item, by_source) for item in found.judged if args.all or item.kind in verdict.PROPOSED]
    told = {f"revert:{item.revert.commit.sha}" for item in found.proposed(reason_missing=True)}
    others = [one for one in kept if one.source not in told]
    return {
        "list": name,
        "store": store.folder,
        "saved": args.save,
        "thorough": found.thorough,
        "commits": found.commits,
        "reverts": rows,
        "others": [{"slug": one.slug, "status": one.status, "source": one.source, "note": one.note} for one in others],
        "notes": list(found.notes),
    }


def _revert_as_json(item: Judged, kept: dict[str, Kept]) -> dict[str, object]:
    revert = item.revert.commit
    one = kept.get(f"revert:{revert.sha}")
    return {
        "slug": one.slug if one else "",
        "status": one.status if one else "",
        "title": draft.of(item).title if one else "",
        "verdict": item.kind,
        "why": item.why,
        "revert": revert.sha,
        "date": _date(revert.authored),
        "subject": revert.subject,
        "undoes": [target.sha for target in item.targets],
        "foundBy": item.revert.how,
        "reason": item.reason,
        "scope": item.scope,
        "alsoReverted": [other.sha for other in item.others],
        "note": one.note if one else "",
    }


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
