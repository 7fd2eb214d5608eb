"""Where the transcripts of a project lie."""

import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from claudedo_findings import checkouts, host, host_folder, lists
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.files import reason
from claudedo_findings.transcripts import paths

_ENDINGS = (".jsonl", ".ndjson")
_PEEK = 1 << 20  # bytes of a transcript in which its working directory must stand; hooks write up to 60 KB before it
_TASK = re.compile(r"(?P<task>.+)_run\d+\.ndjson\Z")


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The transcripts of one project, and the checkouts that count as it, the main one first."""

    files: tuple[str, ...]
    roots: tuple[str, ...]
    complaints: tuple[str, ...] = ()
    """What could not be looked at, and why."""


@dataclass(kw_only=True)
class _Search:
    since: float
    found: dict[str, None] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)


def named(places: Sequence[str], roots: Iterable[str] = (), *, since: float = 0.0) -> Sources:
    """Return the transcripts in files and folders that were named, whatever project they speak of.

    `since` leaves out those last changed before that time (seconds since the epoch).
    Raises FindingsError for a place that does not exist.
    """
    search = _Search(since=since)
    for place in places:
        if not os.path.exists(place):
            raise FindingsError(f"there is no {shown(place, 300)}: name a transcript, or a folder that holds some")
        _take(search, [place] if os.path.isfile(place) else _below(place, search))
    return Sources(files=tuple(search.found), roots=tuple(roots), complaints=tuple(search.complaints))


def of_project(item: lists.TodoList, *, since: float = 0.0) -> Sources:
    """Return the transcripts of a list's project: the host's run logs, and sessions that began in one of its checkouts.

    The working directory that a transcript names decides, never the name of the folder it lies in.
    """
    project = checkouts.of(item)
    search = _Search(since=since)
    claude = os.path.join(_config("CLAUDE_CONFIG_DIR", ".claude"), "projects")
    codex = os.path.join(_config("CODEX_HOME", ".codex"), "sessions")
    for folder in (host_folder.logs(), claude, codex):
        _take(search, (path for path in _below(folder, search) if _is_of(project, path)))
    complaints = (*filter(None, [project.complaint]), *search.complaints)
    return Sources(files=tuple(search.found), roots=project.roots, complaints=complaints)


def roots(item: lists.TodoList) -> tuple[str, ...]:
    """Return the folders that paths of a list's project are relative to: in the main checkout and in each other one."""
    return checkouts.of(item).roots


def days_ago(days: float) -> float:
    """Return the time so many days ago, in seconds since the epoch."""
    return time.time() - days * 86_400


def peek(path: str) -> tuple[str, str]:
    """Return the first working directory and session id that a transcript names, "" for what it does not."""
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 16)
            if b'"cwd"' not in head:
                head += file.read(_PEEK)
    except OSError:
        return "", ""
    return _first(rb'"cwd"', head), _first(rb'"session_?[iI]d"', head)


def _first(name: bytes, head: bytes) -> str:
    found = re.search(name + rb'\s*:\s*("(?:[^"\\]|\\.)*")', head)
    if not found:
        return ""
    try:
        value = json.loads(found[1].decode("utf-8", "replace"))
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def _is_of(project: checkouts.Project, path: str) -> bool:
    task = _TASK.match(os.path.basename(path))
    if task and host.same_id(task["task"]) in project.tasks:
        return True
    cwd = paths.absolute(peek(path)[0], "")
    if not cwd:
        return False
    # The host names a worktree after its task, and forgets it when it is removed.
    of_task = any(host.same_id(part) in project.tasks for part in cwd.split("/"))
    return of_task or bool(paths.relative(cwd, project.checkouts))


def _take(search: _Search, found: Iterable[str]) -> None:
    for path in found:
        path = os.path.abspath(path)
        try:
            if os.stat(path).st_mtime >= search.since:
                search.found[path] = None
        except OSError as error:
            search.complaints.append(f"{path} cannot be read: {reason(error)}")


def _below(folder: str, search: _Search) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            search.complaints.append(f"{error.filename} cannot be opened: {reason(error)}")

    for parent, inner, names in os.walk(folder, onerror=refuse):
        inner.sort()
        yield from (os.path.join(parent, name) for name in sorted(names) if name.endswith(_ENDINGS))


def _config(variable: str, name: str) -> str:
    return os.environ.get(variable) or os.path.join(os.path.expanduser("~"), name)
