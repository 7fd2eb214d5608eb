"""Objects of a repository by their ids, from one `cat-file` that keeps running; git before 2.36 needs two."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from claudedo_findings import git_run, git_talk
from claudedo_findings.errors import FindingsError, shown

LARGE = 2_000_000  # bytes; larger files are data or generated, so nobody compares their lines
_USAGE = 129  # git's exit code for an option that it does not know
_CHUNK = 1 << 20  # bytes
_AT_ONCE = 20  # objects asked for before the answers are read: at most 40 MB of them, and 2 KiB of questions


class MissingError(FindingsError):
    """An object that is needed is not in the repository."""


class Cat:
    """The objects of the repository that holds `directory`.

    `absent` has the ids of those that a partial clone lacks: `cat-file` would end at the first that it is asked for.
    """

    def __init__(self, directory: str) -> None:
        self.absent: frozenset[str] = frozenset()
        self._directory = directory
        self._talks: dict[str, git_talk.Talk] = {}

    def close(self, *, failed: bool) -> None:
        """End git; it may complain at its end unless something `failed` anyway."""
        talks, self._talks = set(self._talks.values()), {}
        for talk in talks:
            if failed:
                talk.kill()
            else:
                talk.close()

    def info(self, name: str) -> tuple[str, str]:
        """Return the id of what `name` means, or "" and git's word why there is none: `missing`, `ambiguous`."""
        self._send("info", [name])
        about = self._header("info")
        return (about[0], "") if len(about) == 3 else ("", about[-1])

    def read(self, name: str, kind: str) -> bytes:
        """Return a commit's or a tree's bytes. Raises MissingError."""
        self._present(kind, [name])
        self._send("contents", [name])
        about, data = self._answer()
        _check(name, kind, about)
        return data or b""

    def blobs(self, names: Iterable[str]) -> Iterator[bytes | None]:
        """Yield the bytes of each file, None for a large one. Raises MissingError."""
        left = list(names)
        while left:
            some, left = left[:_AT_ONCE], left[_AT_ONCE:]
            self._present("blob", some)
            self._send("contents", some)
            # All answers are read before one of them may raise: git gives the rest in any case.
            for name, (about, data) in [(name, self._answer(LARGE)) for name in some]:
                _check(name, "blob", about)
                yield data

    def _answer(self, limit: int | None = None) -> tuple[list[str], bytes | None]:
        """Read the header line of an object and what follows it; what is larger than `limit` is passed over."""
        about = self._header("contents")
        if len(about) != 3:
            return about, None
        size, talk = int(about[2]), self._talk("contents")
        if limit is None or size <= limit:
            return about, talk.take(size + 1)[:-1]  # a line end follows
        for start in range(0, size + 1, _CHUNK):
            talk.take(min(_CHUNK, size + 1 - start))
        return about, None

    def _present(self, kind: str, names: Iterable[str]) -> None:
        for name in names:
            if name in self.absent:
                raise MissingError(f"the {kind} {name[:12]} is not in this partial clone")

    def _header(self, command: str) -> list[str]:
        return self._talk(command).line().decode("ascii", "replace").split(" ")

    def _send(self, command: str, names: Iterable[str]) -> None:
        self._talk(command).send(*(f"{command} {name}" if self._together else name for name in names))

    def _talk(self, command: str) -> git_talk.Talk:
        if self._together:
            return self._talks[""]
        if command not in self._talks:
            option = {"info": "--batch-check", "contents": "--batch"}[command]
            self._talks[command] = git_talk.Talk(["cat-file", option], self._directory)
        return self._talks[command]

    @cached_property
    def _together(self) -> bool:
        """Whether one process answers both commands: an older git does not know the option."""
        talk = git_talk.Talk(["cat-file", "--batch-command"], self._directory)
        try:
            talk.send("info HEAD")
            talk.line()
        except git_run.EndedError as ended:
            talk.kill()
            if ended.code != _USAGE:
                raise
            return False
        self._talks[""] = talk
        return True


def _check(name: str, kind: str, about: list[str]) -> None:
    """Compare git's header line with what was asked for."""
    if len(about) != 3:
        raise MissingError(f"the {kind} {name[:12]} is not in this repository ({about[-1]})")
    if about[:2] != [name, kind]:
        raise FindingsError(f"git was asked for the {kind} {name} and answers {shown(about)}: run 'git fsck'")
