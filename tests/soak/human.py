"""A human with an editor. What an edit or a deletion takes away goes to the waste basket in the same instant.

The exchange is one system call, so whatever leaves the store by the human's hand is in the basket, to the byte: a text
that is in neither was lost by the tool.
"""

import ctypes
import errno
import itertools
import os
import random
import re
from pathlib import Path

from tests.soak.room import Room

_NO_REPLACE, _EXCHANGE = 1, 2
_AT_CWD = -100
FULL = 150  # findings; above that the human clears up
NOTES = 5  # lines of the human's own in the index


def rename(source: Path, target: Path, flag: int) -> bool:
    """Rename with a flag of Linux's renameat2; return whether both were as the flag wants them."""
    libc = ctypes.CDLL(None, use_errno=True)  # here, so that other systems can import this
    if libc.renameat2(_AT_CWD, os.fsencode(source), _AT_CWD, os.fsencode(target), flag) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOENT, errno.EEXIST):
        return False
    raise OSError(code, os.strerror(code), str(source))


class Human:
    """Edits and deletes files of the store without asking anybody."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.chance = random.Random("human")
        self.notes: list[str] = []
        self._numbers = itertools.count()

    def work(self) -> None:
        """Do one thing with the files."""
        deeds = [self._edit] * 4 + [self._delete, self._move] + [self._edit_index] * 4
        self.chance.choice(deeds)()
        if len(there := self.room.slugs()) > FULL:
            for slug in self.chance.sample(there, FULL // 5):
                self._throw(self._path(slug))

    def _path(self, slug: str) -> Path:
        return self.room.folder / "traps" / f"{slug}.md"

    def _basket(self) -> Path:
        return self.room.trash / f"{next(self._numbers):06}"

    def _throw(self, path: Path) -> None:
        if rename(path, self._basket(), _NO_REPLACE):
            self.room.journal.count("deletions by hand")

    def _exchange(self, path: Path, text: str) -> bool:
        """Put a text in a file's place, and what was there into the basket."""
        new = self._basket()
        new.write_text(text, encoding="utf-8", newline="")
        done = rename(new, path, _EXCHANGE)
        if not done:
            new.unlink()
        return done

    def _delete(self) -> None:
        for slug in self.room.pick(self.chance):
            self._throw(self._path(slug))

    def _move(self) -> None:
        for slug in self.room.pick(self.chance):
            rename(self._path(slug), self._path(f"hand-{next(self._numbers)}"), _NO_REPLACE)

    def _edit(self) -> None:
        for slug in self.room.pick(self.chance):
            try:
                text = self._path(slug).read_text(encoding="utf-8")
            except FileNotFoundError:
                return
            token = self.room.journal.token()
            kind = self.chance.randrange(4)
            if kind == 0:
                text = re.sub(r"(?m)^# .*", f"# The human says {token}", text, count=1)
            elif kind == 1:
                text = text.replace("---\n", f"---\nowner: me {token}\n", 1)
            elif kind == 2:
                text = f"{text}\nSeen again as {token}.\n".replace("\n", "\r\n")
            else:
                text = f"{text}\nSeen again as {token}.\n"
            if token in text and self._exchange(self._path(slug), text):
                self.room.journal.promise(token, slug, "edits by hand")

    def _edit_index(self) -> None:
        try:
            text = self.room.index.read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        lines = text.split("\n")
        entries = [number for number, line in enumerate(lines) if line.startswith("- [")]
        at = self.chance.choice(entries) if entries else len(lines)
        kind, token = self.chance.randrange(5), ""
        if kind == 0 and entries:
            del lines[at]
        elif kind == 1 and entries:
            lines.insert(at, lines[at])
        elif kind == 2:
            lines.insert(at, "- [no-such](traps/no-such.md) — Nothing there")
        elif kind == 3 and entries:
            lines[at:at] = ["<<<<<<< ours", lines[at], "=======", ">>>>>>> theirs"]
        else:
            token = self.room.journal.token()
            gone = self.notes[: max(0, len(self.notes) + 1 - NOTES)]
            lines = [line for line in lines if not any(old in line for old in gone)]
            lines.insert(1, f"The human's own line {token}.")
        if self._exchange(self.room.index, "\n".join(lines)):
            self.room.journal.count("edits of the index by hand")
            if token:
                self.notes = [*self.notes, token][-NOTES:]
