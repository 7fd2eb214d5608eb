"""Which words mark a trap in a note, in English, German, Chinese and Japanese.

The lists and their strength come from reading 161 public repositories: of the strong marks most lead to a real trap,
of the weak ones about one in three, of the others (note, important, limitations, FAQ) hardly any.
"""

import re
from dataclasses import dataclass

from claudedo_findings import codespans

STRONG, WEAK = "strong", "weak"

_ONE = r"gotcha|pitfall|foot-?\ ?gun|land\ ?mine|sharp\ edge"
_DE_ONE = r"Stolperfalle|Stolperstein|Fallstrick"
_CJK = r"踩坑|避坑|陷阱|落とし穴|ハマりどころ|はまりどころ|ハマりポイント|(?<![矿基泥弹])坑(?![位道洞])"
_HEADING = re.compile(
    rf"(?i:\b(?:{_ONE}|trap)s?\b)|(?:\b|(?<=-))(?:{_DE_ONE})(?:n|en|e)?\b|{_CJK}"
    r"|\b(?i:bekannte|typische|häufige|fiese|wichtige)\ Fallen?\b|-Fallen?\b"
    r"|\AFallen?(?=\Z|:|\ (?:und|beim?|mit|im)\b)",
    re.VERBOSE,
)
# What is called so and is none: parts of user interfaces, of shells and of processors, of mines.
_HOMONYM = re.compile(
    r"(?i)\b(?:focus|keyboard|tab|key)[- ]traps?\b|\btraps?[- ](?:focus|handlers?|handling|commands?|signals?|frames?"
    r"|instructions?|EXIT|ERR|INT|TERM|DEBUG|HUP|doors?|focus)\b|\b(?:snmp|signal|shell|bash|exit|error|wasm|cpu"
    r"|hardware|breakpoint|honey|mouse|steam|overflow|integer|page)[- ]traps?\b|焦点陷阱|フォーカス"
)
_ID = r"[A-Z]{1,10}(?:[-_][A-Z]{1,10})*[-_]?\d{1,4}"
_PLURAL = re.compile(rf"(?i)\b(?:{_ONE}|trap)s\b")
_FILLER = re.compile(
    r"(?i)\b(?:a|an|and|the|of|in|for|to|common|known|general|other|important|typical|development|project|und|die|der"
    r"|weitere|bekannte|typische|learned)\b|[\W\d_]|常见|已知|和|与|の|记录|合集"
)
_SINGLE = re.compile(rf"(?i:\b(?:{_ONE}|trap)\b)|\b(?:{_DE_ONE}|Falle)\b")
_LISTS = re.compile(
    rf"(?i)\b(?:{_ONE}|trap)\s+(?:list|log|index|catalog(?:ue)?|register|table|collection|overview|notes|reference|guide"
    r"|checklist|summary|history|archive|inventory|avoidance)\b"
)
# Texts about notes of traps, not traps: how and where to write one down.
_THING = rf"(?:{_ONE}|trap|lesson|item|note|file|document|list)s?|entr(?:y|ies)"
_ENTRY = rf"(?:(?:an?|the|new|your|to|this|these|of)\s+)*(?:{_THING})"
_ABOUT = re.compile(
    rf"(?i)\A(?:(?:how|when|where)\s+to\s+)?(?:add|writ|record|captur|document|report|maintain|updat|us|contribut|read)"
    rf"(?:e|ing)?\s+{_ENTRY}\b|\b{_ENTRY}\s+(?:template|format|schema|guidelines?|process|lookup|search|workflow)\b"
    r"|\Ahow\s+to\s+(?:use|read)\s+this\b|\A(?:contributing|template|purpose|about(?:\s+this\b.*)?)\Z"
)
_WEAK_HEADING = re.compile(
    r"(?i)\bcaveats?\b|\bknown\s+(?:issues?|bugs?|problems?)\b|\blessons?\b|\beasy\s+to\s+get\s+wrong\b"
    r"|\bnon-obvious\b|\bbekannte\s+(?:probleme|fehler)\b|已知问题|経験則|既知の問題|注意(?:事項|事项|点)?|⚠|🚨"
)
_NEVER = re.compile(
    r"(?i)\A\W*(?:known\s+|current\s+)?(?:limitations?|troubleshooting|faqs?|changelog|change\s+log|release\s+notes"
    r"|see\s+also|references?|related(?:\s+\w+)?|further\s+reading|table\s+of\s+contents|contents|toc|index|links"
    r"|notes?|tips?|info|important|critical|einschränkungen|fehlerbehebung|fehlersuche|hinweise?|siehe\s+auch"
    r"|常见问题|故障排[除查]|限制|更新日志|目录|参考(?:资料)?|トラブルシューティング|よくある質問|制限事項|関連|参考)\W*\Z"
)
_MARK_WORD = rf"(?i:{_ONE}|trap)s?|(?:{_DE_ONE})n?|Falle|踩坑|避坑|坑点?|陷阱|落とし穴|ハマりどころ|はまりどころ"
_WEAK_WORD = r"(?i:caveats?|warning|known\s+issues?|lessons?(?:\s+learned)?)|Warnung|Achtung|注意(?:事項|事项|点)?"
_LEAD = (
    r"[\s>⚠🚨️❗*_\[]*(?:(?i:known|common|another|big|the|a|real|main|ein[e]?|die|eine\s+weitere)\s+)?(?:{words})"
    r"(?:\s*\#?\d{{1,3}})?(?:\s*[(（][^()（）\n]{{1,80}}[)）])?"
    r"(?:[*_\]]{{1,3}}\s*[:：]|(?<=\d)\.\s|[:：][*_\]]{{0,3}}|\s+[—–-]\s+(?=\S)|[*_]{{2,3}}\s+[—–-]\s+)\s*"
)
_LEAD_STRONG = re.compile(_LEAD.format(words=_MARK_WORD))
_LEAD_WEAK = re.compile(_LEAD.format(words=_WEAK_WORD))
_LEAD_ALONE = re.compile(rf"[\s⚠🚨️*_]*(?i:(?:common|known)\s+)?(?:{_MARK_WORD})[*_]{{2,3}}\s*\Z")
# What a note's text must hold somewhere to be worth parsing.
ANY_STRONG = re.compile(rf"(?i:{_ONE}|trap)|{_DE_ONE}|Falle|{_CJK}|坑")
_FILE = re.compile(r"(?i)(?:\A|[-_. ])(?:gotchas?|pitfalls?|foot-?guns?|traps|landmines?|stolperfallen|fallstricke)\Z")


