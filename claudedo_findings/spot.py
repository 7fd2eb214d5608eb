"""Where a path that somebody names lies in the list's project, whatever checkout or folder it was named from."""

import os

from claudedo_findings import git
from claudedo_findings.errors import FindingsError, shown


def in_project(path: str, cwd: str, places: git.Places) -> str:
    """Return a path relative to the store's root, `/` between parts, "." for the root or a folder above it.

    In a linked worktree the same place in the main checkout is meant. A relative path is one below `cwd`, but
    below the root when it (or its folder) exists only there, or when `cwd` lies outside the project.
    Raises FindingsError when it lies outside the project.
    """
    named, from_root = os.path.join(cwd, os.path.expanduser(path)), os.path.join(places.root, path)
    inside = _below(named, places)
    if not os.path.isabs(path) and (_closer(from_root, named) or (inside is None and not os.path.lexists(named))):
        inside = _below(from_root, places)
    if inside is None:
        raise FindingsError(f"{shown(path, 300)} lies outside the project {places.root}: name a file or folder in it")
    return inside


def _closer(one: str, other: str) -> bool:
    """Return whether `one` exists and `other` does not, or failing that their folders."""
    return _near(one) > _near(other)


def _near(path: str) -> int:
    return 2 if os.path.lexists(path) else int(os.path.isdir(os.path.dirname(os.path.normpath(path))))


def _below(path: str, places: git.Places) -> str | None:
    folder, name = os.path.split(os.path.normpath(path))
    real = os.path.normpath(os.path.join(os.path.realpath(folder), name))  # a link in the project is a file of its own
    try:
        below = os.path.relpath(real, _root(real, places))
    except ValueError:  # another drive
        return None
    if below == "." or all(part == os.pardir for part in below.split(os.sep)):
        return "."
    return None if below.startswith(os.pardir + os.sep) else below.replace(os.sep, "/")


def _root(path: str, places: git.Places) -> str:
    """Return the place of the store's root in the checkout that holds `path`."""
    checkout = git.checkout(path)
    if checkout in ("", places.toplevel) or not os.path.isfile(os.path.join(checkout, ".git")):
        return places.root
    try:
        same = git.places(checkout).common_dir == places.common_dir
    except FindingsError:  # a broken worktree: the path still says something
        same = False
    return os.path.join(checkout, places.prefix) if same else places.root
