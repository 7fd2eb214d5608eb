"""Which folders count as a project: its main checkout, its worktrees, and those the host made for its tasks."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from claudedo_findings import git, host, lists
from claudedo_findings.errors import FindingsError


@dataclass(frozen=True, kw_only=True)
class Project:
    """The folders of a project, the main checkout first, and the ids of the host's tasks in it."""

    checkouts: tuple[str, ...]
    roots: tuple[str, ...]
    """The root of the list's store and, in each checkout, the same place."""
    tasks: frozenset[str]
    complaint: str = ""
    """Why the host could not be asked; "" when it could, or is not there."""


def of(item: lists.TodoList) -> Project:
    """Return the folders of a list's project. Raises FindingsError when the list has no root."""
    places = lists.root(item)
    complaint, tasks = "", dict[str, str]()
    try:
        ours = [
            one.id
            for one in host.lists()
            if one.working_dir and _root(one.working_dir) == lists.folder_key(places.root)
        ]
        tasks = host.tasks(ours)
    except FindingsError as error:  # sessions can be found without the host
        complaint = str(error)
    checkouts = tuple(_checkouts(places, tasks.values()))
    below = (os.path.join(checkout, places.prefix) if places.prefix else checkout for checkout in checkouts)
    return Project(
        checkouts=checkouts,
        roots=tuple(dict.fromkeys(map(os.path.normpath, (places.root, *below)))),
        tasks=frozenset(map(host.same_id, tasks)),
        complaint=complaint,
    )


def _checkouts(places: git.Places, worktrees: Iterable[str]) -> Iterable[str]:
    """Return the main checkout, its linked worktrees, and those of the host's tasks, which may be gone by now."""
    found = [places.toplevel or places.root]
    if places.common_dir:
        entries = git.run(["worktree", "list", "--porcelain", "-z"], places.root).split("\0")
        found += [entry.removeprefix("worktree ") for entry in entries if entry.startswith("worktree ")]
    found += [path for path in worktrees if path]
    found += [os.path.realpath(path) for path in found]
    return dict.fromkeys(os.path.normpath(path) for path in found)


def _root(working_dir: str) -> str:
    """Return the root of a list with that folder in the form in which folders are compared, "" when it has none."""
    try:
        return lists.folder_key(lists.root(lists.TodoList(name="", working_dir=working_dir)).root)
    except FindingsError:
        return ""
