"""Per finding: offered, opened, and the errors that fit it, over all runs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings.report import offers
from claudedo_findings.report.measures import Share
from claudedo_findings.report.offers import Readers
from claudedo_findings.report.trail import Phase, Trail
from claudedo_findings.report.values import Counted, Event, Lists, Opening, Row


@dataclass(frozen=True, kw_only=True)
class Known:
    """A finding of the store: its title and scope, and whether the index lists it."""

    title: str = ""
    scope: str = ""
    listed: bool = True


def rows(known: Mapping[str, Known], trails: Sequence[Trail]) -> tuple[Row, ...]:
    """Return a row for each finding of the store, and for each that is gone but was opened; without runs no counts."""
    if not trails:
        return tuple(_unknown(slug, one) for slug, one in known.items())
    touching: dict[str, list[Trail]] = {slug: [] for slug in known}
    gone = set()
    for trail in trails:
        failed = {slug for slug, _ in trail.errors}
        for slug in {*trail.hooked, *trail.opened, *trail.saved, *failed}:
            touching.setdefault(slug, []).append(trail)
        gone |= trail.opened.keys() - known.keys()
    readers = offers.readers(trails)
    nobody = offers.readers(())
    return tuple(
        _row(slug, known.get(slug), touching[slug], readers if slug in known and known[slug].listed else nobody)
        for slug in (*known, *sorted(gone))
    )


def lists(table: Iterable[Row]) -> Lists:
    """Return which findings were never offered, which were and never opened, and which were opened in vain."""
    there = [row for row in table if row.state != "gone"]
    return Lists(
        never_offered=tuple(row.slug for row in there if not _any(row.offered) and not _any(row.opened)),
        never_opened=tuple(row.slug for row in there if _any(row.offered) and not _any(row.opened)),
        opened_and_failed=tuple(row.slug for row in there if _any(row.after)),
    )


def events(table: Iterable[Row], trails: Iterable[Trail]) -> tuple[Event, ...]:
    """Return what the timeline shows of the findings in a table, by time; what bears no time is left out."""
    slugs = {row.slug for row in table}
    found = []
    for trail in trails:
        found += [Event(kind="index", at=step.at) for step in trail.index]
        failed = {slug: steps for (slug, phase), steps in trail.errors.items() if phase is Phase.AFTER}
        kinds = {"saved": trail.saved, "hook": trail.hooked, "opened": trail.opened, "failed": failed}
        for kind, steps in kinds.items():
            found += [Event(kind=kind, at=step.at, slug=slug) for slug in slugs & steps.keys() for step in steps[slug]]
    return tuple(sorted((one for one in found if one.at), key=lambda one: (one.at, one.kind, one.slug)))


def _any(counted: Counted | None) -> bool:
    return bool(counted and counted.times)


def _row(slug: str, known: Known | None, trails: Sequence[Trail], readers: Readers) -> Row:
    """Return the row of a finding; `trails` are the runs in which something happened to it."""
    saved = sorted(step.at for trail in trails for step in trail.saved.get(slug, []))
    readers = readers.since(saved[0] if saved else "")
    hooked = {trail.key: trail for trail in trails if slug in trail.hooked}
    opened = [trail for trail in trails if slug in trail.opened]
    asked = Counter(trail.model for trail in hooked.values() if trail.key not in readers.keys) + readers.models
    took = Counter(trail.model for trail in opened if trail.key in readers.keys or trail.key in hooked)
    phases = {phase: offers.counted(trail.errors.get((slug, phase), ()) for trail in trails) for phase in Phase}
    hooks = offers.counted(trail.hooked[slug] for trail in hooked.values())
    return Row(
        slug=slug,
        state="gone" if known is None else "listed" if known.listed else "unlisted",
        title=known.title if known else "",
        scope=known.scope if known else "",
        saved=tuple(saved),
        offered=offers.together(readers.counted, hooks, len(readers.keys | hooked.keys())),
        by_index=len(readers.keys),
        by_hook=len(hooked),
        opened=offers.counted(trail.opened[slug] for trail in opened),
        openings=tuple(_opening(trail, slug) for trail in opened),
        models=tuple((model, Share(yes=took[model], of=asked[model])) for model in sorted(asked)),
        share=Share(yes=took.total(), of=asked.total()),
        before=phases[Phase.BEFORE],
        after=phases[Phase.AFTER],
        unopened=phases[Phase.UNOPENED],
    )


def _unknown(slug: str, known: Known) -> Row:
    return Row(
        slug=slug,
        state="listed" if known.listed else "unlisted",
        title=known.title,
        scope=known.scope,
        saved=None,
        offered=None,
        by_index=None,
        by_hook=None,
        opened=None,
        openings=(),
        models=(),
        share=None,
        before=None,
        after=None,
        unopened=None,
    )


def _opening(trail: Trail, slug: str) -> Opening:
    first = min(trail.opened[slug], key=lambda step: step.at)
    return Opening(run=trail.name, model=first.model or trail.model, at=first.at)
