"""Where the transcripts of a project lie, and which folders are the project."""

import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from claudedo_findings import git, host, lists
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
    roots: tuple[str, ...]
    checkouts: tuple[str, ...] = ()
    tasks: frozenset[str] = frozenset()
    since: float = 0.0
    found: dict[str, None] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)


def named(places: Sequence[str], roots: Iterable[str] = (), *, since: float = 0.0) -> Sources:
    """Return the transcripts in files and folders that were named, whatever project they speak of.

    `since` leaves out those last changed before that time (seconds since the epoch).
    Raises FindingsError for a place that does not exist.
    """
    search = _Search(roots=tuple(roots), since=since)
    for place in places:
        if not os.path.exists(place):
            raise FindingsError(f"there is no {shown(place, 300)}: name a transcript, or a folder that holds some")
        _take(search, [place] if os.path.isfile(place) else _below(place, search))
    return Sources(files=tuple(search.found), roots=search.roots, complaints=tuple(search.complaints))


def of_project(item: lists.TodoList, *, since: float = 0.0) -> Sources:
    """Return the transcripts of a list's project: the host's run logs, and sessions that began in one of its checkouts.

    The working directory that a transcript names decides, never the name of the folder it lies in.
    """
    places = lists.root(item)
    search = _Search(roots=(), since=since)
    tasks = _tasks(places.root, search)
    search.checkouts = _checkouts(places, tasks)
    search.roots = _roots(places, search.checkouts)
    search.tasks = frozenset(host.same_id(task) for task in tasks)
    _take(search, (path for path in _below(host.logs(), search) if _is_ours(path, search)))
    for folder in (os.path.join(_config("CLAUDE_CONFIG_DIR", ".claude"), "projects"), _codex()):
        _take(search, (path for path in _below(folder, search) if _is_ours(path, search)))
    return Sources(files=tuple(search.found), roots=search.roots, complaints=tuple(search.complaints))


def roots(item: lists.TodoList) -> tuple[str, ...]:
    """Return the checkouts that count as a list's project: the main one, its worktrees, those of the host's tasks."""
    places = lists.root(item)
    return _roots(places, _checkouts(places, _tasks(places.root, _Search(roots=()))))


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


def _checkouts(places: git.Places, tasks: dict[str, str]) -> tuple[str, ...]:
    """Return the main checkout, its linked worktrees, and those of the host's tasks, which may be gone by now."""
    found = [places.toplevel or places.root]
    if places.common_dir:
        entries = git.run(["worktree", "list", "--porcelain", "-z"], places.root).split("\0")
        found += [entry.removeprefix("worktree ") for entry in entries if entry.startswith("worktree ")]
    found += [path for path in tasks.values() if path]
    found += [os.path.realpath(path) for path in found]
    return tuple(dict.fromkeys(os.path.normpath(path) for path in found))


def _roots(places: git.Places, checkouts: Iterable[str]) -> tuple[str, ...]:
    """Return the root of the list's store and, in each checkout, the same place."""
    found = (os.path.join(checkout, places.prefix) if places.prefix else checkout for checkout in checkouts)
    return tuple(dict.fromkeys(map(os.path.normpath, (places.root, *found))))


def _tasks(root: str, search: _Search) -> dict[str, str]:
    try:
        ours = [item for item in host.lists() if item.working_dir and _holds_root(item.working_dir, root)]
        return host.tasks([item.id for item in ours])
    except FindingsError as error:  # sessions can be found without the host
        search.complaints.append(str(error))
        return {}


def _holds_root(working_dir: str, root: str) -> bool:
    try:
        return lists.folder_key(lists.root(lists.TodoList(name="", working_dir=working_dir)).root) == lists.folder_key(
            root
        )
    except FindingsError:  # a list that points nowhere is not ours
        return False


def _is_ours(path: str, search: _Search) -> bool:
    task = _TASK.match(os.path.basename(path))
    if task and host.same_id(task["task"]) in search.tasks:
        return True
    cwd = paths.absolute(peek(path)[0], "")
    if not cwd:
        return False
    # The host names a worktree after its task, and forgets it when it is removed.
    return bool(paths.relative(cwd, search.checkouts)) or any(
        host.same_id(part) in search.tasks for part in cwd.split("/")
    )


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


def _codex() -> str:
    return os.path.join(_config("CODEX_HOME", ".codex"), "sessions")
