"""Report: which findings were read, in which runs, by which model, and what followed."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from claudedo_findings import check, checkouts, host_runs, redact, runs, sources
from claudedo_findings.errors import FindingsError
from claudedo_findings.hook import facts
from claudedo_findings.lists import TodoList
from claudedo_findings.match import Document
from claudedo_findings.report import figures, fitting, notes, retries, rows, took, trails
from claudedo_findings.report.figures import Unit
from claudedo_findings.report.retries import Recorded
from claudedo_findings.report.rows import Known
from claudedo_findings.report.trail import Trail
from claudedo_findings.report.values import Looked, Price, Report
from claudedo_findings.runs import Progress
from claudedo_findings.store import Store
from claudedo_findings.tally import Tally


def make(
    store: Store, item: TodoList, named: Sequence[str] = (), *, since: float = 0.0, progress: Progress | None = None
) -> Report:
    """Return what the transcripts of a list's project, or those that were named, say about its findings.

    Transcripts that were last written before `since` (seconds since the epoch) are left out; `progress` gets the
    bytes done and all bytes. Raises FindingsError where there is no store, and when a named place does not exist.
    """
    check.existing(store)
    found = sources.named(named, sources.roots(item), since=since) if named else sources.of_project(item, since=since)
    tally = Tally(complaints=list(found.complaints))
    known, documents = _known(store, tally)
    followed = trails.of(runs.load(found, tally, progress), fitting.among(documents), known)
    recorded = _recorded(item, tally)
    records = retries.matched(followed, recorded or ())
    units = [unit for trail in followed if (unit := _unit(trail, records.get(trail.key)))]
    groups, withheld = took.groups(units) if units else ((), ())
    table = rows.rows(known, followed)
    return Report(
        list=item.name,
        store=store.folder,
        made=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        looked=_looked(tally, followed, len(followed) - len(units), recorded, records),
        findings=table,
        figures=figures.shares(units) if units else (),
        retries=figures.retries(units),
        groups=groups,
        withheld=withheld,
        lists=rows.lists(table) if followed else None,
        price=_price(store, followed),
        events=rows.events(table, followed),
        not_known=notes.NOT_KNOWN,
    )


def _known(store: Store, tally: Tally) -> tuple[dict[str, Known], list[Document]]:
    """Return the findings of a store by slug, in the order of the index, and as they are searched."""
    index = store.read_index()
    hooks = {entry.slug: entry.hook for entry in (index.entries if index else ())}
    found, skipped = store.read_all()
    tally.complaints += [
        f"{name} in {store.folder} was passed over: it is no finding that can be read" for name in skipped
    ]
    order = [*(slug for slug in hooks if slug in found), *(slug for slug in found if slug not in hooks)]
    known = {
        slug: Known(
            title=redact.text(found[slug].title or hooks.get(slug, "")), scope=found[slug].scope, listed=slug in hooks
        )
        for slug in order
    }
    documents = [
        Document(slug, found[slug].title, hooks.get(slug, ""), found[slug].scope, found[slug].body) for slug in order
    ]
    return known, documents


def _recorded(item: TodoList, tally: Tally) -> list[Recorded] | None:
    """Return the runs that the host recorded of a list's project, None where there is no host to ask."""
    try:
        found = host_runs.of(checkouts.of(item).tasks)
    except FindingsError as error:  # transcripts say enough to go on
        tally.complaints.append(str(error))
        return None
    return None if found is None else retries.recorded(found)


def _unit(trail: Trail, record: Recorded | None) -> Unit | None:
    """Return a run with its outcome, None for a retry; what its transcript does not count, the host may have."""
    if record is None:
        return Unit(trail=trail)
    run = record.run
    trail.turns = run.turns if trail.turns is None else trail.turns
    trail.tokens_in = run.tokens_in if trail.tokens_in is None else trail.tokens_in
    trail.tokens_out = run.tokens_out if trail.tokens_out is None else trail.tokens_out
    return None if run.is_retry else Unit(trail=trail, retried=record.retried)


def _looked(
    tally: Tally,
    followed: Sequence[Trail],
    retried: int,
    recorded: Sequence[Recorded] | None,
    records: Mapping[str, Recorded],
) -> Looked:
    times = sorted(filter(None, (trail.started for trail in followed)))
    return Looked(
        transcripts=tally.files,
        lines=tally.lines,
        broken=tally.broken,
        unknown=tally.unknown,
        unfinished=tally.unfinished,
        copies=tally.copies,
        runs=len(followed),
        retries=retried,
        first=times[0] if times else "",
        last=times[-1] if times else "",
        host_runs=None if recorded is None else len(recorded),
        matched=None if recorded is None else len({id(record) for record in records.values()}),
        complaints=tuple(tally.complaints),
    )


def _price(store: Store, followed: Sequence[Trail]) -> Price | None:
    listing = store.listing()
    if listing.data is None:
        return None
    readers = [trail for trail in followed if trail.carries]
    return Price(
        entries=len(listing.index.entries),
        bytes=len(listing.data),
        tokens=facts.tokens(listing.data.decode("utf-8")),
        runs=len(readers) if followed else None,
        turns=sum(trail.index_turns for trail in readers) if readers else None,
        tokens_in=took.total(trail.tokens_in for trail in readers),
    )
