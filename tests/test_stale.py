"""Verdicts on histories that a test builds: real git, no network, whatever the clone."""

import os
import shutil
from datetime import date
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import stale
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from claudedo_findings.verdict import Verdict
from tests.conftest import git, make_repo

TODAY = date(2026, 6, 1)
ODD = 'lib/über uns/it\'s "quoted" & $odd -> [x].py'


def lines(count: int, of: str = "code") -> str:
    """Return a file of so many lines, each unlike every other."""
    return "".join(f"{of} in line {number}\n" for number in range(count))


class Project:
    """A repository with a store; `sub` is the store's folder in it."""

    def __init__(self, root: Path, sub: str = "") -> None:
        self.root = root
        self.folder = root / sub

    def write(self, path: str, text: str) -> None:
        """Write a file of the store's folder."""
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def commit(self) -> None:
        """Commit whatever changed."""
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "work")

    @property
    def store(self) -> Store:
        """The store, opened anew."""
        return Store(door.places(str(self.folder)))

    def note(self, slug: str, scope: str, body: str = "Text.", **keys: str) -> None:
        """Save a finding with HEAD as its stamp."""
        stamp = keys.pop("stamp", None)
        store = self.store
        store.save(
            Finding(
                slug=slug,
                title="A trap",
                body=body,
                scope=scope,
                verified_against=store.places.head if stamp is None else stamp,
                notes=keys,
            ),
            keep_scope=False,
        )

    def verdicts(self) -> dict[str, Verdict]:
        """Return every verdict by its slug."""
        return {verdict.slug: verdict for verdict in stale.verdicts(self.store, TODAY)}

    def verdict(self) -> Verdict:
        """Return the verdict on the only finding."""
        (only,) = self.verdicts().values()
        return only

    def said(self) -> tuple[str, str]:
        """Return word and reason of the only finding's verdict."""
        return self.verdict().word, self.verdict().why


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with a file and a folder of code."""
    made = Project(make_repo(tmp_path / "repo"))
    made.write("src/app.py", lines(100))
    made.write("src/other.py", lines(100, "other"))
    made.commit()
    return made


def test_untouched_file_is_fresh_whatever_else_changed(project: Project) -> None:
    project.note("a", "src/app.py")
    project.write("src/other.py", lines(3))
    project.commit()
    assert project.said() == ("fresh", "untouched")


def test_file_touched_by_five_percent_is_fresh_and_says_so(project: Project) -> None:
    project.note("a", "src/app.py")
    project.write("src/app.py", lines(95) + lines(5, "new"))
    project.commit()
    assert project.said() == ("fresh", "touched, 5 % of its lines are gone")


@pytest.mark.parametrize(("kept", "word", "percent"), [(81, "fresh", 19), (80, "changed", 20), (60, "changed", 40)])
def test_file_is_changed_from_a_fifth_of_its_lines_on(project: Project, kept: int, word: str, percent: int) -> None:
    project.note("a", "src/app.py")
    project.write("src/app.py", lines(kept) + lines(50, "new"))
    project.commit()
    found = project.verdict()
    assert (found.word, found.percent) == (word, percent)
    assert f"{percent} % of its lines are gone" in found.why


@pytest.mark.parametrize(("kept", "word", "percent"), [(42, "fresh", 29), (40, "changed", 30)])
def test_folder_is_changed_from_three_tenths_of_its_lines_on(
    project: Project, kept: int, word: str, percent: int
) -> None:
    project.note("a", "src")
    project.write("src/app.py", lines(kept))
    project.commit()
    found = project.verdict()
    assert (found.word, found.percent) == (word, percent)


def test_lines_that_move_or_are_indented_anew_are_not_gone(project: Project) -> None:
    project.note("a", "src/app.py")
    turned = reversed(lines(100).splitlines())
    project.write("src/app.py", "".join(f"\t\t{line}\r\n" for line in turned))
    project.commit()
    assert project.said() == ("fresh", "touched, none of its lines is gone")


def test_named_symbol_that_left_the_scope_makes_it_changed(project: Project) -> None:
    project.write("src/app.py", f"{lines(100)}def frozen_clock(): ...\n")
    project.commit()
    project.note("a", "src/app.py", "Never call `Clock.frozen_clock()` there, nor `unknown_name`.")
    project.write("src/app.py", f"{lines(100)}def thawed_clock(): ...\n")
    project.commit()
    found = project.verdict()
    assert (found.word, found.why) == ("changed", "`frozen_clock` stood there and is gone")
    assert found.symbols_gone == ("frozen_clock",)


def test_symbol_that_moved_inside_the_scope_is_not_gone(project: Project) -> None:
    project.write("src/app.py", f"{lines(100)}def frozen_clock(): ...\n")
    project.commit()
    project.note("folder", "src", "See `frozen_clock`.")
    project.write("src/app.py", lines(100))
    project.write("src/other.py", f"{lines(100, 'other')}def frozen_clock(): ...\n")
    project.commit()
    assert project.verdict().word == "fresh"


def test_symbol_that_still_stands_in_an_untouched_file_is_not_gone(project: Project) -> None:
    project.write("src/app.py", f"{lines(100)}frozen_clock()\n")
    project.write("src/other.py", f"{lines(100, 'other')}def frozen_clock(): ...\n")
    project.commit()
    project.note("folder", "src", "See `frozen_clock`.")
    project.write("src/app.py", lines(100))
    project.commit()
    assert project.verdict().word == "fresh"


def test_renamed_file_is_moved_and_names_the_place(project: Project) -> None:
    project.note("a", "src/app.py")
    (project.folder / "lib").mkdir()
    git(project.root, "mv", "src/app.py", "lib/start.py")
    project.commit()
    found = project.verdict()
    assert (found.word, found.why, found.places) == ("moved", "the file is now lib/start.py", ("lib/start.py",))


def test_file_that_moved_and_changed_says_both(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("lib/app.py", lines(60))
    project.commit()
    found = project.verdict()
    assert (found.word, found.percent, found.places) == ("moved", 40, ("lib/app.py",))
    assert found.why == "the file is now lib/app.py; changed too: 40 % of its lines are gone"


def test_new_file_of_the_same_name_with_less_than_half_of_the_lines_is_another_file(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("lib/app.py", lines(49) + lines(51, "new"))
    project.commit()
    assert project.said() == ("gone", "the file is gone, and nothing like it remains")


def test_old_file_of_the_same_name_is_not_where_a_file_moved(project: Project) -> None:
    project.write("lib/app.py", lines(99))
    project.commit()
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.commit()
    assert project.verdict().word == "gone"


def test_several_equal_places_are_all_named(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("one/app.py", lines(100))
    project.write("two/app.py", lines(100))
    project.commit()
    assert project.said() == ("moved", "it may now be any of one/app.py, two/app.py")


def test_renamed_folder_is_moved(project: Project) -> None:
    project.note("a", "src")
    git(project.root, "mv", "src", "lib")
    project.commit()
    assert project.said() == ("moved", "the folder is now lib")


def test_split_folder_names_the_parts(project: Project) -> None:
    project.note("a", "src")
    for name in ("front", "back"):
        (project.folder / name).mkdir()
    git(project.root, "mv", "src/app.py", "front/app.py")
    git(project.root, "mv", "src/other.py", "back/other.py")
    project.commit()
    found = project.verdict()
    assert (found.word, sorted(found.places)) == ("moved", ["back", "front"])


def test_deleted_file_and_folder_are_gone(project: Project) -> None:
    project.note("file", "src/app.py")
    project.note("folder", "src")
    git(project.root, "rm", "-q", "-r", "src")
    project.commit()
    assert {slug: found.word for slug, found in project.verdicts().items()} == {"file": "gone", "folder": "gone"}


def test_emptied_init_file_is_gone_not_any_other_empty_file(project: Project) -> None:
    project.write("src/__init__.py", "")
    project.write("lib/__init__.py", "")
    project.commit()
    project.note("a", "src/__init__.py")
    git(project.root, "rm", "-q", "src/__init__.py")
    project.write("new/__init__.py", "")
    project.commit()
    assert project.verdict().word == "gone"


def test_file_times_never_count(project: Project, tmp_path: Path) -> None:
    project.note("a", "src/app.py")
    project.note("b", "src")
    before = project.verdicts()
    for path in project.folder.rglob("*.py"):
        os.utime(path, (4e9, 4e9))
    assert project.verdicts() == before
    git(project.root, "checkout", "-q", "-b", "side")
    git(project.root, "checkout", "-q", "main")
    git(tmp_path, "clone", "-q", str(project.root), "clone")
    shutil.copytree(project.folder / ".claudedo", tmp_path / "clone" / ".claudedo")
    assert Project(tmp_path / "clone").verdicts() == before
    assert {found.word for found in before.values()} == {"fresh"}
    project.write("src/app.py", "rewritten\n")
    assert project.verdicts() == before  # not committed, so HEAD still holds what was confirmed
    project.commit()
    assert {found.word for found in project.verdicts().values()} == {"changed"}
