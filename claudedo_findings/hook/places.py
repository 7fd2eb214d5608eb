"""Which store a path belongs to, from any worktree: the nearest `.claudedo` above its place in the main checkout."""

import os
from functools import cache
from typing import NamedTuple

from claudedo_findings import git, plain
from claudedo_findings.errors import FindingsError
from claudedo_findings.layout import FOLDER, Layout


class Spot(NamedTuple):
    """A store, and a path relative to its root with `/` between the parts; "" for the root itself."""

    store: Layout
    path: str


def of_path(path: str) -> Spot | None:
    """Return the spot of a file or folder, None when no store holds it.

    Raises FindingsError for a broken repository.
    """
    real = os.path.realpath(path)
    checkout = git.checkout(real if os.path.isdir(real) else os.path.dirname(real))
    if not checkout:
        return _nearest(git.Places(root=_existing(real)), real)
    places = _places(checkout)
    return _nearest(places, os.path.normpath(os.path.join(places.root, os.path.relpath(real, checkout))))


def of_folder(folder: str) -> Layout | None:
    """Return the store that a session in `folder` means: the nearest one above it, else that of the list that holds it.

    The only list of all is not meant by that: agents ask from every project, and this may be another one.
    """
    spot = of_path(folder)
    if spot:
        return spot.store
    from claudedo_findings import lists, nearby  # with the host's database behind it: not on the usual way

    try:
        item = nearby.of_folder(folder)
        if not nearby.holds(item, folder):
            return None
        store = Layout(lists.root(item))
    except FindingsError:  # no list, or several: nothing is guessed
        return None
    return store if store.exists() else None


@cache
def _places(checkout: str) -> git.Places:
    return plain.places(checkout) or git.places(checkout)


def _nearest(places: git.Places, path: str) -> Spot | None:
    """Return the nearest store at or above `path`, in its checkout; the home folder and the system's root have none."""
    folder, home, top = path, os.path.realpath(os.path.expanduser("~")), places.toplevel
    while folder != os.path.dirname(folder):
        if os.path.isdir(os.path.join(folder, FOLDER)) and folder != home:
            prefix = os.path.relpath(folder, places.root).replace(os.sep, "/") if top else ""
            found = places._replace(root=folder, prefix="" if prefix == "." else prefix)
            inner = os.path.relpath(path, folder).replace(os.sep, "/")
            return Spot(Layout(found), "" if inner == "." else inner)
        if folder == top:
            return None
        folder = os.path.dirname(folder)
    return None


def _existing(path: str) -> str:
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path
