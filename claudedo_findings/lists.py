"""The user's lists (lists.toml and the host's), and the rule which one is meant. Never a guess."""

import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from claudedo_findings import files, folders, git, host
from claudedo_findings.errors import FindingsError, shown

_ADD = "add one with 'claudedo-findings lists add NAME DIR'"


@dataclass(frozen=True, kw_only=True)
class TodoList:
    """A named project: its name, id ("" for one from lists.toml) and folder ("" when it has none)."""

    name: str
    id: str = ""
    working_dir: str = ""
    places: git.Places | None = field(default=None, compare=False)
    """Where its store lies, when git was asked already: a save has no process to spare."""

    def __str__(self) -> str:
        return f"{self.name!r} ({f'id {self.id}, ' if self.id else ''}{self.working_dir or 'no folder'})"


@dataclass(frozen=True, kw_only=True)
class Caller:
    """What the surroundings of a call say. `cwd` is "" where the caller's folder is not known (HTTP).

    `nearby` is set for a person's call: then the folder `cwd` says which list is meant when nothing else does.
    """

    task: str = ""
    task_list: str = ""
    bound: str = ""
    here: bool = False
    cwd: str = ""
    nearby: bool = False


@dataclass(frozen=True, kw_only=True)
class Target:
    """The list that is meant, the task it was meant by, the caller's worktree, and what to warn about."""

    list: TodoList
    task: str = ""
    worktree: str = ""
    warnings: tuple[str, ...] = ()


def config_file() -> str:
    """Return the path of lists.toml."""
    return os.path.join(folders.config(), "lists.toml")


def known() -> tuple[TodoList, ...]:
    """Return all lists: the host's, and those of lists.toml that are not the same name and folder again."""
    found = [TodoList(name=item.name, id=item.id, working_dir=item.working_dir) for item in host.lists()]
    seen = {(_key(item.name), _folder(item.working_dir)) for item in found}
    found += [item for item in _configured() if (_key(item.name), _folder(item.working_dir)) not in seen]
    return tuple(found)


def resolve(caller: Caller, requested: str = "") -> Target:
    """Return the list that a call means: task context, bound server, `list` argument, the only list, in this order.

    Raises FindingsError, naming all lists, when none of these says it.
    """
    target = _by_task(caller)
    if target:
        return _ignoring(target, requested)
    if caller.here:
        bound = here(caller.cwd)
    elif caller.bound:
        bound = find(caller.bound)
    elif requested:
        return Target(list=find(requested), worktree=_worktree(caller))
    else:
        bound = of_folder(caller.cwd) if caller.nearby else only(caller.cwd)
    if requested and (caller.here or caller.bound) and not _means(bound, requested):
        raise FindingsError(f"this server is bound to the list {bound}; it does not save to {shown(requested)}")
    return Target(list=bound, worktree=_worktree(caller))


def here(cwd: str) -> TodoList:
    """Return the checkout of `cwd` as a list named like its folder."""
    if not git.enclosing(cwd):
        raise FindingsError(
            f"{shown(cwd, 300)} is not inside a git checkout, so there is no project here: {_choices(known(), cwd)}"
        )
    places = git.places(git.checkout(cwd))
    root = places.root
    listed = (item for item in known() if item.working_dir and _folder(item.working_dir) == _folder(root))
    return replace(next(listed, TodoList(name=os.path.basename(root), working_dir=root)), places=places)


def find(wanted: str, among: Sequence[TodoList] | None = None) -> TodoList:
    """Return the list with that name (exact but for case) or id (dashed or 32 hex)."""
    candidates = known() if among is None else among
    matches = [item for item in candidates if _names(item, wanted)]
    if len(matches) > 1:
        folders_named = "; ".join(map(str, matches))
        raise FindingsError(f"the name {shown(wanted)} fits several lists: {folders_named}: give the id, or rename one")
    if not matches:
        raise FindingsError(f"no list is called {shown(wanted)}: {_choices(candidates, '')}")
    return matches[0]


def only(cwd: str) -> TodoList:
    """Return the only list there is."""
    candidates = known()
    if len(candidates) != 1:
        raise FindingsError(f"which list is meant? {_choices(candidates, cwd)}")
    return candidates[0]


def of_folder(cwd: str) -> TodoList:
    """Return the list that a person in `cwd` means: the one whose folder holds it, else the only one.

    In a linked worktree the place in the main checkout counts too.
    """
    candidates = known()
    inside = _holding(candidates, cwd)
    if not inside and git.enclosing(cwd):
        checkout = git.checkout(cwd)
        below = os.path.relpath(os.path.realpath(cwd), checkout)
        inside = _holding(candidates, os.path.join(git.places(checkout).root, below))
    return max(inside, key=lambda item: len(_folder(item.working_dir))) if inside else only(cwd)


def root(item: TodoList) -> git.Places:
    """Return where the store of a list lies. Refuses a list without a folder, the home folder and the system's root."""
    if not item.working_dir:
        raise FindingsError(f"the list {item.name!r} has no working directory: give it one in the host, or {_ADD}")
    folder = os.path.expanduser(item.working_dir)
    if not os.path.isabs(folder):
        raise FindingsError(f"the folder {shown(folder)} of the list {item.name!r} is not absolute: correct it")
    no_projects = (_folder("~"), _folder(os.path.abspath(os.sep)))
    places = None if _folder(folder) in no_projects else item.places or git.places(folder)
    if places is None or _folder(places.root) in no_projects:
        raise FindingsError(f"the list {item.name!r} points at {folder}, which is no project: correct its folder")
    return places


