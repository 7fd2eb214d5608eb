"""The words of a text, in the form in which they are compared: no model, no dictionary."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from claudedo_findings import vocabulary

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
# What stands between ASCII words: to split there takes half the time.
_BETWEEN = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
# After a digit only before a word: SHA1SUM in capitals is the word that sha1sum is.
_PARTS = re.compile(r"_+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])")
_GRAMMAR = re.compile(r"[\u3040-\u309f]+\Z")  # hiragana alone is mostly grammar
_DOUBLED = frozenset("bcdfghjklmnpqrstvwxyzбвгджзклмнпрстфхцчшщ")  # "committ" of "committed", "process"
_PLAIN = str.maketrans("äöü", "aou")
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Word(NamedTuple):
    """A word of a question: as it was written, the forms it is compared in, and whether it counts in full."""

    text: str
    forms: tuple[str, ...]
    weight: float


_NONE = Word("", ("",), 0.0)


def asked(text: str) -> tuple[Word, ...]:
    """Return the words of a question, each form once, without those that every text has (`the`, `und`, `для`)."""
    found: dict[str, Word] = {}
    for raw in _WORD.findall(_fold(text)):
        for word in _asked(raw):
            if word.weight > found.get(word.forms[0], _NONE).weight:
                found[word.forms[0]] = word
    return tuple(found.values())


def raw(text: str) -> list[str]:
    """Return the words of a text as they stand there, identifiers whole, without marks."""
    return text.translate(_BETWEEN).split() if text.isascii() else _WORD.findall(_fold(text))


def forms(text: str) -> frozenset[str]:
    """Return every form that a word of `text` has: what the forms of a question are looked up in."""
    return frozenset().union(*map(of_word, set(raw(text))))


def _fold(text: str) -> str:
    """Return text without marks, in one Unicode spelling."""
    if text.isascii():
        return text
    # The Turkish i without its dot is the one letter that becomes another when it is written in capitals.
    return unicodedata.normalize("NFC", _marks().sub("", unicodedata.normalize("NFKD", text))).replace("ı", "i")


@lru_cache(maxsize=8192)  # texts share their words
def of_word(raw: str) -> frozenset[str]:
    """Return the forms of one word of `raw`."""
    found: set[str] = set()
    for part in _split(raw):
        found.update(_pairs(part), part) if _is_cjk(part) else found.update(_stems(part))
    return frozenset(found)


@lru_cache(maxsize=2048)
def _asked(raw: str) -> tuple[Word, ...]:
    found: list[Word] = []
    latest = ""
    for part in _split(raw):
        if _is_cjk(part):
            # Pairs overlap, so that two of them say as much as one word.
            pairs = [pair for pair in _pairs(part) if pair not in vocabulary.EMPTY]
            found += [Word(pair, (pair,), 0.1 if _GRAMMAR.match(pair) else 0.5) for pair in pairs]
        elif (folded := part.casefold()) not in vocabulary.EMPTY:
            minor = folded.isdigit() or len(folded) == 1 or folded in latest  # the last: a part of an identifier
            latest = latest if folded in latest else folded
            found.append(Word(part, _stems(folded), 0.5 if minor else 1.0))
    return tuple(found)


def _split(raw: str) -> list[str]:
    """Return the words in one: an identifier whole and in its parts, what is glued to CJK apart from it."""
    found = []
    for piece in [raw] if raw.isascii() else filter(None, _cjk().split(raw)):
        plain = "_" not in piece and piece == piece.lower()  # nearly every one, which a pattern need not look at
        parts = [piece] if plain else [part for part in _PARTS.split(piece) if part]
        found += parts if len(parts) < 2 else ["".join(parts), *parts]
    return found


@cache
def _marks() -> re.Pattern[str]:
    # Marks of letters, but not the dots of a German umlaut: that has two spellings. The voicing of kana and the signs
    # of Indic scripts are letters to their readers.
    return re.compile(
        "(?<![aouAOU])\u0308|[\u0300-\u0307\u0309-\u036f\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff]"
    )


def _is_cjk(part: str) -> bool:
    return not part.isascii() and bool(_cjk().match(part))


@cache
def _cjk() -> re.Pattern[str]:
    # Compiled when it is needed, as the marks are: 3 ms, which the hook has not to spare.
    return re.compile(r"([\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)")


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _stems(word: str) -> tuple[str, ...]:
    """Return the forms of one word: its stem, and for an umlaut the stems of both spellings."""
    folded = word.casefold()
    if folded.isascii():
        return (_stem(folded),)
    return tuple(dict.fromkeys(map(_stem, (folded.translate(_PLAIN), folded.translate(_WRITTEN_OUT)))))


def _stem(word: str) -> str:
    stem = _without_ending(word)
    return stem[:-1] if stem[-1] in _DOUBLED and stem[-2:] == stem[-1] * 2 else stem


def _without_ending(word: str) -> str:
    cyrillic = "а" <= word[0] <= "я"
    endings, least = (vocabulary.CYRILLIC, 3) if cyrillic else (vocabulary.LATIN, 4)
    for size in range(min(vocabulary.LONGEST, len(word) - least), 0, -1) if word.isalpha() else ():
        if word[-size:] in endings:
            return word[:-size]
    return word
