"""The command line as a user meets it: real processes, exit codes, both streams."""

import argparse
import importlib
import json
import os
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path

import pytest

from claudedo_findings import __version__, cli, listfile, lists, nearby
from claudedo_findings.errors import FindingsError
from tests.conftest import git, make_repo

SAVE = ("save", "clock-skew", "--title", "The clock is frozen", "--body", "Only in CI.")


def run(
    *arguments: str | bytes, cwd: Path | str, env: dict[str, str] | None = None, stdin: bytes = b""
) -> tuple[int, str, str]:
    """Run the command line and return its exit code, stdout and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "claudedo_findings", *arguments],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def test_version_is_the_packages_version(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path) == (0, f"claudedo-findings {__version__}\n", "")


def test_save_list_show_and_pointer_tell_one_story(listed: Path) -> None:
    code, out, err = run(*SAVE, "--scope", "src/app.py", cwd=listed)
    path = listed / ".claudedo" / "traps" / "clock-skew.md"
    assert (code, out, err) == (0, f"created: {path} (list 'app')\n", "")
    code, out, err = run("list", cwd=listed)
    assert (code, err) == (0, "")
    assert out == "SLUG        SCOPE       HOOK\nclock-skew  src/app.py  The clock is frozen\n"
    code, out, err = run("show", "clock-skew", cwd=listed)
    assert code == 0
    assert "# The clock is frozen\n\nOnly in CI.\n" in out
    code, out, err = run("pointer", cwd=listed)
    assert code == 0
    assert str(listed / ".claudedo" / "INDEX.md") in out


def test_pointer_holds_no_finding_text_and_stays_under_forty_tokens_plus_path(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    _, out, _ = run("pointer", cwd=listed)
    assert "clock" not in out
    assert len(out.replace(str(listed / ".claudedo" / "INDEX.md"), "")) / 4 < 40


def test_pointer_without_an_index_prints_nothing_and_exits_1(listed: Path) -> None:
    assert run("pointer", cwd=listed) == (1, "", "")
    assert not (listed / ".claudedo").exists()


def test_pointer_in_a_worktree_leads_to_the_main_checkout(listed: Path, tmp_path: Path) -> None:
    run(*SAVE, cwd=listed)
    git(listed, "worktree", "add", "-q", str(tmp_path / "wt"))
    code, out, _ = run("pointer", cwd=tmp_path / "wt")
    assert code == 0
    assert str(listed / ".claudedo" / "INDEX.md") in out


def test_pointer_takes_an_expired_finding_out_of_a_quiet_store(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    run("save", "old", "--title", "Gone soon", "--body", "b", "--expires", "2001-01-01", cwd=listed)
    index = listed / ".claudedo" / "INDEX.md"
    assert "traps/old.md" in index.read_text()
    run("pointer", cwd=listed)
    assert "traps/old.md" not in index.read_text()
    assert "traps/clock-skew.md" in index.read_text()


def test_pointer_syncs_once_a_day(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    run("pointer", cwd=listed)
    index = listed / ".claudedo" / "INDEX.md"
    index.write_text(
        index.read_text().replace("- [clock-skew]", "prose\n- [clock-skew]") + "- [x](traps/x.md) — dead\n"
    )
    before = index.read_bytes()
    run("pointer", cwd=listed)
    assert index.read_bytes() == before


def test_list_names_files_it_skipped(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    (listed / ".claudedo" / "traps" / "My Notes.md").write_text("# Mine\n")
    code, _, err = run("list", cwd=listed)
    assert code == 0
    assert "My Notes.md" in err
    assert json.loads(run("list", "--json", cwd=listed)[1])["skipped"] == ["My Notes.md"]


def test_list_of_an_empty_store_says_so_and_exits_1(listed: Path) -> None:
    code, out, err = run("list", cwd=listed)
    assert (code, err) == (1, "")
    assert "no findings" in out


def test_show_of_an_unknown_slug_exits_1_and_names_a_near_one(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    code, out, err = run("show", "clock", cwd=listed)
    assert (code, out) == (1, "")
    assert "clock-skew" in err


def test_json_of_every_verb_is_one_object(listed: Path) -> None:
    for verb in (SAVE, ("list",), ("show", "clock-skew"), ("lists",), ("pointer",), ("sync",)):
        code, out, err = run(*verb, "--json", cwd=listed)
        assert code == 0, err
        assert isinstance(json.loads(out), dict)
    findings = json.loads(run("list", "--json", cwd=listed)[1])["findings"]
    assert next(iter(findings[0])) == "slug"


def test_body_comes_from_stdin(listed: Path) -> None:
    for arguments in (("-",), ("--body", "-"), ("--body=-",), ()):
        code, _, err = run("save", "s", "--title", "T", *arguments, cwd=listed, stdin="Grüße 空闲锁\n".encode())
        assert code == 0, err
        assert "Grüße 空闲锁" in (listed / ".claudedo" / "traps" / "s.md").read_text(encoding="utf-8")


def test_body_that_is_not_utf_8_is_refused(listed: Path) -> None:
    code, _, err = run("save", "s", "--title", "T", "-", cwd=listed, stdin=b"\xff\xfe")
    assert code == 2
    assert "UTF-8" in err
    assert not (listed / ".claudedo").exists()


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_any_locale_keeps_umlauts_cjk_and_emoji(listed: Path, env: dict[str, str]) -> None:
    title = "Grüße 空闲锁 🎉"
    code, _, err = run("save", "s", "--title", title.encode(), "--body", title.encode(), cwd=listed, env=env)
    assert code == 0, err
    code, out, _ = run("show", "s", cwd=listed, env=env)
    assert f"# {title}\n\n{title}\n" in out


def test_optional_keys_are_written_and_survive_a_plain_save(listed: Path) -> None:
    more = ("--evidence", "commit 3f9a2c7", "--retry-when", "the parser is replaced", "--expires", "2999-01-31")
    assert run(*SAVE, *more, cwd=listed)[0] == 0
    assert run("save", "clock-skew", "--title", "Another", "--body", "b", cwd=listed)[0] == 0
    text = (listed / ".claudedo" / "traps" / "clock-skew.md").read_text()
    for line in ("evidence: commit 3f9a2c7", "retry-when: the parser is replaced", 'expires: "2999-01-31"'):
        assert line in text


def test_a_bad_date_is_refused(listed: Path) -> None:
    code, _, err = run(*SAVE, "--expires", "soon", cwd=listed)
    assert code == 2
    assert "YYYY-MM-DD" in err


def test_a_refused_field_is_one_line_on_stderr_and_exit_2(listed: Path) -> None:
    code, out, err = run("save", "größe", "--title", "T", "--body", "b", cwd=listed)
    assert (code, out) == (2, "")
    assert err.startswith("error: slug 'größe' is refused")
    assert err.count("\n") == 1


def test_warnings_go_to_stderr(listed: Path) -> None:
    code, _, err = run(*SAVE, "--scope", "no/such.py", cwd=listed)
    assert code == 0
    assert err.startswith("warning: the scope 'no/such.py' does not exist")


def test_here_saves_to_the_checkout_of_the_current_directory_without_a_list(repo: Path) -> None:
    code, _, err = run(*SAVE, "--here", cwd=repo / "src")
    assert code == 0, err
    assert (repo / ".claudedo" / "traps" / "clock-skew.md").exists()


@pytest.mark.usefixtures("listed")
def test_the_current_directory_says_which_of_two_lists_is_meant(tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    lists.add("other", str(other))
    assert run(*SAVE, cwd=other / "src")[0] == 0
    assert (other / ".claudedo").exists()
    code, _, err = run(*SAVE, cwd=tmp_path)
    assert code == 2
    assert "'app'" in err
    assert "'other'" in err


def test_task_context_beats_the_current_directory(listed: Path, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    lists.add("other", str(other))
    assert run(*SAVE, cwd=other, env={"CLAUDEDO_LIST": "app", "CLAUDEDO_TASK_ID": "t-1"})[0] == 0
    assert "source-task: t-1" in (listed / ".claudedo" / "traps" / "clock-skew.md").read_text()


def test_lists_are_added_shown_and_removed(repo: Path) -> None:
    assert run("lists", cwd=repo)[0] == 1
    assert run("lists", "add", "My App", ".", cwd=repo)[0] == 0
    code, out, _ = run("lists", cwd=repo)
    assert code == 0
    assert str(repo) in out
    assert json.loads(run("lists", "--json", cwd=repo)[1])["lists"][0]["name"] == "My App"
    run("save", "s", "--title", "T", "--body", "b", cwd=repo)
    assert run("lists", "remove", "my app", cwd=repo)[0] == 0
    assert run("lists", cwd=repo)[0] == 1
    assert (repo / ".claudedo" / "traps" / "s.md").exists()


def test_sync_says_what_it_added_and_dropped(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    (listed / ".claudedo" / "traps" / "by-hand.md").write_text("# Made by hand\n\nText.\n")
    (listed / ".claudedo" / "traps" / "clock-skew.md").unlink()
    code, out, _ = run("sync", cwd=listed)
    assert code == 0
    assert "INDEX.md: 1 finding\nadded: by-hand\ndropped: clock-skew\n" in out


def test_sync_of_no_store_creates_nothing(listed: Path) -> None:
    code, _, err = run("sync", cwd=listed)
    assert code == 1
    assert "no findings" in err
    assert not (listed / ".claudedo").exists()


def test_control_characters_in_stored_text_never_reach_the_terminal(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    path = listed / ".claudedo" / "traps" / "clock-skew.md"
    path.write_text("# Red \x1b[31m alert\n\nbell \x07 and \u202e bidi\n")
    for verb in (("list",), ("show", "clock-skew"), ("sync",)):
        _, out, err = run(*verb, cwd=listed)
        assert not set("\x1b\x07\u202e") & set(out + err)
    assert "\\x1b[31m" in run("show", "clock-skew", cwd=listed)[1]


def test_a_closed_pipe_ends_quietly(listed: Path) -> None:
    for number in range(3):
        run("save", f"s{number}", "--title", "T" * 100, "--body", "b", cwd=listed)
    line = f"'{sys.executable}' -m claudedo_findings list | true"
    done = subprocess.run(["sh", "-c", line], cwd=listed, capture_output=True, check=False)
    assert done.stderr == b""


def test_an_unknown_verb_is_a_usage_error(tmp_path: Path) -> None:
    code, out, err = run("frobnicate", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "frobnicate" in err


def test_a_bug_keeps_its_traceback_and_exits_3(listed: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import claudedo_findings.store as s\ns.Store.slugs = lambda self, kind='traps': 1 / 0\n"
    )
    code, _, err = run("list", cwd=listed, env={"PYTHONPATH": str(broken)})
    assert code == 3
    assert "ZeroDivisionError" in err


def test_from_commit_prefills_what_is_not_given(listed: Path) -> None:
    (listed / "src" / "cache.py").write_text("cache = {}\n")
    git(listed, "add", ".")
    git(listed, "commit", "-q", "-m", "Caching the parsed config was tried", "-m", "It breaks reload.")
    code, _, err = run("save", "no-cache", "--from-commit", "HEAD", cwd=listed)
    assert code == 0, err
    found = json.loads(run("show", "no-cache", "--json", cwd=listed)[1])
    assert (found["title"], found["body"]) == ("Caching the parsed config was tried", "It breaks reload.")
    assert found["scope"] == "src/cache.py"
    text = (listed / ".claudedo" / "traps" / "no-cache.md").read_text()
    assert f"evidence: commit {git(listed, 'rev-parse', '--short', 'HEAD').strip()}" in text
    run("save", "no-cache", "--from-commit", "HEAD", "--title", "Mine", "--body", "Own.", "--scope", "src", cwd=listed)
    found = json.loads(run("show", "no-cache", "--json", cwd=listed)[1])
    assert (found["title"], found["body"], found["scope"]) == ("Mine", "Own.", "src")


@pytest.mark.parametrize("revision", ["no-such", "--output=x", "HEAD:src"])
def test_from_commit_refuses_what_is_no_commit(listed: Path, revision: str) -> None:
    code, _, err = run("save", "s", f"--from-commit={revision}", cwd=listed)
    assert code == 2
    assert "commit" in err
    assert not (listed / ".claudedo").exists()


def test_track_and_untrack_say_what_git_thinks(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    code, out, err = run("track", cwd=listed)
    assert (code, err) == (0, "")
    assert "not ignored, 0 files tracked" in out
    code, out, _ = run("untrack", cwd=listed)
    assert code == 0
    assert "ignored by .git/info/exclude" in out


def test_lists_add_track_and_the_state_of_each_list(repo: Path, tmp_path: Path) -> None:
    assert run("lists", "add", "app", ".", "--track", cwd=repo)[0] == 0
    other = make_repo(tmp_path / "other")
    lists.add("other", str(other))
    gone = make_repo(tmp_path / "gone")
    lists.add("gone", str(gone))
    gone.rename(tmp_path / "moved")
    run(*SAVE, "--list", "other", cwd=tmp_path)
    rows = {row["name"]: row for row in json.loads(run("lists", "--json", cwd=tmp_path)[1])["lists"]}
    assert (rows["app"]["checkedIn"], rows["app"]["findings"], rows["app"]["lastSave"]) == (True, 0, None)
    assert (rows["other"]["checkedIn"], rows["other"]["findings"]) == (False, 1)
    assert rows["other"]["lastSave"]
    assert (rows["gone"]["findings"], rows["gone"]["root"]) == (None, None)
    assert "does not exist" in rows["gone"]["error"]
    code, out, _ = run("lists", cwd=tmp_path)
    assert code == 0
    assert "does not exist" in out


def test_history_and_restore_bring_a_text_back(listed: Path) -> None:
    assert run("history", "clock-skew", cwd=listed)[0] == 1
    run(*SAVE, cwd=listed)
    run("save", "clock-skew", "--title", "Worse", "--body", "b", cwd=listed)
    code, out, _ = run("history", "clock-skew", cwd=listed)
    assert code == 0
    assert "1        tool" in out
    assert json.loads(run("history", "clock-skew", "--json", cwd=listed)[1])["versions"][0]["slug"] == "clock-skew"
    assert run("restore", "clock-skew", cwd=listed)[0] == 0
    assert "# The clock is frozen" in run("show", "clock-skew", cwd=listed)[1]
    code, _, err = run("restore", "clock-skew", "--version", "9", cwd=listed)
    assert code == 2
    assert "there is 1, 2" in err


def test_forget_asks_first_and_deletes_only_with_a_yes(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    code, _, err = run("forget", "clock-skew", cwd=listed, stdin=b"y\n")
    assert code == 2
    assert "--yes" in err
    assert (listed / ".claudedo" / "traps" / "clock-skew.md").exists()
    assert run("forget", "clock-skew", "--yes", cwd=listed)[0] == 0
    assert not list((listed / ".claudedo").rglob("clock-skew*"))
    assert run("forget", "clock-skew", "--yes", cwd=listed)[0] == 1


def test_list_argument_is_ignored_in_a_task_with_a_warning(listed: Path, tmp_path: Path) -> None:
    lists.add("other", str(make_repo(tmp_path / "other")))
    env = {"CLAUDEDO_LIST": "app", "CLAUDEDO_TASK_ID": "t-1"}
    code, out, err = run(*SAVE, "--list", "other", cwd=listed, env=env)
    assert code == 0
    assert "list 'app'" in out
    assert err == "warning: the task runs in the list 'app', so the list argument 'other' was ignored\n"
    code, _, err = run(*SAVE, "--here", cwd=tmp_path / "other", env=env)
    assert code == 0
    assert "so --here was ignored" in err


@pytest.mark.parametrize("verb", [SAVE, ("list",), ("pointer",)])
def test_empty_list_name_is_refused(listed: Path, verb: tuple[str, ...]) -> None:
    code, _, err = run(*verb, "--list", "", cwd=listed)
    assert code == 2
    assert err.startswith("error: ")
    assert "the name is empty" in err
    assert not (listed / ".claudedo").exists()


def test_list_added_from_a_worktree_outlives_it(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "wt"))
    assert run("lists", "add", "app", ".", cwd=tmp_path / "wt")[0] == 0
    git(repo, "worktree", "remove", str(tmp_path / "wt"))
    assert run(*SAVE, cwd=repo)[0] == 0


def test_save_in_a_worktree_asks_git_at_most_three_times(listed: Path, tmp_path: Path) -> None:
    lists.add("other", str(make_repo(tmp_path / "other")))
    git(listed, "worktree", "add", "-q", str(tmp_path / "wt"))
    log = tmp_path / "git.log"
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(f'#!/bin/sh\necho "$@" >> "{log}"\nexec "{real}" "$@"\n')
    (tmp_path / "bin" / "git").chmod(0o755)
    code, _, err = run(*SAVE, cwd=tmp_path / "wt", env={"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"})
    assert code == 0, err
    assert (listed / ".claudedo" / "traps" / "clock-skew.md").exists()
    assert len(log.read_text().splitlines()) == 3


def test_which_list_error_hints_at_the_one_a_worktree_belongs_to(listed: Path, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    lists.add("other", str(other))
    git(listed, "worktree", "add", "-q", str(tmp_path / "wt"))
    with pytest.raises(FindingsError, match=r"the working directory lies in 'app'"):
        nearby.only(str(tmp_path / "wt"))


def test_restore_and_track_change_nothing_when_the_index_cannot_be_read(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    run("save", "clock-skew", "--title", "Second", "--body", "b", cwd=listed)
    index = listed / ".claudedo" / "INDEX.md"
    index.write_bytes(index.read_bytes() + b"\xff")
    for verb in (("restore", "clock-skew"), ("track",)):
        code, _, err = run(*verb, cwd=listed)
        assert code == 2
        assert "UTF-8" in err
    assert "# Second" in (listed / ".claudedo" / "traps" / "clock-skew.md").read_text()
    assert not (listed / ".claudedo" / ".gitignore").exists()
    assert git(listed, "status", "--porcelain") == ""


def test_add_track_without_git_adds_nothing(tmp_path: Path) -> None:
    code, _, err = run("lists", "add", "plain", ".", "--track", cwd=tmp_path)
    assert code == 2
    assert "no git repository" in err
    assert lists.configured() == ()


def test_broken_host_database_does_not_stop_here_and_lists_add(repo: Path, sealed: Path) -> None:
    (sealed / ".todo-app").mkdir()
    (sealed / ".todo-app" / "todo.db").write_bytes(b"garbage" * 1000)
    assert run("list", cwd=repo)[0] == 2
    assert run("lists", "add", "app", ".", cwd=repo)[0] == 0
    assert run("list", "--here", cwd=repo)[0] == 1
    code, _, err = run("list", "--list", "app", cwd=repo)
    assert code == 2
    assert "database" in err
    assert "nothing was saved" not in err


def test_usage_error_is_one_line_and_says_how_to_give_a_value_with_a_dash(listed: Path) -> None:
    code, out, err = run("save", "s", "--title", "--no-verify", "--body", "b", cwd=listed)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert "--name=value" in err
    assert run("save", "s", "--title=--no-verify", "--body", "b", cwd=listed)[0] == 0


def test_current_directory_that_was_removed_is_an_error_that_says_so(repo: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"rmdir '{gone}'; '{sys.executable}' -m claudedo_findings list"
    done = subprocess.run(["sh", "-c", line], cwd=gone, capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert done.stderr == "error: the current directory is gone: change to another one\n"
    assert repo.exists()


def test_full_disk_behind_stdout_is_no_bug(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    line = f"'{sys.executable}' -m claudedo_findings list > /dev/full"
    done = subprocess.run(["sh", "-c", line], cwd=listed, capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot write the output: No space left on device")


def test_closed_stdout_is_no_bug(listed: Path) -> None:
    line = f"'{sys.executable}' -m claudedo_findings lists >&-"
    done = subprocess.run(["sh", "-c", line], cwd=listed, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_finding_without_a_title_has_its_slug_for_one(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    (listed / ".claudedo" / "traps" / "bare.md").write_text("Just text.\n")
    run("sync", cwd=listed)
    assert "- [bare](traps/bare.md) — bare\n" in (listed / ".claudedo" / "INDEX.md").read_text(encoding="utf-8")
    assert "# bare" in run("show", "bare", cwd=listed)[1]


def test_reading_does_not_follow_links_out_of_the_project(listed: Path, tmp_path: Path) -> None:
    run(*SAVE, cwd=listed)
    (tmp_path / "private.md").write_text("# Private\n\nNot for agents.\n")
    traps = listed / ".claudedo" / "traps"
    (traps / "linked.md").symlink_to(tmp_path / "private.md")
    (traps / "folder.md").mkdir()
    code, out, err = run("list", cwd=listed)
    assert code == 0
    assert "Private" not in out
    assert "linked.md" in err
    assert "folder.md" in err
    code, out, err = run("show", "linked", cwd=listed)
    assert (code, out) == (2, "")
    assert "leads out of the project" in err
    run("sync", cwd=listed)
    assert "linked" not in (listed / ".claudedo" / "INDEX.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", [".claudedo", ".claudedo/traps"])
@pytest.mark.parametrize("verb", ["list", "stale", "show clock-skew", "check", "lint"])
def test_folder_that_leads_out_of_the_project_is_not_read(listed: Path, tmp_path: Path, link: str, verb: str) -> None:
    run(*SAVE, cwd=listed)
    (listed / link).rename(tmp_path / "outside")
    (listed / link).symlink_to(tmp_path / "outside")
    code, out, err = run(*verb.split(), cwd=listed)
    assert (code, err.count("\n")) == (2, 1)
    assert "clock" not in out
    assert "leads out of the project" in err


@pytest.mark.parametrize(
    "verb", ["list", "stale", "check", "lint", "lint --fix", "sync", "open", "restore x", "pointer"]
)
def test_what_stands_in_the_place_of_a_store_is_named(listed: Path, verb: str) -> None:
    (listed / ".claudedo").write_text("mine\n")
    code, out, err = run(*verb.split(), cwd=listed)
    assert (code, out) == (2, "")
    assert "no folder" in err or "Not a directory" in err
    assert (listed / ".claudedo").read_text() == "mine\n"


def test_lists_that_differ_in_case_alone_can_be_removed_one_by_one(repo: Path) -> None:
    path = Path(listfile.path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[lists]\nShop = '{repo}'\nshop = '{repo}'\n")
    assert run("lists", "remove", "shop", cwd=repo)[0] == 0
    assert [item.name for item in lists.configured()] == ["Shop"]


def test_list_marks_what_the_index_does_not_show(listed: Path) -> None:
    run(*SAVE, "--expires", "2001-01-01", cwd=listed)
    run("sync", cwd=listed)
    assert "(not in the index)" in run("list", cwd=listed)[1]


@pytest.mark.parametrize("family", cli.FAMILIES)
def test_each_family_adds_the_verbs_it_is_listed_with(family: str) -> None:
    verbs = argparse.ArgumentParser().add_subparsers()
    importlib.import_module(f"claudedo_findings.cli.{family}").add_verbs(verbs)
    assert sorted(verbs.choices) == sorted(cli.FAMILIES[family])


def test_snippet_gives_a_path_that_holds_where_the_block_is_read(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    code, out, err = run("snippet", cwd=listed)
    assert code == 0
    assert f"`{listed}/.claudedo/INDEX.md`" in out
    assert "CLAUDE.local.md" in err
    run("track", cwd=listed)
    code, out, err = run("snippet", cwd=listed)
    assert "`.claudedo/INDEX.md`" in out
    assert (code, err) == (0, "")
    assert json.loads(run("snippet", "--json", cwd=listed)[1])["snippet"] == out.rstrip("\n")
    assert not (listed / "CLAUDE.md").exists()
