"""Answers that are asked for again only when the files they depend on changed by stat."""

import os
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from claudedo_findings.errors import FindingsError

Answer = TypeVar("Answer")
Stamp = tuple[int, int, int] | None
_COARSE = 2_000_000_000  # nanoseconds: FAT's clock; Linux has one tick, 1 to 10 ms, in which a save fits


def stamp(path: str) -> Stamp:
    """Return what changes when a file is written or replaced; None when it is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def folder_stamp(path: str) -> tuple[int, ...] | None:
    """Return what changes when a name in a folder comes, goes or is replaced; None when the folder is not there.

    A folder that changed just now may change again without its time doing so: its stamp holds for no second look.
    """
    found = stamp(path)
    now = time.time_ns()
    return (*found, now) if found and now - found[0] < _COARSE else found


def stamps(paths: Iterable[str]) -> tuple[Stamp, ...]:
    """Return the stamp of each file."""
    return tuple(map(stamp, paths))


def identity(path: str) -> tuple[int, int] | None:
    """Return what changes when a folder goes, comes or is another one, whatever happens in it."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


class Kept(Generic[Answer]):
    """An answer, or the error in its place, that holds as long as its key stays the same."""

    def __init__(self) -> None:
        self._key: Hashable = object()
        self._value: Answer | None = None
        self.error: FindingsError | None = None

    def get(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Return the answer, asking when the key changed. Take the key before: what changes meanwhile is seen next."""
        if key != self._key:
            self._key, self.error = key, None
            try:
                self._value = ask()
            except FindingsError as error:
                self.error = error
        if self.error:
            raise self.error.with_traceback(None)
        return self._value  # type: ignore[return-value]  # None only where `ask` may return it

    def forget(self, *, only_error: bool = False) -> None:
        """Ask the next time, whatever the key; with `only_error` when the last answer was one."""
        if self.error or not only_error:
            self._key = object()
