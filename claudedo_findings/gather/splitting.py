"""Which traps a marked section of a note holds: itself, its sub-sections, or the items of its lists."""

import re
from collections.abc import Iterable, Iterator, Sequence

from claudedo_findings.gather import dismissed, marks, pieces, wording
from claudedo_findings.gather.outline import Block, Section
from claudedo_findings.gather.pieces import Piece

_SEPARATE = ("bullets", "numbers", "table", "html")
_FRAGMENT = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:[a-zß-ÿ]|→|->)")
_ONLY_LINK = re.compile(r"[\s*_]*\[[^\[\]]*\]\([^()]*\)[\s*_.]*\Z")


def split(lines: Sequence[str], section: Section, strength: str) -> Iterator[Piece]:
    """Yield the traps of a marked section."""
    if marks.names_one(section.heading):
        yield from _whole(lines, section, strength)
    else:
        yield from _parts(lines, section, strength)


def listed(lines: Sequence[str], blocks: Sequence[Block], strength: str) -> list[Piece] | None:
    """Return the items of the first kind of list that has at least two, None when there is none.

    The order is bullets, numbers, table rows, paragraphs that start bold. Labels like Symptom and Fix are no items.
    """
    for kind in ("bullets", "numbers"):
        items = [item for block in blocks if block.kind == kind for item in block.inner]
        if len(items) > 1:
            texts = ["\n".join(lines[item.start : item.end])[:400] for item in items]
            if _are_parts([re.sub(r"\A\s*(?:[-*+]|\d+[.)])\s+", "", text) for text in texts]):
                return None
            kept = [item for item in items if not (item.inner and _ONLY_LINK.match(item.inner[0].text))]
            return _present(pieces.of_lines(lines, item.start, item.end, strength) for item in kept)
    tables = [block for block in blocks if block.kind == "table" and len(block.inner) > 1]
    if tables:
        rows = [(table.inner[0].cells, row) for table in tables for row in table.inner[1:]]
        if _are_parts([row.cells[0] + ":" for _, row in rows if row.cells]):
            return None
        return _present(pieces.of_row(header, row, strength) for header, row in rows)
    bold = [block for block in blocks if block.kind == "paragraph" and wording.starts_bold(block.text)]
    if len(bold) > 1 and not _are_parts([block.text for block in bold]):
        ends = [*(block.start for block in bold[1:]), blocks[-1].end]
        spans = zip(bold, ends, strict=True)
        return _present(pieces.of_lines(lines, block.start, end, strength) for block, end in spans)
    return None


def _parts(lines: Sequence[str], section: Section, strength: str) -> Iterator[Piece]:
    """Yield the traps of a section whose heading names none: by sub-section, else by list, else the section itself."""
    if not section.children:
        items = listed(lines, section.blocks, strength)
        yield from _whole(lines, section, strength) if items is None else items
        return
    if _has_named_parts(section):
        yield from _whole(lines, section, strength)
        return
    # At the top of a file stand links and rules of the file, which seldom start bold.
    introduced = [block for block in section.blocks if section.level > 1 or _starts_bold(block)]
    if introduced:
        yield from listed(lines, introduced, strength) or ()
    grouped = any(child.children for child in section.children)
    for child in section.children:
        if not marks.is_never(child.heading) and not dismissed.is_over(marks.after_mark(child.heading)):
            yield from _child(lines, child, strength, grouped=grouped)


def _child(lines: Sequence[str], child: Section, strength: str, *, grouped: bool) -> Iterator[Piece]:
    if marks.names_one(child.heading) or _has_named_parts(child):
        yield from _whole(lines, child, strength)
    elif child.children:
        yield from _parts(lines, child, strength)
    else:
        splits = _separate(child.blocks) or (grouped and (marks.of_heading(child.heading) or _sets_apart(child.blocks)))
        items = listed(lines, child.blocks, strength) if splits and not _are_fragments(lines, child.blocks) else None
        yield from _whole(lines, child, strength) if items is None else items


def _separate(blocks: Sequence[Block]) -> bool:
    """Return whether a section goes straight into its list, without prose before it."""
    first = next((block for block in blocks if block.kind != "html"), None)
    return bool(first and (first.kind in _SEPARATE or wording.starts_bold(first.text)))


def _sets_apart(blocks: Sequence[Block]) -> bool:
    """Return whether every item of a section's lists starts bold: then these are its topics, not details of one."""
    found = [block for block in blocks if block.kind == "bullets"]
    return bool(found) and all(map(_starts_bold, found))


def _are_fragments(lines: Sequence[str], blocks: Sequence[Block]) -> bool:
    """Return whether most items go on with the sentence of their heading, and are no sentences of their own."""
    items = [item for block in blocks if block.kind in ("bullets", "numbers") for item in block.inner]
    return sum(bool(_FRAGMENT.match(lines[item.start])) for item in items) * 2 > len(items) > 0


def _starts_bold(bullets: Block) -> bool:
    return bullets.kind == "bullets" and all(
        item.inner and wording.starts_bold(item.inner[0].text) for item in bullets.inner
    )


def _whole(lines: Sequence[str], section: Section, strength: str) -> Iterator[Piece]:
    yield from _present([pieces.of_section(lines, section, strength)])


def _has_named_parts(section: Section) -> bool:
    named = [child for child in section.children if dismissed.is_part(marks.bare(child.heading))]
    return len(named) > 1 or (bool(named) and len(named) == len(section.children))


def _are_parts(texts: Sequence[str]) -> bool:
    return sum(dismissed.is_part(wording.label(text)) for text in texts) > 1


def _present(found: Iterable[Piece | None]) -> list[Piece]:
    return [piece for piece in found if piece]
