"""The check-in toggle, and teams that share a store through git: real clones, real merges."""

import subprocess  # noqa: TID251  # a merge that conflicts must not fail the test by itself
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import tracking
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.conftest import git, make_repo


def store_of(repo: Path) -> Store:
    """Return the store of a repository."""
    return Store(door.places(str(repo)))


def save(repo: Path, slug: str, title: str = "", body: str = "Text.") -> None:
    """Save a finding."""
    store_of(repo).save(Finding(slug=slug, title=title or f"The trap {slug}", body=body), keep_scope=True)


def status(repo: Path) -> str:
    """Return git's short status."""
    return git(repo, "status", "--porcelain", "--untracked-files=all")


def listed(repo: Path) -> list[str]:
    """Return the slugs of the index, in its order."""
    index = store_of(repo).read_index()
    return [entry.slug for entry in index.entries] if index else []


def test_track_removes_exactly_the_line_of_the_store(repo: Path) -> None:
    exclude = repo / ".git" / "info" / "exclude"
    exclude.write_bytes(b"*.log\r\n# mine\r\n/sub/.claudedo/\r\n")
    before = exclude.read_bytes()
    save(repo, "a")
    assert exclude.read_bytes() != before
    now = tracking.track(store_of(repo))
    assert exclude.read_bytes() == before
    assert (now.checked_in, now.files, now.warnings) == (True, 0, ())


def test_track_stages_neither_candidates_nor_history_nor_temp_files(repo: Path) -> None:
    save(repo, "a")
    save(repo, "a", "Another title")
    tracking.track(store_of(repo))
    folder = repo / ".claudedo"
    (folder / "candidates").mkdir()
    (folder / "candidates" / "draft.md").write_text("# Draft\n")
    (folder / "traps" / ".a.md.0123abcd.tmp").write_text("half")
    git(repo, "add", "-A")
    staged = set(git(repo, "diff", "--cached", "--name-only").split())
    assert staged == {f".claudedo/{name}" for name in (".gitattributes", ".gitignore", "INDEX.md", "traps/a.md")}


def test_track_creates_a_store_that_is_not_hidden(repo: Path) -> None:
    tracking.track(store_of(repo))
    save(repo, "a")
    assert "?? .claudedo/traps/a.md" in status(repo)
    assert tracking.state(store_of(repo)).checked_in


def test_track_and_untrack_twice_change_nothing_more(repo: Path) -> None:
    save(repo, "a")
    paths = [repo / ".git/info/exclude", repo / ".claudedo/.gitignore", repo / ".claudedo/.gitattributes"]
    for change in (tracking.track, tracking.untrack):
        change(store_of(repo))
        once = [path.read_bytes() for path in paths]
        change(store_of(repo))
        assert [path.read_bytes() for path in paths] == once


def test_track_keeps_the_lines_a_team_wrote(repo: Path) -> None:
    save(repo, "a")
    (repo / ".claudedo" / ".gitignore").write_text("/history/\n*.bak")
    tracking.track(store_of(repo))
    assert (repo / ".claudedo" / ".gitignore").read_text() == "/history/\n*.bak\n/candidates/\n.*.tmp\n"


def test_untrack_hides_the_store_again(repo: Path) -> None:
    save(repo, "a")
    tracking.track(store_of(repo))
    now = tracking.untrack(store_of(repo))
    assert not now.checked_in
    assert now.rule.endswith(":/.claudedo/")
    assert status(repo) == ""


def test_untrack_without_a_store_hides_it_and_creates_nothing(repo: Path) -> None:
    assert not tracking.untrack(store_of(repo)).checked_in
    assert not (repo / ".claudedo").exists()


def test_untrack_warns_of_files_that_git_tracks_already(repo: Path) -> None:
    save(repo, "a")
    tracking.track(store_of(repo))
    git(repo, "add", ".claudedo")
    now = tracking.untrack(store_of(repo))
    assert now.files == 4
    assert "git rm -r --cached" in now.warnings[0]


