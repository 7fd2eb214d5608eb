"""The code a finding names, and whether it stands in a text."""

import re
from collections.abc import Iterable

from claudedo_findings import markdown

_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_CALL = re.compile(r"\(.*\)\Z")
# A name, an option or a dotted path, but no file path, no number and no sentence.
_SYMBOL = re.compile(r"[-@$#.:]*[^\W\d][\w.:$>#-]*\Z")
_SHORTEST, _LONGEST = 3, 80  # characters; a shorter name stands in every text

Named = tuple[tuple[str, ...], ...]
"""The symbols that a finding names, each as the forms under which code may hold it."""


def named(title: str, body: str) -> Named:
    """Return the symbols in the code spans of a finding.

    `Invoice.total(tax)` is `Invoice.total` where that stands, else `total`. Fenced blocks are examples, not names.
    """
    lines = tuple(body.split("\n"))
    prose = "\n".join([title, *(text for _, text, shut in markdown.outside_blocks(lines) if not shut)])
    found: dict[tuple[str, ...], None] = {}
    for _, span in _SPAN.findall(prose):
        whole = _CALL.sub("", span.strip())
        if _SYMBOL.match(whole) and _SHORTEST <= len(whole) <= _LONGEST:
            last = re.split(r"\.|::|->|#", whole)[-1]
            found[tuple(dict.fromkeys(form for form in (whole, last) if len(form) >= _SHORTEST))] = None
    return tuple(found)


def standing(forms: Iterable[str], text: str) -> frozenset[str]:
    """Return which of these forms stand in a text as whole words."""
    present = (form for form in forms if form in text)
    return frozenset(form for form in present if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text))