def add(name: str, directory: str) -> TodoList:
    """Write a list to lists.toml, keeping comments and order there; a list of that name gets the new folder."""
    if not name.strip() or not name.isprintable():
        raise FindingsError(f"the list's name {shown(name)} is empty or holds control characters: choose another")
    item = TodoList(name=name.strip(), working_dir=os.path.abspath(os.path.expanduser(directory)))
    root(item)
    namesakes = [other for other in host.lists() if _key(other.name) == _key(item.name)]
    if any(_folder(other.working_dir) != _folder(item.working_dir) for other in namesakes):
        raise FindingsError(f"the host has a list {item.name!r} with another folder: choose another name")

    def change(table: dict[str, str]) -> None:
        for key in [key for key in table if _key(key) == _key(item.name) and key != item.name]:
            del table[key]
        table[item.name] = item.working_dir

    _rewrite(change)
    return item


def remove(name: str) -> TodoList:
    """Take a list out of lists.toml; its store stays."""
    item = find(name, _configured())

    def change(table: dict[str, str]) -> None:
        table.pop(item.name, None)

    _rewrite(change)
    return item


def _by_task(caller: Caller) -> Target | None:
    if caller.task_list and caller.task:
        # The host said it all: lists.toml alone will do when its database cannot be read.
        return Target(list=_find_without_host(caller.task_list), task=caller.task, worktree=_worktree(caller))
    if caller.task_list:
        return Target(list=find(caller.task_list), worktree=_worktree(caller))
    if caller.task:
        task = host.task(caller.task)
        if task is None:
            raise FindingsError(
                f"no database knows the task {shown(caller.task)}: pass its list too (X-ClaudeDo-List or CLAUDEDO_LIST)"
            )
    else:
        task = host.task_of_worktree(caller.cwd) if caller.cwd else None
        if task is None:
            return None
    return Target(list=find(task.list_id), task=task.id, worktree=task.worktree or _worktree(caller))


def _worktree(caller: Caller) -> str:
    return git.checkout(caller.cwd) if caller.cwd else ""


def _find_without_host(wanted: str) -> TodoList:
    try:
        return find(wanted)
    except FindingsError:
        matches = [item for item in _configured() if _names(item, wanted)]
        if len(matches) == 1 and not _host_answers():
            return matches[0]
        raise


def _host_answers() -> bool:
    try:
        host.lists()
    except FindingsError:
        return False
    return True


def _ignoring(target: Target, requested: str) -> Target:
    if not requested or _names(target.list, requested):
        return target
    warning = f"the task runs in the list {target.list.name!r}, so the list argument {shown(requested)} was ignored"
    return replace(target, warnings=(warning,))


def _names(item: TodoList, wanted: str) -> bool:
    by_id = bool(item.id) and host.same_id(item.id) == host.same_id(wanted)
    return by_id or _key(item.name) == _key(wanted)


def _means(bound: TodoList, wanted: str) -> bool:
    """Return whether `wanted` names the bound list; a known list decides by its folder, so no namesake passes."""
    named = [item for item in known() if _names(item, wanted)]
    if not named:
        return _names(bound, wanted)
    return any(item == bound or _folder(item.working_dir) == _folder(bound.working_dir) for item in named)


def _key(name: str) -> str:
    """Return the form in which names are compared: case and the two Unicode spellings of an umlaut do not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def _choices(candidates: Sequence[TodoList], cwd: str) -> str:
    if not candidates:
        return f"there are no lists; {_ADD}"
    inside = [item.name for item in _holding(candidates, cwd)] if cwd else []
    hint = f" (the working directory lies in {', '.join(map(repr, inside))})" if inside else ""
    return f"name one of {'; '.join(map(str, candidates))}{hint}"


def _holding(candidates: Sequence[TodoList], path: str) -> list[TodoList]:
    place = _folder(path)
    folders_of = ((item, _folder(item.working_dir)) for item in candidates if item.working_dir)
    return [item for item, folder in folders_of if place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)]


def _folder(path: str) -> str:
    return os.path.normcase(os.path.realpath(os.path.expanduser(path))) if path else ""


def _configured() -> tuple[TodoList, ...]:
    data = files.read(config_file())
    if data is None:
        return ()
    import tomllib

    try:
        table = tomllib.loads(data.decode("utf-8-sig")).get("lists", {})
    except ValueError as error:
        raise FindingsError(f"{config_file()} is not valid TOML: {error}; correct it") from error
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise FindingsError(f"{config_file()} needs a table [lists] of the form name = 'folder'; correct it")
    return tuple(TodoList(name=name, working_dir=folder) for name, folder in table.items())


def _rewrite(change: Callable[[dict[str, str]], None]) -> None:
    import tomlkit

    path = config_file()
    with files.locked(os.path.join(folders.state(), "lists.lock")):
        _configured()  # refuses what would not be understood
        document = tomlkit.parse((files.read(path) or b"").decode("utf-8-sig"))
        if "lists" not in document:
            document["lists"] = tomlkit.table()
        change(document["lists"])
        files.make_folder(os.path.dirname(path))
        files.write_atomic(os.path.realpath(path), tomlkit.dumps(document).encode("utf-8"))  # dotfiles are linked
