"""The report as one object of JSON: camelCase keys, null where there is no data."""

from claudedo_findings.report.measures import Comparison, Group, Share, Spread, Versus
from claudedo_findings.report.values import Counted, Price, Report, Row

Json = dict[str, object]


def of(report: Report) -> Json:
    """Return the whole report."""
    lists, comparison = report.lists, report.retries
    return {
        "list": report.list,
        "store": report.store,
        "made": report.made,
        "looked": _looked(report),
        "findings": [_row(row) for row in report.findings],
        "neverOffered": list(lists.never_offered) if lists else None,
        "neverOpened": list(lists.never_opened) if lists else None,
        "openedAndFailed": list(lists.opened_and_failed) if lists else None,
        "figures": [
            {"name": one.name, "what": one.what, "models": _models(one.models), "pooled": share(one.pooled)}
            for one in report.figures
        ],
        "retries": _comparison(comparison) if comparison else None,
        "groups": [_group(group) for group in report.groups],
        "withheld": [{"measure": _MEASURES[name], "why": why} for name, why in report.withheld],
        "price": _price(report.price) if report.price else None,
        "events": [{"kind": event.kind, "at": event.at, "slug": event.slug} for event in report.events],
        "notKnown": list(report.not_known),
    }


_MEASURES = {"retried": "retried", "turns": "turns", "tokens_in": "tokensIn", "tokens_out": "tokensOut"}


def share(one: Share | None) -> Json | None:
    """Return a share with its interval."""
    if one is None:
        return None
    low, high = one.interval or (None, None)
    return {"yes": one.yes, "of": one.of, "share": one.share, "low": low, "high": high}


def _looked(report: Report) -> Json:
    looked = report.looked
    return {
        "transcripts": looked.transcripts,
        "lines": looked.lines,
        "brokenLines": looked.broken,
        "unknownLines": looked.unknown,
        "unfinished": looked.unfinished,
        "copies": looked.copies,
        "runs": looked.runs,
        "retryRuns": looked.retries,
        "first": looked.first or None,
        "last": looked.last or None,
        "hostRuns": looked.host_runs,
        "hostRunsWithTranscript": looked.matched,
        "complaints": list(looked.complaints),
    }


def _row(row: Row) -> Json:
    return {
        "slug": row.slug,
        "state": row.state,
        "title": row.title,
        "scope": row.scope,
        "saved": None if row.saved is None else list(row.saved),
        "offered": _counted(row.offered),
        "offeredByIndex": row.by_index,
        "offeredByHook": row.by_hook,
        "opened": _counted(row.opened),
        "openings": [{"run": one.run, "model": one.model, "at": one.at or None} for one in row.openings],
        "openedShare": share(row.share),
        "models": _models(row.models),
        "errorsBefore": _counted(row.before),
        "errorsAfter": _counted(row.after),
        "errorsUnopened": _counted(row.unopened),
    }


def _counted(one: Counted | None) -> Json | None:
    if one is None:
        return None
    return {"times": one.times, "runs": one.runs, "first": one.first or None, "last": one.last or None}


def _models(models: tuple[tuple[str, Share], ...]) -> list[Json]:
    return [{"model": model} | (share(one) or {}) for model, one in models]


def _comparison(one: Comparison) -> Json:
    pooled = _versus(one.pooled) if one.pooled else None
    return {"models": [_versus(each) for each in one.models], "pooled": pooled, "withheld": one.withheld}


def _versus(one: Versus) -> Json:
    difference, low, high = one.difference or (None, None, None)
    return {
        "model": one.model,
        "withIndex": share(one.with_index),
        "withoutIndex": share(one.without),
        "difference": difference,
        "low": low,
        "high": high,
    }


def _group(group: Group) -> Json:
    return {
        "model": group.model,
        "index": group.index,
        "runs": group.runs,
        "retried": share(group.retried),
        "turns": _spread(group.turns),
        "tokensIn": _spread(group.tokens_in),
        "tokensOut": _spread(group.tokens_out),
    }


def _spread(one: Spread | None) -> Json | None:
    return None if one is None else {"of": one.of, "low": one.low, "median": one.median, "high": one.high}


def _price(price: Price) -> Json:
    return {
        "entries": price.entries,
        "bytes": price.bytes,
        "tokens": price.tokens,
        "runs": price.runs,
        "turns": price.turns,
        "tokensCarried": price.carried,
        "tokensIn": price.tokens_in,
    }
