"""The one clause of a reason that a title has room for."""

import re

_ASIDE = re.compile(r"\s*\([^()]*\)")
_LOOKED_AT = 8  # clauses: further down a message tells what else it did
_CLAUSE = re.compile(
    r"(?<=[^\s.])(?<!\be\.g)(?<!\bi\.e)[.!?](?:\s|$)|;\s|\s[-–—]\s|[。！]|\n\s*\n|\n(?=\s*[-*•]\s)",
)
_LEAD = re.compile(
    r"(?:[\s<(>*-]+|(?:revert|fix|feat|chore)(?:\([^)]*\))?!?:\s+"
    r"|(?:because|as|since|due to the fact that|it turned out that|it|but|and)\s+|this (?=caus|bro?[ke]|le[da]d?))*",
    re.IGNORECASE,
)
# Words of what was done. What was wrong with it comes before or after.
_DONE = re.compile(
    r"(?:which|that|this (?:commit )?is|note\b|I originally|.*\brevert(?:s|ed)? (?:back )?to|revert|keep"
    r"|leav|add(?:s|ed)?|attempted|removed|introduced|prior to|documents?|see|updated?s?)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:because|caus(?:e[sd]?|ing)|br(?:oke|eak)\w*|regress\w+|bugs?|crash\w*|fail\w*|wrong\w*|incorrect\w*|leak\w*"
    r"|unreliabl\w*|slow\w*|need(?:s|ed)?|(?:un|not )necessary|incompatib\w+|flak\w+|rac[ey]|deadlock\w*|panics?"
    r"|errors?|unusabl\w*|mangle\w*|ignor\w+|(?:does|did)(?:n't| not)|can(?:'t|not)|won't|is not|not the case|instead"
    r"|should|better|complain\w*|conflict\w*|fragile|problems?|issues? with|unexplained|too (?:many|much|long|strict)"
    r"|hang\w*|corrupt\w*)\b|问题|错误|崩溃|导致|\b(?:fehler|kaputt)",
    re.IGNORECASE,
)


def of(reason: str, limit: int) -> str:
    """Return the clause of a reason that says what was wrong, else its first one, at most `limit` characters."""
    clauses = [_LEAD.sub("", " ".join(part.split()), count=1).strip(" .,:;!<>") for part in _CLAUSE.split(reason)]
    clauses = [part for part in clauses if part]
    other = [part for part in clauses if not _DONE.match(part)] or clauses
    first = next((part for part in other[:_LOOKED_AT] if _WRONG.search(part)), other[0] if other else "")
    if len(first) > limit:
        first = _ASIDE.sub("", first)
    if len(first) > limit:
        first = first[: limit - 1].rsplit(maxsplit=1)[0].rstrip(" ,;:") + "…"
    # "Incompatible change" goes on in lower case after the colon of a title, "API" and "I" do not.
    return first[:1].lower() + first[1:] if re.match(r"[A-Z][a-z]+\b", first) else first
