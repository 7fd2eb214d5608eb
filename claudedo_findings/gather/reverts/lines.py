"""Lines that a revert took back, and how many of them are there again."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

Lines = Counter[bytes]
Patch = tuple[Lines, Lines]  # added, removed

SHARE = 0.5  # measured on labelled histories: from half of the lines on, an approach has come back
_SHORTEST = 4  # characters: brackets and blank lines are everywhere
_MANY = 3  # files of one folder and name: more of them stand for any file, as `src/index.ts` does
_ESCAPE = re.compile(rb'\\([abfnrtv"\\]|[0-7]{3})')
_PLAIN = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


@dataclass(frozen=True, kw_only=True)
class Undone:
    """What a revert took back in one file: lines that left with it, and lines that it brought back."""

    left: Lines
    brought_back: Lines
    after: Lines
    """The whole file right after the revert."""


def of_text(data: bytes) -> Lines:
    """Return the lines that count, without indentation; none for a binary file."""
    if b"\0" in data[:8000]:
        return Counter()
    return Counter(line for text in data.split(b"\n") if len(line := text.strip()) >= _SHORTEST)


def undone(targets: Sequence[tuple[Lines, Lines]], revert: tuple[Lines, Lines]) -> Undone:
    """Return what a revert took back of its targets in one file; each pair is the file before and after."""
    added = sum((after - before for before, after in targets), Counter[bytes]())
    removed = sum((before - after for before, after in targets), Counter[bytes]())
    before, after = revert
    return Undone(left=added & (before - after), brought_back=removed & (after - before), after=after)


def share_back(parts: Iterable[tuple[Undone, Lines]]) -> float:
    """Return which share of the lines taken back is undone again in the later files beside them.

    A line that stood elsewhere in the file right after the revert does not count as back. Where the
    approach was mostly a removal, lines count that are gone again.
    """
    left = brought_back = left_again = gone_again = 0
    for part, now in parts:
        left += part.left.total()
        brought_back += part.brought_back.total()
        left_again += (part.left & (now - part.after)).total()
        gone_again += (part.brought_back & (part.after - now)).total()
    if left >= brought_back / 2:
        return left_again / left if left else 0.0
    return gone_again / brought_back


def together(parts: Iterable[Undone]) -> tuple[Lines, Lines]:
    """Return the lines that a revert took out of all its files, and those it brought back."""
    left, brought_back = Lines(), Lines()
    for part in parts:
        left.update(part.left)
        brought_back.update(part.brought_back)
    return left, brought_back


def share_in_patch(whole: tuple[Lines, Lines], patch: Iterable[Patch]) -> float:
    """Return which share of the lines that a revert took back one later patch brings again."""
    left, brought_back = whole
    added, removed = Lines(), Lines()
    for more, less in patch:
        added.update(more)
        removed.update(less)
    if left.total() >= brought_back.total() / 2:
        return (left & (added - removed)).total() / left.total() if left else 0.0
    return (brought_back & (removed - added)).total() / brought_back.total()


def kept(before: Lines, after: Lines) -> float:
    """Return which share of the lines of a file is in another."""
    return (before & after).total() / before.total() if before else 1.0


def places_in(tree: Iterable[str]) -> Callable[[str], str]:
    """Return a function from the path of a file in the past to where it may lie in `tree`, "" when it is gone."""
    paths = set(tree)
    names: dict[str, list[str]] = {}
    for path in paths:
        names.setdefault(path.rpartition("/")[2], []).append(path)

    def place(path: str) -> str:
        if path in paths:
            return path
        *folders, name = path.split("/")
        namesakes = names.get(name, [])
        if len(namesakes) == 1:
            return namesakes[0]
        ending = "/".join(["", *folders[-1:], name])
        alike = sorted(other for other in namesakes if f"/{other}".endswith(ending))
        return alike[0] if folders and len(alike) in range(1, _MANY + 1) else ""

    return place


def patches(pieces: Iterable[bytes], wanted: Container[bytes]) -> Iterator[tuple[str, dict[str, Patch]]]:
    """Yield the commits of `git log -p -U0 --format=%x00%H`: by path, which of `wanted` each added and removed."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\0")
        yield from (_patch(record, wanted) for record in whole if record)
    if rest:
        yield _patch(rest, wanted)


def _patch(record: bytes, wanted: Container[bytes]) -> tuple[str, dict[str, Patch]]:
    head, _, text = record.partition(b"\n")
    found: dict[str, Patch] = {}
    added, removed = Lines(), Lines()
    in_head = True
    for line in text.split(b"\n"):
        if line.startswith(b"diff --git "):
            added, removed, in_head = Lines(), Lines(), True
        elif line.startswith(b"@@ "):
            in_head = False
        elif in_head and line.startswith((b"--- ", b"+++ ")):
            path = _path(line[4:])
            if path:
                found[path] = added, removed
        elif not in_head and (content := line[1:].strip()) in wanted:
            (added if line.startswith(b"+") else removed)[content] += 1
    return head.decode("ascii", "replace").strip(), found


def _path(shown: bytes) -> str:
    """Return the path of a patch's head line, "" for none; git quotes what is not plain ASCII."""
    shown = shown.rstrip(b"\t")
    if shown.startswith(b'"'):
        shown = _ESCAPE.sub(lambda found: _plain(found[1]), shown[1:-1])
    return "" if shown == b"/dev/null" else shown[2:].decode("utf-8", "surrogateescape")


def _plain(escape: bytes) -> bytes:
    return bytes([int(escape, 8)]) if len(escape) == 3 else _PLAIN.get(escape, escape)
