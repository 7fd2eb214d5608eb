"""The words of a text, in the form in which they are compared: no model, no dictionary."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_ASCII_WORD = re.compile(r"[a-zA-Z0-9]+(?:_+[a-zA-Z0-9]+)*")  # the same, in half the time
_PARTS = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CJK = re.compile(r"([\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)")
_GRAMMAR = re.compile(r"[\u3040-\u309f]+\Z")  # hiragana alone is mostly grammar
# Marks of letters, but not the dots of a German umlaut: that has two spellings. The voicing of kana and the signs of
# Indic scripts are letters to their readers.
_MARKS = re.compile(
    "(?<![aouAOU])\u0308|[\u0300-\u0307\u0309-\u036f\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff]"
)
# Endings of English and German, and of Russian: "fails", "failed" and "failing" are one word. No grammar, but what is
# left, four letters (Cyrillic three) or more, is the same for most forms of a word and for few others.
_LATIN = re.compile(
    r"([a-z]{4,}?)(?:ations?|at(?:e[sd]?|ing|ors?)|ions?|(?:er|en)?(?:ing|ed)s?|ying|ied|ies|edly|ly|ungen|ung|e[rmn]s?|ern"
    r"|es?|(?<!s)s|y)?\Z"
)
_CYRILLIC_LETTER = re.compile("[а-я]")
_CYRILLIC = re.compile(
    r"([а-я]{3,}?)(?:иями|[яа]ми|[иыо]м[иу]|[ое]го|[ое]му|[аяеиу]ть(?:ся)?|[аяеиу][юе]?тся|[аяеиу]?[юе]т|[аяи]л[аои]?(?:сь)?|[аяи]лся"
    r"|[ое]в|[еоыи]и|[аяоеыи]м|[аяыи]х|[ая]я|[оеыи]е|[ую]ю|и[яюе]|ешь|[аяуию]т|с[яь]|ть|[аяоеыиуюь])?\Z"
)
_DOUBLED = re.compile(r"([b-df-hj-np-tv-zб-джзк-нп-тф-щ])\1\Z")  # "committ" of "committed" and "commit"
_PLAIN = str.maketrans("äöü", "aou")
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_STOP = frozenset(
    re.findall(
        r"\w+",
        """
    a about after all also an and any are as at be because been before but by can cannot could did do does doing
    for from get gets had has have how i if in instead into is it its just let like me more my no nor not of off
    on only or other our out over own same should so some than that the their them then there these they this
    those through to too up us very want was we were what when where which while who why will with without would
    you your aber alle als am auch auf aus bei beim bis da damit dann das dass dem den denn der des die dies
    diese dieser doch durch ein eine einem einen einer eines er es fuer für hat haben ich ihr im ist ja jede
    jeder kann kein keine man mehr mit nach nicht noch nur ob oder ohne schon sein seit sich sie sind soll statt
    über ueber um und uns unter vom von vor war warum weil wenn wer werden wie wieder wir wird wo wurde zu zum
    zur а без бы был была были было быть в вам вас во вот все где даже для до его если ее есть еще же за здесь и
    из или им их к как когда ли мы на над не нет ни но о об от по под при про с со так также там то того тоже
    только у уже чем что чтобы эта эти это этого этот я
    没有 不会 不能 一个 这个 可以 因为 如果 时候 之后 导致 必须 需要 使用 怎么 什么 为何
    """,
    )
)


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


def raw(text: str) -> set[str]:
    """Return the words of a text as they stand there, identifiers whole, without marks."""
    return set((_ASCII_WORD if text.isascii() else _WORD).findall(_fold(text)))


def forms(text: str) -> frozenset[str]:
    """Return every form that a word of `text` has: what the forms of a question are looked up in."""
    return frozenset().union(*map(of_word, raw(text)))


def _fold(text: str) -> str:
    """Return text without marks, in one Unicode spelling."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text)))


@lru_cache(maxsize=8192)  # texts share their words
def of_word(raw: str) -> frozenset[str]:
    """Return the forms of one word of `raw`."""
    found: set[str] = set()
    for part in _split(raw):
        found.update(_pairs(part), part) if _CJK.match(part) else found.update(_stems(part))
    return frozenset(found)


def _asked(raw: str) -> list[Word]:
    found = []
    latest = ""
    for part in _split(raw):
        if _CJK.match(part):
            # Pairs overlap, so that two of them say as much as one word.
            pairs = [pair for pair in _pairs(part) if pair not in _STOP]
            found += [Word(pair, (pair,), 0.1 if _GRAMMAR.match(pair) else 0.5) for pair in pairs]
        elif (folded := part.casefold()) not in _STOP:
            minor = folded.isdigit() or len(folded) == 1 or folded in latest  # the last: a part of an identifier
            latest = latest if folded in latest else folded
            found.append(Word(part, _stems(folded), 0.5 if minor else 1.0))
    return found


def _split(raw: str) -> list[str]:
    """Return the words in one: an identifier whole and in its parts, what is glued to CJK apart from it."""
    found = []
    for piece in [raw] if raw.isascii() else filter(None, _CJK.split(raw)):
        parts = [part for part in _PARTS.split(piece) if part]
        found += parts if len(parts) < 2 else ["".join(parts), *parts]
    return found


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _stems(word: str) -> tuple[str, ...]:
    """Return the forms of one word: its stem, and for an umlaut the stems of both spellings."""
    folded = word.casefold()
    endings = _CYRILLIC if _CYRILLIC_LETTER.match(folded) else _LATIN
    spellings = (folded,) if folded.isascii() else (folded.translate(_PLAIN), folded.translate(_WRITTEN_OUT))
    stems = ((found[1] if (found := endings.match(spelling)) else spelling) for spelling in spellings)
    return tuple(dict.fromkeys(_DOUBLED.sub(r"\1", stem) for stem in stems))
