"""One trap as it stands in a note, and how its title and body are made from its lines."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from claudedo_findings.gather import dismissed, marks, wording
from claudedo_findings.gather.outline import Block, Section

_TEXT_LIMIT = 6_000  # characters of one piece that are looked at; a candidate keeps fewer
_TITLE_MOST = 140  # characters of a title that the note itself sets apart
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z)")
_TASK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]")


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What may become a draft: a title and the note's own text, on lines `start` to `end`, as in a block."""

    title: str
    body: str
    start: int
    end: int
    strength: str
    trail: tuple[str, ...] = ()
    """The headings above it, the outermost first."""


def of_section(lines: Sequence[str], section: Section, strength: str) -> Piece | None:
    """Return a whole section as one piece, None when it holds no trap.

    Below a heading that says nothing but its mark a list of one item is that item.
    """
    heading = marks.after_mark(section.heading)
    items = [item for block in section.blocks if block.kind in ("bullets", "numbers") for item in block.inner]
    if marks.is_generic(section.heading) and len(section.blocks) == len(items) == 1 and not section.children:
        return of_lines(lines, items[0].start, items[0].end, strength)
    body = _source(lines, section.start, section.end).partition("\n")[2]
    if section.blocks and section.blocks[0].start > section.start + 1:  # an underlined heading takes two lines
        body = _source(lines, section.start + 1, section.end)
        body = re.sub(r"\A[=-]+[ \t]*\n", "", body)
    if dismissed.is_over(heading):
        return None
    return _piece("" if marks.is_generic(section.heading) else heading, body, section.start, section.end, strength)


def of_lines(lines: Sequence[str], start: int, end: int, strength: str) -> Piece | None:
    """Return a bullet, numbered item or paragraph as one piece, None when it holds no trap."""
    if _TASK.match(lines[start]):
        return None  # something to do, not something to know
    text = _dedented(_source(lines, start, end))
    lead = marks.lead(text)
    if lead:
        text = _without_lead(text, lead.end)
    if dismissed.is_over(text):
        return None
    text = wording.without_comments(text)
    bold, rest = wording.bold_lead(text)
    title = marks.bare(wording.plain(bold))
    if not bold or (wording.is_weak(title) and rest == text):
        return _piece("", text, start, end, strength)
    short = wording.shortened(title, _TITLE_MOST)
    return _piece(short.rstrip(" .:：。"), (rest or bold) if short == title else text, start, end, strength)


def of_row(header: Sequence[str], row: Block, strength: str) -> Piece | None:
    """Return a table's row as one piece: its first cell of words is the title, None when it holds no trap."""
    cells = [cell[:_TEXT_LIMIT].strip() for cell in row.cells]
    words = [number for number, cell in enumerate(cells) if _says_something(cell)]
    if not words or any(dismissed.is_over(cell) for cell in cells[: words[0] + 1]):
        return None
    rest = [(header[number] if number < len(header) else "", cells[number]) for number in words[1:]]
    several = len(rest) > 1
    body = "\n\n".join(f"{wording.plain(name)}: {cell}" if several and name else cell for name, cell in rest)
    title = wording.strengthened(wording.plain(cells[words[0]]).rstrip(" .:："), cells[words[1]] if rest else "")
    return _piece(title, body, row.start, row.end, strength)


def of_admonition(lines: Sequence[str], start: int, end: int, title: str) -> Piece | None:
    """Return a warning block as one piece, without its own first line and closing line."""
    text = _dedented(_source(lines, start, end)).partition("\n")[2]
    return _piece(
        title, textwrap.dedent(re.sub(r"^:{3,}[ \t]*$", "", text, flags=re.MULTILINE)), start, end, marks.WEAK
    )


def _piece(title: str, body: str, start: int, end: int, strength: str) -> Piece | None:
    """Return a piece with a title that can stand alone, None for a placeholder."""
    body = wording.without_comments(body)
    title, words = wording.plain(title), wording.plain(wording.prose(body))
    if dismissed.is_placeholder(words) and (words or not body or wording.is_weak(title)):
        return None
    if title:
        title = wording.strengthened(title, dismissed.unlabelled(body))
    else:
        spoken = wording.prose(body)
        title, rest = wording.opening(spoken)
        body = rest if spoken == body else body
    if dismissed.is_placeholder(title):
        return None
    return Piece(title=title.rstrip(" :：;,"), body=body, start=start, end=end, strength=strength)


def _says_something(cell: str) -> bool:
    """Return whether a cell holds more than a number, an id, a date or a tick."""
    return bool(re.search(r"[^\W\d_]{3}|[^\x00-\x7f\W]{2}", cell)) and not re.fullmatch(r"\W*[A-Z]{1,8}-?\d+\W*", cell)


def _without_lead(text: str, end: int) -> str:
    bold_is_open = text[:end].count("**") % 2 == 1
    return f"**{text[end:]}" if bold_is_open and "**" in text[end:] else text[end:]


def _dedented(text: str) -> str:
    first, _, rest = text.partition("\n")
    marker = _MARKER.match(first)
    quoted = first.lstrip().startswith(">")
    if quoted:
        return "\n".join(re.sub(r"\A[ \t]*>[ \t]?", "", line) for line in text.split("\n")).strip()
    if not marker:
        return textwrap.dedent(text).strip()
    return f"{first[marker.end() :]}\n{textwrap.dedent(rest)}".strip()


def _source(lines: Sequence[str], start: int, end: int) -> str:
    text = "\n".join(lines[start:end])
    return text if len(text) <= _TEXT_LIMIT else text[:_TEXT_LIMIT].rpartition("\n")[0] or text[:_TEXT_LIMIT]
