"""The labelled corpus of tests/data, and what a search makes of it: recall and false hits, in two halves."""

import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from claudedo_findings import index, match

DATA = Path(__file__).parent / "data"
TOP = 5


class Question(NamedTuple):
    """A question, what it must find ("" for nothing), and whether it is held out from tuning."""

    text: str
    wants: str
    language: str
    kind: str
    held_out: bool


class Figures(NamedTuple):
    """What a search made of questions: how many there are, and for how many it was right or wrong."""

    answerable: int
    found: int
    """The wanted finding is among the first five."""
    found_strong: int
    unanswerable: int
    false_weak: int
    """Questions without an answer that got a weak hit, and no strong one."""
    false_strong: int
    wrong_strong: int
    """Strong hits on questions with an answer that are not that answer."""

    def __str__(self) -> str:
        return (
            f"recall at {TOP} {self.found}/{self.answerable}, strong {self.found_strong}/{self.answerable};"
            f" false on {self.unanswerable}: weak {self.false_weak}, strong {self.false_strong};"
            f" wrong strong {self.wrong_strong}"
        )


Search = Callable[[str], Sequence[tuple[str, bool]]]
"""From a question to the slugs it finds, the best first, each with whether it is a strong hit."""


def documents() -> list[match.Document]:
    """Return the findings of the corpus."""
    return [
        match.Document(row["slug"], row["title"], index.hook(row["title"]), row["scope"], row["body"])
        for row in _rows("search_findings.toml", "finding")
    ]


def questions() -> list[Question]:
    """Return the questions to `check` and to the hook."""
    return _halved(
        Question(row["text"], row["wants"], row["language"], row["kind"], held_out=False)
        for row in _rows("search_questions.toml", "questions")
    )


def titles() -> list[Question]:
    """Return titles of new findings, each with the finding that says much the same."""
    return _halved(
        Question(row["text"], row["same"], row["language"], "same" if row["same"] else "other", held_out=False)
        for row in _rows("search_titles.toml", "titles")
    )


def measure(search: Search, asked: Sequence[Question]) -> Figures:
    """Return what a search makes of questions."""
    sums: Counter[str] = Counter()
    for question in asked:
        hits = search(question.text)
        strong = [slug for slug, is_strong in hits if is_strong]
        if question.wants:
            sums["answerable"] += 1
            sums["found"] += question.wants in [slug for slug, _ in hits[:TOP]]
            sums["found_strong"] += question.wants in strong
            sums["wrong_strong"] += len([slug for slug in strong if slug != question.wants])
        else:
            sums["unanswerable"] += 1
            sums["false_strong"] += bool(strong)
            sums["false_weak"] += bool(hits) and not strong
    return Figures(**{name: sums[name] for name in Figures._fields})


def ours(question: str) -> Sequence[tuple[str, bool]]:
    """Search the corpus with this project's own scorer."""
    return [(hit.slug, hit.strong) for hit in match.search(question, documents())]


def _rows(name: str, key: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((DATA / name).read_text(encoding="utf-8"))[key]
    return rows


def _halved(asked: Any) -> list[Question]:
    """Hold out every second question of a language and kind."""
    seen: Counter[tuple[str, str]] = Counter()
    halved = []
    for question in asked:
        group = question.language, question.kind
        halved.append(question._replace(held_out=seen[group] % 2 == 1))
        seen[group] += 1
    return halved
