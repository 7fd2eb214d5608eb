"""The words of reverts: which subject is one, what it names, and when two titles are the same."""

import re
from collections.abc import Iterator

_TAGS = r"(?:\[[^\]]{1,40}\]\s*)*"
_AREA = r"(?:[\w.,/*{}\[\]()@ -]{1,80}?!?:\s+)?"  # `area:`, `fix(scope)!:`, `a, b/c:`
_VERB = r"revert(?:s|ed|ing)?|back(?:ed|s|ing)?[ -]?out|roll(?:ed|s|ing)?[ -]?back|undo(?:es|ne)?|回退|回滚|还原|撤销"
_SUBJECT = re.compile(rf"{_TAGS}{_AREA}(?:(?:partial(?:ly)?|temporar(?:il)?y)\s+)?(?:{_VERB})(?![a-z])", re.IGNORECASE)
_BACK_TO = re.compile(r"\b(?:revert(?:s|ed|ing)?(?: back)?|roll(?:ed|s)? ?back) to\b|\brollback to\b", re.IGNORECASE)
_NESTED = re.compile(rf"{_TAGS}{_AREA}revert[:\s]+[\"“'`]*\s*revert\b", re.IGNORECASE)
_BODY_LINE = re.compile(
    r"^[* \t-]*this (?:cl |change |commit |pr )?(?:effectively |largely |mostly |partially )?(?:reverts|undoes) "
    r"(?:commit |CL )[<\"']?(?:[0-9a-f]{7,64}\b|\d{4,})",
    re.IGNORECASE | re.MULTILINE,
)
_SQUASHED = re.compile(r"^[ \t]*\*[ \t]+\S", re.MULTILINE)
_QUOTED = re.compile(rf"(?:{_VERB})[:\s]+[\"“](.*)", re.IGNORECASE | re.DOTALL)
_PLAIN = re.compile(rf"(?:{_VERB})[:,\s]+(?:the |commit |changes? |merge )*(.*)", re.IGNORECASE | re.DOTALL)

_NUMBER_AT_END = re.compile(r"\(#(\d+)\)\s*$")
_MERGED = re.compile(r"^(?:Merge (?:pull request #|PR #|branch .* into .*\(#)|Auto merge of #)(\d+)")
_MERGES = re.compile(r"Merge pull request #|Merge PR #|Auto merge of #|Merge branch .* into '")
_CHANGE_OF = re.compile(r"^Reviewed-on: \S*?(?:/\+)?/(\d+)\s*$|^https://golang\.org/cl/(\d+)\s*$", re.MULTILINE)

_AGAIN = re.compile(
    r"\s*(?:\(#\d+\)|\((?:take|attempt|try|v|part)[ #]*\d+\)|\(again\)|\(re-?land(?:ed)?\)|\(\d\w\w (?:attempt|try)\)"
    r"|\b(?:take|attempt|try) (?:\d|two|three)|\b(?:\d\w\w|second|third) (?:attempt|try)|[.…]+)\s*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:\[[^\]]{1,40}\]\s*|re-?(?:apply|applied|land|landed|commit|committed|introduce|submit)[:\s]+[\"“'`]?"
    r"|(?:fix|feat|feature|bug|bugfix|chore|refactor|perf|style|build|docs?|tests?|ci)(?:\([^)]*\))?!?:\s*)",
    re.IGNORECASE,
)
_TENSE = re.compile(r"^(fix|add|remov|updat|chang|mov|renam|us|mak|improv|allow|drop)(?:ed|es|s|ing|e)?\b")


def is_candidate(subject: str, body: str) -> bool:
    """Return whether a commit says of itself that it takes another one back."""
    if _SUBJECT.match(subject):
        return not _BACK_TO.search(subject)
    found = _BODY_LINE.search(body)
    # Below a bullet the line was copied from a commit that a squash swallowed.
    return bool(found) and not _SQUASHED.search(body[: found.start()] if found else "")


def is_nested(subject: str) -> bool:
    """Return whether a subject reverts a revert."""
    return bool(_NESTED.match(subject))


def quoted(subject: str) -> str:
    """Return the title that a revert's subject names, "" when it names none; closing quotes may be missing."""
    found = _QUOTED.search(subject) or (_PLAIN.search(subject) if _SUBJECT.match(subject) else None)
    if not found:
        return ""
    inner = _NUMBER_AT_END.sub("", found[1]).strip()
    return inner.rstrip("\"”'`").strip() if inner.count('"') % 2 or inner.endswith("”") else inner


def quotes(subject: str) -> bool:
    """Return whether a revert's subject names a title in quotation marks."""
    return bool(_QUOTED.search(subject))


def says_which(body: str) -> bool:
    """Return whether a body holds the line "This reverts commit …"."""
    return bool(_BODY_LINE.search(body))


def title(subject: str, body: str) -> str:
    """Return what a commit is called: of a merge of a pull request that one's title, its first line of text."""
    first = body.lstrip().partition("\n")[0].strip()
    return first if first and _MERGES.match(subject) else subject


def landed_as(subject: str, body: str) -> Iterator[str]:
    """Yield the numbers of the pull request or change that a commit landed as."""
    for pattern, text in ((_NUMBER_AT_END, subject), (_MERGED, subject), (_CHANGE_OF, body)):
        found = pattern.search(text)
        if found:
            yield next(filter(None, found.groups()))


def title_key(title: str) -> str:
    """Return the form in which titles are compared: without numbers, tags, kinds and the words of a second try."""
    key = " ".join(title.split()).strip("\"“”'` ")
    while (shorter := _AGAIN.sub("", _LEAD.sub("", key)).strip("\"“”'` ")) != key:
        key = shorter
    return _TENSE.sub(r"\1", key.casefold())
