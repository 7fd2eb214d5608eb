"""Which findings fit a question, by their words: no model, and every hit says why."""

import heapq
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from claudedo_findings import words
from claudedo_findings.words import Word

LIMIT = 20
# Scores from 0 to 1. Chosen on one half of the labelled corpus in tests/data, see tests/test_search_corpus.py.
WEAK = 0.14
STRONG = 0.4
SIMILAR = 0.4
# What a word counts by where the finding has it, the best place first.
PLACES = {"title": 1.0, "hook": 0.9, "scope": 0.7, "text": 0.45}
_NAMED = 0.9  # a whole title or quoted line in the question counts nearly as much as a whole question in the title
_QUOTED = 0.6  # the share of a quoted line that the question must have
_QUOTE = re.compile(r"`([^`\n]+)`")
_SENTENCES = re.compile(r"\n+|(?<=[.!?;])\s+|(?<=[。！？；])")
_JUDGED = 500  # findings; those with the most words of the question are looked at closely
_FEW = 10  # findings; so many may share a word however small the store is
_SENTENCE_WORDS = 3.0  # a sentence with fewer says nothing alone
_NAME_WORDS = 1.5  # nor does a title or a quote


class Document(NamedTuple):
    """A finding as it is searched; what is not known stays empty."""

    slug: str
    title: str = ""
    hook: str = ""
    scope: str = ""
    text: str = ""


class Hit(NamedTuple):
    """A finding that fits: how well (0 to 1), whether that is strong, and which words of the question it has where."""

    slug: str
    score: float
    strong: bool
    reasons: tuple[str, ...]


_Found = tuple[Document, list[int]]


def search(question: str, documents: Sequence[Document], limit: int = LIMIT) -> tuple[Hit, ...]:
    """Return the findings that fit a question, a planned step or an error text, the best first.

    Nothing when the question has no usable words: `usable` tells the two apart.
    """
    asked = words.asked(question)
    found, weights = _weigh(asked, documents)
    passages = _passages(question, asked)
    masses = [(sum(weights[number] for number in has), at) for at, (_, has) in enumerate(found)]
    hits = []
    for mass, at in heapq.nlargest(_JUDGED, masses):
        document, has = found[at]
        if mass:
            places = {number: _place(document, asked[number]) for number in has}
            score = max(_answered(passages, weights, places), _named(document, asked, weights, has))
            if score >= WEAK:
                hits.append(Hit(document.slug, round(score, 3), score >= STRONG, _reasons(asked, weights, places)))
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.slug))[:limit])


def usable(question: str) -> bool:
    """Return whether a question has a word that can be looked for."""
    return bool(words.asked(question))


def similar(title: str, hooks: Mapping[str, str]) -> tuple[str, ...]:
    """Return the slugs whose hooks say much the same as `title`, the closest first, at most 3."""
    if len(words.asked(title)) < 2:  # one word is a topic, not a trap
        return ()
    hits = search(title, [Document(slug, hook=hook) for slug, hook in hooks.items()], limit=3)
    return tuple(hit.slug for hit in hits if hit.score >= SIMILAR)


