"""The lists, tasks and worktrees of the ClaudeDo host: what tells which list a call means."""

import os
import re
from collections.abc import Collection
from typing import NamedTuple

from claudedo_findings import files, host_database
from claudedo_findings.errors import FindingsError

_GUID = re.compile(r"[0-9a-f]{32}\Z")


class HostList(NamedTuple):
    """A list of the host: its name, id and working directory ("" when it has none)."""

    name: str
    id: str
    working_dir: str


class HostTask(NamedTuple):
    """A task of the host, its list, and its worktree ("" when none is known)."""

    id: str
    list_id: str
    worktree: str = ""


def lists() -> tuple[HostList, ...]:
    """Return the host's lists, () without a host."""
    with host_database.opened() as connection:
        if connection is None:
            return ()
        found = host_database.columns(connection, "lists", needed=("id", "working_dir"))
        named = "SELECT name, id, working_dir FROM lists"
        rows = connection.execute(named if "name" in found else "SELECT id, id, working_dir FROM lists").fetchall()
    return tuple(
        HostList(name=str(name or key), id=str(key), working_dir=str(directory or "")) for name, key, directory in rows
    )


def task(task_id: str) -> HostTask | None:
    """Return the task with that id (dashed or 32 hex, any case), None when the host has none."""
    with host_database.opened() as connection:
        if connection is None:
            return None
        host_database.columns(connection, "tasks", needed=("id", "list_id"))
        wanted = same_id(task_id)
        if not wanted.isprintable():  # what is no text, SQLite cannot be asked for either
            return None
        rows = connection.execute(
            "SELECT id, list_id FROM tasks WHERE id = ? OR lower(replace(id, '-', '')) = ?", (task_id, wanted)
        )
        row = next((row for row in rows.fetchall() if same_id(str(row[0])) == wanted), None)
        if row is None:
            return None
        worktrees = host_database.columns(connection, "worktrees")
        found = None
        if {"task_id", "path"} <= worktrees:
            found = connection.execute("SELECT path FROM worktrees WHERE task_id = ?", (row[0],)).fetchone()
    return HostTask(id=str(row[0]), list_id=str(row[1]), worktree=str(found[0] or "") if found else "")


def task_of_worktree(directory: str) -> HostTask | None:
    """Return the task in whose worktree `directory` lies, None when the host knows no such worktree."""
    with host_database.opened() as connection:
        if connection is None or not {"task_id", "path"} <= host_database.columns(connection, "worktrees"):
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
    with host_database.opened() as connection:
        if connection is None:
            return {}
        host_database.columns(connection, "tasks", needed=("id", "list_id"))
        wanted = {same_id(list_id) for list_id in list_ids}
        rows = connection.execute("SELECT id, list_id FROM tasks").fetchall()
        found = {str(task_id): "" for task_id, list_id in rows if same_id(str(list_id)) in wanted}
        if {"task_id", "path"} <= host_database.columns(connection, "worktrees"):
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
