"""The user's lists: those of lists.toml and the host's, how one is found by name, and where its store lies."""

import os
import unicodedata
from collections.abc import Sequence

from claudedo_findings import files, git, host, listfile
from claudedo_findings.errors import FindingsError, shown


class TodoList:
    """A named project: its name, id ("" for one from lists.toml) and folder ("" when it has none)."""

    # No dataclass, whose import is a fifth of what `pointer` may take.

    def __init__(
        self,
        *,
        name: str,
        id: str = "",  # noqa: A002  # as the host calls it
        working_dir: str = "",
        places: git.Places | None = None,
    ) -> None:
        self.name = name
        self.id = id
        self.working_dir = working_dir
        self.places = places
        """Where its store lies, when git was asked already: a save has no process to spare."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TodoList) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str, str]:
        return self.name, self.id, self.working_dir

    def __str__(self) -> str:
        return f"{self.name!r} ({f'id {self.id}, ' if self.id else ''}{self.working_dir or 'no folder'})"

    def placed(self, places: git.Places) -> "TodoList":
        """Return the list with what git said of its folder."""
        return TodoList(name=self.name, id=self.id, working_dir=self.working_dir, places=places)


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
        raise FindingsError(f"no list is called {shown(wanted)}: {choices(candidates)}")
    return matches[0]


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


def folder_key(path: str) -> str:
    """Return the form in which folders are compared, "" for none."""
    return os.path.normcase(files.real(os.path.expanduser(path))) if path else ""


def choices(candidates: Sequence[TodoList]) -> str:
    """Return which lists there are to name, or how to add one."""
    if not candidates:
        return "there are no lists; add one with 'claudedo-findings lists add NAME DIR'"
    return f"name one of {'; '.join(map(str, candidates))}"
