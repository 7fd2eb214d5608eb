"""open: the store in the programs of the user, which record what they were given."""

import json
import os
from pathlib import Path

import pytest

from tests.test_cli import SAVE, run


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the programs that are started note their name and arguments."""
    programs, record = tmp_path / "programs", tmp_path / "opened"
    programs.mkdir()
    for name in ("xdg-open", "code"):
        (programs / name).write_text(f"#!/bin/sh\nprintf '%s\\n' {name} \"$@\" >>'{record}'\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return record


@pytest.mark.parametrize(
    ("arguments", "program", "below"),
    [
        ((), "xdg-open", ""),
        (("--code",), "code", ""),
        (("clock-skew",), "xdg-open", "/traps/clock-skew.md"),
        (("Clock_Skew.md", "--code"), "code", "/traps/clock-skew.md"),
    ],
)
def test_open_starts_one_program_with_one_path(
    listed: Path, opened: Path, arguments: tuple[str, ...], program: str, below: str
) -> None:
    run(*SAVE, cwd=listed)
    path = f"{listed}/.claudedo{below}"
    assert run("open", *arguments, cwd=listed) == (0, f"opened: {path}\n", "")
    assert opened.read_text().splitlines() == [program, path]
    assert json.loads(run("open", *arguments, "--json", cwd=listed)[1]) == {"list": "app", "opened": path}


def test_open_without_a_store_says_so_and_creates_nothing(listed: Path, opened: Path) -> None:
    code, out, err = run("open", cwd=listed)
    assert (code, out) == (1, "")
    assert "there is no such folder yet" in err
    assert not opened.exists()
    assert not (listed / ".claudedo").exists()


def test_open_of_an_unknown_slug_names_a_near_one(listed: Path, opened: Path) -> None:
    run(*SAVE, cwd=listed)
    code, _, err = run("open", "clock", cwd=listed)
    assert code == 1
    assert "there is clock-skew" in err
    assert not opened.exists()


def test_open_does_not_follow_a_link_out_of_the_project(listed: Path, opened: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (listed / ".claudedo").symlink_to(tmp_path / "outside")
    code, _, err = run("open", cwd=listed)
    assert code == 2
    assert "leads out of the project" in err
    assert not opened.exists()


def test_open_where_nothing_can_is_an_error_that_names_the_folder(
    listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*SAVE, cwd=listed)
    for name in ("git", "sh"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = run("open", cwd=listed)
    assert code == 2
    assert f"{listed}/.claudedo" in err
