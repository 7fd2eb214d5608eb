"""The end of the process that started the service, seen on every system."""

import os
import sys
import threading
import time
from collections.abc import Callable

from claudedo_findings.errors import FindingsError

_POLL = 0.5  # seconds, where the system cannot tell


def watch(pid: int, ended: Callable[[], None]) -> None:
    """Call `ended`, from a thread of its own, once the process has ended. Raises FindingsError when it is not there."""
    wait = _waiter(pid)

    def run() -> None:
        wait()
        ended()

    threading.Thread(target=run, daemon=True, name=f"waits for process {pid}").start()


def _waiter(pid: int) -> Callable[[], object]:
    if pid <= 0:
        raise FindingsError(f"--parent-pid {pid} is no process: give the id of the process that starts the service")
    gone = FindingsError(f"--parent-pid {pid}: there is no such process, or it is another user's")
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x00100000, False, pid)  # noqa: FBT003  # SYNCHRONIZE
        if not handle:
            raise gone
        return lambda: ctypes.windll.kernel32.WaitForSingleObject(handle, 0xFFFFFFFF)
    if hasattr(os, "pidfd_open"):  # Linux: true also for a zombie, and never for a later process of that number
        import select

        try:
            poll = select.poll()
            poll.register(os.pidfd_open(pid), select.POLLIN)
        except ProcessLookupError as error:
            raise gone from error
        except OSError:  # a kernel before 5.3
            pass
        else:
            return poll.poll
    if not _alive(pid):
        raise gone
    return lambda: _poll(pid)


def _poll(pid: int) -> None:
    ours = os.getppid() == pid
    while os.getppid() == pid if ours else _alive(pid):
        time.sleep(_POLL)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True
