"""Polling: what is seen, what is not asked for twice, and that one broken list leaves the others alone."""

import os
import shutil
import sqlite3  # noqa: TID251  # plays the host
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from claudedo_findings import files, listfile, lists, tracking
from claudedo_findings import git as door
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.conftest import HostMaker, git, make_repo
from tray import staleness
from tray.poll import Poll
from tray.seen import Saved, Seen, Snapshot

opened: list[str] | None = None


def _note(event: str, details: tuple[Any, ...]) -> None:
    if opened is not None and event == "open":
        opened.append(str(details[0]))


sys.addaudithook(_note)  # for good, so it only notes what is opened while a test asks for it


def store_of(repo: Path) -> Store:
    return Store(door.places(str(repo)))


def save(repo: Path, slug: str, title: str = "", body: str = "Text.", scope: str = "", **notes: str) -> None:
    places = door.places(str(repo))
    new = Finding(
        slug=slug, title=title or f"Trap {slug}", body=body, scope=scope, verified_against=places.head, notes=notes
    )
    Store(places).save(new, keep_scope=True)


def only(snapshot: Snapshot) -> Seen:
    """Return the only list that was seen, which works."""
    assert len(snapshot.lists) == 1
    assert snapshot.lists[0].error == ""
    return snapshot.lists[0]


