"""Which findings fit a question, by their words: no model, and every hit says why."""

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from claudedo_findings import score, words
from claudedo_findings.score import Document, Hit
from claudedo_findings.sieve import Sieve
from claudedo_findings.words import Word

__all__ = ["LIMIT", "Document", "Hit", "everywhere", "search", "search_texts", "similar", "usable"]

LIMIT = 20
LONGEST = 20_000  # characters of a question
_JUDGED = 500  # findings; those with the most words of the question are looked at closely
_FEW = 10  # findings; so many may share a word however small the store is
# A server meets the same hooks at every save: what their words are is remembered, for stores of usual size.
_SHORT = 250  # characters; a slug and a hook
_REMEMBERED = 500  # texts, a few KiB each


class _Found(NamedTuple):
    """A text with words of the question: which of the texts, and the numbers of the words."""

    at: int
    has: list[int]


class _Fits(dict[str, tuple[int, ...]]):
    """The numbers of the words of the question that a word of a text fits, found once for each word of all texts."""

    def __init__(self, asked: Sequence[Word]) -> None:
        self._numbers: dict[str, list[int]] = {}
        for number, word in enumerate(asked):
            for form in word.forms:
                self._numbers.setdefault(form, []).append(number)
        self.look_for(asked)

    def look_for(self, asked: Iterable[Word]) -> None:
        """Look for no other words from now on."""
        self.sieve = Sieve([form for word in asked for form in word.forms])

    def __missing__(self, raw: str) -> tuple[int, ...]:
        shared = words.of_word(raw) & self._numbers.keys() if self.sieve.word(raw) else ()
        numbers = self[raw] = tuple(number for form in shared for number in self._numbers[form])
        return numbers


def search(
    question: str, documents: Sequence[Document], limit: int = LIMIT, least: float = score.WEAK
) -> tuple[Hit, ...]:
    """Return the findings that fit a question, a planned step or an error text, the best first.

    Of a long text the end counts. Nothing when it has no usable words: `usable` tells the two apart.
    """
    return search_texts(question, ["\n".join(each) for each in documents], documents.__getitem__, limit, least)


def search_texts(
    question: str,
    texts: Sequence[str],
    document: Callable[[int], Document],
    limit: int = LIMIT,
    least: float = score.WEAK,
) -> tuple[Hit, ...]:
    """Return what `search` returns, for whole texts of findings; `document` takes those that matter apart.

    That is what makes 10,000 files fast. What stands in a text and not in its document does not count.
    """
    asked = words.asked(question[-LONGEST:])
    found, weights = _weigh(asked, texts)
    parts = score.passages(question[-LONGEST:], asked, weights)
    masses = ((sum(weights[number] for number in each.has), each) for each in found)
    hits: list[Hit] = []
    needed = [least] * limit  # to be among the answers: the least of the best scores so far comes first
    for mass, (at, has) in heapq.nlargest(_JUDGED, (pair for pair in masses if pair[0])):
        if round(score.certainty(mass), 3) < needed[0]:
            break  # what the words prove is the most that their places can make of them
        hit = score.judge(partial(document, at), asked, has, weights, parts, needed[0])
        if hit:
            hits.append(hit)
            heapq.heappushpop(needed, hit.score)
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.slug))[:limit])


def usable(question: str) -> bool:
    """Return whether a question has a word that can be looked for."""
    return bool(words.asked(question[-LONGEST:]))


def everywhere(question: str, texts: Sequence[str]) -> bool:
    """Return whether a question has no words but those that most of the findings have, which tell none apart."""
    asked = words.asked(question[-LONGEST:])
    return bool(asked) and not any(_weigh(asked, texts)[1])


def similar(title: str, hooks: Mapping[str, str]) -> tuple[str, ...]:
    """Return the slugs whose hooks say much the same as `title`, the closest first, at most 3."""
    if len(words.asked(title)) < 2:  # one word is a topic, not a trap
        return ()
    documents = [Document(slug, hook=hook) for slug, hook in hooks.items()]
    return tuple(hit.slug for hit in search(title, documents, limit=3, least=score.SIMILAR))


def _weigh(asked: Sequence[Word], texts: Sequence[str]) -> tuple[list[_Found], list[float]]:
    """Return which texts have words of the question, and what each word weighs."""
    most = max(_FEW, len(texts) // 2)
    spread = [0] * len(asked)
    fits = _Fits(asked)
    found = []
    for at, text in enumerate(texts):
        if len(text) <= _SHORT and len(texts) <= _REMEMBERED:
            there = _forms(text)
            has = {number for number, word in enumerate(asked) if not there.isdisjoint(word.forms)}
        elif fits.sieve.text(text):
            has = set().union(*filter(None, map(fits.__getitem__, words.raw(text))))
        else:
            continue
        for number in has:
            spread[number] += 1
            if spread[number] == most + 1:  # a word of most findings weighs nothing: it is not looked for any more
                fits.look_for(word for word, times in zip(asked, spread, strict=True) if times <= most)
        if has:
            found.append(_Found(at, sorted(has)))
    if max(spread, default=0) > most:
        rare = ((at, [number for number in has if spread[number] <= most]) for at, has in found)
        found = [_Found(at, has) for at, has in rare if has]
    rarities = (_rarity(times, len(texts)) if times <= most else 0.0 for times in spread)
    return found, [word.weight * rarity for word, rarity in zip(asked, rarities, strict=True)]


@lru_cache(maxsize=_REMEMBERED)
def _forms(text: str) -> frozenset[str]:
    return words.forms(text)


def _rarity(times: int, count: int) -> float:
    """Return what a word weighs that `times` of `count` findings have: 1 for one of a single finding."""
    return math.log((count + 10) / max(2, times + 1)) / math.log((count + 10) / 2)
