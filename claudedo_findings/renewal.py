"""A human's word that findings still hold: they get HEAD as their new stamp."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from claudedo_findings import files, finding, history, rules
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Stored
from claudedo_findings.store import Store

NEVER = "never"


@dataclass(frozen=True, kw_only=True)
class Renewal:
    """What became of one finding: renewed (a new stamp alone), updated (scope or date too) or unchanged."""

    slug: str
    status: str
    stored: Stored
    warnings: tuple[str, ...]


def renew(
    store: Store, slugs: Sequence[str], *, scope: str = "", expires: str = "", today: date
) -> tuple[Renewal, ...]:
    """Stamp findings with HEAD, and give them a new scope or date where one is given; `never` takes the date away.

    All of the slugs must be there, and none with a conflict in its front matter, or nothing is renewed. Everything
    else in the files stays, and what a hand wrote stays known as a hand's. Raises FindingsError.
    """
    if not store.places.head:
        raise FindingsError(f"there is no commit in {store.places.root} to stamp a finding with: commit first")
    if scope and len(slugs) > 1:
        raise FindingsError("one scope cannot be that of several findings: renew them one by one")
    asked = tuple(dict.fromkeys(map(rules.slug, slugs)))
    values = {"scope": rules.scope(scope)} if scope else {}
    if expires and expires != NEVER:
        values["expires"] = _day(expires)
    known = store.slugs()
    missing = [slug for slug in asked if slug not in known]
    if missing:
        raise FindingsError(f"there is no finding {', '.join(missing)} in {store.folder}: see 'claudedo-findings list'")
    with store.writing():
        for slug in asked:
            finding.require_settled(store.read(slug) or finding.parse(""), store.finding_path(slug))
        done = tuple(
            files.insist(partial(_renew, store, slug, values, ["expires"] if expires == NEVER else [], today))
            for slug in asked
        )
        store.heal(everything=True)
    return done


def _renew(store: Store, slug: str, values: Mapping[str, str], drop: Sequence[str], today: date) -> Renewal:
    path, folder = store.finding_path(slug), store.history_folder(slug)
    for writable in (path, os.path.join(folder, "written")):
        store.guard(writable)
    data = files.read(path)
    if data is None:
        raise FindingsError(f"{path} was deleted just now: nothing is left to renew")
    before = finding.parse(finding.decode(data))
    finding.require_settled(before, path)
    always = {"slug": slug, "scope": before.scope, "source-task": before.keys.get("source-task", "")}
    new = finding.rekey(data, {**always, "verified-against": store.places.head, **values}, drop)
    after = finding.parse(finding.decode(new))
    if new == data:
        return Renewal(slug=slug, status="unchanged", stored=after, warnings=tuple(_warnings(store, after, today)))
    by_hand = history.by_hand(folder, data)
    others = {*before.keys, *after.keys} - {"verified-against"}
    same = not before.complaint and all(before.keys.get(key, "") == after.keys.get(key, "") for key in others)
    if not same:
        history.keep(folder, data)
    files.write_atomic(path, new, seen=files.Seen(data))
    history.prune(folder)
    if not by_hand:
        history.seal(folder, new)
    status = "renewed" if same else "updated"
    return Renewal(slug=slug, status=status, stored=after, warnings=tuple(_warnings(store, after, today)))


def _warnings(store: Store, stored: Stored, today: date) -> Iterator[str]:
    if not stored.scope:
        yield "it has no scope, so nobody can tell when it stops being true: give it one with --scope"
    elif not os.path.lexists(os.path.join(store.places.root, stored.scope)):
        yield f"its scope {shown(stored.scope)} does not exist: say with --scope where that is now"
    if finding.expired(stored, today):
        yield f"its expires date {stored.keys['expires']} has passed, so agents do not see it: give --expires"


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise FindingsError(f"{shown(text)} is no date: give it as YYYY-MM-DD, or 'never'") from error
