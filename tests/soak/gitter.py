"""Git beside everybody: commits, branches, stashes, collections and worktrees, with the store checked in for a while.

While the store is checked in, git takes only what leaves its files where they are (commit, gc, worktrees, a stash of
other paths). Checkouts and whole stashes run while it is not: no commit of a branch that is checked out then holds it,
so whatever git takes away from a store that it was told to pass over is a loss.
"""

import itertools
import random
import subprocess  # noqa: TID251  # git is a real program

from tests.soak.room import GUARD, Room

ROUND = 12  # deeds of git between two changes of `track` and `untrack`


class Gitter:
    """Somebody who works on the code."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.chance = random.Random("git")
        self._numbers = itertools.count()
        self._tracked = False

    def work(self) -> None:
        """Do one thing with git; after a while change whether the store is checked in."""
        number = next(self._numbers)
        if number % ROUND == ROUND - 1:
            self.untrack() if self._tracked else self._track()
            return
        common = [self._commit, self._collect, self._worktree, self._stash_code]
        if self._tracked:
            self.chance.choice([*common, self._commit_store])()
        else:
            self.chance.choice([*common, self._branch, self._stash, self._clean])()

    def _git(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.room.repo, capture_output=True, text=True, timeout=GUARD, check=False
        )
        self.room.journal.count(f"git {arguments[0]}")
        if done.returncode not in codes:
            self.room.fault(f"git {arguments} exited with {done.returncode}: {done.stderr}")
        return done.stdout

    def _change(self) -> str:
        name = f"src/file-{self.chance.randrange(5)}.py"
        (self.room.repo / name).write_text(f"value = {next(self._numbers)}\n")
        self._git("add", name)
        return name

    def _commit(self) -> None:
        self._change()
        self._git("commit", "-q", "-m", "work", "--", "src")

    def _collect(self) -> None:
        self._git("gc", "-q", "--prune=now")

    def _worktree(self) -> None:
        path = self.room.trash.parent / f"worktree-{next(self._numbers)}"
        self._git("worktree", "add", "-q", "--detach", str(path))
        self._git("worktree", "remove", "--force", str(path))

    def _stash_code(self) -> None:
        name = self._change()
        self._git("stash", "push", "-q", "--", name)
        self._git("stash", "drop", "-q")

    def _stash(self) -> None:
        self._change()
        self._git("stash", "-q", "-u")
        self._git("stash", "pop", "-q")
        self._git("commit", "-q", "-m", "stashed", "--", "src")

    def _branch(self) -> None:
        name = f"branch-{next(self._numbers)}"
        self._git("checkout", "-q", "-b", name)
        self._commit()
        self._git("checkout", "-q", "main")
        self._git("merge", "-q", "--no-edit", name)
        self._git("branch", "-q", "-D", name)

    def _clean(self) -> None:
        self._git("clean", "-fdq")

    def _track(self) -> None:
        self.room.verb("track")
        self._tracked = True
        self._commit_store()

    def untrack(self) -> None:
        """Take the store out of git again; its files stay."""
        if self._tracked:
            self._git("rm", "-r", "-f", "-q", "--cached", "--ignore-unmatch", "--", ".claudedo")
            self._git("commit", "-q", "-m", "the store is no longer checked in", codes=(0, 1))
            self.room.verb("untrack")
            self._tracked = False

    def _commit_store(self) -> None:
        self._git("add", "-A", "--ignore-errors", "--", ".claudedo", codes=(0, 1, 128))
        self._git("commit", "-q", "-m", "findings", "--", ".claudedo", codes=(0, 1, 128))
