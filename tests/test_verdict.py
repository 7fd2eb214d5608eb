"""What a scope's drift means, in six words."""

import re
from pathlib import Path

import pytest

from claudedo_findings import verdict
from claudedo_findings.drift import Drift
from claudedo_findings.verdict import Verdict

SO_FAR = Verdict(slug="a", word="unknown", why="", scope="src")
README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("found", "folder", "word", "why"),
    [
        (Drift(lines=1000, gone=0), False, "fresh", "touched, none of its lines is gone"),
        (Drift(lines=1000, gone=9), False, "fresh", "touched, under 1 % of its lines are gone"),
        (Drift(lines=1000, gone=199), False, "fresh", "touched, 19 % of its lines are gone"),
        (Drift(lines=1000, gone=200), False, "changed", "20 % of its lines are gone"),
        (Drift(lines=1000, gone=299), True, "fresh", "touched, 29 % of its lines are gone"),
        (Drift(lines=1000, gone=300), True, "changed", "30 % of its lines are gone"),
        (
            Drift(lines=3, gone=1, symbols_gone=("f",)),
            False,
            "changed",
            "`f` stood there and is gone; 33 % of its lines are gone",
        ),
        (Drift(lines=9, symbols_gone=("f", "g")), True, "changed", "`f`, `g` stood there and are gone"),
        (Drift(opaque=True), False, "changed", "it is another file now, and its lines cannot be compared"),
        (Drift(), False, "fresh", "touched, none of its lines is gone"),
    ],
)
def test_scope_that_is_still_there(found: Drift, folder: bool, word: str, why: str) -> None:
    judged = verdict.drifted(SO_FAR, found, folder=folder)
    assert (judged.word, judged.why, judged.scope) == (word, why, "src")


@pytest.mark.parametrize(
    ("places", "gone", "folder", "word", "why"),
    [
        ((), 0, False, "gone", "the file is gone, and nothing like it remains"),
        ((), 0, True, "gone", "the folder is gone, and nothing like it remains"),
        (("b",), 0, False, "moved", "the file is now b"),
        (("b",), 40, False, "moved", "the file is now b; changed too: 40 % of its lines are gone"),
        (("b", "c"), 0, False, "moved", "it may now be any of b, c"),
        (("b", "c", "d", "e", "f"), 0, True, "moved", "its files are now in b, c, d and 2 more"),
        (("b",), 80, True, "moved", "the folder is now b; changed too: 80 % of its lines are gone"),
        (("b", "c"), 51, True, "gone", "the folder is gone, and nothing like it remains"),
    ],
)
def test_scope_whose_path_is_gone(places: tuple[str, ...], gone: int, folder: bool, word: str, why: str) -> None:
    judged = verdict.elsewhere(SO_FAR, places, Drift(lines=100, gone=gone), folder=folder)
    assert (judged.word, judged.why) == (word, why)
    assert judged.places == (places if word == "moved" else ())


def test_the_worst_comes_first_and_equals_by_what_is_gone() -> None:
    words = ("fresh", "unknown", "expired", "moved", "changed", "gone")
    mixed = [Verdict(slug="s", word=word, why="") for word in words]
    mixed += [
        Verdict(slug="b", word="changed", why="", percent=90),
        Verdict(slug="a", word="changed", why="", percent=90),
    ]
    ordered = [(found.word, found.slug) for found in sorted(mixed, key=verdict.rank)]
    assert ordered == [
        ("gone", "s"),
        ("changed", "a"),
        ("changed", "b"),
        ("changed", "s"),
        ("moved", "s"),
        ("expired", "s"),
        ("unknown", "s"),
        ("fresh", "s"),
    ]


def test_readme_names_every_word_and_the_thresholds() -> None:
    for word in verdict.WORST_FIRST:
        assert f"\n| `{word}` |" in README
    shares = f"at least {verdict.FILE_SHARE:.0%} of a file's, {verdict.FOLDER_SHARE:.0%} of a folder's".replace(
        "%", " %"
    )
    assert shares in re.sub(r"\s+", " ", README)
