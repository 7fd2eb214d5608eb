"""A Markdown note as sections and blocks, each with its lines. Only the block structure is parsed.

Inline markup is looked at where a title is made, in short texts: of a whole file it can take quadratic time.
"""

import re
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

LINE_LIMIT = 20_000  # characters; longer lines are embedded images and data, which the parser would chew on
# The parser drops the rest of a list below its own limit; no line may lead there, nor to Python's limit of recursion.
_INDENT_LIMIT = 100  # columns
_NESTING = 300
_DEEP = re.compile(r"(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){30}")
_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\n(?:.*\n){0,200}?\1[ \t]*(?:\n|\Z)")
_KINDS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "bullets",
    "ordered_list_open": "numbers",
    "list_item_open": "item",
    "table_open": "table",
    "tr_open": "row",
    "blockquote_open": "quote",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
}


@dataclass(kw_only=True)
class Block:
    """A block of a note: lines `start` to `end` (from 0, the end excluded) and the blocks inside it.

    `text` is the source of a paragraph or heading, `cells` that of a table row's cells.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    text: str = ""
    cells: list[str] = field(default_factory=list)
    inner: list["Block"] = field(default_factory=list)


@dataclass(kw_only=True)
class Section:
    """A heading with what stands below it, to the next heading of its level. The note itself has level 0."""

    heading: str
    level: int
    start: int
    end: int
    blocks: list[Block] = field(default_factory=list)
    children: list["Section"] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Note:
    """A parsed note: its lines as they were parsed and its outline."""

    lines: tuple[str, ...]
    root: Section
    passed_over: int
    """How many lines were too long or too deeply nested and were read as empty."""


def parse(text: str) -> Note:
    """Return the outline of a note. Front matter, over-long lines and those nested too deeply are read as empty."""
    text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
    front = _FRONT.match(text)
    lines = text.split("\n")
    for number in range(front[0].count("\n") if front else 0):
        lines[number] = ""
    beyond = [number for number, line in enumerate(lines) if _is_beyond(line)]
    for number in beyond:
        lines[number] = ""
    blocks = _blocks(_parser().parse("\n".join(lines)))
    return Note(lines=tuple(lines), root=_sections(blocks, len(lines)), passed_over=len(beyond))


def _is_beyond(line: str) -> bool:
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return len(line) > LINE_LIMIT or len(indent.expandtabs(4)) > _INDENT_LIMIT or bool(_DEEP.match(line))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def _blocks(tokens: list[Token]) -> list[Block]:
    top = Block(kind="", start=0, end=0)
    open_blocks = [top]
    for token in tokens:
        if token.type == "inline":
            _fill(open_blocks[-1], token)
        elif token.type in _KINDS and token.map:
            level = int(token.tag[1:]) if token.type == "heading_open" else 0
            block = Block(kind=_KINDS[token.type], start=token.map[0], end=token.map[1], level=level)
            open_blocks[-1].inner.append(block)
            if token.nesting == 1:
                open_blocks.append(block)
        elif token.nesting == -1 and f"{token.type[:-6]}_open" in _KINDS:
            open_blocks.pop()
    return top.inner


def _fill(block: Block, token: Token) -> None:
    if block.kind == "row":
        block.cells.append(token.content)
    else:
        block.text = token.content


def _sections(blocks: list[Block], lines: int) -> Section:
    path = [Section(heading="", level=0, start=0, end=lines)]
    for block in blocks:
        if block.kind != "heading":
            path[-1].blocks.append(block)
            continue
        while path[-1].level >= block.level:
            path.pop().end = block.start
        section = Section(heading=" ".join(block.text.split()), level=block.level, start=block.start, end=lines)
        path[-1].children.append(section)
        path.append(section)
    return path[0]
