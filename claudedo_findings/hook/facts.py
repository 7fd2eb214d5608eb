"""What there is to say about an event: the pointer at the start, later a finding that applies to a path or an error."""

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from claudedo_findings.hook import marks, places
from claudedo_findings.hook.event import Event
from claudedo_findings.layout import FOLDER, Layout
from claudedo_findings.stored import Stored, expired

MOST = 3  # findings an event: more would bury the one that matters
_TOKENS = 60  # of a fact, without the finding's path
_SCOPE = 20  # tokens of a scope; its end says most


class _Listed(NamedTuple):
    """A finding that the index lists: its line's hook, and its file."""

    slug: str
    hook: str
    stored: Stored

    @property
    def scope(self) -> str:
        return self.stored.scope


def of_event(event: Event, *, at_once: Callable[[str], None]) -> str:
    """Return the text for an event, "" when there is nothing to say or it was said before.

    `at_once` is told what may be said if this takes too long. Raises FindingsError when it could not look.
    """
    if event.starts:
        return _start(event, at_once)
    return "\n".join(_about_paths(event) or _about_error(event))


def _start(event: Event, at_once: Callable[[str], None]) -> str:
    from claudedo_findings import pointer  # each kind of event loads what it needs: an agent waits

    if event.forgets:
        marks.forget(event.session)
    store = places.of_folder(event.cwd)
    sentence = pointer.sentence(store) if store else ""
    if store is None or not sentence:
        return ""
    if not marks.first(event.session, event.agent, store.folder):
        return ""
    at_once(sentence)  # with nothing in between: once it is marked as said, no other process says it
    marks.clean()
    pointer.sync_daily(store)
    return pointer.sentence(store)


def _about_paths(event: Event) -> list[str]:
    spots = [spot for path in event.paths if (spot := places.of_path(os.path.join(event.cwd, path)))]
    facts: list[str] = []
    for store in dict.fromkeys(spot.store for spot in spots):
        paths = [spot.path for spot in spots if spot.store == store]
        for opened in (path for path in paths if path.startswith(f"{FOLDER}/traps/")):
            marks.first(event.session, event.agent, os.path.join(store.places.root, *opened.split("/")))
        fitting = [item for item in _listed(store) if _within(item.scope, paths)]
        # The narrowest scope first: it says most about this path.
        for item in sorted(fitting, key=lambda item: -item.scope.count("/")):
            if len(facts) < MOST and _news(event, store, item):
                facts.append(_fact(store, item))
    return facts


def _about_error(event: Event) -> list[str]:
    store = places.of_folder(event.cwd) if event.error else None
    if store is None:
        return []
    from claudedo_findings import match, score  # as above

    items = list(_listed(store))

    def document(at: int) -> match.Document:
        stored = items[at].stored
        return match.Document(items[at].slug, stored.title, items[at].hook, items[at].scope, stored.body)

    texts = [f"{item.slug}\n{item.hook}\n{item.stored.text}" for item in items]  # few of them are taken apart
    hits = match.search_texts(event.error, texts, document, limit=MOST, least=score.STRONG)
    by_slug = {item.slug: item for item in items}
    strong = [by_slug[hit.slug] for hit in hits if hit.strong]
    return [_fact(store, item) for item in strong if _news(event, store, item)]


def _listed(store: Layout) -> Iterator[_Listed]:
    """Return the findings that the index lists; one that cannot be read is passed over."""
    index = store.read_index()
    if index is None:
        return
    findings, _ = store.read_all()
    for entry in index.entries:
        if entry.slug in findings:
            yield _Listed(slug=entry.slug, hook=entry.hook, stored=findings[entry.slug])


def _news(event: Event, store: Layout, item: _Listed) -> bool:
    """Return whether a finding holds today and was not said yet in this context, and note that it is."""
    if "expires" in item.stored.text:  # few have one
        from datetime import date

        if expired(item.stored, date.today()):
            return False
    return marks.first(event.session, event.agent, store.finding_path(item.slug))


def _within(scope: str, paths: list[str]) -> bool:
    """Return whether one of the paths lies in a scope; a scope that is the whole project says nothing about a path."""
    if scope in ("", "."):
        return False
    return any(path == scope or path.startswith(f"{scope}/") for path in paths)


def _fact(store: Layout, item: _Listed) -> str:
    """Return the line for a finding: a fact, because a command could look like an injected one.

    A hook that gives orders stays in the file: a store may come with a stranger's repository.
    """
    from claudedo_findings import orders  # 10 ms, for what is said alone

    about = (
        f"Known trap of {_cut(item.scope, _SCOPE, at_start=True) if item.scope not in ('', '.') else 'this project'}"
    )
    lead = f"{about} ({item.slug}): "
    hook = _cut(item.hook or item.stored.title or item.slug, _TOKENS - tokens(f"{lead} — "))
    said = f"{about} ({item.slug})" if orders.given(hook) else f"{lead}{hook}"
    return f"{said} — {store.finding_path(item.slug)}"


def _cut(text: str, most: int, *, at_start: bool = False) -> str:
    """Return a text with as much of it as `most` tokens allow."""
    shown = text
    while shown and tokens(shown) > most:
        text = text[1:] if at_start else text[:-1]
        shown = f"…{text}" if at_start else f"{text.rstrip()}…"
    return shown


def tokens(text: str) -> int:
    """Return an estimate of a text's tokens: four ASCII characters a token, one of any other script a token."""
    plain = sum(char.isascii() for char in text)
    return -(-plain // 4) + len(text) - plain
