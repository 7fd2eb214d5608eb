"""The door to the commands that a trial's file names: run to an end, each ended with all it started."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

from claudedo_findings.errors import FindingsError


@dataclass
class Commands:
    """Commands that run at the same time, and can be ended together."""

    _running: set[subprocess.Popen[bytes]] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _ended: bool = False

    def run(
        self,
        command: Sequence[str],
        *,
        folder: str,
        stdin: str,
        environment: Mapping[str, str],
        output: str,
        errors: str,
        timeout: float,
    ) -> int | None:
        """Run a command with its output in two files; return its exit code, None when it took over `timeout` seconds.

        Raises FindingsError when it cannot be started, and KeyboardInterrupt after `end`.
        """
        with open(output, "wb") as out, open(errors, "wb") as err:
            process = self._start(command, folder, environment, out.fileno(), err.fileno())
            try:
                process.communicate(stdin.encode("utf-8"), timeout)
                code = process.returncode
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(process)
                with self._lock:
                    self._running.discard(process)
        if self._ended:  # then it did not end by itself, and its code says nothing
            raise KeyboardInterrupt
        return code

    def end(self) -> None:
        """End every command that runs, and start no other."""
        with self._lock:
            self._ended = True
            for process in self._running:
                _end(process)

    def _start(
        self, command: Sequence[str], folder: str, environment: Mapping[str, str], out: int, err: int
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise KeyboardInterrupt
            try:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=dict(environment),
                    stdin=subprocess.PIPE,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
            except OSError as error:
                why = error.strerror or str(error)
                raise FindingsError(f"cannot start {command[0]!r}: {why}; correct the command") from error
            self._running.add(process)
            return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and what it started: on POSIX its whole group, which it leads."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
