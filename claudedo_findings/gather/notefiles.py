"""Where the notes of a harvest lie: those it reads unasked, and those that are named."""

import os
from collections.abc import Sequence

from claudedo_findings import files, git
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.files import reason
from claudedo_findings.gather.shelf import Shelf

_NAMES = ("claude.md", "agents.md", "gotchas.md")
_ENDINGS = (".md", ".markdown", ".mdx")
_NOT_NOTES = ("changelog", "changes", "history", "releases", "release-notes", "news", "license", "code_of_conduct")


def default(root: str, tracked: Sequence[str]) -> Shelf:
    """Return CLAUDE.md, AGENTS.md and GOTCHAS.md of the root, the tracked ones below it, and the Markdown of `docs`."""
    shelf = Shelf(root=root)
    below = [path for path in tracked if path.rpartition("/")[2].lower() in _NAMES and "/" in path]
    names = sorted(files.names(root))
    top = [name for name in names if name.lower() in _NAMES]
    found = [path for name in (*top, *below) if os.path.lexists(path := os.path.join(root, name))]
    for name in names:
        if name.lower() == "docs" and os.path.isdir(os.path.join(root, name)):
            found += _walk(os.path.join(root, name), shelf)
    _put(shelf, found, os.path.realpath(root))
    return shelf


def named(root: str, places: Sequence[str], folder: str) -> Shelf:
    """Return the notes of files and folders that were named, relative to `folder`; these may lie outside the root.

    Raises FindingsError for one that is not there or cannot be opened.
    """
    shelf = Shelf(root=root)
    for place in places:
        path = os.path.abspath(os.path.join(folder, place))
        if not os.path.exists(path):
            raise FindingsError(
                f"there is no {shown(place, 300)} in {folder}: name a Markdown file or a folder of such"
            )
        if not os.access(path, os.R_OK | (os.X_OK if os.path.isdir(path) else 0)):
            raise FindingsError(f"cannot read {shown(place, 300)}: permission denied")
        shelf.worktrees |= _worktree(root, path)
        found = _walk(path, shelf) if os.path.isdir(path) else [path]
        _put(shelf, found, os.path.realpath(path))
    return shelf


def _put(shelf: Shelf, found: Sequence[str], allowed: str) -> None:
    """Add notes, each real file once; a link that leads out of both the root and what was named is not followed."""
    known = {os.path.realpath(place): path for path, place in shelf.paths}
    for place in sorted(found, key=os.path.islink):
        path, real = _key(shelf, place), os.path.realpath(place)
        if not any(_inside(real, folder) for folder in (os.path.realpath(shelf.root), allowed)):
            shelf.complaints.append(f"{path} leads out of the project, to {real}: name it to have it read")
        elif real in known:
            if known[real] != path:
                shelf.copies[path] = known[real]
        else:
            known[real] = path
            shelf.paths.append((path, place))
    shelf.paths.sort()


def _walk(top: str, shelf: Shelf) -> list[str]:
    """Return the Markdown files below a folder, but not in hidden folders, installed packages, other repositories."""

    def refuse(error: OSError) -> None:
        shelf.complaints.append(f"{_key(shelf, error.filename)} cannot be opened: {reason(error)}")

    found = []
    for folder, inner, names in os.walk(top, onerror=refuse):
        inner[:] = sorted(
            name
            for name in inner
            if not name.startswith(".")
            and name != "node_modules"
            and not os.path.lexists(os.path.join(folder, name, ".git"))
        )
        for name in sorted(names):
            stem, ending = os.path.splitext(name.lower())
            if ending in _ENDINGS and stem not in _NOT_NOTES and not name.startswith("."):
                found.append(os.path.join(folder, name))
    return found


def _key(shelf: Shelf, place: str) -> str:
    """Return the name of a note in keys. One in a linked worktree has the name that it has in the main checkout."""
    real = os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
    for worktree, main in shelf.worktrees.items():
        if _inside(real, worktree):
            real = os.path.join(main, os.path.relpath(real, worktree))
    root = os.path.realpath(shelf.root)
    return (os.path.relpath(real, root) if _inside(real, root) else real).replace(os.sep, "/")


def _worktree(root: str, path: str) -> dict[str, str]:
    """Return the linked worktree that holds a path outside the root, with its main checkout; {} when none does."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    checkout = git.checkout(folder)
    if _inside(os.path.realpath(path), os.path.realpath(root)) or not checkout:
        return {}
    try:
        main = os.path.realpath(git.places(checkout).toplevel)
    except FindingsError:  # a checkout that git cannot place is a folder like any other
        return {}
    return {} if main == os.path.realpath(checkout) else {os.path.realpath(checkout): main}


def _inside(real: str, folder: str) -> bool:
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)
