"""One value of a front matter as YAML writes it, so that YAML 1.1 and 1.2 read it back as the same string."""

import re

QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\']|\'\')*)\'', re.DOTALL)
# A first character that YAML gives no meaning; what it reads as another type is sorted out below.
_PLAIN = re.compile(r"[\w./]")
# YAML 1.1 and 1.2 read these as booleans, nulls, numbers, dates or the merge and value keys.
_TYPED = re.compile(
    r"(?i:y|n|yes|no|on|off|true|false|null|~)\Z|[-+.]?[0-9][0-9_.,:eE+\-TZ ]*\Z"
    r"|0(?i:[xob][0-9a-f_]+)\Z|\.(?i:inf|nan)\Z|\.[0-9_]|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}",
    re.ASCII,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_UNESCAPES |= {"N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}


def quote(value: str) -> str:
    """Return `value` as a YAML scalar that YAML 1.1 and 1.2 both read back as the same string.

    That holds for the empty string too: nothing at all would be read back as null.
    """
    plain = (
        _PLAIN.match(value)
        and not _TYPED.match(value)
        and value == value.strip()
        and ": " not in value
        and " #" not in value
        and not value.endswith(":")
        and value.isprintable()
    )
    if plain:
        return value
    return '"' + "".join(_escaped(char) for char in value) + '"'


def unquote(raw: str) -> str:
    """Return the string that the scalar `raw` stands for; a trailing comment is not part of it."""
    raw = raw.strip()
    if raw.startswith(('"', "'")):
        quoted = QUOTED.match(raw)
        if not quoted:
            return raw
        if quoted[1] is None:
            return quoted[2].replace("''", "'")
        return re.sub(r"\\(x..|u.{4}|U.{8}|.)", _unescaped, quoted[1], flags=re.DOTALL)
    plain = re.split(r"(?:^|[ \t])#", raw, maxsplit=1)[0].strip() if "#" in raw else raw
    return "" if plain in ("~", "null", "Null", "NULL") else plain


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
