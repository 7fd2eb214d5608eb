"""The door to git. Its human text is never parsed: exit codes, line-per-answer and NUL output only."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from claudedo_findings.errors import FindingsError, shown

TIMEOUT = 30.0  # seconds; a hang guard, the calls take milliseconds
TALK_TIMEOUT = 300.0  # seconds; the same for a whole talk
STREAM_TIMEOUT = 900.0  # seconds; the same for a whole history: a minute of patches for 40,000 commits
_PIECE = 1 << 20
# Variables that say which git and which configuration; every other GIT_* may point at another repository
# (a git hook, for one, runs with GIT_DIR and GIT_INDEX_FILE set).
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})
_PLACES = [
    *("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--git-path", "info/exclude"),
    *("--is-bare-repository", "--show-prefix", "--show-toplevel", "--short", "HEAD"),
]


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where a list's store lies. Without git only `root` is set."""

    root: str
    """Absolute path of the folder that holds `.claudedo`: the list's folder in the main checkout."""
    prefix: str = ""
    """The root relative to its checkout, `/` between parts; "" for the checkout itself."""
    common_dir: str = ""
    exclude: str = ""
    head: str = ""
    """git's short HEAD of the main checkout; "" without a commit."""
    warning: str = ""

    @property
    def toplevel(self) -> str:
        """The main checkout; "" without git."""
        depth = self.prefix.count("/") + 1 if self.prefix else 0
        return os.path.normpath(os.path.join(self.root, *[".."] * depth)) if self.common_dir else ""


@dataclass(frozen=True, kw_only=True)
class _Answer:
    git_dir: str
    common_dir: str
    exclude: str
    bare: bool
    prefix: str = ""
    toplevel: str = ""
    head: str = ""
    complaint: str = ""


def places(directory: str) -> Places:
    """Return where the store of `directory` lies, mapped into the main checkout.

    One git process in a main checkout, three in a linked worktree, none where no `.git` stands above.
    Raises FindingsError for a missing folder, a broken or bare repository, a repository that git
    distrusts, a missing git, and a worktree whose main checkout git does not record.
    """
    if os.path.isfile(directory):
        raise FindingsError(f"{shown(directory, 300)} is a file, not a folder: correct the list's folder")
    if not os.path.isdir(directory):
        raise FindingsError(f"the folder {shown(directory, 300)} does not exist: correct the list's folder")
    if "\n" in os.path.realpath(directory):  # git answers with a path a line
        raise FindingsError(f"the folder {shown(directory, 300)} has a line break in its path: rename it")
    dot_git = enclosing(directory)
    if not dot_git and not _inside_bare(directory):
        return Places(root=os.path.realpath(directory))
    answer = _ask(directory)
    if answer.bare or not answer.toplevel:
        raise FindingsError(
            f"{directory} is not inside a checkout (git: {answer.complaint or 'bare repository'}):"
            " point the list at a checkout, with 'claudedo-findings lists add NAME DIR'"
        )
    if not _same(os.path.dirname(dot_git), answer.toplevel):
        # git walks past a `.git` folder that is no repository; the outer one is not meant.
        raise FindingsError(f"{dot_git} is broken: git answers for {answer.toplevel} instead; repair or remove it")
    if not _same(answer.git_dir, answer.common_dir):
        return _main_checkout(answer)
    return _places(answer)


def run(arguments: list[str], directory: str) -> str:
    """Run git in `directory` and return what it printed; a failure is a FindingsError with git's first line."""
    return answer(arguments, directory)[1]


def answer(arguments: list[str], directory: str, *, stdin: str = "", codes: tuple[int, ...] = (0,)) -> tuple[int, str]:
    """Run git in `directory` and return its exit code, one of `codes`, and what it printed."""
    result = _run(arguments, directory, os.fsencode(stdin))
    if result.returncode not in codes:
        complaint = os.fsdecode(result.stderr).strip().partition("\n")[0]
        raise FindingsError(f"git {arguments[0]} failed in {directory}: {complaint}")
    return result.returncode, os.fsdecode(result.stdout)


