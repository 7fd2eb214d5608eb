"""Two findings about one trap become one: a proposed text, and what is done when a person wants it."""

import posixpath
import re
from dataclasses import dataclass

from claudedo_findings import finding, retire, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding, Stored
from claudedo_findings.store import Outcome, Store

_NOTES = ("evidence", "retry-when")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """One finding made of two, and what a person should look at before it is applied."""

    merged: Finding
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Merged:
    """What was written: the proposal, the outcome of its save, and where the other finding lies now."""

    proposal: Proposal
    outcome: Outcome
    retired: str


def propose(source: Stored, target: Stored, source_slug: str, target_slug: str) -> Proposal:
    """Return one text for two findings: the target's title and stamp, and each paragraph of both once.

    The same two findings always give the same text. Raises FindingsError when it would be over the limit.
    """
    for stored, slug in ((source, source_slug), (target, target_slug)):
        if stored.complaint:
            raise FindingsError(f"the finding {slug!r} cannot be read in full ({stored.complaint}): mend it first")
    scope, warnings = _scope(source.scope, target.scope)
    notes = {}
    for name in _NOTES:
        notes[name], lost = _joined(source.keys.get(name, ""), target.keys.get(name, ""))
        if lost:
            warnings.append(f"{name} of both is too long for one: that of {source_slug!r} is left out")
    expires = sorted(stored.keys.get("expires", "") for stored in (source, target))
    notes["expires"] = expires[-1] if all(expires) else ""  # what may not expire does not
    present = {name for stored in (source, target) for name, value in stored.keys.items() if value}
    try:
        merged = Finding(
            slug=target_slug,
            title=target.title,
            body=_body(source, target),
            scope=scope,
            source_task=target.keys.get("source-task", ""),
            verified_against=target.keys.get("verified-against", ""),
            notes={name: value for name, value in notes.items() if name in present},
        )
    except FindingsError as error:
        raise FindingsError(f"{source_slug!r} and {target_slug!r} cannot be one finding: {error}") from error
    return Proposal(merged=merged, warnings=tuple(warnings))


def proposal(store: Store, source: str, target: str) -> Proposal:
    """Return what `propose` makes of two findings of a store. Raises FindingsError when one is missing."""
    if source == target:
        raise FindingsError(f"{source!r} is to be merged into itself: name two findings")
    retire.require(store, "traps", (source, target))
    texts = [store.read(slug) or finding.parse("") for slug in (source, target)]
    for slug, stored in zip((source, target), texts, strict=True):
        finding.require_settled(stored, store.finding_path(slug))
    return propose(texts[0], texts[1], source, target)


def apply(store: Store, source: str, target: str) -> Merged:
    """Write the proposal over the target and retire the source; the target's old text goes to the history."""
    proposal(store, source, target)
    with store.writing():
        wanted = proposal(store, source, target)
        outcome = store.put(wanted.merged, keep_scope=False)
        path = retire.shelve(store, "traps", source, f"merged into {target}")
        return Merged(proposal=wanted, outcome=outcome, retired=path)


def _body(source: Stored, target: Stored) -> str:
    kept = _paragraphs(target.body)
    told = {_folded(text) for text in (target.title, *kept)}
    for text in (source.title, *_paragraphs(source.body)):
        if _folded(text) not in told:
            told.add(_folded(text))
            kept.append(text)
    return "\n\n".join(kept)


def _paragraphs(body: str) -> list[str]:
    """Return the paragraphs of a body; a code fence is one, with its blank lines."""
    found: list[list[str]] = [[]]
    fence = ""
    for line in body.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if line.strip() or fence:
            found[-1].append(line.rstrip())
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if lines]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")


def _scope(source: str, target: str) -> tuple[str, list[str]]:
    """Return the scope of both: the one that is set, or the folder that holds both, else the target's."""
    if not source or not target or source == target:
        return target or source, []
    shared = "." if "." in (source, target) else posixpath.commonpath([source, target])
    if shared:
        return shared, []
    return target, [f"the scopes {source!r} and {target!r} have no folder in common: {target!r} is kept"]


def _joined(source: str, target: str) -> tuple[str, bool]:
    """Return both notes as one, the target's first, and whether the source's had to be left out."""
    if not source or _folded(source) in _folded(target):
        return target, False
    both = "; ".join(filter(None, [target, source]))
    return (target, True) if len(both) > rules.NOTE_LIMIT else (both, False)