def settle(path: Path) -> None:
    """Make a folder look as if it was last changed a minute ago."""
    past = path.stat().st_mtime - 60
    os.utime(path, (past, past))


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return the git commands that ran since the last question."""
    log = tmp_path / "git.log"
    log.touch()
    program = tmp_path / "with-git" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$1" >>"{log}"\nexec "{shutil.which("git")}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    def read() -> list[str]:
        lines = log.read_text().split()
        log.write_text("")
        return lines

    return read


# What is seen


def test_sees_counts_titles_and_what_git_says(listed: Path) -> None:
    for number in range(5):
        save(listed, f"trap-{number}", f"Title {number}", scope="src/app.py")
        os.utime(store_of(listed).finding_path(f"trap-{number}"), (1_000_000 + number, 1_000_000 + number))
    save(listed, "old", expires="2020-01-01")
    (listed / ".claudedo" / "candidates").mkdir()
    (listed / ".claudedo" / "candidates" / "draft.md").write_text("# A draft\n")
    os.utime(store_of(listed).finding_path("old"), (1, 1))
    seen = only(Poll().look())
    assert (seen.findings, seen.stale, seen.candidates) == (6, 1, 1)
    assert [newest.title for newest in seen.newest] == ["Title 4", "Title 3", "Title 2"]
    assert (seen.exists, seen.in_git, seen.checked_in, seen.rule) == (True, True, False, "")


def test_creates_nothing_where_there_is_no_store(listed: Path) -> None:
    seen = only(Poll().look())
    assert (seen.exists, seen.checked_in, seen.findings) == (False, False, 0)
    assert git(listed, "status", "--porcelain", "--ignored") == ""


def test_folder_without_git_is_a_list_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    lists.add("plain", str(tmp_path / "plain"))
    save(tmp_path / "plain", "a")
    seen = only(Poll().look())
    assert (seen.in_git, seen.exists, seen.findings) == (False, True, 1)


def test_list_in_a_linked_worktree_shows_the_main_checkout(
    repo: Path, tmp_path: Path, host_database: HostMaker
) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    host_database([("linked", "1", str(tmp_path / "linked"))])
    save(repo, "a")
    poll = Poll()
    assert only(poll.look()).findings == 1
    tracking.track(store_of(repo))
    assert only(poll.look()).checked_in


def test_rule_of_somebody_else_is_named(listed: Path) -> None:
    save(listed, "a")
    tracking.track(store_of(listed))
    (listed / ".gitignore").write_text("*.log\n.claudedo/\n")
    seen = only(Poll().look())
    assert (seen.checked_in, seen.rule) == (False, ".gitignore:2:.claudedo/")


def test_lists_stand_in_the_order_of_their_names(tmp_path: Path, host_database: HostMaker) -> None:
    names = ["beta", "Alpha", "Über", "zeta", "Ärger", "ALPHA 2"]
    host_database([(name, str(number), str(tmp_path / str(number))) for number, name in enumerate(names)])
    lists.add("delta", str(make_repo(tmp_path / "delta")))
    assert [one.name for one in Poll().look().lists] == ["Alpha", "ALPHA 2", "Ärger", "beta", "delta", "Über", "zeta"]


def test_quick_look_does_not_compare_scopes(listed: Path, asked: Callable[[], list[str]]) -> None:
    save(listed, "a", scope="src/app.py")
    poll = Poll()
    asked()
    assert only(poll.look(quick=True)).findings == 1
    assert "cat-file" not in asked()
    assert only(poll.look()).stale == 0
    assert "cat-file" in asked()


# What was saved


def test_new_and_overwritten_findings_were_saved(listed: Path) -> None:
    poll = Poll()

    def saved() -> tuple[Saved, ...]:
        poll.look()
        return poll.saved

    path = store_of(listed).finding_path("a")
    assert saved() == ()
    save(listed, "a", "The first")
    assert saved() == (Saved(list="app", title="The first", path=path),)
    assert saved() == ()
    save(listed, "a", "The first, corrected")
    assert saved() == (Saved(list="app", title="The first, corrected", path=path),)


def test_findings_that_are_there_at_the_start_were_not_saved_now(listed: Path) -> None:
    save(listed, "a")
    poll = Poll()
    poll.look()
    assert poll.saved == ()


def test_hand_edit_is_seen_but_was_no_save(listed: Path) -> None:
    save(listed, "a")
    save(listed, "a", "Overwritten once")
    poll = Poll()
    poll.look()
    path = Path(store_of(listed).finding_path("a"))
    settle(path.parent)
    poll.look()
    path.write_text(path.read_text().replace("Overwritten once", "Edited by hand"))
    assert [newest.title for newest in only(poll.look()).newest] == ["Edited by hand"]
    assert poll.saved == ()


def test_save_in_the_same_tick_of_the_folders_clock_is_seen(listed: Path) -> None:
    save(listed, "a")
    folder = listed / ".claudedo" / "traps"
    before = folder.stat()
    poll = Poll()
    poll.look()
    save(listed, "b")
    os.utime(folder, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert only(poll.look()).findings == 2


def test_store_that_two_lists_share_is_told_once(listed: Path) -> None:
    lists.add("also app", str(listed))
    poll = Poll()
    poll.look()
    save(listed, "a")
    assert [one.findings for one in poll.look().lists] == [1, 1]
    assert [saved.list for saved in poll.saved] == ["also app"]


def test_deleted_finding_is_gone(listed: Path) -> None:
    save(listed, "a")
    save(listed, "b")
    poll = Poll()
    assert only(poll.look()).findings == 2
    os.unlink(store_of(listed).finding_path("a"))
    assert only(poll.look()).findings == 1


def test_finding_becomes_stale_when_its_scope_is_gone(listed: Path) -> None:
    save(listed, "a", scope="src/app.py")
    save(listed, "b")
    poll = Poll()
    assert only(poll.look()).stale == 0
    git(listed, "rm", "-q", "src/app.py")
    git(listed, "commit", "-q", "-m", "gone")
    assert only(poll.look()).stale == 1
    save(listed, "c")
    assert only(poll.look()).stale == 1


def test_finding_becomes_stale_when_its_day_has_passed(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(listed, "a", expires="2090-01-01")
    poll = Poll()
    assert only(poll.look()).stale == 0

    class Later(date):
        @classmethod
        def today(cls) -> "Later":
            return cls(2090, 1, 2)

    monkeypatch.setattr(staleness, "date", Later)
    assert only(poll.look()).stale == 1


def test_list_that_gets_another_folder_shows_that_one(repo: Path, tmp_path: Path, host_database: HostMaker) -> None:
    path = host_database([("app", "1", str(repo))])
    save(repo, "a")
    save(make_repo(tmp_path / "moved"), "b", "In the other folder")
    poll = Poll()
    assert only(poll.look()).folder == str(repo)
    with sqlite3.connect(path) as host_writes:
        host_writes.execute("UPDATE lists SET working_dir = ?", (str(tmp_path / "moved"),))
    host_writes.close()
    assert [newest.title for newest in only(poll.look()).newest] == ["In the other folder"]
    assert poll.saved == ()


def test_editor_is_seen_when_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claudedo_findings.vscode._PLACES", {})
    monkeypatch.setenv("PATH", str(tmp_path))
    poll = Poll(everything=0)
    assert not poll.look().editor
    (tmp_path / "codium").touch(mode=0o755)
    assert poll.look().editor


# What is not asked for twice


def test_git_is_asked_once_while_nothing_changes(listed: Path, asked: Callable[[], list[str]]) -> None:
    save(listed, "a", scope="src/app.py")
    poll = Poll()
    asked()
    poll.look()
    assert asked()
    for _ in range(3):
        poll.look()
    assert asked() == []


def test_nothing_is_read_while_nothing_changes(listed: Path) -> None:
    global opened
    save(listed, "a")
    settle(listed / ".claudedo" / "traps")
    poll = Poll()
    poll.look()
    poll.look()
    opened = []
    try:
        poll.look()
        assert opened == []
    finally:
        opened = None


def test_what_is_staged_makes_nothing_stale_and_compares_nothing(listed: Path, asked: Callable[[], list[str]]) -> None:
    save(listed, "a", scope="src/app.py")
    poll = Poll()
    poll.look()
    _stage(listed)
    asked()
    poll.look()
    assert "cat-file" not in asked()


def _commit(repo: Path) -> None:
    git(repo, "commit", "-q", "--allow-empty", "-m", "next")


def _stage(repo: Path) -> None:
    (repo / "new.py").write_text("x = 1\n")
    git(repo, "add", "new.py")


def _exclude(repo: Path) -> None:
    with (repo / ".git" / "info" / "exclude").open("a") as file:
        file.write("*.log\n")


def _ignore(repo: Path) -> None:
    (repo / ".gitignore").write_text("*.log\n")


def _ignore_inside(repo: Path) -> None:
    (repo / ".claudedo" / ".gitignore").write_text("*.log\n")


def _ignore_everywhere(_repo: Path) -> None:
    Path(os.path.expanduser("~/my ignore")).write_text("*.log\n")


def _branch(repo: Path) -> None:
    git(repo, "switch", "-q", "-c", "other")


@pytest.mark.parametrize("change", [_commit, _stage, _exclude, _ignore, _ignore_inside, _ignore_everywhere, _branch])
def test_git_is_asked_again_when_its_own_files_change(
    change: Callable[[Path], None], listed: Path, asked: Callable[[], list[str]]
) -> None:
    git(listed, "config", "--global", "core.excludesFile", "~/my ignore")
    save(listed, "a")
    poll = Poll()
    poll.look()
    change(listed)
    asked()
    poll.look()
    assert "check-ignore" in asked()
    poll.look()
    assert asked() == []


@pytest.mark.parametrize("place", [".gitignore", "packages/.gitignore", "packages/größte app/.gitignore"])
def test_every_ignore_file_on_the_path_counts(place: str, repo: Path) -> None:
    folder = repo / "packages" / "größte app"
    folder.mkdir(parents=True)
    lists.add("app", str(folder))
    save(folder, "a")
    tracking.track(store_of(folder))
    poll = Poll()
    assert only(poll.look()).checked_in
    (repo / place).write_text(".claudedo/\n")
    seen = only(poll.look())
    assert not seen.checked_in
    assert seen.rule.endswith(".gitignore:1:.claudedo/")


def test_git_is_asked_again_after_a_toggle(listed: Path, asked: Callable[[], list[str]]) -> None:
    save(listed, "a")
    poll = Poll()
    poll.look()
    asked()
    poll.toggled()
    poll.look()
    assert "check-ignore" in asked()


def test_only_changed_findings_are_compared_again(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for slug in ("a", "b", "c"):
        save(listed, slug, scope="src/app.py")
    poll = Poll()
    poll.look()
    read: list[str] = []
    original = Store.read

    def noting(store: Store, slug: str, kind: str = "traps") -> Any:
        read.append(slug)
        return original(store, slug, kind)

    monkeypatch.setattr(Store, "read", noting)
    save(listed, "d", scope="src/app.py")
    read.clear()
    poll.look()
    assert read.count("d") == 2 + 1  # as saved, among the newest, and to be compared
    assert {slug: read.count(slug) for slug in "abc"} == {"a": 0, "b": 1, "c": 1}  # the other two newest


# What goes wrong stays where it is


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A second list, `other`, with one finding, which must keep working."""
    other = make_repo(tmp_path / "other")
    lists.add("other", str(other))
    save(other, "still-here")
    return other


