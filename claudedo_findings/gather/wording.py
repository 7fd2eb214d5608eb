"""How a title and a body are made from the words of a note."""

import re

from claudedo_findings import codespans

TITLE_AIM = 100  # characters: what the hook on an index line holds
_BOLD = re.compile(r"[^\w`*(（\[]*(\*\*|__)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_STRUCK = re.compile(r"~~(?=\S).+?(?<=\S)~~", re.DOTALL)
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# A sentence ends here, unless the stop belongs to an abbreviation or a number.
_STOP = re.compile(
    r"[.!?](?=[*_\"'”’]*(?:\s|\Z))|[。！？；]|;(?=\s)|\s[–—]\s|——|\n\s*\n|\n(?=\s*(?:[-*+]|\d{1,3}[.)])\s)"
)
_ABBREVIATED = re.compile(
    r"(?i)(?:\b(?:e\.g|i\.e|vs|etc|cf|ca|approx|no|z\.\s?b|d\.\s?h|u\.\s?a|bzw|ggf|evtl|usw)|\b[^\W\d]|(?:\A|\n)\s*\d{1,3})\.\Z"
)
_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def label(text: str) -> str:
    """Return what stands in bold at the start of a text or before its first colon, "" for neither."""
    found = _BOLD.match(text)
    return found[2] if found else text[:60].partition(":")[0] if re.match(r"[^:\n]{1,60}:", text) else ""


def starts_bold(text: str) -> bool:
    """Return whether a paragraph starts in bold."""
    return bool(_BOLD.match(text))


def without_comments(text: str) -> str:
    """Return `text` without comments and struck passages; code fences stay as they are."""
    parts, end = [], 0
    for fence in _FENCED.finditer(text):
        parts += [_cleared(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, _cleared(text[end:])]).strip()


def prose(text: str) -> str:
    """Return `text` without code fences."""
    return _FENCED.sub("", text).strip()


def plain(text: str) -> str:
    """Return inline Markdown as one line of words; code spans keep their backticks."""
    parts, end = [], 0
    for start, shut, _ in codespans.spans(text):
        parts += [_bare(text[end:start]), text[start:shut]]
        end = shut
    return " ".join("".join([*parts, _bare(text[end:])]).split())


def bold_lead(text: str) -> tuple[str, str]:
    """Return what stands in bold at the start of `text` and what follows it; ("", text) when nothing does."""
    found = _BOLD.match(text)
    if not found:
        return "", text
    inside, rest = found[2], text[found.end() :]
    stop = re.match(r"\s*(?:[:：.。!—–→]|->|=>|-\s)\s*", rest)
    if stop:  # what follows stands on its own
        return inside, rest[stop.end() :]
    return (inside, rest.lstrip()) if re.search(r"[:：.。!?]\Z", inside.strip()) else (inside, text)


def opening(text: str) -> tuple[str, str]:
    """Return the first sentence of `text` as a title, and what is left for the body: all, where the title was cut."""
    hidden = codespans.replaced(text, lambda code: "x" * len(code))
    hidden = _BRACKETS.sub(lambda bracket: "x" * len(bracket[0]), hidden)
    for stop in _STOP.finditer(hidden):
        sentence = plain(text[: stop.start()])
        too_short = is_weak(sentence) or (stop[0] == ";" and _words(sentence) < 5)
        if too_short or (stop[0] == "." and _ABBREVIATED.search(hidden[max(0, stop.end() - 20) : stop.end()])):
            continue
        title = shortened(sentence + '"' * (sentence.count('"') % 2), TITLE_AIM)
        rest = text[stop.end() :].lstrip('*_"”’ \t\n')
        whole = title == sentence and stop[0] in ".!?。！？" and not is_weak(plain(prose(rest)))
        return title, rest if whole else text
    return shortened(plain(text), TITLE_AIM), text


def is_weak(title: str) -> bool:
    """Return whether a title is too short to be understood alone: fewer than three words, five characters of CJK."""
    return _words(title) < 2.5


def strengthened(title: str, body: str) -> str:
    """Return a title that is too weak alone with the first clause of the body behind it."""
    more = opening(prose(body).partition("\n\n")[0])[0].rstrip(":：")
    if not is_weak(title) or not more:
        return title
    return more if more.casefold().startswith(title.casefold()) else f"{title}: {more}"


def shortened(sentence: str, limit: int) -> str:
    """Return a sentence that is longer than `limit` characters cut after its last clause that fits, if there is one."""
    if len(sentence) <= limit:
        return sentence
    hidden = codespans.replaced(sentence, lambda code: "x" * len(code))
    hidden = _BRACKETS.sub(lambda bracket: "x" * len(bracket[0]), hidden)
    ends = [found.start() for found in re.finditer(r"[:;,]\s|\s[(–—]|[：；，]", hidden) if 30 <= found.start() <= limit]
    return sentence[: ends[-1]] if ends else sentence


def _words(text: str) -> float:
    """Return the number of words: a code span counts as one, two characters of CJK count as one."""
    text = codespans.replaced(text, lambda _: " code ")
    return len(_CJK.findall(text)) / 2 + len(re.findall(r"[^\W_]+(?:['’\-.]\w+)*", _CJK.sub(" ", text)))


def _cleared(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", _STRUCK.sub("", _COMMENT.sub("", text)))


def _bare(text: str) -> str:
    text = _TAG.sub("", _LINK.sub(r"\1", text))
    return re.sub(r"\*\*|__|~~|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|\\(?=[^\w\s])", "", text)
