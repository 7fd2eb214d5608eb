"""The main job on real input: a repository, a worktree, the host's database, a real server and client."""

import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from claudedo_findings import git, lists, pointer
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store

_LIST = "0b7c1d52-8e54-4d0f-9a53-2f6f4f1b7f10"
_TASK = "8c1d44e0-5a0b-4f63-9d52-0c6c8a3f1b77"
_FINDING = {
    "slug": "clock-skew-in-ci",
    "title": "The invoice tests fail after midnight UTC because the fixture freezes local time",
    "body": "They pass on every developer's machine, so it looks like a flaky runner. Only CI runs in UTC.\n\n"
    "Freeze the clock with `tz=timezone.utc` instead of re-running the job.",
    "scope": "src/billing/invoice.py",
}


@dataclass(frozen=True)
class _Places:
    """The folders of the demo."""

    base: str

    @property
    def repository(self) -> str:
        return os.path.join(self.base, "shop")

    @property
    def worktree(self) -> str:
        return os.path.join(self.base, ".claudedo-worktrees", "shop", _TASK)

    @property
    def home(self) -> str:
        return os.path.join(self.base, "home")


def run(*, keep: bool) -> int:
    """Run the demo in a temporary folder and return 0; a step that fails is named, and the exit code is 2."""
    base = os.path.realpath(tempfile.mkdtemp(prefix="claudedo-findings-demo-"))
    places = _Places(base)
    try:
        with _step("point HOME and every setting at the temporary folder"):
            _seal(places.home)
        with _step("create a repository with a linked worktree"):
            _make_repository(places)
        with _step("create a host database with a task in that worktree"):
            _make_host(places)
        with _step("save a finding from the worktree, twice, through a real MCP client"):
            answers = _save_twice(places)
        _show("first answer of save_finding", json.dumps(answers[0], indent=2, ensure_ascii=False))
        _show("second answer", f"status: {answers[1]['status']}")
        with _step("read what was written in the main checkout"):
            _show_store(places)
    finally:
        if keep:
            print(f"\nkept: {base}")
        else:
            shutil.rmtree(base, ignore_errors=True)
    print("\nThe finding outlives the worktree, and the next run reads the index before it explores.")
    return 0


def _seal(home: str) -> None:
    os.makedirs(home)
    for name in [name for name in os.environ if name.startswith(("GIT_", "CLAUDEDO_"))]:
        del os.environ[name]
    os.environ |= {
        "HOME": home,
        "USERPROFILE": home,
        "CLAUDEDO_FINDINGS_HOME": os.path.join(home, "findings"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.path.join(home, "gitconfig"),
    }
    with open(os.environ["GIT_CONFIG_GLOBAL"], "w", encoding="utf-8") as file:
        file.write("[user]\n\tname = Demo\n\temail = demo@example.invalid\n[init]\n\tdefaultBranch = main\n")


def _make_repository(places: _Places) -> None:
    source = os.path.join(places.repository, "src", "billing", "invoice.py")
    os.makedirs(os.path.dirname(source))
    with open(source, "w", encoding="utf-8") as file:
        file.write("def total(lines):\n    return sum(line.price for line in lines)\n")
    git.run(["init", "-q"], places.repository)
    git.run(["add", "."], places.repository)
    git.run(["commit", "-q", "-m", "Bill what was ordered"], places.repository)
    git.run(["worktree", "add", "-q", "-b", "claudedo/invoices", places.worktree], places.repository)


def _make_host(places: _Places) -> None:
    folder = os.path.join(places.home, ".todo-app")
    os.makedirs(folder)
    with contextlib.closing(sqlite3.connect(os.path.join(folder, "todo.db"))) as connection, connection:
        connection.executescript(
            "CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT);"
            "CREATE TABLE tasks (id TEXT PRIMARY KEY, list_id TEXT, title TEXT, status TEXT);"
            "CREATE TABLE worktrees (task_id TEXT PRIMARY KEY, path TEXT, branch_name TEXT);"
        )
        connection.execute("INSERT INTO lists VALUES (?, 'Shop', ?)", (_LIST, places.repository))
        connection.execute("INSERT INTO tasks VALUES (?, ?, 'Fix the invoices', 'running')", (_TASK, _LIST))
        connection.execute("INSERT INTO worktrees VALUES (?, ?, 'claudedo/invoices')", (_TASK, places.worktree))


def _save_twice(places: _Places) -> list[dict[str, Any]]:
    import anyio
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "claudedo_findings", "serve"],
        cwd=places.worktree,
        env=dict(os.environ),
    )

    async def talk() -> list[dict[str, Any]]:
        async with Client(server, read_timeout_seconds=60) as client:
            listed = await client.list_tools()
            _show("tools the server offers", ", ".join(tool.name for tool in listed.tools))
            results = [await client.call_tool("save_finding", dict(_FINDING)) for _ in range(2)]
        for result in results:
            if result.is_error or not isinstance(result.structured_content, dict):
                raise FindingsError(f"save_finding answered with an error: {result.content}")
        return [result.structured_content for result in results if isinstance(result.structured_content, dict)]

    return anyio.run(talk)


def _show_store(places: _Places) -> None:
    store = Store(lists.root(lists.find("Shop")))
    for path in (store.finding_path(_FINDING["slug"]), store.index_path):
        with open(path, encoding="utf-8") as file:
            _show(os.path.relpath(path, places.base), file.read().rstrip())
    with open(store.places.exclude, encoding="utf-8") as file:
        added = [line for line in file.read().splitlines() if line and not line.startswith("#")]
    _show(f"{os.path.relpath(store.places.exclude, places.base)}, lines in force", "\n".join(added))
    for name, checkout in (("main checkout", places.repository), ("worktree", places.worktree)):
        status = git.run(["status", "--short", "--branch"], checkout)
        _show(f"git status of the {name}", status.rstrip())
    _show("claudedo-findings pointer", pointer.sentence(store))


@contextlib.contextmanager
def _step(name: str) -> Iterator[None]:
    print(f"* {name}", flush=True)
    try:
        yield
    except Exception as error:
        raise FindingsError(f"the demo failed at the step {name!r}: {_root(error)}") from error


def _root(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):  # how the client's task group wraps what went wrong
        error = error.exceptions[0]
    return error


def _show(title: str, text: str) -> None:
    print(f"\n  {title}")
    for line in text.split("\n"):
        print(f"    {line}".rstrip(), flush=True)