def other_works(snapshot: Snapshot) -> bool:
    other = next(one for one in snapshot.lists if one.name == "other")
    return (other.error, other.findings) == ("", 1)


def app(snapshot: Snapshot) -> Seen:
    return next(one for one in snapshot.lists if one.name == "app")


@pytest.mark.usefixtures("beside")
def test_store_that_disappears_is_told_and_its_return_is_no_news(listed: Path, tmp_path: Path) -> None:
    save(listed, "a")
    poll = Poll()
    poll.look()
    os.rename(listed / ".claudedo", tmp_path / "away")
    snapshot = poll.look()
    assert app(snapshot).error.startswith(f"the store {listed / '.claudedo'} has disappeared")
    assert other_works(snapshot)
    shutil.copy(tmp_path / "away" / "traps" / "a.md", tmp_path / "away" / "traps" / "b.md")
    os.rename(tmp_path / "away", listed / ".claudedo")
    snapshot = poll.look()
    assert (app(snapshot).error, app(snapshot).findings, poll.saved) == ("", 2, ())


@pytest.mark.usefixtures("beside")
def test_repository_on_a_missing_drive_is_told_and_its_return_is_seen(listed: Path, tmp_path: Path) -> None:
    poll = Poll()
    poll.look()
    save(listed, "a")
    poll.look()
    assert [saved.list for saved in poll.saved] == ["app"]
    os.rename(listed, tmp_path / "unplugged")
    snapshot = poll.look()
    assert poll.saved == ()
    assert app(snapshot).error == f"the folder '{listed}' does not exist: correct the list's folder"
    assert other_works(snapshot)
    os.rename(tmp_path / "unplugged", listed)
    assert (app(poll.look()).error, app(poll.look()).findings) == ("", 1)


