"""The watch over one piece of code: every path that it changes, every program that it starts, how long it takes."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

# What Python's audit events call changing a file, each with the positions of its paths.
_CHANGES = {
    **dict.fromkeys(("os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.chmod", "os.utime"), (0,)),
    **dict.fromkeys(("os.rename", "os.link", "os.symlink"), (0, 1)),
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
GUARD = 10.0  # seconds for one input: ten times what the slowest call, a save among eight, may take


class Hang(BaseException):
    """One input took longer than the guard; no `except Exception` of the code under test may swallow that."""


class Watch:
    """Sees every change to the file system from inside this process."""

    def __init__(self) -> None:
        self._allowed: tuple[str, ...] = ()
        self._on = False
        self.seen: list[str] = []
        sys.addaudithook(self._hear)  # for good: Python cannot take one back

    @contextmanager
    def over(self, *allowed: Path) -> Iterator[None]:
        """Watch the code in this block. Raises AssertionError when it changed something not below `allowed`."""
        self._allowed = tuple(os.path.realpath(path) for path in allowed)
        self.seen.clear()
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, GUARD)
        self._on = True
        try:
            yield
        finally:
            self._on = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self.seen:
            raise AssertionError(f"outside: {self.seen}")

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._on:
            return
        if event == "open" and _writes(arguments):
            self._check(event, arguments[0])
        elif event == "os.mkdir" and os.path.isdir(arguments[0]):
            return  # there already
        elif event in _CHANGES:
            for at in _CHANGES[event]:
                # os.symlink's first path is where it leads to, which changes nothing there.
                if (event, at) != ("os.symlink", 0):
                    self._check(event, arguments[at], _folder(event, at, arguments))
        elif event == "subprocess.Popen" and os.path.basename(os.fsdecode(arguments[0])) != "git":
            self.seen.append(f"started {arguments[1]!r}")

    def _check(self, event: str, path: object, folder: str = "") -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return  # an open file
        name = os.path.join(folder, os.fsdecode(path))
        if event == "open" and os.sep not in name:
            return  # in an open folder, which this event does not tell: the look at the whole room sees it
        real = os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))
        fine = real == os.devnull or any(real == place or real.startswith(place + os.sep) for place in self._allowed)
        if not fine:
            self.seen.append(f"{event} {real!r}")


def _writes(arguments: tuple[Any, ...]) -> bool:
    _, mode, flags = arguments
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    return bool(flags & _WRITING) and flags & os.O_TMPFILE != os.O_TMPFILE  # which has no name


def _folder(event: str, at: int, arguments: tuple[Any, ...]) -> str:
    """Return the folder that a path is relative to when it was named with an open one."""
    handles = {"os.remove": (1,), "os.rmdir": (1,), "os.mkdir": (2,), "os.chmod": (2,), "os.rename": (2, 3)}.get(event)
    handle = arguments[handles[at]] if handles else -1
    return os.readlink(f"/proc/self/fd/{handle}") if isinstance(handle, int) and handle >= 0 else ""


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise Hang


def snapshot(root: Path, *passed_over: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of change of each file below `root`, but for those below the places that may change."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if Path(folder, name) not in passed_over]
        for name in [*names, *folders]:
            path = Path(folder, name)
            if path not in passed_over:
                state = path.lstat()
                found[str(path)] = (state.st_size if name in names else 0, state.st_mtime_ns if name in names else 0)
    return found
