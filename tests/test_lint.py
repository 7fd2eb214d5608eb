"""lint: each rule with a store that it complains about, and one close to it that it must let be."""

import json
import os
import re
import shutil
import subprocess  # noqa: TID251  # a hook fails the real git
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from claudedo_findings import lint, lint_fix, lint_pairs, lists
from claudedo_findings.problem import Report
from claudedo_findings.resolution import Caller
from claudedo_findings.save import save_finding
from claudedo_findings.store import Store
from tests.conftest import git, make_repo
from tests.lint_cases import ARABIC, BODY, CASES, EXCLUDE, TITLE, TOKEN, Files, line, text
from tests.test_cli import run

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@dataclass
class Play:
    """A store made by hand, in a repository."""

    root: Path

    @property
    def folder(self) -> Path:
        return self.root / ".claudedo"

    def change(self, files: Files) -> None:
        """Put each file in its place; a store that git sees then is checked in."""
        for name, content in files.items():
            if content is None:
                (self.folder / name).unlink()
            else:
                self.put(name, content)
        if EXCLUDE in files:
            self.track()

    def put(self, name: str, content: str | bytes) -> Path:
        """Write a file of the store as it is."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def trap(self, slug: str = "clock", **fields: str) -> Path:
        """Write a finding."""
        return self.put(f"traps/{slug}.md", text(slug, **fields))

    def index(self, *lines: str) -> Path:
        """Write an index of these lines."""
        return self.put("INDEX.md", "\n".join(["# Findings", "", *lines, ""]))

    def examine(self, **options: object) -> Report:
        """Look at the store."""
        return lint.examine(self.store(), **options)  # type: ignore[arg-type]

    def store(self) -> Store:
        """Return the store anew, as the next process would see it."""
        return Store(lists.root(lists.TodoList(name="app", working_dir=str(self.root))))

    def track(self) -> None:
        """Check the store in as it lies there."""
        git(self.root, "add", "-f", ".claudedo")
        git(self.root, "commit", "-q", "-m", "findings")


@pytest.fixture
def play(repo: Path) -> Play:
    """A repository whose store holds one good finding and its line."""
    made = Play(repo)
    made.trap()
    made.index(line())
    (repo / ".git" / "info" / "exclude").write_text("/.claudedo/\n")
    return made


@pytest.mark.parametrize(("name", "where", "bad", "good"), CASES, ids=[case[0] for case in CASES])
def test_each_rule_tells_where_and_lets_its_neighbour_be(
    play: Play, name: str, where: str, bad: Files, good: Files, tmp_path: Path
) -> None:
    neighbour = Play(shutil.copytree(play.root, tmp_path / "neighbour"))
    assert not play.examine().problems
    play.change(bad)
    told = [problem.where for problem in play.examine().problems if problem.rule == name]
    assert f"{play.folder}/{where}" in told
    neighbour.change(good)
    assert not [problem for problem in neighbour.examine().problems if problem.rule == name]


def test_a_link_out_of_the_project_is_told_and_one_inside_is_not(play: Play) -> None:
    clock = play.folder / "traps" / "clock.md"
    clock.rename(play.root / "kept.md")
    clock.symlink_to("../../kept.md")
    assert not play.examine().problems
    (play.folder / "traps" / "out.md").symlink_to("/etc/hostname")
    assert complaints(play.examine()) == {("file-name", "out.md")}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read_is_told_and_the_others_are_checked(play: Play) -> None:
    play.trap("other", title="strftime").chmod(0)
    assert {("unreadable", "other.md"), ("missing-line", "other.md")} <= complaints(play.examine())


def test_every_rule_stands_in_readme_and_has_its_cases() -> None:
    table = README.partition("<!-- lint rules -->")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == sorted({case[0] for case in CASES} | {"unreadable"})


@pytest.mark.parametrize("kind", ["candidates", "retired"])
def test_candidates_and_retired_files_are_checked_for_what_breaks_them_alone(play: Play, kind: str) -> None:
    play.put(f"{kind}/short.md", text("short", title="strftime", body="It is so.", scope="gone"))
    assert not play.examine().problems
    play.put(f"{kind}/broken.md", "---\nno key\n\nno title <<<\n")
    play.put(f"{kind}/leak.md", text("leek", body=TOKEN))
    told = {(problem.rule, Path(problem.path).name) for problem in play.examine().problems}
    assert told >= {
        ("front-matter", "broken.md"),
        ("no-title", "broken.md"),
        ("secret", "leak.md"),
        ("slug", "leak.md"),
    }


def test_a_problem_never_quotes_a_secret(play: Play) -> None:
    play.trap(body=f"{BODY}\n{TOKEN}")
    assert TOKEN not in repr(play.examine())


def test_what_was_saved_by_the_tool_has_no_complaints(listed: Path) -> None:
    save_finding(slug="clock-skew", title=TITLE, body=BODY, scope="src/app.py", caller=Caller())
    body = "Workers kept the old values. Parse again, it costs 3 ms."
    save_finding(
        slug="config", title="Caching the parsed config breaks reload", body=body, scope="src", caller=Caller()
    )
    assert not Play(listed).examine().problems


def test_what_was_not_looked_at_is_said(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play.examine().not_checked == ("whether findings still hold: 'stale' does that",)
    bare = Play(tmp_path / "no-git")
    shutil.copytree(play.folder, bare.folder)
    play.trap(**ARABIC)
    assert "advice in scripts whose words are not known: clock" in play.examine().not_checked
    assert f"what git thinks: {bare.root} is in no git repository" in bare.examine().not_checked
    monkeypatch.setattr(lint_pairs, "MOST", 0)
    assert "near-duplicates: 1 findings are more than 0" in play.examine().not_checked
    assert Play(make_repo(tmp_path / "new")).examine().not_checked[0].startswith("anything: there is no store")


def test_a_scope_may_exist_in_the_callers_worktree_or_outside_a_sparse_checkout(play: Play, tmp_path: Path) -> None:
    git(play.root, "worktree", "add", "-q", str(tmp_path / "wt"))
    (tmp_path / "wt" / "src" / "new.py").write_text("x")
    play.trap(scope="src/new.py")
    assert play.examine().problems
    assert not play.examine(worktree=str(tmp_path / "wt")).problems
    (play.root / "[odd] ünï").mkdir()
    (play.root / "[odd] ünï" / "a.py").write_text("x")
    git(play.root, "add", ".")
    git(play.root, "commit", "-q", "-m", "odd")
    git(play.root, "sparse-checkout", "set", "src")
    assert not (play.root / "[odd] ünï").exists()
    play.trap(scope='"[odd] ünï"')
    assert not play.examine().problems


# -- what differs from HEAD


def complaints(report: Report) -> set[tuple[str, str]]:
    """Return the rule and the file of each problem."""
    return {(problem.rule, Path(problem.path).name) for problem in report.problems}


def test_changed_looks_at_what_differs_from_head_alone(play: Play) -> None:
    (play.root / ".git" / "info" / "exclude").unlink()
    run("track", "--here", cwd=play.root)
    play.trap(title="strftime")
    play.trap("old", title="snprintf")
    play.index(line(), line("old", "A hook that says what it is"), line("gone"))
    play.track()
    assert not play.examine(only_changed=True).problems
    assert ("weak-title", "clock.md") in complaints(play.examine())
    play.trap("new", title="sprintf")  # not known to git
    play.trap("old", title="printf")
    git(play.root, "add", ".claudedo/traps/old.md")  # staged
    assert complaints(play.examine(only_changed=True)) == {
        ("weak-title", "new.md"),
        ("missing-line", "new.md"),
        ("weak-title", "old.md"),
    }
    assert "what does not differ from HEAD (1 finding)" in play.examine(only_changed=True).not_checked


def test_changed_sees_that_a_listed_finding_was_deleted(play: Play) -> None:
    (play.root / ".git" / "info" / "exclude").unlink()
    run("track", "--here", cwd=play.root)
    play.track()
    (play.folder / "traps" / "clock.md").unlink()
    assert complaints(play.examine(only_changed=True)) == {("dead-line", "INDEX.md")}


def test_changed_takes_an_excluded_store_as_new(play: Play) -> None:
    play.trap(title="strftime")
    assert complaints(play.examine(only_changed=True)) == {("weak-title", "clock.md")}


def test_changed_works_before_the_first_commit_and_in_a_sub_folder(tmp_path: Path) -> None:
    root = tmp_path / "fresh" / "sub dir"
    root.mkdir(parents=True)
    git(tmp_path / "fresh", "init", "-q")
    play = Play(root)
    play.trap(title="strftime")
    play.index(line())
    git(root, "add", ".claudedo")
    assert ("weak-title", "clock.md") in complaints(play.examine(only_changed=True))


def test_changed_as_a_commit_hook_stops_the_commit(play: Play) -> None:
    (play.root / ".git" / "info" / "exclude").unlink()
    run("track", "--here", cwd=play.root)
    play.track()
    command = f'"{sys.executable}" -m claudedo_findings lint --here --changed'
    hook = play.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {command}\n")
    hook.chmod(0o755)
    play.trap("new", title="sprintf")
    with pytest.raises(subprocess.CalledProcessError):
        git(play.root, "commit", "-q", "-m", "new", "--allow-empty")
    play.trap("new", title="sprintf reads past the end")
    run("sync", "--here", cwd=play.root)
    git(play.root, "commit", "-q", "-m", "new", "--allow-empty")


def test_renew_adds_the_keys_that_lint_misses(play: Play) -> None:
    play.put("traps/clock.md", f"# {TITLE}\n\n{BODY}\n")
    assert complaints(play.examine()) == {("front-matter", "clock.md")}
    code, _, err = run("renew", "clock", "--here", cwd=play.root)
    assert code == 0, err
    assert not play.examine().problems


# -- mending


def test_fix_mends_what_is_safe_and_keeps_every_text(play: Play) -> None:
    prose = ["My own words", "", "## Mine"]
    play.put("INDEX.md", "\r\n".join(["# Findings", *prose, line(), line(), line("gone")]) + "\n")
    mixed = text("other", title="Parsing twice loses the order").replace(f"{BODY}\n", f"{BODY}\r\n").encode()
    play.put("traps/other.md", mixed)
    play.put("traps/My Notes.md", "mine\r\nand mine\n")
    done = lint_fix.fix(play.store())
    assert len(done) == 2
    index = (play.folder / "INDEX.md").read_bytes()
    assert index.count(b"\r\n") == index.count(b"\n")
    assert index.decode().replace("\r\n", "\n").split("\n")[:4] == ["# Findings", *prose]
    assert index.count(b"traps/clock.md") == index.count(b"traps/other.md") == 1
    assert b"gone" not in index
    assert (play.folder / "traps" / "other.md").read_bytes() == mixed.replace(b"\r\n", b"\n")
    assert (play.folder / "history" / "other" / "0001-hand.md").read_bytes() == mixed
    assert (play.folder / "traps" / "My Notes.md").read_bytes() == b"mine\r\nand mine\n"
    assert complaints(play.examine()) == {("file-name", "My Notes.md")}
    assert lint_fix.fix(play.store()) == ()


def test_fix_makes_lf_of_a_store_that_is_checked_in(play: Play) -> None:
    (play.root / ".git" / "info" / "exclude").unlink()
    run("track", "--here", cwd=play.root)
    play.put("traps/clock.md", text().replace("\n", "\r\n"))
    play.track()
    lint_fix.fix(play.store())
    assert b"\r" not in (play.folder / "traps" / "clock.md").read_bytes()


def test_fix_does_not_copy_a_secret_into_the_history(play: Play) -> None:
    play.put("traps/clock.md", text(body=f"{BODY}\r\n{TOKEN}"))
    lint_fix.fix(play.store())
    assert not (play.folder / "history").exists()


def test_fix_of_no_store_creates_nothing(repo: Path) -> None:
    assert lint_fix.fix(Play(repo).store()) == ()
    assert not (repo / ".claudedo").exists()


# -- the verb


def test_lint_prints_file_and_line_and_exits_1(play: Play) -> None:
    play.trap(title="strftime")
    code, out, err = run("lint", "--here", cwd=play.root)
    assert code == 1
    assert out.startswith(f"{play.folder}/traps/clock.md:8: weak-title: the title 'strftime' says too little")
    assert len(out.splitlines()) == 1
    assert err.splitlines()[-1] == "1 problem"
    assert "not checked: whether findings still hold" in err


def test_lint_of_a_good_store_exits_0_and_prints_nothing_on_stdout(play: Play) -> None:
    code, out, err = run("lint", "--here", cwd=play.root)
    assert (code, out) == (0, "")
    assert err.splitlines()[-1] == "no problems"


def test_lint_of_no_store_says_that_it_looked_at_nothing(repo: Path) -> None:
    code, out, err = run("lint", "--here", cwd=repo)
    assert (code, out) == (0, "")
    assert "not checked: anything: there is no store" in err
    assert not (repo / ".claudedo").exists()


def test_lint_as_json(play: Play) -> None:
    play.index(line(), line("gone"))
    code, out, _ = run("lint", "--here", "--json", cwd=play.root)
    assert code == 1
    told = json.loads(out)
    assert told["problems"] == [
        {
            "slug": "gone",
            "rule": "dead-line",
            "where": f"{play.folder}/INDEX.md:4",
            "path": f"{play.folder}/INDEX.md",
            "line": 4,
            "what": "the line names 'gone', which has no file in traps/",
            "hint": "run 'claudedo-findings lint --fix'",
        }
    ]
    code, out, _ = run("lint", "--here", "--json", "--fix", cwd=play.root)
    assert code == 0
    assert json.loads(out)["fixed"] == [f"{play.folder}/INDEX.md: made true to the files"]


def test_lint_changed_without_git_is_an_error_that_says_so(tmp_path: Path) -> None:
    lists.add("plain", str(tmp_path))
    code, _, err = run("lint", "--changed", "--list", "plain", cwd=tmp_path)
    assert code == 2
    assert "leave out --changed" in err
