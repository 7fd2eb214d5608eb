"""Whether a title or hook is enough to route by: one who reads it alone must know whether it concerns the task."""

import re

_WORD = re.compile(r"[^\W_](?:[\w.:'’`]*[^\W_])?")
# Scripts without spaces between words: two characters count as a word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# Words that say that there is something, but not what.
_EMPTY_WORDS = """
    a an the this that is are was be of in on at to for with and or not it its no do when
    bug bugs issue issues problem problems gotcha gotchas trap traps pitfall pitfalls footgun caveat caveats quirk
    quirks note notes warning important careful attention beware watch out error errors fix fixes hint tip tips finding
    findings lesson lessons learned todo fixme weird strange odd broken does doesn't don't work works working failed
    fails thing things stuff some about misc general various new old known
    der die das ein eine einer ist sind und oder mit bei beim im am zu zum zur nicht von vom fur für es wenn
    fehler problem probleme achtung hinweis hinweise falle fallen stolperfalle wichtig vorsicht seltsam kaputt geht
    notiz lektion sache sachen
    и в на с не это что ошибка ошибки проблема проблемы внимание важно баг грабли
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
_EMPTY_CJK = re.compile(
    "注意事项|注意事項|注意|问题|問題|错误|錯誤|エラー|バグ|重要|落とし穴|踩坑|陷阱|坑|警告|提示|经验|教训|的|了|は|が|の|を|に|で"
)


def routes(text: str) -> bool:
    """Return whether a title or hook has at least three words, two of which say what it is about."""
    cjk = _UNSPACED.findall(text)
    telling = _UNSPACED.findall(_EMPTY_CJK.sub("", text))
    words = [word for word in _WORD.findall(_UNSPACED.sub(" ", text).casefold()) if word]
    content = [word for word in words if word.strip("`'’") not in _EMPTY]
    return len(words) + len(cjk) / 2 >= 3 and len(content) + len(telling) / 2 >= 2
