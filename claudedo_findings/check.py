"""What is known about a question or a path, and what could not be looked at."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from claudedo_findings import finding, match, scope
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Stored
from claudedo_findings.match import Document, Hit
from claudedo_findings.score import STRONG
from claudedo_findings.store import Store


@dataclass(frozen=True, kw_only=True)
class Known:
    """A finding that fits, and why."""

    hit: Hit
    stored: Stored
    hook: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What fits, the best first, of how many findings; which files were skipped, which expired findings left out."""

    known: tuple[Known, ...]
    looked: int
    skipped: tuple[str, ...]
    expired: tuple[str, ...]


def ask(store: Store, question: str, paths: Collection[str], today: date) -> Answer:
    """Return the findings that fit a question, or are about one of `paths` (relative to the store's root).

    Raises FindingsError where it cannot look: there is no store, or the question has no word that can tell.
    """
    existing(store)
    if (question or not paths) and not match.usable(question):
        raise FindingsError(f"{shown(question)} has no word to look for: say it with the names of what it is about")
    index = store.read_index()
    hooks = {entry.slug: entry.hook for entry in (index.entries if index else ())}
    stored, skipped = store.read_all()
    expired = {slug for slug, each in stored.items() if "expires" in each.text and finding.expired(each, today)}
    valid = {slug: each for slug, each in stored.items() if slug not in expired} if expired else stored
    hits: dict[str, Hit] = {}
    for hit in (*_by_words(question, valid, hooks), *_by_paths(paths, valid)):
        hits[hit.slug] = _both(hits[hit.slug], hit) if hit.slug in hits else hit
    best = sorted(hits.values(), key=lambda hit: (not hit.strong, -hit.score, hit.slug))[: match.LIMIT]
    return Answer(
        known=tuple(Known(hit=hit, stored=valid[hit.slug], hook=hooks.get(hit.slug, "")) for hit in best),
        looked=len(valid),
        skipped=tuple(skipped),
        expired=tuple(sorted(expired)),
    )


def listed(store: Store) -> dict[str, str]:
    """Return the hook of every finding, in the order of the index; one that it lacks comes last with its title."""
    existing(store)
    index = store.read_index()
    slugs = store.slugs()
    hooks = {entry.slug: entry.hook for entry in (index.entries if index else ()) if entry.slug in slugs}
    for slug in sorted(slugs - hooks.keys()):
        stored = store.read(slug)
        if stored and not finding.expired(stored, date.today()):
            hooks[slug] = stored.title or slug
    return hooks


def existing(store: Store) -> None:
    """Refuse a store that is not there: nothing found and nothing to look at are two answers."""
    if not store.exists():
        raise FindingsError(
            f"there is no store at {store.folder}, so nothing could be looked up: the first save makes it"
        )


def _by_words(question: str, stored: Mapping[str, Stored], hooks: Mapping[str, str]) -> tuple[Hit, ...]:
    slugs = list(stored)

    def document(at: int) -> Document:
        slug = slugs[at]
        each = stored[slug]
        return Document(slug, each.title, hooks.get(slug, ""), each.scope, each.body)

    texts = [f"{slug}\n{hooks.get(slug, '')}\n{each.text}" for slug, each in stored.items()]
    hits = match.search_texts(question, texts, document)
    if not hits and match.everywhere(question, texts):
        raise FindingsError(
            f"what {shown(question)} asks for stands in most of the {len(texts)} findings, which tells none apart:"
            " add the name of what it is about, or read the index ('claudedo-findings check')"
        )
    return hits


def _by_paths(paths: Collection[str], stored: Mapping[str, Stored]) -> list[Hit]:
    hits = []
    for slug, each in stored.items() if paths else ():
        fits = [fit for path in paths if (fit := scope.fit(each.scope, path))]
        if fits:
            score = max(fit.score for fit in fits)
            hits.append(Hit(slug, score, score >= STRONG, tuple(fit.reason for fit in fits)))
    return hits


def _both(one: Hit, other: Hit) -> Hit:
    score = 1 - (1 - one.score) * (1 - other.score)
    return Hit(one.slug, round(score, 3), one.strong or other.strong, (*one.reasons, *other.reasons))
