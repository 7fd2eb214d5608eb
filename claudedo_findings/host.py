"""The door to the ClaudeDo host: its SQLite file, opened read-only, never migrated or written.

Only `lists.id` and `lists.working_dir` are certain; every other column is probed.
"""

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from claudedo_findings import files
from claudedo_findings.errors import FindingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

BUSY_TIMEOUT = 2.0  # seconds to wait for a writer of the host
_RUN = (
    "task_id", "run_number", "session_id", "is_retry", "turn_count", "tokens_in", "tokens_out", "log_path",
    "started_at", "finished_at",
)  # fmt: skip
_READ = {
    "lists": ("id", "name", "working_dir"),
    "tasks": ("id", "list_id"),
    "worktrees": ("task_id", "path"),
    "task_runs": _RUN,
}
_GUID = re.compile(r"[0-9a-f]{32}\Z")


@dataclass(frozen=True, kw_only=True)
class HostList:
    """A list of the host: its name, id and working directory ("" when it has none)."""

    name: str
    id: str
    working_dir: str


@dataclass(frozen=True, kw_only=True)
class HostTask:
    """A task of the host, its list, and its worktree ("" when none is known)."""

    id: str
    list_id: str
    worktree: str = ""


@dataclass(frozen=True, kw_only=True)
class HostRun:
    """A run of a task as the host recorded it; None where this version of the host says nothing."""

    task_id: str
    number: int | None = None
    session_id: str = ""
    is_retry: bool | None = None
    turns: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    log: str = ""
    started_at: str = ""
    ended: bool = True
    """False while it is under way."""


def database() -> str:
    """Return the path of the host's database, "" when the host is not installed."""
    folder = os.path.join(os.path.expanduser("~"), ".todo-app")
    path = os.path.join(folder, "todo.db")
    settings = os.path.join(folder, "ui.config.json")
    moved = _moved(settings)
    if moved:
        expanded = os.path.expanduser(re.sub(r"(?i)%USERPROFILE%", lambda _: os.path.expanduser("~"), moved))
        path = os.path.normpath(os.path.join(folder, expanded))
    return path if os.path.exists(path) or moved else ""


def watched() -> tuple[str, ...]:
    """Return the files of which one changes when the host's lists do; they need not exist."""
    folder = os.path.join(os.path.expanduser("~"), ".todo-app")
    try:
        path = database() or os.path.join(folder, "todo.db")
    except FindingsError:
        path = os.path.join(folder, "todo.db")
    return os.path.join(folder, "ui.config.json"), path, f"{path}-wal"


def _moved(settings: str) -> str:
    """Return where the host's settings say that the database is, "" when they do not."""
    data = files.read(settings)
    if data is None:
        return ""
    import json

    try:
        values = json.loads(data.decode("utf-8-sig"))
        moved = values.get("DbPath") or values.get("dbPath") or ""
    except (ValueError, AttributeError, RecursionError) as error:
        raise FindingsError(f"the host's settings {settings} are not a JSON object: {error}") from error
    return moved if isinstance(moved, str) else ""


def lists() -> tuple[HostList, ...]:
    """Return the host's lists, () without a host."""
    with _opened() as connection:
        if connection is None:
            return ()
        columns = _columns(connection, "lists", needed=("id", "working_dir"))
        named = "SELECT name, id, working_dir FROM lists"
        rows = connection.execute(named if "name" in columns else "SELECT id, id, working_dir FROM lists").fetchall()
    return tuple(
        HostList(name=str(name or key), id=str(key), working_dir=str(directory or "")) for name, key, directory in rows
    )


def lacking() -> tuple[str, ...]:
    """Return the columns this tool reads that the host's database lacks, as `table.column`; () without a host."""
    with _opened() as connection:
        if connection is None:
            return ()
        return tuple(
            f"{table}.{name}"
            for table, names in _READ.items()
            for name in sorted(set(names) - _columns(connection, table, needed=()))
        )


def task(task_id: str) -> HostTask | None:
    """Return the task with that id (dashed or 32 hex, any case), None when the host has none."""
    with _opened() as connection:
        if connection is None:
            return None
        _columns(connection, "tasks", needed=("id", "list_id"))
        wanted = same_id(task_id)
        if not wanted.isprintable():  # what is no text, SQLite cannot be asked for either
            return None
        rows = connection.execute(
            "SELECT id, list_id FROM tasks WHERE id = ? OR lower(replace(id, '-', '')) = ?", (task_id, wanted)
        )
        row = next((row for row in rows.fetchall() if same_id(str(row[0])) == wanted), None)
        if row is None:
            return None
        worktrees = _columns(connection, "worktrees", needed=())
        found = None
        if {"task_id", "path"} <= worktrees:
            found = connection.execute("SELECT path FROM worktrees WHERE task_id = ?", (row[0],)).fetchone()
    return HostTask(id=str(row[0]), list_id=str(row[1]), worktree=str(found[0] or "") if found else "")


