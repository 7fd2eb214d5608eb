"""Objects of a repository, read by their ids through one running `cat-file`, and what else git knows of them.

Paths are found by reading trees, never by handing git a path: no quoting, no magic, and a missing object is seen before
git is asked for it. Reading trees here also spares a `diff-tree`, which passes over an unknown tree in silence.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from claudedo_findings import git
from claudedo_findings.errors import FindingsError, shown

LARGE = 2_000_000  # bytes; larger files are data or generated, so they are compared by id alone
_STAMP = re.compile(r"[0-9a-f]{4,64}\Z", re.IGNORECASE)
_USAGE = 129  # git's exit code for an option that it does not know
_CHUNK = 1 << 20


class MissingError(FindingsError):
    """An object that a verdict needs is not in the repository."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of a tree: a blob, a tree, a commit (a submodule) or a link."""

    kind: str
    id: str


class Objects:
    """The objects of the repository that holds `directory`. Use it in a `with`: it keeps a process running."""

    def __init__(self, directory: str, common_dir: str) -> None:
        self._directory = directory
        self._common_dir = common_dir
        self._talks: dict[str, git.Talk] = {}
        self._together = True
        self._absent: frozenset[str] = frozenset()
        self._trees: dict[str, dict[str, Entry]] = {}

    def __enter__(self) -> "Objects":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        talks, self._talks = set(self._talks.values()), {}
        for talk in talks:
            if kind is None:
                talk.close()
            else:
                talk.kill()

    @property
    def shallow(self) -> bool:
        """Whether the history was cut off by a shallow clone."""
        return os.path.exists(os.path.join(self._common_dir, "shallow"))

    @cached_property
    def head(self) -> str:
        """The commit of HEAD; "" without one."""
        return self._info("HEAD^{commit}")[0]

    def commit(self, stamp: str) -> str:
        """Return the full id of the commit that `stamp` abbreviates. Raises MissingError with the cause."""
        if not _STAMP.match(stamp):
            raise MissingError(f"its stamp {shown(stamp)} is no commit id")
        # 39 digits at most: for a whole id that it lacks, a partial clone would ask the remote.
        found, _ = self._info(f"{stamp[:39]}^{{commit}}")
        if found:
            return found
        if self._info(stamp[:39])[1] == "ambiguous":
            raise MissingError(f"its stamp {stamp} fits several commits")
        cause = "the clone is shallow" if self.shallow else "rebased away, or of another repository"
        raise MissingError(f"its stamp {stamp} is not in this repository ({cause})")

    def look_for_gaps(self, commits: Iterable[str]) -> None:
        """Find out which objects of these commits a partial clone lacks; elsewhere nothing needs to be asked.

        `cat-file` ends at the first one that it is asked for.
        """
        packs = os.path.join(self._common_dir, "objects", "pack")
        if not os.path.isdir(packs) or not any(name.endswith(".promisor") for name in os.listdir(packs)):
            return
        options = ["--objects", "--no-object-names", "--missing=print", "--no-walk", "--stdin"]
        lines = git.answer(["rev-list", *options], self._directory, stdin=_lines(commits))[1].split("\n")
        self._absent = frozenset(line[1:] for line in lines if line.startswith("?"))

    def tree_of(self, commit: str) -> str:
        """Return the id of a commit's tree."""
        data = self._contents(commit, "commit") or b""
        return data[len(b"tree ") : data.index(b"\n")].decode("ascii")

    def find(self, tree: str, path: str) -> tuple[Entry | None, str]:
        """Return what lies at `path` below a tree, and the path it was found at.

        That path is shorter where it leads into a submodule. None when there is no such entry.
        """
        entry, done = Entry(kind="tree", id=tree), ""
        for part in path.split("/") if path else ():
            if entry.kind == "commit":
                return entry, done
            below = self.tree(entry.id) if entry.kind == "tree" else {}
            if part not in below:
                return None, ""
            entry, done = below[part], f"{done}/{part}".lstrip("/")
        return entry, done

    def files(self, entry: Entry) -> dict[str, Entry]:
        """Return every file below an entry by its path there; the path of the entry itself is ""."""
        if entry.kind != "tree":
            return {"": entry}
        found = {}
        for name, inner in self.tree(entry.id).items():
            found.update({f"{name}/{path}".rstrip("/"): file for path, file in self.files(inner).items()})
        return found

    def tree(self, tree: str) -> Mapping[str, Entry]:
        """Return the entries of a tree by name."""
        if tree not in self._trees:
            self._trees[tree] = _entries(self._contents(tree, "tree") or b"", len(tree) // 2)
        return self._trees[tree]

    def blob(self, blob: str) -> bytes | None:
        """Return a file's bytes, None for a large one. Raises MissingError."""
        return self._contents(blob, "blob", limit=LARGE)

    @cached_property
    def listing(self) -> Mapping[str, Entry]:
        """Every file of HEAD by its path."""
        found = {}
        for line in git.run(["ls-tree", "-r", "-z", "--full-tree", self.head], self._directory).split("\0")[:-1]:
            about, _, path = line.partition("\t")
            mode, _, blob = about.split(" ")
            found[path] = Entry(kind=_kind(mode), id=blob)
        return found

    def outside_history(self, commits: Iterable[str]) -> frozenset[str]:
        """Return which of these commits HEAD does not lead back to."""
        wanted = set(commits)
        asked = _lines([*sorted(wanted), f"^{self.head}"])
        return frozenset(git.answer(["rev-list", "--stdin"], self._directory, stdin=asked)[1].split()) & wanted

    def _info(self, name: str) -> tuple[str, str]:
        """Return the id of what `name` means, or "" and git's word why there is none."""
        about = self._ask("info", name)
        return (about[0], "") if len(about) == 3 else ("", about[-1])

    def _contents(self, name: str, kind: str, limit: int | None = None) -> bytes | None:
        if name in self._absent:
            raise MissingError(f"the {kind} {name[:12]} is not in this partial clone")
        about = self._ask("contents", name)
        if len(about) != 3:
            raise MissingError(f"the {kind} {name[:12]} is not in this repository ({about[-1]})")
        if about[:2] != [name, kind]:
            raise FindingsError(f"git was asked for the {kind} {name} and answers {shown(about)}: run 'git fsck'")
        size = int(about[2])
        talk = self._talk("contents")
        if limit is None or size <= limit:
            return talk.take(size + 1)[:-1]  # a line end follows
        for start in range(0, size + 1, _CHUNK):
            talk.take(min(_CHUNK, size + 1 - start))
        return None

    def _ask(self, command: str, name: str) -> list[str]:
        try:
            answer = self._talk(command).ask(f"{command} {name}" if self._together else name)
        except git.EndedError as ended:
            if not self._together or ended.code != _USAGE:
                raise
            # A git before 2.36 does not know the option: it needs two processes.
            self._talks.pop("").kill()
            self._together = False
            return self._ask(command, name)
        return answer.decode("ascii", "replace").split(" ")

    def _talk(self, command: str) -> git.Talk:
        name, option = "", "--batch-command"
        if not self._together:
            name, option = command, {"info": "--batch-check", "contents": "--batch"}[command]
        if name not in self._talks:
            self._talks[name] = git.Talk(["cat-file", option], self._directory)
        return self._talks[name]


def _entries(data: bytes, width: int) -> dict[str, Entry]:
    """Read a tree object: mode, space, name, NUL, then the id in `width` bytes, over and over."""
    found, at = {}, 0
    while at < len(data):
        space, end = data.index(b" ", at), data.index(b"\0", at)
        mode, name = data[at:space].decode("ascii"), data[space + 1 : end].decode("utf-8", "surrogateescape")
        at = end + 1 + width
        found[name] = Entry(kind=_kind(mode), id=data[end + 1 : at].hex())
    return found


def _kind(mode: str) -> str:
    return {"40000": "tree", "040000": "tree", "160000": "commit", "120000": "link"}.get(mode, "blob")


def _lines(names: Iterable[str]) -> str:
    return "".join(f"{name}\n" for name in names)
