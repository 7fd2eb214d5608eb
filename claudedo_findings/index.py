"""INDEX.md: one line per finding; everything else in it is the human's and stays byte for byte."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from claudedo_findings import markdown

HOOK_LIMIT = 100
START = "# Findings\n\n"

_ENTRY = re.compile(
    r"( {0,3}[-*+][ \t]+\[[^\[\]]*\]\((?:\./)?traps/([a-z0-9-]+)\.md\))[ \t]*(?:(?:—|–|--?|:)[ \t]*(.*))?\Z"
)


class Entry(NamedTuple):
    """One entry line: where it stands, which finding it names, and its hook."""

    line: int
    slug: str
    hook: str
    link: str  # what stands before the hook: the human's indent and bullet


class Index:
    """The lines of an INDEX.md without their line ends, and which of them are entries."""

    def __init__(self, lines: tuple[str, ...], eol: str, bom: str) -> None:
        self.lines = lines
        self.eol = eol
        self.bom = bom

    def having(self, lines: Iterable[str]) -> "Index":
        """Return the index with other lines."""
        return Index(tuple(lines), self.eol, self.bom)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(_entries(self.lines))


def parse(text: str) -> Index:
    """Read an INDEX.md; "" stands for one that does not exist yet."""
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    lines = (text.removeprefix("\ufeff") or START).split("\n")
    eol = "\r\n" if lines[0].endswith("\r") else "\n"
    return Index(tuple(lines), eol, bom)


def render(index: Index) -> str:
    """Return the text of the file: `render(parse(text)) == text` for every text that holds something."""
    return index.bom + "\n".join(index.lines)


def hook(title: str) -> str:
    """Return the hook made from a title: cut at a word to at most 100 characters.

    `<!--` is broken up, because a comment would hide what follows it in a rendered index.
    """
    text = " ".join(title.split()).replace("<!--", "<! --")
    if len(text) <= HOOK_LIMIT:
        return text
    cut = text[: HOOK_LIMIT - 1]
    in_word = text[HOOK_LIMIT - 1] != " "
    if in_word and cut.rfind(" ") > HOOK_LIMIT // 2:  # else one long word, or a script without spaces
        cut = cut.rpartition(" ")[0]
    return f"{cut.rstrip()}…"


def line(slug: str, hook: str) -> str:
    """Return an entry line."""
    return f"- [{slug}](traps/{slug}.md) — {hook}"


def heal(index: Index, present: Collection[str], hooks: Mapping[str, str]) -> Index:
    """Return the index true to the folder: `present` findings have one line each, others none.

    Conflict markers go, of double lines the first stays, and each finding of `hooks` gets a line if it has none.
    """
    while markers := markdown.conflict_lines(index.lines):  # again, because what is left may be a whole conflict too
        index = _without(index, markers)
    seen: set[str] = set()
    dropped = set()
    for entry in index.entries:
        if entry.slug in seen or entry.slug not in present:
            dropped.add(entry.line)
        seen.add(entry.slug)
    index = _without(index, dropped)
    for slug in sorted((set(hooks) & set(present)) - seen):
        index = _add(index, slug, hooks[slug])
    return index


def put(index: Index, slug: str, hook: str, *, keep: bool) -> Index:
    """Return the index with a line for `slug`; a line that stands there stays as it is when `keep` is true."""
    entry = next((entry for entry in index.entries if entry.slug == slug), None)
    if entry is None:
        return _add(index, slug, hook)
    if keep:
        return index
    lines = list(index.lines)
    lines[entry.line] = f"{entry.link} — {hook}" + ("\r" if lines[entry.line].endswith("\r") else "")
    return index.having(lines)


def drop(index: Index, slug: str) -> Index:
    """Return the index without a line for `slug`."""
    gone = {entry.line for entry in index.entries if entry.slug == slug}
    return _without(index, gone)


def _without(index: Index, gone: Collection[int]) -> Index:
    if not gone:
        return index
    lines = [text for number, text in enumerate(index.lines) if number not in gone]
    if len(index.lines) - 1 in gone:  # that line had no line end; the one before it keeps its own
        lines.append("")
    return parse(render(index.having(lines)))  # so that a file left empty is begun anew


def _add(index: Index, slug: str, hook: str) -> Index:
    """Put a new line before the first greater slug of the last run of entry lines, or at the end."""
    carriage = index.eol[:-1]
    lines = list(index.lines)
    new = [line(slug, hook) + carriage]
    run = _last_run(index.entries)
    if run:
        at = next((entry.line for entry in run if entry.slug > slug), run[-1].line + 1)
    else:
        at = min(markdown.open_block(index.lines), len(lines) - (lines[-1] == ""))
        if at and lines[at - 1].strip():
            new.insert(0, carriage)
        if at < len(lines) and lines[at].strip():
            new.append(carriage)
    if at == len(lines):  # the file's last line had no line end
        lines[-1] = lines[-1].removesuffix(carriage) + carriage
        lines.append("")
    return index.having((*lines[:at], *new, *lines[at:]))


def _entries(lines: tuple[str, ...]) -> Iterator[Entry]:
    for number, text, shut in markdown.outside_blocks(lines):
        match = None if shut else _ENTRY.match(text.rstrip("\r"))
        if match:
            yield Entry(number, match[2], (match[3] or "").rstrip(), match[1])


def _last_run(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    start = max(0, len(entries) - 1)
    while start and entries[start - 1].line == entries[start].line - 1:
        start -= 1
    return entries[start:]
