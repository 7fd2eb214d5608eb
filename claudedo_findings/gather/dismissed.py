"""Which texts of a trap list are no traps: what is over, what only keeps a place, what is a part of its neighbour."""

import re

from claudedo_findings.gather import wording

_ENDED = "historical|obsoleted?|resolved|fixed|retired|superseded|removed|outdated|done|erledigt|behoben|veraltet"
_ENDED_CJK = "已解决|已修复|已废弃|已过时|解決済み|修正済み|廃止"
# In capitals, or set off by a colon or bracket: "Fixed headers hide anchors" is a trap.
_OVER = re.compile(
    rf"[\s\W]*(?:(?:{_ENDED.upper()}|DEPRECATED)\b|TODO\b\s*(?:[:(—-]|\Z)"
    rf"|(?i:{_ENDED})\**\s*[:)\]]|(?:{_ENDED_CJK}))"
)
_OVER_AT_END = re.compile(
    rf"[(（\[]\W*(?:(?i:{_ENDED})\b|{_ENDED_CJK})[^()\[\]（）]*[)）\]]\W*\Z"
    rf"|[-–—:：]\s*\W*(?:(?:{_ENDED.upper()})|{_ENDED_CJK})\W*\Z"
)
_PLACEHOLDER = re.compile(
    r"(?i)[\s*_>-]*(?:[(\[（<][^()\[\]（）<>]*[)\]）>]|\{\{.*\}\}|\.{3,}|…+|-+"
    r"|(?:example|e\.g\.|for\ example|beispiel|z\.\s?b\.|例|todo|tbd|tba)\s*(?:[:：].*)?"
    r"|(?:none|nothing|n/?a|empty|keine|暂无|待补充|なし)(?:\s+(?:yet|so\ far|known|currently))*)[\s.*_]*\Z",
    re.DOTALL,
)
_PART = re.compile(
    r"(?i)\W*(?:the\s+)?(?:symptoms?|(?:root\s+)?cause|fix|solution|rule|pattern|examples?|why|impact|workaround|problem"
    r"|issue|detection|prevention|resolution|context|what\s+happen(?:s|ed)|how\s+to\s+(?:fix|avoid)(?:\s+it)?|instead|do"
    r"|don['’]?t|wrong|right|correct|good|bad|ursache|lösung|symptome?|behebung|regel|beispiel|abhilfe|症状|现象|原因|根因"
    r"|解决(?:方案|办法)?|修复|规则|示例|教训|后果|正确做法|错误做法|規則|誤った動作|正しい対応|対策|対処法?|解決策?|回避策)\s*(?:\([^()]*\))?\W*"
)


def is_over(text: str) -> bool:
    """Return whether a text says that its trap is gone: struck, HISTORICAL, (fixed in 2.1)."""
    head = text.lstrip(" \t*_>-")
    return head.startswith("~~") or bool(_OVER.match(text)) or bool(_OVER_AT_END.search(text.strip(" *_")[-200:]))


def is_placeholder(text: str) -> bool:
    """Return whether a text only keeps a place: "(log new bugs here)", "TODO", "{{trap}}", nothing at all."""
    return not re.search(r"\w", text) or bool(_PLACEHOLDER.match(text))


def is_part(label: str) -> bool:
    """Return whether a heading or label names a part of one trap, like Symptom or Fix."""
    return bool(_PART.fullmatch(wording.plain(label)))


def unlabelled(text: str) -> str:
    """Return `text` without a label like "Symptom:" before it."""
    found = re.match(r"[^:：\n]{1,40}[:：][*_]*\s*", text)
    return text[found.end() :] if found and is_part(found[0].rstrip(":： *_")) else text
