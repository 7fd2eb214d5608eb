"""The door to the ClaudeDo host: its SQLite file, opened read-only, never migrated or written.

Only `lists.id` and `lists.working_dir` are certain; every other column is probed.
"""

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from claudedo_findings import files, host_folder
from claudedo_findings.errors import FindingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

BUSY_TIMEOUT = 2.0  # seconds to wait for a writer of the host
READ = {
    "lists": ("id", "name", "working_dir"),
    "tasks": ("id", "list_id"),
    "worktrees": ("task_id", "path"),
    "task_runs": (
        "task_id", "run_number", "session_id", "is_retry", "turn_count", "tokens_in", "tokens_out", "log_path",
        "started_at", "finished_at",
    ),
}  # fmt: skip
"""The columns that this tool reads, by table."""
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


def lists() -> tuple[HostList, ...]:
    """Return the host's lists, () without a host."""
    with opened() as connection:
        if connection is None:
            return ()
        found = columns(connection, "lists", needed=("id", "working_dir"))
        named = "SELECT name, id, working_dir FROM lists"
        rows = connection.execute(named if "name" in found else "SELECT id, id, working_dir FROM lists").fetchall()
    return tuple(
        HostList(name=str(name or key), id=str(key), working_dir=str(directory or "")) for name, key, directory in rows
    )


def lacking() -> tuple[str, ...]:
    """Return the columns this tool reads that the host's database lacks, as `table.column`; () without a host."""
    with opened() as connection:
        if connection is None:
            return ()
        return tuple(
            f"{table}.{name}"
            for table, names in READ.items()
            for name in sorted(set(names) - columns(connection, table))
        )


def task(task_id: str) -> HostTask | None:
    """Return the task with that id (dashed or 32 hex, any case), None when the host has none."""
    with opened() as connection:
        if connection is None:
            return None
        columns(connection, "tasks", needed=("id", "list_id"))
        wanted = same_id(task_id)
        if not wanted.isprintable():  # what is no text, SQLite cannot be asked for either
            return None
        rows = connection.execute(
            "SELECT id, list_id FROM tasks WHERE id = ? OR lower(replace(id, '-', '')) = ?", (task_id, wanted)
        )
        row = next((row for row in rows.fetchall() if same_id(str(row[0])) == wanted), None)
        if row is None:
            return None
        worktrees = columns(connection, "worktrees")
        found = None
        if {"task_id", "path"} <= worktrees:
            found = connection.execute("SELECT path FROM worktrees WHERE task_id = ?", (row[0],)).fetchone()
    return HostTask(id=str(row[0]), list_id=str(row[1]), worktree=str(found[0] or "") if found else "")


def task_of_worktree(directory: str) -> HostTask | None:
    """Return the task in whose worktree `directory` lies, None when the host knows no such worktree."""
    with opened() as connection:
        if connection is None or not {"task_id", "path"} <= columns(connection, "worktrees"):
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


def tasks(list_ids: Collection[str]) -> dict[str, str]:
    """Return the tasks of some lists, each with its worktree ("" when none is known)."""
    with opened() as connection:
        if connection is None:
            return {}
        columns(connection, "tasks", needed=("id", "list_id"))
        wanted = {same_id(list_id) for list_id in list_ids}
        rows = connection.execute("SELECT id, list_id FROM tasks").fetchall()
        found = {str(task_id): "" for task_id, list_id in rows if same_id(str(list_id)) in wanted}
        if {"task_id", "path"} <= columns(connection, "worktrees"):
            for task_id, path in connection.execute("SELECT task_id, path FROM worktrees WHERE path IS NOT NULL"):
                if str(task_id) in found:
                    found[str(task_id)] = str(path)
    return found


def same_id(value: str) -> str:
    """Return the form in which two ids are compared: GUIDs without dashes in lower case, others as they are."""
    bare = value.replace("-", "").lower()
    return bare if _GUID.match(bare) else value


def _contains(folder: str, path: str) -> bool:
    folder = os.path.normcase(files.real(folder))
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


@contextmanager
def opened() -> "Iterator[sqlite3.Connection | None]":
    """Open the database read-only; None without a host.

    Raises FindingsError when the database is missing or cannot be read, also for what is asked while it is open.
    """
    path = host_folder.database()
    if not path:
        yield None
        return
    if not os.path.isfile(path):
        raise FindingsError(f"the host's database {path} does not exist: check DbPath in the host's ui.config.json")
    import sqlite3  # imported late, with what its URI needs: most processes find no host
    from pathlib import Path

    resting = _resting(path)
    # Whoever else reads a database with a write-ahead log, if only to look, leaves two files beside it.
    how = "mode=ro&immutable=1" if resting else "mode=ro"
    try:
        connection = sqlite3.connect(f"{Path(path).as_uri()}?{how}", uri=True, timeout=BUSY_TIMEOUT)
        try:
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise FindingsError(f"cannot read the host's database {path}: {error}") from error
    if resting and _resting(path) != resting:
        raise FindingsError(f"the host wrote to its database {path} while it was read: try again")


def _resting(path: str) -> tuple[int, ...]:
    """Return what tells one state of the database from another; () while it has a write-ahead log, which is read then.

    Without one the file is whole, and `immutable`, which would pass the log over, passes over nothing.
    """
    log = f"{path}-wal"
    try:
        with open(path, "rb") as file:
            versions = file.read(20)[18:]  # of the file format: 2 and 2 with a write-ahead log
        found = os.stat(path)
    except OSError:
        return ()  # SQLite says what is wrong
    return (found.st_ino, found.st_size, found.st_mtime_ns) if versions == b"\2\2" and not os.path.exists(log) else ()


def columns(connection: "sqlite3.Connection", table: str, needed: tuple[str, ...] = ()) -> set[str]:
    """Return the columns of a table, none when there is no such table.

    Raises FindingsError when one that is `needed` is missing.
    """
    found = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
    missing = [name for name in needed if name not in found]
    if missing:
        raise FindingsError(
            f"the host's database has no column {table}.{missing[0]}: this version of the host is not known here;"
            " until it is, use --here in the project's checkout"
        )
    return found
