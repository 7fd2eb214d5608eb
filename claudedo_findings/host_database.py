"""The door to the ClaudeDo host's SQLite file: opened read-only, never migrated or written.

Only `lists.id` and `lists.working_dir` are certain; every other column is probed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from claudedo_findings import host_folder
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
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the second quotes a schema that is damaged
        raise FindingsError(f"cannot read the host's database {path}: {error}") from error
    if resting and _resting(path) != resting:
        raise FindingsError(f"the host wrote to its database {path} while it was read: try again")


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
