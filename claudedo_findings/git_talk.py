"""A git process that is asked and answers in turn."""

import os
import subprocess
import tempfile
import threading
from contextlib import suppress

from claudedo_findings import git_run

TIMEOUT = 300.0  # seconds for a whole talk; a hang guard, nobody waits that long


class Talk:
    """A git process that is asked and answers in turn. Close it, or kill it when its answers no longer matter."""

    def __init__(self, arguments: list[str], directory: str) -> None:
        self._name = f"git {arguments[0]}"
        self._directory = directory
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # a pipe that nobody empties would stop git
        with git_run.errors_about(directory):
            self._process = subprocess.Popen(
                ["git", *arguments],
                cwd=directory,
                env=git_run.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
            )
        self._guard = threading.Timer(TIMEOUT, self._process.kill)
        self._guard.daemon = True
        self._guard.start()

    def send(self, *lines: str) -> None:
        """Send lines. Together they must fit into a pipe (4 KiB are safe), for git may wait for its reader.

        Raises EndedError.
        """
        assert self._process.stdin
        try:
            self._process.stdin.write(b"".join(os.fsencode(line) + b"\n" for line in lines))
            self._process.stdin.flush()
        except OSError as error:  # the pipe is closed: git has ended
            raise self._ended() from error

    def line(self) -> bytes:
        """Return the next line of the answer, without its end. Raises EndedError."""
        assert self._process.stdout
        answer = self._process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise self._ended()
        return answer[:-1]

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes of the answer. Raises EndedError."""
        assert self._process.stdout
        data = self._process.stdout.read(size)
        if len(data) < size:
            raise self._ended()
        return data

    def close(self) -> None:
        """End the talk. Raises EndedError when git ends with a complaint."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            if self._process.wait():
                raise self._ended()
        finally:
            self.kill()

    def kill(self) -> None:
        """End git at once and let go of what the talk held."""
        self._guard.cancel()
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            if stream:
                with suppress(OSError):  # what was written and never read
                    stream.close()

    def _ended(self) -> git_run.EndedError:
        code = self._process.wait()
        self._complaints.seek(0)
        complaint = os.fsdecode(self._complaints.read()).strip().partition("\n")[0]
        return git_run.EndedError(f"{self._name} ended in {self._directory} ({complaint or f'exit code {code}'})", code)
