"""Check the lists of this machine: their files and folders, their stores, what git thinks, who holds the lock."""

import os
import re
from collections.abc import Iterator

from claudedo_findings import files, host, host_database, host_folder, listfile, lists, lock, plural, tracking
from claudedo_findings.errors import FindingsError
from claudedo_findings.lists import TodoList
from claudedo_findings.problem import Problem
from claudedo_findings.store import Store

UNCHECKED = "not checked: "  # begins a sentence about what could not be looked at
PATIENCE = 2.0  # seconds; a save holds the lock for milliseconds
Told = Iterator[str | Problem]


def lists_told() -> Told:
    """Yield what is to be said of lists.toml and of each list."""
    path = listfile.path()
    try:
        own = lists.configured()
    except FindingsError as error:
        line = re.search(r"line (\d+)", str(error.__cause__))
        number = int(line[1]) if line else 1
        yield Problem(rule="lists-file", path=path, line=number, what=str(error), hint="correct it")
        own = ()
    else:
        yield f"lists.toml: {plural.count(len(own), 'list')} in {path}"
    try:
        known = lists.known()
    except FindingsError:  # one of the two sources is broken, which is told of it; the other still counts
        known = own or _of_host()
    for item in known:
        yield from _list(item, path, [other for other in known if other is not item])


def host_told() -> Told:
    """Yield what is to be said of the host's database."""
    try:
        path = host_folder.database()
        if not path:
            yield "host: no ClaudeDo host is installed here"
            return
        count, lacking = len(host.lists()), host_database.lacking()
    except FindingsError as error:
        where = os.path.join(os.path.expanduser("~"), ".todo-app")
        yield Problem(rule="host", path=where, what=str(error), hint="until then use --here or lists.toml")
        return
    if lacking:
        what = f"the host's database lacks {', '.join(lacking)}"
        hint = "this version of the host is not known here: tasks and worktrees may not be found"
        yield Problem(rule="host", path=path, what=what, hint=hint)
    else:
        yield f"host: {plural.count(count, 'list')} in {path}, every column known"


def _of_host() -> tuple[TodoList, ...]:
    try:
        return tuple(TodoList(name=item.name, id=item.id, working_dir=item.working_dir) for item in host.lists())
    except FindingsError:
        return ()


def _list(item: TodoList, config: str, others: list[TodoList]) -> Told:
    line = 0 if item.id else _line_of(item, config)
    place = item.working_dir if item.id else config

    def wrong(rule: str, what: str, hint: str) -> Problem:
        return Problem(rule=rule, path=place or config, line=line, what=f"list {item.name!r}: {what}", hint=hint)

    if any(lists.names(other, item.name) for other in others):
        yield wrong("list", "another list has that name", "rename one, or use ids")
    try:
        store = Store(lists.root(item))
    except FindingsError as error:
        yield wrong("list", str(error), "correct its folder, or remove it with 'claudedo-findings lists remove'")
        return
    if store.places.warning:
        yield wrong("list", store.places.warning, "point it at a worktree that stays")
    if not store.exists():
        yield f"list {item.name!r}: {store.places.root}, no findings yet"
        return
    told = tuple(_store(store))
    yield from (wrong("exclude", what, hint) for what, hint in told)
    busy = _busy(store)
    if busy:
        yield Problem(rule="lock", path=store.lock_path, what=busy, hint="end it if it hangs; a free lock file stays")
    if not told and not busy:
        yield f"list {item.name!r}: {store.folder}, {_shown(store)}"
    if not store.places.common_dir:
        yield f"{UNCHECKED}what git thinks of {store.folder}: it is in no repository"


def _store(store: Store) -> Iterator[tuple[str, str]]:
    """Yield what is wrong between git and a store, each with what to do."""
    if not store.places.common_dir:
        return
    try:
        state, lacking = tracking.state(store), tracking.lacking(store)
    except FindingsError as error:
        yield str(error), "run 'git status' there"
        return
    if state.rule and state.files:
        what = f"git tracks {state.files} of its files, but {state.rule} hides new ones"
        yield what, "decide with 'claudedo-findings track' or 'untrack'"
    elif not state.rule and not state.files and lacking:
        what = "git neither ignores the store nor tracks it, so the next 'git add -A' takes it in"
        yield what, "decide with 'claudedo-findings track' or 'untrack'"


def _shown(store: Store) -> str:
    if not store.places.common_dir:
        return "without git"
    state = tracking.state(store)
    return f"ignored by {state.rule}" if state.rule else f"checked in, {plural.count(state.files, 'file')} tracked"


def _busy(store: Store) -> str:
    """Return who holds the store's lock, "" when nobody does. A lock file that nobody holds is no problem."""
    if not lock.held(store.lock_path, PATIENCE):
        return ""
    owner = _holder(store.lock_path)
    return f"the lock has been held for {PATIENCE:.0f} s" + (f" by process {owner}" if owner else "")


def _holder(path: str) -> str:
    """Return the process that holds a lock file, as Linux tells it, else ""."""
    try:
        inode = os.stat(path).st_ino
        rows = (files.read("/proc/locks") or b"").decode("ascii", "replace").split("\n")
    except (OSError, FindingsError):
        return ""
    held = (row.split() for row in rows if f":{inode} " in row and " FLOCK " in row)
    return next((row[4] for row in held if len(row) > 4), "")


def _line_of(item: TodoList, path: str) -> int:
    """Return the line of a list in lists.toml."""
    rows = (files.read(path) or b"").decode("utf-8", "replace").split("\n")
    key = re.compile(rf"\s*[\"']?{re.escape(item.name)}[\"']?\s*=")
    return next((number for number, row in enumerate(rows, 1) if key.match(row)), 1)