@dataclass(frozen=True, kw_only=True)
class Lead:
    """A mark at the start of a paragraph: its strength, and where the text after it starts."""

    strength: str
    end: int


def of_heading(heading: str) -> str:
    """Return the strength of the mark in a heading: strong, weak or ""."""
    words = without_code(heading)
    if _ABOUT.search(bare(words)) or _NEVER.match(words):
        return ""
    if _HEADING.search(_HOMONYM.sub(" ", words)):
        return STRONG
    return WEAK if _WEAK_HEADING.search(words) else ""


def of_file(name: str) -> str:
    """Return the strength of the mark in a file's name, like GOTCHAS.md: strong or ""."""
    return STRONG if _FILE.search(name.rpartition(".")[0]) else ""


def is_never(heading: str) -> bool:
    """Return whether a heading names what is never a list of traps: limitations, FAQ, how to write an entry."""
    return bool(_NEVER.match(without_code(heading)) or _ABOUT.search(bare(without_code(heading))))


def names_one(heading: str) -> bool:
    """Return whether a marked heading names one trap ("Gotcha: X", "GOTCHA-PY-001 — X", "the X trap"), not a list."""
    words = without_code(heading)
    if is_generic(heading) or _LISTS.search(words):
        return False
    return bool(lead(heading, heading=True) or (_SINGLE.search(words) and not _PLURAL.search(words)))


def is_generic(heading: str) -> bool:
    """Return whether a heading says nothing beside its mark, like "3. Known gotchas and pitfalls"."""
    return not _FILLER.sub(" ", _WEAK_HEADING.sub(" ", _HEADING.sub(" ", after_mark(heading)))).strip()


def after_mark(heading: str) -> str:
    """Return a heading without its number, its id and a mark that stands before it."""
    text = bare(heading)
    found = lead(text, heading=True)
    return bare(text[found.end :]) if found else text


def lead(text: str, *, heading: bool = False) -> Lead | None:
    """Return the mark that a paragraph, bullet or heading starts with, None when it starts with none.

    A dash counts as its separator in headings and after bold marks only; a plain sentence goes on after one.
    """
    for strength, pattern in ((STRONG, _LEAD_STRONG), (WEAK, _LEAD_WEAK)):
        found = pattern.match(text)
        if found and (heading or "*" in found[0] or re.search(r"[:：]", found[0])):
            return Lead(strength=strength, end=found.end())
    alone = _LEAD_ALONE.match(text)
    return Lead(strength=STRONG, end=alone.end()) if alone and "**" in alone[0] else None


def bare(heading: str) -> str:
    """Return a heading without the number, id and symbols before it."""
    text = re.sub(r"\A[^\w`\"'“„「『（(\[*_~<$%@./-]+", "", heading)
    text = re.sub(r"\A(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})+[.):：]?|\d{1,3}[.):：]|\#\d+:?|\(?\d{1,3}\))\s*", "", text)
    text = re.sub(rf"\A(?:\[{_ID}\]|{_ID}\s*(?:[:：—–]|-\s|\.\s))\s*", "", text)
    return re.sub(r"\A\d{1,3}\s+[—–-]\s+", "", text).strip()


def without_code(text: str, instead: str = " ") -> str:
    """Return `text` with `instead` in the place of the code spans of each line."""
    return "\n".join(codespans.replaced(line, lambda _: instead) for line in text.split("\n"))
