"""A path is found in the project from every place it can be named from."""

from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import spot
from claudedo_findings.errors import FindingsError
from tests.conftest import git, make_repo


@pytest.fixture
def worktree(repo: Path, tmp_path: Path) -> Path:
    """A linked worktree of `repo`."""
    git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    return tmp_path / "linked"


@pytest.mark.parametrize(
    ("cwd", "path", "place"),
    [
        (".", "src/app.py", "src/app.py"),
        (".", "./src//app.py", "src/app.py"),
        (".", "src/", "src"),
        (".", ".", "."),
        ("src", "app.py", "src/app.py"),
        ("src", "..", "."),
        ("src", "src/app.py", "src/app.py"),
        ("src", "new.py", "src/new.py"),
        (".", "gone/too.py", "gone/too.py"),
        ("src", "src/new.py", "src/new.py"),
        ("..", "repo/src/app.py", "src/app.py"),
        ("..", "src/app.py", "src/app.py"),
        ("..", "src/new.py", "src/new.py"),
        ("..", ".", "."),
    ],
)
def test_path_is_relative_to_the_root(repo: Path, cwd: str, path: str, place: str) -> None:
    places = door.places(str(repo))
    assert spot.in_project(path, str((repo / cwd).resolve()), places) == place


def test_absolute_path_works_from_anywhere(repo: Path) -> None:
    places = door.places(str(repo))
    assert spot.in_project(str(repo / "src" / "app.py"), "/", places) == "src/app.py"


@pytest.mark.parametrize(("cwd", "path"), [(".", "src/app.py"), ("src", "app.py"), ("src", "src/app.py")])
def test_linked_worktree_means_the_same_place(repo: Path, worktree: Path, cwd: str, path: str) -> None:
    places = door.places(str(worktree))
    assert spot.in_project(path, str(worktree / cwd), places) == "src/app.py"
    assert spot.in_project(str(worktree / "src" / "new.py"), str(repo), places) == "src/new.py"


def test_worktree_below_the_main_checkout_is_no_folder_of_it(repo: Path) -> None:
    git(repo, "worktree", "add", "-q", "trees/one")
    places = door.places(str(repo))
    assert spot.in_project("trees/one/src/app.py", str(repo), places) == "src/app.py"


def test_list_of_a_sub_folder_has_scopes_of_its_own(repo: Path, worktree: Path) -> None:
    places = door.places(str(repo / "src"))
    assert places.prefix == "src"
    for checkout in (repo, worktree):
        assert spot.in_project(str(checkout / "src" / "app.py"), "/", places) == "app.py"
        assert spot.in_project(str(checkout), "/", places) == "."


def test_submodule_is_a_folder_of_the_project(repo: Path, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    git(repo, "submodule", "add", "-q", str(other), "vendor/other")
    assert spot.in_project("vendor/other/src/app.py", str(repo), door.places(str(repo))) == "vendor/other/src/app.py"


def test_project_without_git(tmp_path: Path) -> None:
    (tmp_path / "plain" / "docs").mkdir(parents=True)
    places = door.places(str(tmp_path / "plain"))
    assert spot.in_project("a.md", str(tmp_path / "plain" / "docs"), places) == "docs/a.md"


@pytest.mark.parametrize("path", ["/etc/passwd", "../other/src/app.py", "src/../../x"])
def test_path_outside_the_project_is_refused(repo: Path, path: str) -> None:
    with pytest.raises(FindingsError, match="lies outside the project"):
        spot.in_project(path, str(repo), door.places(str(repo)))