def task_of_worktree(directory: str) -> HostTask | None:
    """Return the task in whose worktree `directory` lies, None when the host knows no such worktree."""
    with _opened() as connection:
        if connection is None or not {"task_id", "path"} <= _columns(connection, "worktrees", needed=()):
            return None
        rows = connection.execute("SELECT task_id, path FROM worktrees WHERE path IS NOT NULL").fetchall()
    here = os.path.normcase(os.path.realpath(directory))
    inside = [(str(path), task_id) for task_id, path in rows if os.path.isabs(str(path)) and _contains(str(path), here)]
    if not inside:
        return None
    path, task_id = max(inside, key=lambda pair: len(pair[0]))
    found = task(str(task_id))
    if found is None:
        raise FindingsError(f"the host's worktree {path} belongs to the task {task_id}, which its database lacks")
    return HostTask(id=found.id, list_id=found.list_id, worktree=path)


def logs() -> str:
    """Return the folder of the host's run logs (`{taskId}_run{N}.ndjson`); it may not exist."""
    return os.path.join(os.path.expanduser("~"), ".todo-app", "logs")


def tasks(list_ids: Collection[str]) -> dict[str, str]:
    """Return the tasks of some lists, each with its worktree ("" when none is known)."""
    with _opened() as connection:
        if connection is None:
            return {}
        _columns(connection, "tasks", needed=("id", "list_id"))
        wanted = {same_id(list_id) for list_id in list_ids}
        rows = connection.execute("SELECT id, list_id FROM tasks").fetchall()
        found = {str(task_id): "" for task_id, list_id in rows if same_id(str(list_id)) in wanted}
        if {"task_id", "path"} <= _columns(connection, "worktrees", needed=()):
            for task_id, path in connection.execute("SELECT task_id, path FROM worktrees WHERE path IS NOT NULL"):
                if str(task_id) in found:
                    found[str(task_id)] = str(path)
    return found


def runs(task_ids: Collection[str]) -> tuple[HostRun, ...] | None:
    """Return the recorded runs of some tasks, in the order of their start; None without a host that records any."""
    with _opened() as connection:
        if connection is None:
            return None
        columns = _columns(connection, "task_runs", needed=())
        if "task_id" not in columns:
            return None
        names = [name for name in _RUN if name in columns]
        rows = connection.execute(f"SELECT {', '.join(names)} FROM task_runs").fetchall()  # noqa: S608  # our names
    wanted = {same_id(task_id) for task_id in task_ids}
    found = (dict(zip(names, row, strict=True)) for row in rows)
    mine = [_run(row) for row in found if same_id(str(row["task_id"])) in wanted]
    return tuple(sorted(mine, key=lambda run: (same_id(run.task_id), run.number or 0, run.started_at)))


def _run(row: "dict[str, object]") -> HostRun:
    def whole(name: str) -> int | None:
        value = row.get(name)
        return value if isinstance(value, int) and value >= 0 else None

    retry = whole("is_retry")
    return HostRun(
        task_id=str(row["task_id"]),
        number=whole("run_number"),
        session_id=str(row.get("session_id") or ""),
        is_retry=None if retry is None else bool(retry),
        turns=whole("turn_count"),
        tokens_in=whole("tokens_in"),
        tokens_out=whole("tokens_out"),
        log=str(row.get("log_path") or ""),
        started_at=str(row.get("started_at") or ""),
        ended="finished_at" not in row or bool(row["finished_at"]),
    )


def same_id(value: str) -> str:
    """Return the form in which two ids are compared: GUIDs without dashes in lower case, others as they are."""
    bare = value.replace("-", "").lower()
    return bare if _GUID.match(bare) else value


def _contains(folder: str, path: str) -> bool:
    folder = os.path.normcase(files.real(folder))
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


@contextmanager
def _opened() -> "Iterator[sqlite3.Connection | None]":
    """Open the database read-only. `immutable` is not set: it would ignore the write-ahead log."""
    path = database()
    if not path:
        yield None
        return
    if not os.path.isfile(path):
        raise FindingsError(f"the host's database {path} does not exist: check DbPath in the host's ui.config.json")
    import sqlite3  # imported late, with what its URI needs: most processes find no host
    from pathlib import Path

    try:
        connection = sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT)
        try:
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise FindingsError(f"cannot read the host's database {path}: {error}") from error


def _columns(connection: "sqlite3.Connection", table: str, needed: tuple[str, ...]) -> set[str]:
    columns = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
    missing = [name for name in needed if name not in columns]
    if missing:
        raise FindingsError(
            f"the host's database has no column {table}.{missing[0]}: this version of the host is not known here;"
            " until it is, use --here in the project's checkout"
        )
    return columns
