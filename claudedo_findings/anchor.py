"""Folders that nobody can swap for a symlink between check and use: opened from the root, one part at a time."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from claudedo_findings.errors import FindingsError

# Windows has no such calls; there a folder is named by its path, and creating a symlink needs a right of its own.
_FLAGS = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_ABLE = bool(_FLAGS) and {os.open, os.mkdir, os.unlink, os.rename} <= os.supports_dir_fd
_thread = threading.local()


@dataclass(frozen=True)
class Folder:
    """An open folder: its descriptor, None where its path must do."""

    path: str
    handle: int | None = None

    def name(self, name: str) -> str:
        """Return how a file in the folder is named together with `handle`."""
        return os.path.join(self.path, name) if self.handle is None else name


@dataclass(frozen=True)
class _Anchor:
    root: str
    store: str
    handle: int


@contextmanager
def held(root: str, store: str) -> Iterator[None]:
    """Let `opened` reach no folder outside of `root`, for paths at or below `store`, in this thread."""
    if not _ABLE:
        yield
        return
    real = os.path.realpath(root)
    try:
        handle = os.open(real, os.O_RDONLY | _FLAGS)
    except OSError as error:
        raise FindingsError(f"cannot open the folder {root}: {error.strerror}; nothing was changed") from error
    before = getattr(_thread, "anchor", None)
    _thread.anchor = _Anchor(real, store, handle)
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
    if anchor is None or not (meant == os.path.dirname(anchor.store) or _below(meant, anchor.store)):
        yield Folder(path)
        return
    handle = _walk(anchor, path)
    try:
        yield Folder(path, handle)
    finally:
        os.close(handle)


def _below(path: str, top: str) -> bool:
    return f"{path}{os.sep}".startswith(top + os.sep)


def _walk(anchor: _Anchor, path: str) -> int:
    """Open a folder below the root. Its links are resolved first, so one that is met then was put there just now."""
    real = os.path.realpath(path)
    parts = os.path.relpath(real, anchor.root).split(os.sep)
    if ".." in parts or ".git" in parts:
        raise FindingsError(f"{path} leads out of the project, to {real}: remove that link")
    handle = os.open(".", os.O_RDONLY | _FLAGS, dir_fd=anchor.handle)
    for part in parts:
        try:
            below = os.open(part, os.O_RDONLY | _FLAGS, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle
