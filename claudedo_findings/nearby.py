"""Which list a folder means: the one whose folder holds it, in a linked worktree as in the main checkout."""

import os
from collections.abc import Sequence

from claudedo_findings import git, lists
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.lists import TodoList

_WHICH = "which list is meant?"


def here(cwd: str) -> TodoList:
    """Return the checkout of `cwd` as a list, named as its list is, else like its folder."""
    checkout = git.checkout(cwd)
    if not checkout:
        choices = _choices(lists.known(), cwd)
        raise FindingsError(f"{shown(cwd, 300)} is not inside a git checkout, so there is no project here: {choices}")
    places = git.places(checkout)
    try:
        candidates = lists.known()
    except FindingsError:  # they are asked for a name alone
        candidates = ()
    root = lists.folder_key(places.root)
    listed = (item for item in candidates if item.working_dir and lists.folder_key(item.working_dir) == root)
    unlisted = TodoList(name=os.path.basename(places.root), working_dir=places.root)
    return next(listed, unlisted).placed(places)


def only(cwd: str) -> TodoList:
    """Return the only list there is."""
    candidates = lists.known()
    if len(candidates) != 1:
        raise FindingsError(f"{_WHICH} {_choices(candidates, cwd)}")
    return candidates[0]


def of_folder(cwd: str) -> TodoList:
    """Return the list that a person in `cwd` means: the one whose folder holds it, else the only one.

    In a linked worktree the same place in the main checkout counts.
    """
    candidates = lists.known()
    places = _main_places(cwd)
    inside = _inside(candidates, cwd, places)
    if not inside:
        if len(candidates) != 1 and git.enclosing(cwd):
            raise FindingsError(f"{_WHICH} {_choices(candidates, cwd)}, or say --here for the checkout you are in")
        return only(cwd)
    item = max(inside, key=lambda item: len(lists.folder_key(item.working_dir)))
    if places and lists.folder_key(item.working_dir) == lists.folder_key(places.root):
        return item.placed(places)
    return item


def holds(item: TodoList, cwd: str) -> bool:
    """Return whether `cwd`, or its place in the main checkout, lies in the list's folder."""
    return bool(_inside([item], cwd, _main_places(cwd)))


def _choices(candidates: Sequence[TodoList], cwd: str) -> str:
    try:
        inside = _inside(candidates, cwd, _main_places(cwd)) if cwd else []
    except FindingsError:  # a hint is no reason for another error
        inside = []
    names = ", ".join(repr(item.name) for item in inside)
    return lists.choices(candidates) + (f" (the working directory lies in {names})" if inside else "")


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
    place = lists.folder_key(path)
    folders_of = ((item, lists.folder_key(item.working_dir)) for item in candidates if item.working_dir)
    return [item for item, folder in folders_of if place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)]