@pytest.mark.usefixtures("beside", "listed")
def test_broken_lists_toml_is_told_and_the_lists_stay(asked: Callable[[], list[str]]) -> None:
    poll = Poll()
    poll.look()
    path = Path(listfile.path())
    before = path.read_text()
    path.write_text("[lists\n")
    snapshot = poll.look()
    assert snapshot.problems
    assert snapshot.problems[0].startswith(f"{path} is not valid TOML")
    assert other_works(snapshot)
    asked()
    assert poll.look().problems == snapshot.problems
    assert asked() == []
    path.write_text(before)
    assert poll.look().problems == ()


@pytest.mark.usefixtures("beside")
def test_lists_toml_that_is_broken_from_the_start_leaves_the_hosts_lists(
    listed: Path, host_database: HostMaker
) -> None:
    host_database([("app", "1", str(listed))])
    Path(listfile.path()).write_text("[lists\n")
    snapshot = Poll().look()
    assert ([one.name for one in snapshot.lists], len(snapshot.problems)) == (["app"], 1)


@pytest.mark.usefixtures("beside")
def test_locked_host_database_is_told_and_its_lists_stay(
    repo: Path, host_database: HostMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claudedo_findings.host_database.BUSY_TIMEOUT", 0.05)
    path = host_database([("app", "1", str(repo))])
    poll = Poll()
    assert poll.look().problems == ()
    with sqlite3.connect(path) as writer:
        # In this mode a writer keeps every reader out.
        writer.execute("PRAGMA locking_mode = EXCLUSIVE")
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("INSERT INTO lists (name, id, working_dir) VALUES ('new', '2', NULL)")
        os.utime(path)
        snapshot = poll.look()
        assert snapshot.problems == (f"cannot read the host's database {path}: database is locked",)
        assert (app(snapshot).error, other_works(snapshot)) == ("", True)
    writer.close()
    os.utime(path)
    assert [one.name for one in poll.look().lists] == ["app", "new", "other"]
    assert "has no working directory" in poll.look().lists[1].error


@pytest.mark.usefixtures("beside")
def test_what_failed_though_no_file_changed_is_tried_again_in_time(
    listed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(listed, "a")
    patient, eager = Poll(), Poll(everything=0)
    with monkeypatch.context() as changed:
        changed.setenv("PATH", "/nowhere")
        for poll in (patient, eager):
            assert all("git was not found" in one.error for one in poll.look().lists)
    assert all("git was not found" in one.error for one in patient.look().lists)
    assert all(one.error == "" for one in eager.look().lists)


@pytest.mark.usefixtures("beside")
def test_finding_that_cannot_be_read_is_shown_by_its_slug(listed: Path) -> None:
    save(listed, "a")
    os.unlink(store_of(listed).finding_path("a"))
    files.write_atomic(store_of(listed).finding_path("b"), b"\xff\xfe no title")
    snapshot = Poll().look()
    assert [newest.title for newest in app(snapshot).newest] == ["b"]
    assert other_works(snapshot)
