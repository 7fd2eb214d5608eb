"""Where the content of a path that is gone may be now."""

import pytest

from claudedo_findings import relocation
from claudedo_findings.relocation import Ground


def file(now: dict[str, str], old: set[str], shares: dict[str, float], path: str = "src/app.py") -> tuple[str, ...]:
    """Look for the file `path`, blob `1`; `old` paths were there at the stamp, `shares` say what a place keeps."""
    ground = Ground(now)
    return relocation.of_file(
        path, "1", ground, is_new=lambda place: place not in old, kept=lambda _, place: shares.get(place, 0.0)
    )


@pytest.mark.parametrize(
    ("now", "old", "shares", "places"),
    [
        ({}, set(), {}, ()),
        ({"lib/x.py": "1"}, set(), {}, ("lib/x.py",)),
        ({"lib/x.py": "1", "lib/y.py": "1"}, {"lib/x.py"}, {}, ("lib/y.py",)),
        ({"lib/x.py": "1"}, {"lib/x.py"}, {}, ("lib/x.py",)),
        ({"lib/app.py": "2"}, set(), {"lib/app.py": 0.5}, ("lib/app.py",)),
        ({"lib/app.py": "2"}, set(), {"lib/app.py": 0.49}, ()),
        ({"lib/app.py": "2"}, {"lib/app.py"}, {"lib/app.py": 0.9}, ()),
        ({"lib/other.py": "2"}, set(), {"lib/other.py": 0.9}, ()),
        ({"a/app.py": "2", "b/app.py": "3"}, set(), {"a/app.py": 0.6, "b/app.py": 0.8}, ("b/app.py",)),
        ({"a/app.py": "2", "b/app.py": "3"}, set(), {"a/app.py": 0.8, "b/app.py": 0.8}, ("a/app.py", "b/app.py")),
        ({"a/app.py": "2", "b/app.py": "3"}, {"a/app.py"}, {"a/app.py": 0.7, "b/app.py": 0.7}, ()),
        ({"a/app.py": "2", "b/app.py": "3"}, {"a/app.py"}, {"a/app.py": 0.6, "b/app.py": 0.7}, ("b/app.py",)),
    ],
)
def test_file(now: dict[str, str], old: set[str], shares: dict[str, float], places: tuple[str, ...]) -> None:
    assert file(now, old, shares) == places


def folder(files: dict[str, str], now: dict[str, str], old: set[str], shares: dict[str, float]) -> tuple[str, ...]:
    """Look for the folder `src` with these files."""
    return relocation.of_folder(
        "src",
        files,
        Ground(now),
        is_new=lambda place: place not in old,
        kept=lambda _, place: shares.get(place, 0.0),
    )


THREE = {"a.py": "1", "b.py": "2", "in/c.py": "3"}


@pytest.mark.parametrize(
    ("now", "old", "shares", "places"),
    [
        ({}, set(), {}, ()),
        ({"lib/a.py": "1", "lib/b.py": "2", "lib/in/c.py": "3"}, set(), {}, ("lib",)),
        ({"a.py": "1", "b.py": "2", "in/c.py": "3"}, set(), {}, (".",)),
        # Changed files go along with the ones that are the same.
        ({"lib/a.py": "1", "lib/b.py": "8", "lib/in/c.py": "9"}, set(), {"lib/b.py": 0.6}, ("lib",)),
        # Nothing is the same, but the inner paths are, and most lines.
        ({"lib/a.py": "7", "lib/b.py": "8"}, set(), {"lib/a.py": 0.6, "lib/b.py": 0.6}, ("lib",)),
        # One of three files says little.
        ({"lib/a.py": "1"}, set(), {}, ()),
        # What lay there before is no sign of a move.
        ({"lib/a.py": "1", "lib/b.py": "2", "lib/in/c.py": "3"}, {"lib/a.py", "lib/b.py", "lib/in/c.py"}, {}, ()),
        # A split names its parts.
        ({"x/a.py": "1", "y/b.py": "2"}, set(), {}, ("x", "y")),
        # Equal copies in many places are boilerplate.
        ({f"{place}/a.py": "1" for place in "pqrs"} | {"y/b.py": "2"}, set(), {}, ()),
    ],
)
def test_folder(now: dict[str, str], old: set[str], shares: dict[str, float], places: tuple[str, ...]) -> None:
    assert folder(THREE, now, old, shares) == places


def test_folder_whose_files_were_flattened_went_where_most_of_them_are() -> None:
    assert folder({"deep/a.py": "1", "deep/b.py": "2"}, {"lib/a.py": "1", "lib/b.py": "2"}, set(), {}) == ("lib",)