def _weigh(asked: Sequence[Word], documents: Sequence[Document]) -> tuple[list[_Found], list[float]]:
    """Return the documents with words of the question, each with their numbers, and what each word weighs."""
    most = max(_FEW, len(documents) // 2)
    spread = [0] * len(asked)
    fits: dict[str, list[int]] = {}  # the numbers of the words of the question that a word of a document fits
    keys = _keys(asked, spread, most)
    known: set[str] = set()
    found = []
    for document in documents:
        text = "\n".join(document)
        if text.isascii() and not _may_have(text, keys):
            continue
        inside = words.raw(text)
        for raw in inside - known:
            if not raw.isascii() or _may_have(raw, keys):
                forms = words.of_word(raw)
                fits[raw] = [number for number, word in enumerate(asked) if not forms.isdisjoint(word.forms)]
        known |= inside
        has = {number for raw in inside & fits.keys() for number in fits[raw]}
        for number in has:
            spread[number] += 1
            if spread[number] == most + 1:  # a word of most findings weighs nothing: it is not looked for any more
                keys = _keys(asked, spread, most)
        if has:
            found.append((document, sorted(has)))
    weights = [word.weight * _rarity(times, len(documents)) for word, times in zip(asked, spread, strict=True)]
    return found, [weight if times <= most else 0.0 for weight, times in zip(weights, spread, strict=True)]


def _keys(asked: Sequence[Word], spread: Sequence[int], most: int) -> list[str]:
    return [form for word, times in zip(asked, spread, strict=True) if times <= most for form in word.forms]


def _may_have(text: str, keys: Sequence[str]) -> bool:
    """Return whether an ASCII text may have one of these forms: a look that costs little and spares most texts."""
    plain = text.lower().replace("_", "")
    for key in keys:  # noqa: SIM110  # any() takes twice as long, and this runs for every finding
        if key in plain:
            return True
    return False


def _rarity(times: int, count: int) -> float:
    """Return what a word weighs that `times` of `count` findings have: 1 for one of a single finding."""
    return math.log((count + 10) / max(2, times + 1)) / math.log((count + 10) / 2)


def _passages(question: str, asked: Sequence[Word]) -> list[list[int]]:
    """Return the words, by number, of the whole question and of each of its lines and sentences.

    Of an error text one line matters, and of a long plan one sentence.
    """
    numbers = {word.forms: number for number, word in enumerate(asked)}
    passages = [list(range(len(asked)))]
    for part in _SENTENCES.split(question):
        inside = [word for word in words.asked(part) if word.forms in numbers]
        if sum(word.weight for word in inside) >= _SENTENCE_WORDS:
            passages.append([numbers[word.forms] for word in inside])
    return passages


def _place(document: Document, word: Word) -> str:
    named = (("title", document.title), ("hook", f"{document.hook} {document.slug}"), ("scope", document.scope))
    return next((place for place, text in named if not words.forms(text).isdisjoint(word.forms)), "text")


def _answered(passages: Sequence[Sequence[int]], weights: Sequence[float], places: Mapping[int, str]) -> float:
    """Return how much of the question the finding has."""
    best = 0.0
    for passage in passages:
        total = sum(weights[number] for number in passage)
        mass = sum(weights[number] for number in passage if number in places)
        gain = sum(weights[number] * PLACES[places[number]] for number in passage if number in places)
        if total:
            best = max(best, gain / total * _certainty(mass))
    return best


def _named(document: Document, asked: Sequence[Word], weights: Sequence[float], has: Sequence[int]) -> float:
    """Return how much of the finding's title, or of a line that it quotes, the question has."""
    best = 0.0
    names = [(document.title or document.hook, 0.0), *((quote, _QUOTED) for quote in _QUOTE.findall(document.text))]
    for name, needed in names:
        mine = words.asked(name)
        forms = {form for word in mine for form in word.forms}
        shared = [number for number in has if not forms.isdisjoint(asked[number].forms)]
        theirs = {form for number in shared for form in asked[number].forms}
        total = sum(word.weight for word in mine)
        share = sum(word.weight for word in mine if not theirs.isdisjoint(word.forms)) / (total or 1)
        if total >= _NAME_WORDS and share >= needed:
            best = max(best, _NAMED * share * _certainty(sum(weights[number] for number in shared)))
    return best


def _certainty(mass: float) -> float:
    """Return how much words of this weight together prove: one rare word half, three of them three quarters."""
    return mass / (mass + 1)


def _reasons(asked: Sequence[Word], weights: Sequence[float], places: Mapping[int, str]) -> tuple[str, ...]:
    reasons = []
    for place in PLACES:
        there = [asked[number].text for number, where in places.items() if where == place and weights[number]]
        whole = [word for word in there if not any(word != other and word in other for other in there)]
        if whole:
            reasons.append(f"{place}: {', '.join(whole)}")
    return tuple(reasons)
