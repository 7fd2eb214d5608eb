"""Traps that a note marks in passing: lead-ins, admonitions, and rules of what never to do that give a reason."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from claudedo_findings.gather import marks, pieces, splitting, wording
from claudedo_findings.gather.outline import Block
from claudedo_findings.gather.pieces import Piece

_ADMONITION = re.compile(
    r"(?:!!!|\?\?\?\+?)\s+(?:warning|danger|bug)\b(?:\s+inline(?:\s+end)?)?[ \t]*(?:\"([^\"\n]*)\")?"
    r"|:{3,}\s*\{?(?:warning|danger|caution)\b\}?[ \t]*([^\n]*)|\[!(?:WARNING|CAUTION)\][ \t]*([^\n]*)"
)
_CLOSED = re.compile(r"^:{3,}[ \t]*$", re.MULTILINE)
_FORBIDS = re.compile(
    r"[\W_]*(?i:never|do\s+not|don['’]t|must\s+not|avoid)\b|[\W_]*(?:Niemals|Nie|Nicht)\b|[\W_]*(?:不要|切勿|禁止|绝不|严禁)"
)
_NEGATES = re.compile(
    r"(?i)\b(?:never|not|no|cannot|can['’]t|doesn['’]t|don['’]t|isn['’]t|won['’]t|without|needs?|must|only|nicht|nie|kein\w*)\b"
    r"|不要|不能|不可|不会|必须|切勿|禁止|ない|ません"
)
_BECAUSE = re.compile(
    r"(?i)\b(?:because|otherwise|or\s+else|since|so|sonst|weil|denn|damit|andernfalls|da)\b"
    r"|否则|因为|以免|会导致|さもないと|ため|から"
)
_DASH = re.compile(r"\s[—–]\s|——")
_GOES_ON = re.compile(r"[.;:—–][*_]*\s+(?:\S*\w\S*\s+){4,}|\([^()]{30,}")


def strong(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[Piece]:
    """Yield what a lead-in with a strong mark introduces, at any depth of lists and quotes."""
    yield from _leads(lines, blocks, marks.STRONG)


def weak(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[Piece]:
    """Yield what a lead-in with a weak mark, an admonition or a reasoned rule says."""
    yield from _leads(lines, blocks, marks.WEAK)
    yield from _admonitions(lines, blocks)
    yield from _rules(lines, blocks)


def _leads(lines: Sequence[str], blocks: Sequence[Block], strength: str) -> Iterator[Piece]:
    for block, after in pairwise([*blocks, None]):
        if block is None:
            continue
        lead = marks.lead(block.text) if block.kind == "paragraph" else None
        if lead and lead.strength == strength:
            yield from _introduced(lines, block, after, lead, strength)
        elif block.kind == "item" and block.inner and block.inner[0].kind == "paragraph":
            lead = marks.lead(block.inner[0].text)
            if lead and lead.strength == strength and block.inner[0].text[lead.end :].strip():
                yield from _one(pieces.of_lines(lines, block.start, block.end, strength))
            else:
                yield from _leads(lines, block.inner, strength)
        elif block.kind in ("bullets", "numbers", "quote"):
            yield from _leads(lines, block.inner, strength)


def _introduced(
    lines: Sequence[str], block: Block, after: Block | None, lead: marks.Lead, strength: str
) -> Iterator[Piece]:
    """Yield what a lead-in paragraph introduces: its own text, or the list that follows a lead-in alone."""
    alone = not block.text[lead.end :].strip()
    items = splitting.listed(lines, [after], strength) if alone and after else None
    if items is not None:
        yield from items
        return
    goes_on = after and (alone or block.text.rstrip().endswith((":", "："))) and after.kind != "html"
    yield from _one(pieces.of_lines(lines, block.start, after.end if after and goes_on else block.end, strength))


def _admonitions(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[Piece]:
    for number, block in enumerate(blocks):
        if block.kind == "quote" and block.inner:
            yield from _admonition(lines, block.start, block.end, block.inner[0].text)
        if block.kind == "paragraph":
            end = block.end
            if block.text.startswith(":::") and not _CLOSED.search(block.text.partition("\n")[2]):
                closing = next((later for later in blocks[number + 1 :] if later.text.startswith(":::")), None)
                end = closing.end if closing else end
            elif number + 1 < len(blocks) and blocks[number + 1].kind == "code":
                end = blocks[number + 1].end
            yield from _admonition(lines, block.start, end, block.text)
        if block.kind in ("bullets", "numbers", "item"):
            yield from _admonitions(lines, block.inner)


def _admonition(lines: Sequence[str], start: int, end: int, text: str) -> Iterator[Piece]:
    found = _ADMONITION.match(text)
    if found:
        title = next(filter(None, found.groups()), "").strip()
        yield from _one(pieces.of_admonition(lines, start, end, title))


def _rules(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[Piece]:
    """Yield bullets that forbid something and say why: a bare rule is policy, one with a reason is often a trap."""
    for block in blocks:
        if (
            block.kind == "item"
            and block.inner
            and block.inner[0].kind == "paragraph"
            and _gives_reason(block.inner[0].text)
        ):
            yield from _one(pieces.of_lines(lines, block.start, block.end, marks.WEAK))
        elif block.kind in ("bullets", "numbers", "item"):
            yield from _rules(lines, block.inner)


def _gives_reason(source: str) -> bool:
    text = marks.without_code(source[:2_000], "code")
    if _FORBIDS.match(text):
        return bool(_BECAUSE.search(text) or _DASH.search(text) or _GOES_ON.search(text))
    bold, rest = wording.bold_lead(text)
    return len(bold.split()) >= 4 and rest != text and bool(_NEGATES.search(text) and _BECAUSE.search(rest))


def _one(piece: Piece | None) -> Iterator[Piece]:
    if piece:
        yield piece
