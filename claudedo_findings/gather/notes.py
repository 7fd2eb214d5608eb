"""Reads one Markdown note: which traps it marks, and where they stand."""

import bisect
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from claudedo_findings.gather import asides, marks, outline, splitting
from claudedo_findings.gather.outline import Section
from claudedo_findings.gather.pieces import Piece


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a note holds: its traps in the order of the note, and how many lines were passed over."""

    pieces: tuple[Piece, ...] = ()
    passed_over: int = 0


def read(text: str, name: str) -> Reading:
    """Return the traps of a note, those with weak marks too. `name` is its file's name, which can be a mark."""
    note = outline.parse(text)
    first = note.root.children[0].heading if note.root.children else ""
    if marks.of_file(name) and marks.of_heading(first) != marks.STRONG:
        top = note.root.children[0] if len(note.root.children) == 1 and not note.root.blocks else note.root
        strong = splitting.split(note.lines, replace(top, heading=""), marks.STRONG)
    else:
        strong = _strong(note.lines, note.root)
    trails = list(_trails(note.root))
    starts = [start for start, _ in trails]
    taken = bytearray(len(note.lines) + 1)  # a line belongs to one trap, a strong mark before a weak one
    found = []
    for piece in itertools.chain(strong, _weak(note.lines, note.root)):
        if taken.find(1, piece.start, piece.end) < 0:
            taken[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
            found.append(replace(piece, trail=trails[bisect.bisect_right(starts, piece.start) - 1][1]))
    return Reading(pieces=tuple(sorted(found, key=lambda piece: piece.start)), passed_over=note.passed_over)


def _strong(lines: tuple[str, ...], section: Section) -> Iterator[Piece]:
    if marks.of_heading(section.heading) == marks.STRONG:
        yield from splitting.split(lines, section, marks.STRONG)
        return
    yield from asides.strong(lines, section.blocks)
    for child in section.children:
        yield from _strong(lines, child)


def _weak(lines: tuple[str, ...], section: Section) -> Iterator[Piece]:
    if marks.of_heading(section.heading) == marks.WEAK:
        yield from splitting.split(lines, section, marks.WEAK)
        return
    if not marks.is_never(section.heading):
        yield from asides.weak(lines, section.blocks)
    for child in section.children:
        yield from _weak(lines, child)


def _trails(section: Section, above: tuple[str, ...] = ()) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield where each section starts, with the headings that lead to it, in the order of the note."""
    trail = (*above, section.heading) if section.heading else above
    yield section.start, trail
    for child in section.children:
        yield from _trails(child, trail)
