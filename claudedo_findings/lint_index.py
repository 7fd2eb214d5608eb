"""What is wrong with the index, judged by its text and by which findings there are."""

import re
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import unquote

from claudedo_findings import codespans, index, lint_text, markdown, rules, titles
from claudedo_findings.errors import shown
from claudedo_findings.index import Index
from claudedo_findings.problem import Problem

_FIX = "run 'claudedo-findings lint --fix'"
_LINK = re.compile(r"\]\(\s*(?:<([^<>]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*))(?:\s+[\"'(].*?)?\s*\)")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]:\s+<?([^\s<>]+)>?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def problems(
    at: lint_text.Maker, data: bytes, present: Collection[str], expired: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield what is wrong with the index `data`. `expired` holds the dates of findings that must not be listed.

    `at` makes a problem at a line of the index.
    """
    lines = lint_text.lines_of(data)
    yield from lint_text.problems(at, data, lines)
    parsed = index.parse("\n".join(lines))
    yield from _entries(at, parsed, present, expired)
    count = len(parsed.entries)
    if count >= rules.INDEX_ENTRIES or len(data) > rules.INDEX_BYTES:
        what = f"{count} entries and {len(data)} bytes (about {len(data) // 4} tokens), and every run reads them"
        hint = (
            f"stay under {rules.INDEX_ENTRIES} entries and {rules.INDEX_BYTES} bytes: see 'stale', 'merge' and 'retire'"
        )
        yield at(1, "index-size", what, hint)


def links(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the line and the path of each relative link that stands outside entry lines, fences and comments."""
    lines = lint_text.lines_of(data)
    entries = {entry.line: entry for entry in index.parse("\n".join(lines)).entries}
    for number, text, shut in markdown.outside_blocks(lines):
        if shut:
            continue
        plain = codespans.replaced(entries[number].hook if number in entries else text, lambda _: "")
        found = [match[1] or match[2] for match in _LINK.finditer(plain)]
        found += [match[1] for match in (_DEFINITION.match(plain),) if match]
        for target in found:
            path = unquote(re.split(r"[#?]", target)[0])
            if path and not _SCHEME.match(target) and not path.startswith("/"):
                yield number + 1, path


def _entries(
    at: lint_text.Maker, parsed: Index, present: Collection[str], expired: Mapping[str, str]
) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for entry in parsed.entries:
        line, slug = entry.line + 1, entry.slug
        if slug not in present:
            yield at(line, "dead-line", f"the line names {slug!r}, which has no file in traps/", _FIX, slug)
        elif slug in seen:
            yield at(line, "double-line", f"{slug!r} has a line already, line {seen[slug]}", _FIX, slug)
        else:
            yield from _hook(at, entry)
        if slug in expired and slug not in seen:
            hint = f"{_FIX}, or give it another date if it still holds"
            yield at(line, "expires", f"{slug!r} expired on {expired[slug]} and is still listed", hint, slug)
        seen.setdefault(slug, line)


def _hook(at: lint_text.Maker, entry: index.Entry) -> Iterator[Problem]:
    if len(entry.hook) > index.HOOK_LIMIT:
        what = f"the hook has {len(entry.hook)} characters, the limit is {index.HOOK_LIMIT}"
        yield at(entry.line + 1, "long-text", what, "shorten it: every run reads it", entry.slug)
    if not titles.routes(entry.hook):
        said = f"the hook {shown(entry.hook)} says too little to choose by" if entry.hook else "no hook"
        hint = "name what looks like X and is Y: agents choose by this line alone"
        yield at(entry.line + 1, "weak-title", said, hint, entry.slug)
