"""What is seen of a checkout without git is what git says, and where it may be otherwise, git is asked."""

import os
from pathlib import Path

import pytest

from claudedo_findings import git, plain
from tests.conftest import git as run_git


def test_a_plain_checkout_is_seen_as_git_sees_it(repo: Path) -> None:
    assert plain.places(os.path.realpath(repo)) == git.places(str(repo))._replace(head="")


def test_a_checkout_without_a_commit_is_plain_too(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q")
    assert plain.places(os.path.realpath(tmp_path)) == git.places(str(tmp_path))


@pytest.mark.parametrize(
    "settings",
    [
        ("core.worktree", "../elsewhere"),
        ("core.bare", "true"),
        ("core.bare", "yes"),
        ("extensions.worktreeConfig", "true"),
        ("include.path", "more"),
        ("includeIf.gitdir:/.path", "more"),
    ],
)
def test_settings_that_may_put_the_checkout_elsewhere_are_git_s(repo: Path, settings: tuple[str, str]) -> None:
    run_git(repo, "config", *settings)
    assert plain.places(os.path.realpath(repo)) is None


def test_a_bare_setting_without_a_value_is_git_s(repo: Path) -> None:
    with open(repo / ".git" / "config", "a", encoding="utf-8") as config:
        config.write("[core]\n\tbare\n")
    assert plain.places(os.path.realpath(repo)) is None


@pytest.mark.parametrize("missing", ["HEAD", "objects", "refs", "config"])
def test_a_broken_repository_is_git_s(repo: Path, missing: str) -> None:
    (repo / ".git" / missing).rename(repo / ".git" / "moved")
    assert plain.places(os.path.realpath(repo)) is None


def test_a_linked_worktree_is_git_s(repo: Path, tmp_path: Path) -> None:
    run_git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert plain.places(os.path.realpath(tmp_path / "linked")) is None


@pytest.mark.parametrize("to", ["../outside", "sub/worktrees/x"])
def test_a_linked_git_folder_is_git_s(repo: Path, to: str) -> None:
    target = repo / to
    target.parent.mkdir(parents=True, exist_ok=True)
    (repo / ".git").rename(target)
    (repo / ".git").symlink_to(target)
    assert plain.places(os.path.realpath(repo)) is None


def test_a_repository_of_another_user_is_git_s(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(repo).st_uid + 1)
    assert plain.places(os.path.realpath(repo)) is None


def test_no_repository_is_git_s(tmp_path: Path) -> None:
    assert plain.places(os.path.realpath(tmp_path)) is None
