"""What git says for the detector of reverts: at most five processes, however many reverts there are."""

import os
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from claudedo_findings import git
from claudedo_findings.gather.reverts import commits, lines
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.lines import Lines, Patch
from claudedo_findings.gather.reverts.log import Log

_LINKS = (b"120000", b"160000")  # a symlink and a submodule hold no lines
_BIGGEST = 2_000_000  # bytes: larger files are generated


@dataclass(frozen=True, kw_only=True)
class Change:
    """The blobs of one file before and after a commit, "" where there is none."""

    before: str
    after: str


Changes = Mapping[str, Change]


def log(directory: str) -> Log:
    """Return the whole history of HEAD."""
    arguments = ["-c", "log.showSignature=false", "log", "--no-show-signature", "--encoding=UTF-8"]
    return Log(commits.parse(git.stream([*arguments, f"--format={commits.FORMAT}", "HEAD"], directory)))


def changes(those: Iterable[Commit], directory: str) -> Mapping[str, Changes]:
    """Return what each commit changed against its first parent, by sha and path."""
    asked = "".join(f"{' '.join([commit.sha, *commit.parents[:1]])}\n" for commit in those)
    arguments = ["diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"]
    fields = iter(b"".join(git.stream(arguments, directory, stdin=asked.encode())).split(b"\0")) if asked else iter(())
    found: dict[str, dict[str, Change]] = {}
    current: dict[str, Change] = {}
    for field in fields:
        if field.startswith(b":"):
            mode_before, mode_after, before, after, _ = field[1:].split(b" ")
            path = os.fsdecode(next(fields))
            current[path] = Change(before=_blob(mode_before, before), after=_blob(mode_after, after))
        elif field:
            current = found.setdefault(field.decode().strip(), {})
    return found


def tree(directory: str) -> dict[str, str]:
    """Return the blob of each file at HEAD, by path."""
    entries = b"".join(git.stream(["ls-tree", "-r", "-z", "HEAD"], directory)).split(b"\0")
    pairs = (entry.split(b"\t", 1) for entry in entries if entry)
    return {os.fsdecode(path): head.split(b" ")[2].decode() for head, path in pairs}


def contents(blobs: Iterable[str], places: git.Places) -> dict[str, Lines]:
    """Return the lines of each blob that this clone holds; what it lacks is left out."""
    wanted = set(blobs)
    if wanted and partial(places):
        # One object that a partial clone lacks would end the reading.
        arguments = ["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)"]
        wanted &= {sha.decode() for sha in b"".join(git.stream(arguments, places.toplevel)).split()}
    if not wanted:
        return {}
    asked = "\n".join(sorted(wanted)) + "\n"
    return dict(_objects(git.stream(["cat-file", "--batch"], places.toplevel, stdin=asked.encode())))


def later(
    oldest: Commit, paths: Iterable[str], wanted: Container[bytes], directory: str
) -> Iterator[tuple[str, Mapping[str, Patch]]]:
    """Yield the commits since `oldest` that touched `paths`: by path, which of `wanted` each added and removed."""
    arguments = ["-c", "core.quotePath=true", "--literal-pathspecs", "log", "--stdin", "-p", "-U0", "--no-renames"]
    arguments += ["--full-history", "--no-merges", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes"]
    arguments += ["--no-show-signature", "--src-prefix=a/", "--dst-prefix=b/", "--format=%x00%H"]
    told = ["HEAD", f"^{oldest.sha}", "--", *(path for path in paths if "\n" not in path)]
    asked = os.fsencode("\n".join(told) + "\n")
    return lines.patches(git.stream(arguments, directory, stdin=asked), wanted)


def partial(places: git.Places) -> bool:
    """Return whether this clone was told to leave objects behind."""
    packs = os.path.join(places.common_dir, "objects", "pack")
    return os.path.isdir(packs) and any(name.endswith(".promisor") for name in os.listdir(packs))


def shallow(places: git.Places) -> bool:
    """Return whether this clone ends before the beginning of the history."""
    return os.path.isfile(os.path.join(places.common_dir, "shallow"))


def _blob(mode: bytes, sha: bytes) -> str:
    return "" if mode in _LINKS or not sha.strip(b"0") else sha.decode()


def _objects(pieces: Iterator[bytes]) -> Iterator[tuple[str, Lines]]:
    """Yield sha and lines of each object that `cat-file --batch` answered with."""
    rest = bytearray()

    def until(size: int) -> bytes:
        while len(rest) < size:
            rest.extend(next(pieces))
        taken = bytes(rest[:size])
        del rest[:size]
        return taken

    def line() -> bytes:
        while (end := rest.find(b"\n")) < 0:
            piece = next(pieces, b"")
            if not piece:
                return b""
            rest.extend(piece)
        return until(end + 1)[:-1]

    while head := line():
        sha, kind, *size = head.split(b" ")
        if size:
            data = until(int(size[0]) + 1)
            yield sha.decode(), lines.of_text(data if kind == b"blob" and len(data) < _BIGGEST else b"")
