"""Who was promised what. Every text carries a token of its own, so that at the end each can be looked for."""

import itertools
import json
import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TOKEN = re.compile(r"tk[0-9a-f]{8}")
# Texts of one finding that the tool itself may replace in a run: below the ten that its history keeps, so that no text
# is ever pruned and each one must be found.
REPLACEMENTS = 8


@dataclass(frozen=True, kw_only=True)
class Promise:
    """A text that was acknowledged, or that a hand wrote: its token and the finding it stands in."""

    token: str
    slug: str
    by: str


@dataclass
class Journal:
    """The promises of one run, in a file too, for a look at what went wrong."""

    path: Path
    promises: list[Promise] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """How long each acknowledged save took."""
    counts: Counter[str] = field(default_factory=Counter)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    _replaced: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def token(self) -> str:
        """Return a token that no other text has."""
        return f"tk{next(self._numbers):08x}"

    def promise(self, token: str, slug: str, by: str, seconds: float | None = None) -> None:
        """Note that a text with this token must not be lost from now on."""
        with self._lock:
            self.promises.append(Promise(token=token, slug=slug, by=by))
            self.counts[by] += 1
            if seconds is not None:
                self.seconds.append(seconds)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"token": token, "slug": slug, "by": by}) + "\n")

    def count(self, what: str) -> None:
        """Count something that happened."""
        with self._lock:
            self.counts[what] += 1

    def may_replace(self, *slugs: str) -> bool:
        """Return whether the tool may replace a text of each of these findings once more, and note that it does."""
        with self._lock:
            if any(self._replaced[slug] >= REPLACEMENTS for slug in slugs):
                return False
            self._replaced.update(slugs)
            return True


def tokens(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """Return the files in which each token stands."""
    found: dict[str, list[Path]] = {}
    for path in paths:
        for token in set(TOKEN.findall(path.read_bytes().decode("utf-8", "replace"))):
            found.setdefault(token, []).append(path)
    return found


def lost(promises: Iterable[Promise], kept: Mapping[str, object], deleted: Mapping[str, object]) -> list[Promise]:
    """Return the promises whose text is neither in the store nor among what the human deleted knowingly."""
    return [promise for promise in promises if promise.token not in kept and promise.token not in deleted]
