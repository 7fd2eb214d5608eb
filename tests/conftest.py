"""A sealed room for every test: own home, no system git config, no user of this machine, no real `claude`."""

import os
import shutil
import sqlite3  # noqa: TID251  # plays the host
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from claudedo_findings import lists

# Machines are shared: no test says how fast one is. The same examples each time: what a change broke is then that
# change's, and `python -m tests.hostile` and `--hypothesis-profile search` look for what nobody has met yet.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2_000)
settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    """Let no example be drawn from the constants of whatever modules are loaded: each run and worker has others."""
    if not config.getoption("hypothesis_profile", None):
        pytest.MonkeyPatch().setattr(providers, "_get_local_constants", Constants, raising=False)


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the test a home of its own, and a `claude` that fails the test when anything starts it."""
    home = tmp_path_factory.mktemp("home")
    started = seal(home, tmp_path_factory.mktemp("bin"), monkeypatch)
    original()  # while git is the real one, and the temp folder the system's
    yield home
    assert not started.exists(), "a test started claude"


def seal(home: Path, programs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `home` the home of this process and its children; the returned file is there once `claude` was started."""
    started = programs / "claude-was-started"
    stub = programs / "claude"
    stub.write_text(f"#!/bin/sh\ntouch '{started}'\nexit 97\n")
    stub.chmod(0o755)
    for name in [name for name in os.environ if name.startswith(("GIT_", "CLAUDE", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CLAUDEDO_FINDINGS_HOME", str(home / "findings"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    (home / "gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"
        '[protocol "file"]\n\tallow = always\n[commit]\n\tgpgsign = false\n'
    )
    return started


def git(directory: Path | str, *arguments: str) -> str:
    """Run git and return what it printed; a failure fails the test."""
    done = subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one commit of `src/app.py`."""
    return make_repo(tmp_path / "repo")


def make_repo(path: Path) -> Path:
    """Create a repository with one commit of `src/app.py` at `path`."""
    # A copy costs a sixth of the git processes, and thousands of tests ask for one.
    return shutil.copytree(Path(original().name) / "repo", path, dirs_exist_ok=True)


@cache
def original() -> "tempfile.TemporaryDirectory[str]":
    """Return the folder with the `repo` that `make_repo` copies; it is removed at the end of the process."""
    folder = tempfile.TemporaryDirectory(prefix="findings-tests-")
    path = Path(folder.name) / "repo"
    (path / "src").mkdir(parents=True)
    (path / "src" / "app.py").write_text("print('app')\n")
    git(path, "init", "-q")
    git(path, "add", ".")
    # A date of its own: a hash that is new in each run is, in one of thirty, a number that front matter quotes.
    dated = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2020-01-01T12:00:00Z")
    subprocess.run(["git", "commit", "-q", "-m", "first"], cwd=path, check=True, env={**os.environ, **dated})
    return folder


@pytest.fixture
def listed(repo: Path) -> Path:
    """The repository `repo` as the only list, `app`."""
    lists.add("app", str(repo))
    return repo


@pytest.fixture
def log_git(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Return a switch that puts a logging git first on PATH and gives its log."""

    def switch() -> Path:
        real, folder = shutil.which("git"), tmp_path_factory.mktemp("wrapper")
        log = folder / "log"
        log.touch()
        (folder / "git").write_text(f"#!/bin/sh\necho \"$*\" >> '{log}'\nexec '{real}' \"$@\"\n")
        (folder / "git").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return log

    return switch


def older_git(folder: Path, monkeypatch: pytest.MonkeyPatch, lacks: str) -> None:
    """Put a git first on PATH that runs the line of shell `lacks` before the real one does its work."""
    real = shutil.which("git")
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\n{lacks}\nexec "{real}" "$@"\n')
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


HostMaker = Callable[..., Path]


@pytest.fixture
def host_database(sealed: Path) -> HostMaker:
    """Return a maker of the host's database in the shape of its public pages, in WAL mode.

    `lists` are (name, id, working_dir), `tasks` (id, list_id), `worktrees` (task_id, path).
    """

    def make(
        lists: list[tuple[str, str, str | None]],
        tasks: list[tuple[str, str]] | None = None,
        worktrees: list[tuple[str, str]] | None = None,
    ) -> Path:
        path = sealed / ".todo-app" / "todo.db"
        path.parent.mkdir(exist_ok=True)
        with sqlite3.connect(path) as connection:
            connection.executescript(
                """
                PRAGMA journal_mode = WAL;
                CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT NULL,
                    default_commit_type TEXT, created_at TEXT);
                CREATE TABLE list_config (list_id TEXT PRIMARY KEY, model TEXT, system_prompt TEXT, agent_path TEXT,
                    max_turns INTEGER);
                CREATE TABLE tasks (id TEXT PRIMARY KEY, list_id TEXT, title TEXT, status TEXT);
                CREATE TABLE task_runs (id TEXT PRIMARY KEY, task_id TEXT, run_number INTEGER, session_id TEXT,
                    is_retry INTEGER, prompt TEXT, result_markdown TEXT, structured_output TEXT, error_markdown TEXT,
                    exit_code INTEGER, turn_count INTEGER, tokens_in INTEGER, tokens_out INTEGER, log_path TEXT,
                    started_at TEXT, finished_at TEXT);
                CREATE TABLE worktrees (task_id TEXT PRIMARY KEY, path TEXT, branch_name TEXT, base_commit TEXT,
                    head_commit TEXT, merge_commit TEXT, diff_stat TEXT, state TEXT, created_at TEXT);
                """
            )
            connection.executemany("INSERT INTO lists (name, id, working_dir) VALUES (?, ?, ?)", lists)
            connection.executemany("INSERT INTO tasks (id, list_id) VALUES (?, ?)", tasks or [])
            connection.executemany("INSERT INTO worktrees (task_id, path) VALUES (?, ?)", worktrees or [])
        connection.close()
        return path

    return make


FIELDS = {"slug": "clock-skew", "title": "The clock is frozen", "body": "Only in CI. Freeze with tz=UTC."}


class Server:
    """A real stdio server process, spoken to line by line."""

    def __init__(self, *arguments: str, cwd: Path | str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "claudedo_findings", "serve", *arguments],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, *lines: bytes) -> None:
        """Write lines to the server, without waiting for answers."""
        assert self.process.stdin
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def receive(self) -> bytes:
        """Return the server's next line."""
        assert self.process.stdout
        return self.process.stdout.readline()

    def end(self) -> tuple[bytes, bytes]:
        """Close the server's input and return what else it wrote on stdout and stderr."""
        return self.process.communicate(timeout=60)
