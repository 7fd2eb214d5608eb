"""What git knows of commits and paths, without one process for each.

Paths are found by reading trees, never by handing git a path: no quoting, no magic, and a missing object is seen before
git is asked for it. Reading trees here also spares a `diff-tree`, which passes over an unknown tree in silence.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from claudedo_findings import git
from claudedo_findings.errors import shown
from claudedo_findings.git_cat import Cat, MissingError

_STAMP = re.compile(r"[0-9a-f]{4,64}\Z", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of a tree: a blob, a tree, a commit (a submodule) or a link."""

    kind: str
    id: str


class Objects:
    """The repository that holds `directory`. Use it in a `with`: it keeps a git process running."""

    def __init__(self, directory: str, common_dir: str) -> None:
        self._directory = directory
        self._common_dir = common_dir
        self._cat = Cat(directory)
        self._trees: dict[str, dict[str, Entry]] = {}

    def __enter__(self) -> "Objects":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._cat.close(failed=kind is not None)

    @cached_property
    def head(self) -> str:
        """The commit of HEAD; "" without one."""
        return self._cat.info("HEAD^{commit}")[0]

    def commit(self, stamp: str) -> str:
        """Return the full id of the commit that `stamp` abbreviates. Raises MissingError with the cause."""
        if not _STAMP.match(stamp):
            raise MissingError(f"its stamp {shown(stamp)} is no commit id")
        # 39 digits at most: for a whole id that it lacks, a partial clone would ask the remote.
        name = stamp[:39]
        found, _ = self._cat.info(f"{name}^{{commit}}")
        if found:
            return found
        if self._cat.info(name)[1] == "ambiguous":
            raise MissingError(f"its stamp {stamp} fits several commits")
        shallow = os.path.exists(os.path.join(self._common_dir, "shallow"))
        cause = "the clone is shallow" if shallow else "rebased away, or of another repository"
        raise MissingError(f"its stamp {stamp} is not in this repository ({cause})")

    def look_for_gaps(self, commits: Iterable[str]) -> None:
        """Find out which objects of these commits a partial clone lacks; elsewhere nothing needs to be asked."""
        packs = os.path.join(self._common_dir, "objects", "pack")
        if not os.path.isdir(packs) or not any(name.endswith(".promisor") for name in os.listdir(packs)):
            return
        options = ["--objects", "--no-object-names", "--missing=print", "--no-walk", "--stdin"]
        lines = git.answer(["rev-list", *options], self._directory, stdin=_lines(commits))[1].split("\n")
        self._cat.absent = frozenset(line[1:] for line in lines if line.startswith("?"))

    def outside_history(self, commits: Iterable[str]) -> frozenset[str]:
        """Return which of these commits HEAD does not lead back to."""
        wanted = set(commits)
        asked = _lines([*sorted(wanted), f"^{self.head}"])
        return frozenset(git.answer(["rev-list", "--stdin"], self._directory, stdin=asked)[1].split()) & wanted

    @cached_property
    def listing(self) -> Mapping[str, Entry]:
        """Every file of HEAD by its path."""
        found = {}
        for line in git.run(["ls-tree", "-r", "-z", "--full-tree", self.head], self._directory).split("\0")[:-1]:
            about, _, path = line.partition("\t")
            mode, _, blob = about.split(" ")
            found[path] = Entry(kind=_kind(mode), id=blob)
        return found

    def tree_of(self, commit: str) -> str:
        """Return the id of a commit's tree."""
        data = self._cat.read(commit, "commit")
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
            self._trees[tree] = _entries(self._cat.read(tree, "tree"), len(tree) // 2)
        return self._trees[tree]

    def blobs(self, blobs: Iterable[str]) -> Iterator[bytes | None]:
        """Yield the bytes of each file, None for a large one. Raises MissingError."""
        return self._cat.blobs(blobs)


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
    return {"40000": "tree", "160000": "commit", "120000": "link"}.get(mode, "blob")


def _lines(names: Iterable[str]) -> str:
    return "".join(f"{name}\n" for name in names)
