"""Folders that nobody can swap for a symlink between check and use: opened from the root, one part at a time."""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from claudedo_findings.errors import FindingsError

# Windows has no such calls; there a folder is named by its path, and creating a symlink needs a right of its own.
_FLAGS = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_ABLE = bool(_FLAGS) and {os.open, os.mkdir, os.unlink, os.rename} <= os.supports_dir_fd
_thread = threading.local()


class Folder(NamedTuple):
    """An open folder: its descriptor, None where its path must do."""

    path: str
    handle: int | None = None

    def name(self, name: str) -> str:
        """Return how a file in the folder is named together with `handle`."""
        return os.path.join(self.path, name) if self.handle is None else name


class _Anchor(NamedTuple):
    root: str
    real: str
    store: str
    handle: int


@contextmanager
def held(root: str, store: str) -> Iterator[None]:
    """Let `opened` reach no folder outside of `root`, for `root` and paths at or below `store`, in this thread."""
    if not _ABLE:
        yield
        return
    real = os.path.realpath(root)
    try:
        handle = os.open(real, os.O_RDONLY | _FLAGS)
    except OSError as error:
        raise FindingsError(f"cannot open the folder {root}: {error.strerror}; nothing was changed") from error
    before = getattr(_thread, "anchor", None)
    _thread.anchor = _Anchor(root, real, store, handle)
    try:
        yield
    finally:
        _thread.anchor = before
        os.close(handle)


@contextmanager
def opened(path: str, named: str = "") -> Iterator[Folder]:
    """Give a folder to write in; `named` is what the caller meant, where a link led here.

    Raises OSError, and FindingsError for one that leads out of the root.
    """
    anchor: _Anchor | None = getattr(_thread, "anchor", None)
    meant = named or path
    if anchor is None or (meant != anchor.root and _outside(_parts(meant, anchor.store))):
        yield Folder(path)
        return
    handle = _walk(anchor, path)
    try:
        yield Folder(path, handle)
    finally:
        os.close(handle)


def leads_out(root: str, path: str) -> str:
    """Return where a path leads when it does not stay below `root`, or goes into a `.git`; "" when it stays."""
    parts = _parts(path, root)
    steps = (os.sep.join([root.rstrip(os.sep), *parts[: number + 1]]) for number in range(len(parts)))
    if _ABLE and not _outside(parts) and not any(map(os.path.islink, steps)):
        return ""  # to resolve a path takes several times as long
    real = os.path.realpath(path)
    return real if _outside(_parts(real, os.path.realpath(root))) else ""


def _parts(path: str, top: str) -> list[str]:
    """Return the names that lead from a folder down to a path; [".."] when it does not lie below."""
    inside = path.removeprefix(top.rstrip(os.sep) + os.sep)
    return inside.split(os.sep) if inside != path else [] if path == top else [os.pardir]


def _outside(parts: list[str]) -> bool:
    return os.pardir in parts or ".git" in map(str.lower, parts)  # to macOS and Windows .GIT is the same


def _walk(anchor: _Anchor, path: str) -> int:
    """Open a folder below the root, one name at a time: links that are there are resolved first, none is followed."""
    parts = _parts(path, anchor.root)
    if not _outside(parts):
        try:
            return _descend(anchor.handle, parts)
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENOTDIR):  # what systems say of a link
                raise
    real = os.path.realpath(path)
    parts = _parts(real, anchor.real)
    if _outside(parts):
        raise FindingsError(f"{path} leads out of the project, to {real}: remove that link")
    return _descend(anchor.handle, parts)


def _descend(handle: int, parts: list[str]) -> int:
    handle = os.open(".", os.O_RDONLY | _FLAGS, dir_fd=handle)
    for part in parts:
        try:
            below = os.open(part, os.O_RDONLY | _FLAGS, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle
