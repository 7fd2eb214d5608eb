"""What was said already: a file in the state folder for each finding, session and sub-agent."""

import os
import time
from collections.abc import Iterator

from claudedo_findings import files, folders

_DAYS = 14  # a session that is older is not resumed any more
_MOMENT = 2.0  # seconds; hooks of one event run side by side, and none of them may undo what another just said


def first(session: str, agent: str, what: str) -> bool:
    """Return whether this is said for the first time in this context, and note that it was; exact among processes."""
    folder = _folder(session)
    files.make_folder(folder)
    return files.create(os.path.join(folder, folders.key(f"{agent}\0{what}")))


def forget(session: str) -> None:
    """Let everything be said again in a session whose context was emptied."""
    now = time.time()
    for path in _inside(_folder(session)):
        if now - files.changed(path) > _MOMENT:
            files.remove(path)


def clean() -> None:
    """Delete the notes of old sessions."""
    import shutil  # 4 ms, for a session's start alone

    now = time.time()
    for path in _inside(_top()):
        if now - files.changed(path) > _DAYS * 86_400:
            shutil.rmtree(path, ignore_errors=True)


def _top() -> str:
    return os.path.join(folders.state(), "hook")


def _folder(session: str) -> str:
    return os.path.join(_top(), folders.key(session))


def _inside(folder: str) -> Iterator[str]:
    yield from (os.path.join(folder, name) for name in files.names(folder))