def stream(arguments: list[str], directory: str, *, stdin: bytes = b"") -> Iterator[bytes]:
    """Yield what git prints, in pieces of any size, for an answer as long as a history.

    Raises EndedError when git fails, which it may do after a part of its answer (a missing object ends it): what
    was yielded until then is not the whole.
    """
    import tempfile  # 4 ms: a save and `pointer` have no use for it

    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as complaints:
        asked.write(stdin)  # a file, not a pipe: git may answer before it has read everything
        asked.seek(0)
        with _errors_about(directory):
            process = subprocess.Popen(
                ["git", *arguments],
                cwd=directory,
                env=_environment(),
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


def _verb(arguments: list[str]) -> str:
    """Return git's verb: the first word that is no option of git itself and no value of `-c`."""
    pairs = zip(["", *arguments], arguments, strict=False)
    return next(word for before, word in pairs if not word.startswith("-") and before != "-c")


class EndedError(FindingsError):
    """git ended before it had answered; `code` is its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Talk:
    """A git process that is asked and answers in turn. Close it, or kill it when its answers no longer matter."""

    def __init__(self, arguments: list[str], directory: str) -> None:
        import tempfile

        self._name = f"git {arguments[0]}"
        self._directory = directory
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # a pipe that nobody empties would stop git
        with _errors_about(directory):
            self._process = subprocess.Popen(
                ["git", *arguments],
                cwd=directory,
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
            )
        self._guard = threading.Timer(TALK_TIMEOUT, self._process.kill)
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

    def _ended(self) -> EndedError:
        code = self._process.wait()
        self._complaints.seek(0)
        complaint = os.fsdecode(self._complaints.read()).strip().partition("\n")[0]
        return EndedError(f"{self._name} ended in {self._directory} ({complaint or f'exit code {code}'})", code)


def enclosing(directory: str) -> str:
    """Return the nearest `.git` at or above `directory`, "" when there is none. Starts no process."""
    path = os.path.realpath(directory)
    while True:
        candidate = os.path.join(path, ".git")
        if os.path.lexists(candidate):
            return candidate
        parent = os.path.dirname(path)
        if parent == path:
            return ""
        path = parent


def watched(directory: str) -> tuple[str, ...]:
    """Return the files of which one changes when HEAD or the staging area of a checkout does. Starts no process.

    () where there is no `.git`, or one that cannot be read.
    """
    git_dir = common = enclosing(directory)
    try:
        if os.path.isfile(git_dir):
            with open(git_dir, encoding="utf-8", errors="surrogateescape") as file:
                link = file.read().removeprefix("gitdir:").strip()
            git_dir = common = os.path.join(os.path.dirname(git_dir), link)
        with open(os.path.join(git_dir, "HEAD"), encoding="utf-8", errors="surrogateescape") as file:
            head = file.read().strip()
        if os.path.isfile(os.path.join(git_dir, "commondir")):
            with open(os.path.join(git_dir, "commondir"), encoding="utf-8", errors="surrogateescape") as file:
                common = os.path.join(git_dir, file.read().strip())
    except OSError:
        return ()
    branch = [os.path.join(common, head.removeprefix("ref: "))] if head.startswith("ref: ") else []
    packed = os.path.join(common, "packed-refs"), os.path.join(common, "reftable", "tables.list")
    return os.path.join(git_dir, "HEAD"), os.path.join(git_dir, "index"), *branch, *packed


def checkout(directory: str) -> str:
    """Return the checkout (main or linked) that holds `directory`, "" when none does. Starts no process."""
    return os.path.dirname(enclosing(directory))


def _ask(directory: str) -> _Answer:
    """Return git's answer; without a commit or a checkout its last lines are missing."""
    result = _run(_PLACES, directory)
    lines = os.fsdecode(result.stdout).split("\n")[:-1]
    complaint = os.fsdecode(result.stderr).strip().partition("\n")[0]
    if len(lines) < 4:
        raise FindingsError(f"git refuses {directory}: {complaint}; run 'git status' there and follow its advice")
    if len(lines) > 7 or (result.returncode == 0 and len(lines) != 7):
        raise FindingsError(f"git's answer for {directory} cannot be read: {shown(lines)}; a line break in a path?")
    lines += [""] * (7 - len(lines))
    return _Answer(
        git_dir=os.path.normpath(lines[0]),
        common_dir=os.path.normpath(lines[1]),
        exclude=os.path.normpath(lines[2]),
        bare=lines[3] == "true",
        prefix=lines[4].rstrip("/"),
        toplevel=os.path.normpath(lines[5]) if lines[5] else "",
        head=lines[6],
        complaint=complaint,
    )


def _places(answer: _Answer, prefix: str = "") -> Places:
    prefix = prefix or answer.prefix
    root = os.path.normpath(os.path.join(answer.toplevel, prefix))
    if not os.path.isdir(root):
        raise FindingsError(f"the main checkout has no folder {root}: create it there or correct the list's folder")
    return Places(root=root, prefix=prefix, common_dir=answer.common_dir, exclude=answer.exclude, head=answer.head)


def _main_checkout(linked: _Answer) -> Places:
    """Map a linked worktree to its main checkout: the first entry that git lists, checked by asking there."""
    result = _run(["worktree", "list", "--porcelain", "-z"], linked.toplevel)
    first = os.fsdecode(result.stdout).partition("\0\0")[0].split("\0")
    path = first[0].removeprefix("worktree ")
    if result.returncode or not first[0].startswith("worktree "):
        complaint = os.fsdecode(result.stderr).strip().partition("\n")[0]
        raise FindingsError(f"git cannot list the worktrees of {linked.toplevel}: {complaint}; run 'git status' there")
    if "bare" in first[1:]:
        warning = (
            f"the repository is bare, so {linked.toplevel} holds the only copy of these findings:"
            " removing that worktree removes them; let the list point at the worktree that stays"
        )
        return replace(_places(linked), warning=warning)
    # In a submodule git names the git dir, whose core.worktree leads back to the checkout.
    main = _ask(path) if os.path.isdir(path) else None
    if not main or not main.toplevel or not _same(main.git_dir, linked.common_dir):
        raise FindingsError(
            f"{linked.toplevel} is a worktree of the separate git dir {linked.common_dir}, and git does not record"
            " where its main checkout is: point the list at that checkout, with 'claudedo-findings lists add NAME DIR'"
        )
    return _places(main, linked.prefix)


def _inside_bare(directory: str) -> bool:
    """Return whether `directory` or a folder above it looks like a bare repository, by the signs git goes by."""
    path = os.path.realpath(directory)
    while True:
        signs = (os.path.isfile, "HEAD"), (os.path.isdir, "objects"), (os.path.isdir, "refs")
        if all(is_kind(os.path.join(path, name)) for is_kind, name in signs):
            return True
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent


def _same(one: str, other: str) -> bool:
    return one == other or os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def _run(arguments: list[str], directory: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    with _errors_about(directory):
        return subprocess.run(
            ["git", *arguments],
            cwd=directory,
            env=_environment(),
            input=stdin,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    # A partial clone would fetch what it lacks: newer gits heed the first, every git the second.
    offline = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
    return kept | offline | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


@contextmanager
def _errors_about(directory: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise FindingsError("git was not found: install git, or put it on PATH") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FindingsError(f"git could not be asked about {directory}: {error}") from error
