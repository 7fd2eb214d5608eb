"""Which transcripts are a project's: their working directory decides."""

import os
from pathlib import Path

import pytest

from claudedo_findings import lists, sources
from claudedo_findings.errors import FindingsError
from tests.conftest import HostMaker, git, make_repo
from tests.lookalikes import Log, Rollout, Session

TASK = "7c1d44e0-1111-4222-8333-444455556666"


def names(found: sources.Sources) -> list[str]:
    return [os.path.basename(path) for path in found.files]


def project(repo: Path) -> sources.Sources:
    return sources.of_project(lists.TodoList(name="app", working_dir=str(repo)))


def session(path: Path, cwd: Path | str) -> None:
    made = Session(cwd=str(cwd))
    made.bash("ls")
    made.write(path)


def test_sessions_of_the_checkout_and_its_worktrees_are_found_whatever_their_folder_is_called(
    repo: Path, sealed: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "trees" / "fix"
    git(repo, "worktree", "add", "-q", str(tree))
    make_repo(tmp_path / "repo-other")
    for name, cwd in {
        "main": repo,
        "below": repo / "src",
        "tree": tree,
        "other": tmp_path / "repo-other",
        "home": sealed,
        "above": tmp_path,
    }.items():
        session(sealed / ".claude" / "projects" / "-one-folder" / f"{name}.jsonl", cwd)
    assert names(project(repo)) == ["below.jsonl", "main.jsonl", "tree.jsonl"]


def test_the_config_folder_can_be_elsewhere(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    session(tmp_path / "claude" / "projects" / "x" / "one.jsonl", repo)
    rollout = Rollout(cwd=str(repo))
    rollout.begin()
    rollout.write(tmp_path / "codex" / "sessions" / "2026" / "03" / "01" / "rollout-1.jsonl")
    assert names(project(repo)) == ["one.jsonl", "rollout-1.jsonl"]


def test_the_host_s_logs_are_found_by_task_and_by_worktree_also_when_that_is_gone(
    repo: Path, sealed: Path, tmp_path: Path, host_database: HostMaker
) -> None:
    gone = tmp_path / ".claudedo-worktrees" / "app"
    host_database(
        [("App", "1" * 32, str(repo)), ("Other", "2" * 32, str(make_repo(tmp_path / "other")))],
        [(TASK, "1" * 32), ("t2", "2" * 32)],
        [(TASK, str(gone / "gone")), ("t2", str(tmp_path / "t2"))],
    )
    logs = sealed / ".todo-app" / "logs"
    for name, cwd in {
        f"{TASK.upper()}_run1.ndjson": "/nowhere",
        "t2_run1.ndjson": str(tmp_path / "t2"),
        "unknown_run1.ndjson": str(gone / "gone" / "src"),
        "renamed_run2.ndjson": str(gone / TASK),
    }.items():
        log = Log(cwd=cwd)
        log.init()
        log.write(logs / name)
    found = project(repo)
    assert names(found) == [f"{TASK.upper()}_run1.ndjson", "renamed_run2.ndjson", "unknown_run1.ndjson"]
    assert str(gone / "gone") in found.roots
    assert found.complaints == ()


def test_a_broken_host_database_is_told_and_costs_no_sessions(
    repo: Path, sealed: Path, host_database: HostMaker
) -> None:
    host_database([]).write_bytes(b"no database")
    session(sealed / ".claude" / "projects" / "x" / "one.jsonl", repo)
    found = project(repo)
    assert names(found) == ["one.jsonl"]
    assert "host's database" in found.complaints[0]


def test_the_working_directory_is_found_behind_a_long_hook_output(repo: Path, sealed: Path) -> None:
    log = Log(cwd=str(repo))
    log.put({"type": "system", "subtype": "hook_response", "session_id": log.session, "output": 'x "cwd": ' * 20_000})
    log.init()
    log.write(sealed / ".todo-app" / "logs" / "a_run1.ndjson")
    assert names(project(repo)) == ["a_run1.ndjson"]


def test_named_places_are_taken_whatever_they_speak_of(tmp_path: Path) -> None:
    session(tmp_path / "a" / "one.jsonl", "/elsewhere")
    session(tmp_path / "a" / "deep" / "two.ndjson", "/elsewhere")
    (tmp_path / "a" / "notes.md").write_text("no transcript")
    session(tmp_path / "three.txt", "/elsewhere")
    found = sources.named([str(tmp_path / "a"), str(tmp_path / "three.txt"), str(tmp_path / "a" / "one.jsonl")])
    assert names(found) == ["one.jsonl", "two.ndjson", "three.txt"]
    with pytest.raises(FindingsError, match="there is no"):
        sources.named([str(tmp_path / "none")])


def test_older_ones_can_be_left_out(tmp_path: Path) -> None:
    for name, age in (("old.jsonl", 10 * 86_400), ("new.jsonl", 0)):
        session(tmp_path / name, "/elsewhere")
        os.utime(tmp_path / name, (sources.days_ago(0) - age,) * 2)
    assert names(sources.named([str(tmp_path)], since=sources.days_ago(5))) == ["new.jsonl"]


def test_a_list_in_a_sub_folder_has_the_same_place_in_every_worktree(repo: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(repo, "worktree", "add", "-q", str(tree))
    roots = sources.roots(lists.TodoList(name="app", working_dir=str(repo / "src")))
    assert roots[0] == str(repo / "src")
    assert str(tree / "src") in roots
