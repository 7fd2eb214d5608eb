"""The door to git: running it. Its human text is never parsed: exit codes, line-per-answer and NUL output only."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from claudedo_findings.errors import FindingsError

TYPE_CHECKING = False  # imported where git is run, 6 ms: a hook can mostly tell without git where a store lies
if TYPE_CHECKING:
    import subprocess

TIMEOUT = 30.0  # seconds; a hang guard, the calls take milliseconds
STREAM_TIMEOUT = 900.0  # seconds; the same for a whole history: a minute of patches for 40,000 commits
_PIECE = 1 << 20
# Variables that say which git and which configuration; every other GIT_* may point at another repository
# (a git hook, for one, runs with GIT_DIR and GIT_INDEX_FILE set).
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})


class EndedError(FindingsError):
    """git ended before it had answered; `code` is its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def run(arguments: list[str], directory: str) -> str:
    """Run git in `directory` and return what it printed; a failure is a FindingsError with git's first line."""
    return answer(arguments, directory)[1]


def answer(arguments: list[str], directory: str, *, stdin: str = "", codes: tuple[int, ...] = (0,)) -> tuple[int, str]:
    """Run git in `directory` and return its exit code, one of `codes`, and what it printed."""
    result = ask(arguments, directory, os.fsencode(stdin))
    if result.returncode not in codes:
        complaint = os.fsdecode(result.stderr).strip().partition("\n")[0]
        raise FindingsError(f"git {arguments[0]} failed in {directory}: {complaint}")
    return result.returncode, os.fsdecode(result.stdout)


def ask(arguments: list[str], directory: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run git in `directory` and return what came of it, a failure too."""
    import subprocess

    with errors_about(directory):
        return subprocess.run(
            ["git", *arguments],
            cwd=directory,
            env=environment(),
            input=stdin,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )


def stream(arguments: list[str], directory: str, *, stdin: bytes = b"") -> Iterator[bytes]:
    """Yield what git prints, in pieces of any size, for an answer as long as a history.

    Raises EndedError when git fails, which it may do after a part of its answer (a missing object ends it): what
    was yielded until then is not the whole.
    """
    import subprocess
    import tempfile  # 4 ms: a save and `pointer` have no use for it
    import threading

    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as complaints:
        asked.write(stdin)  # a file, not a pipe: git may answer before it has read everything
        asked.seek(0)
        with errors_about(directory):
            process = subprocess.Popen(
                ["git", *arguments],
                cwd=directory,
                env=environment(),
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        guard = threading.Timer(STREAM_TIMEOUT, process.kill)
        guard.daemon = True
        guard.start()
        try:
            with process:
                assert process.stdout
                while piece := process.stdout.read(_PIECE):
                    yield piece
        finally:
            guard.cancel()
            process.kill()  # no effect when it has ended; a reader that stops early needs no more
        if code := process.returncode:
            complaints.seek(0)
            complaint = os.fsdecode(complaints.read()).strip().partition("\n")[0] or f"exit code {code}"
            raise EndedError(f"git {_verb(arguments)} ended early in {directory} ({complaint})", code)


def environment() -> dict[str, str]:
    """Return the environment that git is run in: none of it leads elsewhere, and nothing is fetched."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    # A partial clone would fetch what it lacks: newer gits heed the first, every git the second.
    offline = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
    return kept | offline | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


@contextmanager
def errors_about(directory: str) -> Iterator[None]:
    """Tell people what kept git from being started or from ending."""
    import subprocess

    try:
        yield
    except FileNotFoundError as error:
        raise FindingsError("git was not found: install git, or put it on PATH") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FindingsError(f"git could not be asked about {directory}: {error}") from error


def _verb(arguments: list[str]) -> str:
    """Return git's verb: the first word that is no option of git itself and no value of `-c`."""
    pairs = zip(["", *arguments], arguments, strict=False)
    return next(word for before, word in pairs if not word.startswith("-") and before != "-c")
