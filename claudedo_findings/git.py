"""Where git says that a store lies, and what can be seen of a repository without asking git."""

import os
from typing import NamedTuple

from claudedo_findings import git_run
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.git_run import answer as answer  # callers need one name for git: git.run, git.places
from claudedo_findings.git_run import run as run
from claudedo_findings.git_run import stream as stream

_PLACES = [
    *("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--git-path", "info/exclude"),
    *("--is-bare-repository", "--show-prefix", "--show-toplevel", "--short", "HEAD"),
]


class Places(NamedTuple):
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


class _Answer(NamedTuple):
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
    real = os.path.realpath(directory)
    if "\n" in real:  # git answers with a path a line
        raise FindingsError(f"the folder {shown(directory, 300)} has a line break in its path: rename it")
    dot_git = _nearest(real)
    if not dot_git and not _inside_bare(real):
        return Places(root=real)
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


def enclosing(directory: str) -> str:
    """Return the nearest `.git` at or above `directory`, "" when there is none. Starts no process."""
    return _nearest(os.path.realpath(directory))


def _nearest(path: str) -> str:
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
    result = git_run.ask(_PLACES, directory)
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
    result = git_run.ask(["worktree", "list", "--porcelain", "-z"], linked.toplevel)
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
        return _places(linked)._replace(warning=warning)
    # In a submodule git names the git dir, whose core.worktree leads back to the checkout.
    main = _ask(path) if os.path.isdir(path) else None
    if not main or not main.toplevel or not _same(main.git_dir, linked.common_dir):
        raise FindingsError(
            f"{linked.toplevel} is a worktree of the separate git dir {linked.common_dir}, and git does not record"
            " where its main checkout is: point the list at that checkout, with 'claudedo-findings lists add NAME DIR'"
        )
    return _places(main, linked.prefix)


def _inside_bare(path: str) -> bool:
    """Return whether a folder or one above it looks like a bare repository, by the signs git goes by."""
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
