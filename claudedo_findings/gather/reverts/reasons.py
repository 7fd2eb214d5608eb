"""Why something was reverted: a message without its boilerplate."""

import re
from collections.abc import Iterable

_REF = r"(?:[0-9a-f]{7,64}|(?:CLs?|PRs?)[ #]?\d+|#\d+|\(?\"[^\"\n]*\"\)?|golang\.org/cl/\d+|https?://[^\s)>]+)"
_INSIDE = r"(?:[^()\n]|\([^()\n]*\)){0,200}"
_ASIDE = rf"\({_INSIDE}(?:\n{_INSIDE})?\)"  # `(read(): subject, date)`, maybe over two lines
_THIS_REVERTS = re.compile(
    r"^[* \t-]*(?:this (?:cl|change|commit|pr|pull request)?\s*)?(?:(?:effectively|largely|mostly|partially) )?"
    r"(?:partial(?:ly)? )?revert(?:s|ing)?:? (?:(?:of|the|(?:main )?parts? of|commits?|cls?|prs?|changes?|merge"
    rf"|pull requests?)\b\s*)*(?:[\w.-]+/[\w.-]+)?[<\"']?\s*{_REF}(?:{_ASIDE}|[\s,/&()]|and\b|commits?\b|\s*{_REF})*"
    r"[>\"']?(?:(?:[.,:;][ \t]*)?reversing\s+changes\s+made\s+to\s+[0-9a-f]+"
    r"|(?:(?:the|its|all)\s+)?follow-?ups?\b[^.\n]*|[,\s]*but (?:keep|leav)\w*[^.\n]*)?[.,:;]?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(
    r"^[*# \t-]*(?:reasons?(?: for (?:the )?(?:revert|rollback))?|why|grund|原因|回退原因)\s*[:：]\s*",
    re.IGNORECASE | re.MULTILINE,
)
_BOILERPLATE = (
    r"[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: .*",
    r"(?:Bug|Test|Trust|Cc|R|CC|LGTM|TBR|Issue)[:=].*",
    r"(?:Reported|Suggested|Requested|Reviewed|Approved|Assisted|Bisected)[ -]by:? .*",
    r"(?:Fix(?:e[sd])?|For|Updates?|Close[sd]?|Refs?|See(?: also)?|Related|Resolves)(?: issue)?:? "
    r"(?:[\w./-]*#\d+|<?https?://\S+)[.,\s]*",
    r"(?:this )?(?:also )?re-?opens .*",
    r"cc .*|r\? .*",
    r"\(cherry picked from commit .*",
    r"(?:URL:? |Bug:? )?[(<]?https?://\S+[)>]?",
    r"-{3,}|={3,}",
    r"[*-] \S+(?:\s+\S+){0,3}",  # a squash lists the titles of its commits
    r"Revert \"?Revert\b.*|[*\s-]*(?:re-?)?revert(?:s|ed)? [\"“].*",
    r"Merge (?:branch|pull request|remote).*",
    r"#{1,6} .*|[-*] \[[ x]\].*|[A-Z][\w ]+\?",  # the headings, boxes and questions of a template
    r">.*",
)
_LINE = re.compile("|".join(_BOILERPLATE), re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->|«««.*?»»»", re.DOTALL)
_ORIGINAL = re.compile(
    r"^(?:Original change's description:|> ?Original|Original (?:commit|CL|PR)).*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_CONFLICTS = re.compile(r"^#?[ \t]*Conflicts:\s*\n(?:^(?:#|\s).*\n?)*", re.MULTILINE)
_PACKAGE = re.compile(r"[\"'][^\"']+[\"']:\s*(?:patch|minor|major)")
_WORDS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\d_]{2,}")
_FEW = 2  # words: less says nothing, "per discussion" for one


def of(body: str, target_body: str = "") -> str:
    """Return why something was reverted, in the words of `body`; "" when only boilerplate stands there.

    Lines that `target_body` holds too are the reverted commit's own.
    """
    text = _CONFLICTS.sub("", _ORIGINAL.sub("", _COMMENT.sub("", body.replace("\r\n", "\n"))))
    own = {line.strip() for line in target_body.splitlines() if line.strip()}
    kept = (line.rstrip() for line in text.split("\n") if line.strip() not in own and not _LINE.fullmatch(line.strip()))
    said = _LABEL.sub("", _THIS_REVERTS.sub("", "\n".join(kept)))
    paragraphs = (_flow(paragraph) for paragraph in re.split(r"\n\s*\n", said))
    whole = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return whole if len(_WORDS.findall(whole)) > _FEW else ""


def of_changeset(lines: Iterable[str]) -> str:
    """Return why something was reverted, from the lines of a changeset; its head names packages."""
    return of("\n".join(line for line in lines if not _PACKAGE.fullmatch(line)))


def _flow(paragraph: str) -> str:
    """Return a paragraph with its lines joined, but for lists and indented text."""
    if "```" in paragraph:
        return paragraph.strip("\n")
    text = ""
    for line in filter(str.strip, paragraph.split("\n")):
        apart = re.match(r"\s*(?:[-*•]|\d+[.)])\s|\t|\s{4,}", line)
        text += ("\n" if apart and text else " " if text else "") + (line if apart else line.strip())
    whole = text.strip()
    return whole[1:-1].strip() if re.fullmatch(r"<[^<>]*>", whole) else whole
