"""How well one finding fits a question, from 0 to 1, and where it has which of its words."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from claudedo_findings import words
from claudedo_findings.words import Word

# Thresholds, chosen on one half of the labelled corpus in tests/data (45 questions with an answer, 25 without): every
# answer scores 0.19 or more, and 32 of them 0.40 or more; of the 25 the best hits score 0.37, 0.17 and below 0.13.
# What that gives on the half held out stands in tests/test_search_corpus.py.
WEAK = 0.15
STRONG = 0.4
# Titles that say the same as a hook score 0.55 or more there, others 0.31 or less.
SIMILAR = 0.4
# What a word counts by where the finding has it, the best place first.
PLACES = {"title": 1.0, "hook": 0.9, "scope": 0.7, "text": 0.45}
_NAMED = 0.9  # a whole title or quoted line in the question counts nearly as much as a whole question in the title
_QUOTED = 0.6  # the share of a quoted line that the question must have
_QUOTE = re.compile(r"`([^`\n]+)`")
_SENTENCES = re.compile(r"\n+|(?<=[.!?;])\s+|(?<=[。！？；])")
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


class Passage(NamedTuple):
    """A part of a question: the numbers of its words, and what they weigh together."""

    numbers: frozenset[int]
    total: float


def passages(question: str, asked: Sequence[Word], weights: Sequence[float]) -> list[Passage]:
    """Return the whole question, and each of its lines and sentences.

    Of an error text one line matters, and of a long plan one sentence.
    """
    numbers = {word.forms: number for number, word in enumerate(asked)}
    parts = {frozenset(range(len(asked)))}
    for sentence in _SENTENCES.split(question):
        inside = [word for word in words.asked(sentence) if word.forms in numbers]
        if sum(word.weight for word in inside) >= _SENTENCE_WORDS:
            parts.add(frozenset(numbers[word.forms] for word in inside))
    weighed = [Passage(part, sum(weights[number] for number in part)) for part in parts]
    return [passage for passage in weighed if passage.total]


def judge(
    take_apart: Callable[[], Document],
    asked: Sequence[Word],
    has: Sequence[int],
    weights: Sequence[float],
    parts: Sequence[Passage],
    needed: float = 0.0,
) -> Hit | None:
    """Return how well a document fits, and where it has which words; None for one that scores less than `needed`."""
    # The most that the words can give, wherever they stand: to take a text apart costs more than all the rest.
    answered = _answered(parts, weights, dict.fromkeys(has, "title"))
    named = _NAMED * certainty(sum(weights[number] for number in has))
    if round(max(answered, named), 3) < needed:
        return None
    document = take_apart()
    if round(max(answered, _named(document, asked, weights, has)), 3) < needed:
        return None
    fields = zip(PLACES, (document.title, f"{document.hook} {document.slug}", *document[3:]), strict=True)
    forms = [(place, words.forms(text)) for place, text in fields]
    found = ((number, [place for place, there in forms if not there.isdisjoint(asked[number].forms)]) for number in has)
    places = {number: best[0] for number, best in found if best}
    score = max(_answered(parts, weights, places), _named(document, asked, weights, list(places)))
    if round(score, 3) < needed:
        return None
    return Hit(document.slug, round(score, 3), score >= STRONG, _reasons(asked, weights, places))


def _answered(parts: Sequence[Passage], weights: Sequence[float], places: Mapping[int, str]) -> float:
    """Return how much of the question the finding has."""
    best = 0.0
    for passage in parts:
        shared = passage.numbers & places.keys()
        if shared:
            mass = sum(weights[number] for number in shared)
            gain = sum(weights[number] * PLACES[places[number]] for number in shared)
            best = max(best, gain / passage.total * certainty(mass))
    return best


def _named(document: Document, asked: Sequence[Word], weights: Sequence[float], has: Sequence[int]) -> float:
    """Return how much of the finding's title, or of a line that it quotes, the question has."""
    best = 0.0
    names = [(document.title or document.hook, 0.0), *((quote, _QUOTED) for quote in _QUOTE.findall(document.text))]
    for name, needed in names:
        mine, forms, total = _name(name)
        shared = [number for number in has if not forms.isdisjoint(asked[number].forms)]
        theirs = {form for number in shared for form in asked[number].forms}
        share = sum(word.weight for word in mine if not theirs.isdisjoint(word.forms)) / (total or 1)
        if total >= _NAME_WORDS and share >= needed:
            best = max(best, _NAMED * share * certainty(sum(weights[number] for number in shared)))
    return best


@lru_cache(maxsize=500)  # a server meets the same hooks at every save
def _name(name: str) -> tuple[tuple[Word, ...], frozenset[str], float]:
    """Return the words of a name, their forms, and what they weigh together."""
    mine = words.asked(name)
    return mine, frozenset(form for word in mine for form in word.forms), sum(word.weight for word in mine)


def certainty(mass: float) -> float:
    """Return how much words of this weight together prove: one rare word half, three of them three quarters.

    No finding that has no others of a question scores more.
    """
    return mass / (mass + 1)


def _reasons(asked: Sequence[Word], weights: Sequence[float], places: Mapping[int, str]) -> tuple[str, ...]:
    reasons = []
    for place in PLACES:
        there = [asked[number].text for number, where in places.items() if where == place and weights[number]]
        whole = [word for word in there if not any(word != other and word in other for other in there)]
        if whole:
            reasons.append(f"{place}: {', '.join(whole)}")
    return tuple(reasons)