def test_track_warns_when_another_rule_still_hides_the_store(repo: Path) -> None:
    (repo / ".gitignore").write_text("*.md\n")
    now = tracking.track(store_of(repo))
    assert not now.checked_in
    assert now.rule == ".gitignore:1:*.md"
    assert now.rule in now.warnings[0]


def test_toggle_in_a_worktree_works_on_the_common_exclude_file(repo: Path, tmp_path: Path) -> None:
    save(repo, "a")
    git(repo, "worktree", "add", "-q", str(tmp_path / "wt"))
    tracking.track(store_of(tmp_path / "wt"))
    assert "?? .claudedo/INDEX.md" in status(repo)
    tracking.untrack(store_of(tmp_path / "wt"))
    assert (status(repo), status(tmp_path / "wt")) == ("", "")


def test_toggle_of_a_sub_folder_has_its_own_line(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo")
    (repo / "a b[1]").mkdir()
    save(repo / "a b[1]", "a")
    assert status(repo) == ""
    tracking.track(store_of(repo / "a b[1]"))
    assert "a b[1]/.claudedo/INDEX.md" in status(repo)


def test_toggle_without_git_is_refused(tmp_path: Path) -> None:
    for change in (tracking.track, tracking.untrack, tracking.state):
        with pytest.raises(FindingsError, match="no git repository"):
            change(store_of(tmp_path))


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Path, Path]:
    """Two clones of a repository whose store is checked in with one finding."""
    origin = make_repo(tmp_path / "origin")
    save(origin, "shared")
    tracking.track(store_of(origin))
    commit(origin)
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(origin), name)
    return tmp_path / "ours", tmp_path / "theirs"


def commit(repo: Path) -> None:
    """Commit the store alone, as README says."""
    git(repo, "add", "--", ".claudedo")
    git(repo, "commit", "-q", "-m", "findings", "--", ".claudedo")


def pull(repo: Path, other: Path) -> int:
    """Merge another clone's branch and return git's exit code."""
    command = ["git", "pull", "-q", "--no-rebase", "--no-edit", str(other), "main"]
    return subprocess.run(command, cwd=repo, capture_output=True, check=False).returncode


def test_different_findings_of_two_clones_merge_both_ways_without_a_conflict(clones: tuple[Path, Path]) -> None:
    ours, theirs = clones
    for slug in ("alpha", "common"):
        save(ours, slug)
    for slug in ("beta", "common"):
        save(theirs, slug)
    commit(ours)
    commit(theirs)
    assert pull(ours, theirs) == 0
    assert pull(theirs, ours) == 0
    for clone in clones:
        save(clone, "next")
        assert sorted(listed(clone)) == ["alpha", "beta", "common", "next", "shared"]
        assert (clone / ".claudedo" / "traps" / "beta.md").exists()


def test_the_same_slug_with_different_texts_is_a_conflict_of_git(clones: tuple[Path, Path]) -> None:
    ours, theirs = clones
    save(ours, "new", body="One text.")
    save(theirs, "new", body="Another text.")
    commit(ours)
    commit(theirs)
    assert pull(ours, theirs) != 0
    assert git(ours, "diff", "--name-only", "--diff-filter=U").split() == [".claudedo/traps/new.md"]


def test_sync_cleans_an_index_that_a_hosting_site_merged_with_conflict_markers(clones: tuple[Path, Path]) -> None:
    ours, _ = clones
    save(ours, "alpha")
    index = ours / ".claudedo" / "INDEX.md"
    line = index.read_text(encoding="utf-8").splitlines()[2]
    index.write_text(f"# Findings\n\n<<<<<<< HEAD\n{line}\n=======\n{line}\n>>>>>>> main\n", encoding="utf-8")
    store_of(ours).sync()
    assert sorted(listed(ours)) == ["alpha", "shared"]
    assert "<<<" not in index.read_text(encoding="utf-8")
