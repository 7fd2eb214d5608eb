"""How alike two texts are, by their words: no model, and every answer can say why."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

# Weighted share of the shorter text's words that both hold. Measured on the project's own test sentences:
# paraphrases of one trap lie above it, traps about the same file below it.
SIMILAR = 0.6
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+")
_STOP = frozenset(
    re.findall(r"\w+", "a an and are as at be but by for from in is it its not of on or so that the then to was with")
)


@lru_cache(maxsize=1024)  # a server meets the same hooks at every save
def words(text: str) -> frozenset[str]:
    """Return the words of `text`: case and marks folded, CJK runs as pairs of characters, common words left out."""
    folded = text.casefold()
    if folded.isascii():  # nothing to fold or to cut up, and most text is
        return frozenset(_WORD.findall(folded)) - _STOP
    decomposed = unicodedata.normalize("NFKD", folded)
    folded = unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))
    found: set[str] = set()
    for word in _WORD.findall(folded):
        for run in _CJK.findall(word):
            found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        found.update(part for part in _CJK.split(word) if part and part not in _STOP)
    return frozenset(found)


def similar(title: str, hooks: Mapping[str, str]) -> tuple[str, ...]:
    """Return the slugs whose hooks say much the same as `title`, the closest first, at most 3."""
    wanted = words(title)
    texts = {slug: words(hook) for slug, hook in hooks.items()}
    spread = Counter(word for text in texts.values() for word in text)
    # A word of few hooks tells more than one of many.
    weights = {word: math.log(1 + (len(texts) + 1) / (1 + spread[word])) for word in (*spread, *wanted)}
    mine = sum(map(weights.__getitem__, wanted))
    scored = []
    for slug, text in texts.items():
        shared = wanted & text
        if len(shared) >= 2:
            smaller = min(mine, sum(map(weights.__getitem__, text)))
            score = sum(map(weights.__getitem__, shared)) / smaller
            if score >= SIMILAR:
                scored.append((-score, slug))
    return tuple(slug for _, slug in sorted(scored)[:3])
