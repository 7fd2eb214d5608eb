"""The user's lists: those of lists.toml and the host's, how one is found, and where its store lies."""

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from claudedo_findings import files, git, host, listfile
from claudedo_findings.errors import FindingsError, shown

_WHICH = "which list is meant?"
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


def known() -> tuple[TodoList, ...]:
    """Return all lists: the host's, and those of lists.toml that are not the same name and folder again."""
    return merged(hosted(), configured())


def merged(of_host: Sequence[TodoList], own: Sequence[TodoList]) -> tuple[TodoList, ...]:
    """Return the host's lists, and those of the user's own that are not the same name and folder again."""
    seen = {(name_key(item.name), folder_key(item.working_dir)) for item in of_host}
    return (*of_host, *(item for item in own if (name_key(item.name), folder_key(item.working_dir)) not in seen))


def hosted() -> tuple[TodoList, ...]:
    """Return the lists of the host alone."""
    return tuple(TodoList(name=item.name, id=item.id, working_dir=item.working_dir) for item in host.lists())


def here(cwd: str) -> TodoList:
    """Return the checkout of `cwd` as a list, named as its list is, else like its folder."""
    if not git.enclosing(cwd):
        raise FindingsError(
            f"{shown(cwd, 300)} is not inside a git checkout, so there is no project here: {_choices(known(), cwd)}"
        )
    places = git.places(git.checkout(cwd))
    try:
        candidates = known()
    except FindingsError:  # they are asked for a name alone
        candidates = ()
    root = places.root
    listed = (item for item in candidates if item.working_dir and folder_key(item.working_dir) == folder_key(root))
    return replace(next(listed, TodoList(name=os.path.basename(root), working_dir=root)), places=places)


def configured() -> tuple[TodoList, ...]:
    """Return the lists of lists.toml alone."""
    return tuple(TodoList(name=name, working_dir=folder) for name, folder in listfile.read().items())


def find(wanted: str, among: Sequence[TodoList] | None = None) -> TodoList:
    """Return the list with that name (exact but for case) or id (dashed or 32 hex)."""
    candidates = known() if among is None else among
    matches = [item for item in candidates if names(item, wanted)]
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
        raise FindingsError(f"{_WHICH} {_choices(candidates, cwd)}")
    return candidates[0]


def of_folder(cwd: str) -> TodoList:
    """Return the list that a person in `cwd` means: the one whose folder holds it, else the only one.

    In a linked worktree the same place in the main checkout counts.
    """
    candidates = known()
    places = _main_places(cwd)
    inside = _inside(candidates, cwd, places)
    if not inside:
        if len(candidates) != 1 and git.enclosing(cwd):
            raise FindingsError(f"{_WHICH} {_choices(candidates, cwd)}, or say --here for the checkout you are in")
        return only(cwd)
    item = max(inside, key=lambda item: len(folder_key(item.working_dir)))
    if places and folder_key(item.working_dir) == folder_key(places.root):
        return replace(item, places=places)
    return item


def holds(item: TodoList, cwd: str) -> bool:
    """Return whether `cwd`, or its place in the main checkout, lies in the list's folder."""
    return bool(_inside([item], cwd, _main_places(cwd)))


def root(item: TodoList) -> git.Places:
    """Return where the store of a list lies. Refuses a list without a folder, the home folder and the system's root."""
    if not item.working_dir:
        raise FindingsError(
            f"the list {item.name!r} has no working directory: give it one in the host, or add its folder under another"
            " name with 'claudedo-findings lists add NAME DIR'"
        )
    folder = os.path.expanduser(item.working_dir)
    if not os.path.isabs(folder):
        raise FindingsError(f"the folder {shown(folder)} of the list {item.name!r} is not absolute: correct it")
    no_projects = (folder_key("~"), folder_key(os.path.abspath(os.sep)))
    places = None if folder_key(folder) in no_projects else item.places or git.places(folder)
    if places is None or folder_key(places.root) in no_projects:
        raise FindingsError(f"the list {item.name!r} points at {folder}, which is no project: correct its folder")
    return places


def add(name: str, directory: str) -> TodoList:
    """Write a list to lists.toml, keeping comments and order there; a list of that name gets the new folder.

    A folder in a linked worktree is stored as its place in the main checkout, which outlives the worktree.
    """
    if not name.strip() or not name.isprintable():
        raise FindingsError(f"the list's name {shown(name)} is empty or holds control characters: choose another")
    places = root(TodoList(name=name.strip(), working_dir=os.path.abspath(os.path.expanduser(directory))))
    item = TodoList(name=name.strip(), working_dir=places.root, places=places)
    try:
        namesakes = [other for other in host.lists() if name_key(other.name) == name_key(item.name)]
    except FindingsError:  # the user's own lists do not depend on the host
        namesakes = []
    if any(folder_key(other.working_dir) != folder_key(item.working_dir) for other in namesakes):
        raise FindingsError(f"the host has a list {item.name!r} with another folder: choose another name")

    def change(table: dict[str, str]) -> None:
        for key in [key for key in table if name_key(key) == name_key(item.name) and key != item.name]:
            del table[key]
        table[item.name] = item.working_dir

    listfile.rewrite(change)
    return item


def remove(name: str) -> TodoList:
    """Take a list out of lists.toml; its store stays. Of names that differ in case alone the exact one is meant."""
    exact = [item for item in configured() if item.name == name]
    item = exact[0] if exact else find(name, configured())

    def change(table: dict[str, str]) -> None:
        table.pop(item.name, None)

    listfile.rewrite(change)
    return item


def names(item: TodoList, wanted: str) -> bool:
    """Return whether `wanted` is the name (in any case) or the id (in any form) of a list."""
    by_id = bool(item.id) and host.same_id(item.id) == host.same_id(wanted)
    return by_id or name_key(item.name) == name_key(wanted)


def name_key(name: str) -> str:
    """Return the form in which names are compared: case and the two Unicode spellings of an umlaut do not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def _choices(candidates: Sequence[TodoList], cwd: str) -> str:
    if not candidates:
        return f"there are no lists; {_ADD}"
    try:
        inside = _inside(candidates, cwd, _main_places(cwd)) if cwd else []
    except FindingsError:  # a hint is no reason for another error
        inside = []
    names = ", ".join(repr(item.name) for item in inside)
    hint = f" (the working directory lies in {names})" if inside else ""
    return f"name one of {'; '.join(map(str, candidates))}{hint}"


def _main_places(cwd: str) -> git.Places | None:
    """Return where the checkout of `cwd` has its store when its `.git` is a file, as in a linked worktree."""
    return git.places(git.checkout(cwd)) if os.path.isfile(git.enclosing(cwd)) else None


def _inside(candidates: Sequence[TodoList], cwd: str, places: git.Places | None) -> list[TodoList]:
    """Return the lists that hold the place of `cwd` in the main checkout, else those that hold `cwd` itself."""
    mapped = []
    if places:
        below = os.path.relpath(os.path.realpath(cwd), git.checkout(cwd))
        mapped = _holding(candidates, os.path.join(places.root, below))
    return mapped or _holding(candidates, cwd)


def _holding(candidates: Sequence[TodoList], path: str) -> list[TodoList]:
    place = folder_key(path)
    folders_of = ((item, folder_key(item.working_dir)) for item in candidates if item.working_dir)
    return [item for item, folder in folders_of if place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)]


def folder_key(path: str) -> str:
    """Return the form in which folders are compared, "" for none."""
    return os.path.normcase(files.real(os.path.expanduser(path))) if path else ""
