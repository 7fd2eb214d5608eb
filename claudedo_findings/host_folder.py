"""The ClaudeDo host's own folder, `.todo-app` in the user's home: where its database, settings and logs lie."""

import contextlib
import os
import re

from claudedo_findings import files
from claudedo_findings.errors import FindingsError


def database() -> str:
    """Return the path of the host's database, "" when the host is not installed.

    Raises FindingsError when the host's settings cannot be read.
    """
    folder = _folder()
    path = os.path.join(folder, "todo.db")
    moved = _moved(os.path.join(folder, "ui.config.json"))
    if moved:
        expanded = os.path.expanduser(re.sub(r"(?i)%USERPROFILE%", lambda _: os.path.expanduser("~"), moved))
        path = os.path.normpath(os.path.join(folder, expanded))
    return path if os.path.exists(path) or moved else ""


def watched() -> tuple[str, ...]:
    """Return the files of which one changes when the host's lists do; they need not exist."""
    folder = _folder()
    path = os.path.join(folder, "todo.db")
    with contextlib.suppress(FindingsError):  # settings that are broken may be mended
        path = database() or path
    return os.path.join(folder, "ui.config.json"), path, f"{path}-wal"


def logs() -> str:
    """Return the folder of the host's run logs (`{taskId}_run{N}.ndjson`); it may not exist."""
    return os.path.join(_folder(), "logs")


def _folder() -> str:
    return os.path.join(os.path.expanduser("~"), ".todo-app")


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
