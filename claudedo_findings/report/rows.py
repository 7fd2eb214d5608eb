"""Per finding: offered, opened, and the errors that fit it, over all runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings.report.trail import Phase, Step, Trail
from claudedo_findings.report.values import Counted, Event, Lists, Opening, Row, Share


@dataclass(frozen=True, kw_only=True)
class Known:
    """A finding of the store: its title and scope, and whether the index lists it."""

    title: str = ""
    scope: str = ""
    listed: bool = True


def rows(known: Mapping[str, Known], trails: Sequence[Trail]) -> tuple[Row, ...]:
    """Return a row for each finding of the store, and for each that is gone but was opened; without runs no counts."""
    gone = {slug for trail in trails for slug in trail.opened} - known.keys()
    return tuple(_row(slug, known.get(slug), trails) for slug in (*known, *sorted(gone)))


def offers(slug: str, trail: Trail, since: str, *, listed: bool) -> tuple[list[Step], list[Step]]:
    """Return when a run was offered a finding by an index that it read, and by hooks.

    `since` is when the finding is known to have been saved first, "" when nobody knows: then today's index counts.
    """
    by_index = [step for step in trail.index if listed and not (since and step.at and step.at < since)]
    return by_index, trail.hooked.get(slug, [])


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


def _row(slug: str, known: Known | None, trails: Sequence[Trail]) -> Row:
    if not trails:
        return _unknown(slug, known or Known())
    saved = sorted(step.at for trail in trails for step in trail.saved.get(slug, []))
    listed = known is not None and known.listed
    since = saved[0] if saved else ""
    offered, opened, by_index, by_hook = [], [], 0, 0
    models: dict[str, Share] = {}
    phases: dict[Phase, list[list[Step]]] = {phase: [] for phase in Phase}
    for trail in trails:
        index, hooks = offers(slug, trail, since, listed=listed)
        by_index += bool(index)
        by_hook += bool(hooks)
        offered.append(index + hooks)
        opened.append(trail.opened.get(slug, []))
        if index or hooks:
            old = models.get(trail.model, Share(yes=0, of=0))
            models[trail.model] = Share(yes=old.yes + (slug in trail.opened), of=old.of + 1)
        for phase, found in phases.items():
            found.append(trail.errors.get((slug, phase), []))
    return Row(
        slug=slug,
        state="gone" if known is None else "listed" if listed else "unlisted",
        title=known.title if known else "",
        scope=known.scope if known else "",
        saved=tuple(saved),
        offered=_counted(offered),
        by_index=by_index,
        by_hook=by_hook,
        opened=_counted(opened),
        openings=tuple(_opening(trail, slug) for trail in trails if slug in trail.opened),
        models=tuple(sorted(models.items())),
        share=Share(yes=sum(one.yes for one in models.values()), of=sum(one.of for one in models.values())),
        before=_counted(phases[Phase.BEFORE]),
        after=_counted(phases[Phase.AFTER]),
        unopened=_counted(phases[Phase.UNOPENED]),
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


def _counted(runs: Sequence[Sequence[Step]]) -> Counted:
    times = sorted(step.at for run in runs for step in run if step.at)
    return Counted(
        times=sum(map(len, runs)),
        runs=sum(map(bool, runs)),
        first=times[0] if times else "",
        last=times[-1] if times else "",
    )
