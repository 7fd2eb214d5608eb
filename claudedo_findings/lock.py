"""The door to the inter-process lock: one writer at a time, and nobody waits for ever."""

import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from claudedo_findings import files
from claudedo_findings.errors import FindingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from filelock import FileLock

TIMEOUT = 10.0  # seconds; a save takes milliseconds, so a longer wait means a stuck program
# How often a waiter looks, by how long it has waited (seconds). Waiters are not served in the order they came, so who
# has waited long looks more often than those who came just now, and is not passed over again and again.
_LOOKS = ((0.2, 0.005), (1.0, 0.003), (math.inf, 0.001))


class BusyError(FindingsError):
    """Another process holds the lock."""


@contextmanager
def locked(path: str, timeout: float | None = None) -> Iterator[None]:
    """Hold the lock file at `path`; the system frees it when its holder dies.

    Raises BusyError when another process holds it for more than `timeout` seconds, 10 without one.
    """
    import filelock  # 50 ms: on the way of a save, not of the first reply

    files.make_folder(os.path.dirname(path))
    lock = filelock.FileLock(path)
    started = time.monotonic()
    try:
        _wait(lock, started + (TIMEOUT if timeout is None else timeout))
    except filelock.Timeout as error:
        waited = time.monotonic() - started
        raise BusyError(f"the store is busy: waited {waited:.0f} s for {path}; try again") from error
    except (OSError, NotImplementedError) as error:
        raise FindingsError(f"cannot lock {path}: {error}") from error
    try:
        yield
    finally:
        with suppress(OSError):  # what was done under it is done; it is tried again when the lock is collected
            lock.release()


def held(path: str, patience: float) -> bool:
    """Return whether another process holds the lock file at `path` for all of `patience` seconds; creates nothing."""
    if not os.path.exists(path):
        return False
    import filelock

    try:
        lock = filelock.FileLock(path)
        _wait(lock, time.monotonic() + patience)
        lock.release()
        return False
    except filelock.Timeout:
        return True
    except (OSError, NotImplementedError) as error:
        raise FindingsError(f"cannot lock {path}: {error}") from error


def _wait(lock: "FileLock", deadline: float) -> None:
    """Acquire the lock, or raise filelock's Timeout at `deadline` (of the monotonic clock)."""
    import filelock

    started = time.monotonic()
    for until, pause in _LOOKS:
        end = min(started + until, deadline)
        try:
            lock.acquire(timeout=max(0.0, end - time.monotonic()), poll_interval=pause)
            return
        except filelock.Timeout:
            if end == deadline:
                raise
