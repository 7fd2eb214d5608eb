"""Front matter as text: read and replace single keys, keep every other byte.

No YAML library: the store's keys are one-line strings, and rewriting through a library would lose
comments, order and quoting (or read `0123456` as a number). PyYAML and ruamel.yaml are the judges in tests.
"""

import re
from collections.abc import Mapping

_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
# A first character that YAML gives no meaning; what it reads as another type is sorted out below.
_PLAIN = re.compile(r"[\w./].*\Z")
# YAML 1.1 and 1.2 read these as booleans, nulls, numbers, dates or the merge and value keys.
_TYPED = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|~)\Z|[-+.]?[0-9][0-9_.,:eE+\-TZ ]*\Z"
    r"|[-+]?0[xob][0-9a-f_]+\Z|[-+]?\.(?i:inf|nan)\Z|[-+]?\.[0-9]|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}",
    re.ASCII,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


def quote(value: str) -> str:
    """Return `value` as a YAML scalar that YAML 1.1 and 1.2 both read back as the same string."""
    plain = (
        _PLAIN.match(value)
        and not _TYPED.match(value)
        and value == value.strip()
        and ": " not in value
        and " #" not in value
        and not value.endswith(":")
        and value.isprintable()
    )
    if not value or plain:
        return value
    return '"' + "".join(_escaped(char) for char in value) + '"'


def unquote(raw: str) -> str:
    """Return the string that the scalar `raw` stands for; a trailing comment is not part of it."""
    raw = raw.strip()
    if raw.startswith('"'):
        quoted = re.match(r'"((?:[^"\\]|\\.)*)"', raw, re.DOTALL)
        return re.sub(r"\\(x..|u.{4}|U.{8}|.)", _unescaped, quoted[1], flags=re.DOTALL) if quoted else raw
    if raw.startswith("'"):
        quoted = re.match(r"'((?:[^']|'')*)'", raw)
        return quoted[1].replace("''", "'") if quoted else raw
    plain = re.split(r"(?:^|[ \t])#", raw, maxsplit=1)[0].strip()
    return "" if plain in ("~", "null") else plain


def split(text: str) -> tuple[list[str], str, str]:
    """Return the lines of the front matter, the text after it, and what is wrong ("" when nothing is).

    `text` has LF line ends and no BOM. A front matter that is never closed ends at the first blank
    line or heading, so that its keys survive a rewrite.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return [], text, ""
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return lines[1:number], "\n".join(lines[number + 1 :]), _complaint(lines[1:number])
    end = next((n for n, line in enumerate(lines[1:], 1) if not line.strip() or line.startswith("#")), len(lines))
    keys = any(_KEY.match(line) for line in lines[1:end])
    rest = lines[end:] if keys else lines
    return (lines[1:end] if keys else []), "\n".join(rest), "the front matter is not closed by a line '---'"


def read(lines: list[str]) -> dict[str, str]:
    """Return the keys of the front matter with their values; of a double key the last counts, as in YAML."""
    values = {}
    for start, end, key in _spans(lines):
        match = _KEY.match(lines[start])
        first = (match and match[2]) or ""
        more = [line.strip() for line in lines[start + 1 : end]]
        if re.match(r"[|>][-+0-9]*\s*(#.*)?$", first):
            values[key] = ("\n" if first[0] == "|" else " ").join(more).strip()
        else:
            values[key] = unquote(" ".join([first, *more]))
    return values


def update(lines: list[str], values: Mapping[str, str]) -> list[str]:
    """Return `lines` with `values` put in: in place where the key stands, else behind the key before it.

    Unknown keys, comments and order stay; a trailing comment of a replaced value stays too.
    """
    lines = list(lines)
    position = 0
    for key, value in values.items():
        spans = [(start, end) for start, end, name in _spans(lines) if name == key]
        if spans and read(lines)[key] == value and len(spans) == 1:
            position = spans[0][1]
            continue
        for start, end in reversed(spans[1:]):
            del lines[start:end]
        start, end = spans[0] if spans else (position, position)
        comment = _comment(lines[start]) if spans else ""
        lines[start:end] = [f"{key}: {quote(value)}".rstrip() + comment]
        position = start + 1
    return lines


def _spans(lines: list[str]) -> list[tuple[int, int, str]]:
    """Return (first line, line after the last, key) of each top-level key; indented lines continue it."""
    spans = []
    for start, line in enumerate(lines):
        match = _KEY.match(line)
        if match:
            end = start + 1
            while end < len(lines) and lines[end][:1] in (" ", "\t") and lines[end].strip():
                end += 1
            spans.append((start, end, match[1]))
    return spans


def _complaint(lines: list[str]) -> str:
    for number, line in enumerate(lines, 2):
        known = _KEY.match(line) or not line.strip() or line.lstrip().startswith(("#", "- ")) or line[0] in " \t"
        if not known:
            return f"line {number} of the front matter is not 'key: value'"
    return ""


def _comment(line: str) -> str:
    match = _KEY.match(line)
    raw = ((match and match[2]) or "").strip()
    quoted = re.match(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'', raw)
    rest = raw[quoted.end() :] if quoted else raw
    found = re.search(r"(?:^|[ \t])(#.*)$", rest)
    return f"  {found[1]}" if found else ""


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _unescaped(match: re.Match[str]) -> str:
    name = match[1]
    if len(name) > 1:
        try:
            return chr(int(name[1:], 16))
        except (ValueError, OverflowError):
            return match[0]
    return _UNESCAPES.get(name, name)
