"""Front matter as text: read and replace single keys, keep every other byte.

No YAML library: the store's keys are one-line strings, and rewriting through a library would lose
comments, order and quoting (or read `0123456` as a number). PyYAML and ruamel.yaml are the judges in tests.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from claudedo_findings import scalar

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*:(?: |\Z)")
_KEY = re.compile(r"(?P<mark>[\"']?)(?P<key>\w[\w.-]*)(?P=mark)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_CONFLICT = re.compile(r"([<=>|])\1{6}(?: |\Z)")  # the four markers that git leaves
_BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?$")


def split(text: str) -> tuple[list[str], str, str]:
    """Return the lines of the front matter, the text after it, and what is wrong ("" when nothing is).

    `text` has LF line ends and no BOM. A front matter that is never closed ends at the first blank
    line or heading, so that its keys survive a rewrite.
    """
    lines = text.lstrip("\n").split("\n")
    if lines[0].rstrip() != "---":
        return [], text, "git left a conflict where the front matter begins" if conflict(lines[:1]) else ""
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return lines[1:number], "\n".join(lines[number + 1 :]), _complaint(lines[1:number])
    end = next((n for n, line in enumerate(lines[1:], 1) if not line.strip() or line.startswith("#")), len(lines))
    keys = any(_KEY.match(line) for line in lines[1:end])
    rest = lines[end:] if keys else lines
    complaint = _conflict(lines[1:end]) or "the front matter is not closed by a line '---'"
    return (lines[1:end] if keys else []), "\n".join(rest), complaint


def read(lines: list[str]) -> dict[str, str]:
    """Return the keys of the front matter with their values; of a double key the last counts, as in YAML."""
    values = {}
    for start, end, key, first in _spans(lines):
        if end == start + 1 and not _BLOCK.match(first):
            values[key] = scalar.unquote(first)
            continue
        more = [line.strip() for line in lines[start + 1 : end]]
        if _BLOCK.match(first):
            values[key] = ("\n" if first[0] == "|" else " ").join(more).strip()
        else:
            values[key] = scalar.unquote(" ".join([first, *more]))
    return values


def places(lines: list[str]) -> list[tuple[str, int]]:
    """Return each top-level key with the number of its line, counted from 0, in the order of the file."""
    return [(key, start) for start, _, key, _ in _spans(lines)]


def update(lines: list[str], values: Mapping[str, str]) -> list[str]:
    """Return `lines` with `values` put in: in place where the key stands, else behind the key before it.

    Unknown keys, comments and order stay; a trailing comment of a replaced value stays too.
    """
    lines = list(lines)
    position = 0
    for key, value in values.items():
        spans = [(start, end) for start, end, name, _ in _spans(lines) if name == key]
        if len(spans) == 1 and read(lines)[key] == value and _is_string(_raw(lines[spans[0][0]]), value):
            position = spans[0][1]
            continue
        for start, end in reversed(spans[1:]):
            del lines[start:end]
        start, end = spans[0] if spans else (position, position)
        comment = _comment(lines[start]) if spans else ""
        lines[start:end] = [f"{key}: {scalar.quote(value)}".rstrip() + comment]
        position = start + 1
    return lines


def without(lines: list[str], keys: Collection[str]) -> list[str]:
    """Return `lines` without these keys; everything else stays."""
    lines = list(lines)
    for start, end, name, _ in reversed(_spans(lines)):
        if name in keys:
            del lines[start:end]
    return lines


def _spans(lines: list[str]) -> list[tuple[int, int, str, str]]:
    """Return (first line, line after the last, key, text after the colon) of each top-level key.

    Indented lines and lists continue it.
    """
    spans: list[tuple[int, int, str, str]] = []
    for number, line in enumerate(lines):
        match = _KEY.match(line)
        if match:
            spans.append((number, number + 1, match["key"], (match["value"] or "").strip()))
        elif spans and _continues(line):
            # What lies between (blank lines, comments) is inside the value, or a rewrite would leave half of it.
            start, _, key, first = spans[-1]
            spans[-1] = (start, number + 1, key, first)
    return spans


def _continues(line: str) -> bool:
    return bool(line.strip()) and (line[0] in " \t" or line.startswith("- ") or line.rstrip() == "-")


def _raw(line: str) -> str:
    match = _KEY.match(line)
    return ((match and match["value"]) or "").strip()


def _is_string(raw: str, value: str) -> bool:
    # A human's `verified-against: 0123456` is a number to every YAML reader, so it does not stay as it is.
    return raw.startswith(('"', "'", "|", ">")) or scalar.quote(value) == value


def conflict(lines: Sequence[str]) -> int:
    """Return the number of the first line, counted from 1, that is a marker of a conflict of git; 0 for none."""
    return next((number for number, line in enumerate(lines, 1) if _CONFLICT.match(line)), 0)


def settled(lines: Iterable[str]) -> list[str]:
    """Return the lines without the markers of conflicts: what both sides say stays."""
    return [line for line in lines if not _CONFLICT.match(line)]


def odd_line(lines: list[str]) -> int:
    """Return the number of the first line, counted from 1, that belongs to no key and is no comment; 0 for none."""
    for number, line in enumerate(lines, 1):
        if _PLAIN_KEY.match(line):  # nearly every line, at a fifth of the price
            continue
        if line.strip() and not (_KEY.match(line) or _continues(line) or line.startswith("#")):
            return number
    return 0


def _complaint(lines: list[str]) -> str:
    odd = odd_line(lines)
    return (_conflict(lines) or f"line {odd + 1} of the front matter is not 'key: value'") if odd else ""


def _conflict(lines: list[str]) -> str:
    marker = conflict(lines)
    return f"git left a conflict in line {marker + 1} of the front matter" if marker else ""


def _comment(line: str) -> str:
    raw = _raw(line)
    quoted = scalar.QUOTED.match(raw)
    if raw.startswith(('"', "'")) and not quoted:
        return ""  # the value goes on in the next line, so a "#" here is part of it
    found = re.search(r"(?:^|[ \t])(#.*)$", raw[quoted.end() :] if quoted else raw)
    return f"  {found[1]}" if found else ""
