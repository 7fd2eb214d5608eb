"""Whether a finding says what to do, judged by words of eight languages.

It is meant to miss rather than to accuse: any word of advice anywhere in the text is enough.
"""

import re
import unicodedata

from claudedo_findings import advice_german

# English, German, French, Spanish: whole words without their marks; `_` stands for a space.
_WORDS = """
    instead use avoid must should shall need needs needed require requires required never always don't dont
    ensure prefer rather workaround recovery remedy solution fix fixes fixed by_using unless rejected tried
    reverted abandoned retry keep leave recommended deliberately intentionally on_purpose belongs belong have_to
    has_to do_not make_sure work_around given_up not_worth the_way_out
    statt stattdessen anstelle anstatt nutze nutzen verwende verwenden benutze benutzen muss mussen musst soll
    sollte sollten nie niemals immer vermeide vermeiden besser lieber abhilfe losung zuerst sicherstellen setze
    setzen braucht brauchen notig verworfen versucht probiert darf durfen aufrufen starten prufen loschen
    ausfuhren anlegen mitgeben ubergeben einschalten abschalten entfernen ersetzen warten umgehen umgehung
    stellen einstellen einfrieren pinnen
    utiliser utilise utilisez faut plutot eviter evitez toujours jamais doit doivent devez preferer preferez
    avant remplacer remplacez corriger au_lieu
    usar usa use utilizar utiliza debe deben evitar evita siempre nunca mejor solucion hay_que en_lugar en_vez
"""
# Bare verbs that begin an instruction: at the start of a sentence, or after what separates clauses.
_VERBS = """
    accept add align allow anchor append apply ask await bind build bump call cast catch change check choose
    clean clear close commit compare compensate compile compute configure convert copy create declare decode
    define delete disable drop edit enable encode escape exclude expect export expose extract feed fetch filter
    find flush follow force freeze generate get give go grep guard handle hand-roll hold ignore import include
    increase inject insert install invalidate kill let limit link list load lock log look lower make map mark
    measure merge migrate mock monitor mount move name normalise normalize open order override parse pass patch
    pin place point poll preload press pull purge push put quote raise read rebase rebuild register reload
    remove rename render replace reset resize resolve restart restore return reuse rewrite rotate round run save
    scope scrub search see seed select send separate serialise serialize set shorten skip sort specify split
    start stop store strip subtract suppress switch sync take tell test touch track treat trim trust try turn
    unset update upgrade validate verify wait wrap write
"""
# Scripts without spaces, and Russian and Korean with their endings: patterns, anywhere in the text.
_PARTS = r"""
    (?<![响反对适供相效])应(?![用答急]) 需要 必须 不要 请(?!求) 改用 要用 就用 改为 代替 替代 而是 避免 切勿 务必
    (?<![主重次紧摘纲概必需])要(?![求么是素点]) 只让 只用
    别[用再把在] 禁止 推荐 建议 解决 试过 放弃 (?<![优首事])先 只能 不得 否则 才能 (?<![響反對適供])應(?![用答]) 必須
    請(?!求) 替換
    べき ください 必要 こと。 使う。 使って 代わり 避け を[^。]{0,200}しない ようにする てから 必ず 推奨 対処 対策 回避
    解決 ではなく 先に いけない
    нужно надо следует долж вместо используй использовать никогда всегда избег лучше обязательно необходимо сначала
    решение обход нельзя пробовал отказались запускай запускать требует
    하세요 해야 대신 말\s것 필요 금지 반드시 먼저 하지\s마
    → ⇒ ->
"""


def _any_of(terms: str) -> str:
    return "|".join(re.escape(term.replace("_", " ")) for term in terms.split())


_ANYWHERE = re.compile(rf"(?<![\w'])(?:{_any_of(_WORDS)})(?![\w'])")
# The limit is far above any indent and quote: without one, a body of rulers would cost the square of its length.
_INSTRUCTS = re.compile(
    rf"(?:^|[!?;,)(/–—|]|[.:](?=\s)|\b(?:so|then|and|or|to|please)\b)[\s*_`\"'>#-]{{0,40}}"
    rf"(?:{_any_of(_VERBS)})(?![\w'])",
    re.MULTILINE,
)
_PART = re.compile("|".join(_PARTS.split()))
# Russian instructs with infinitives: anywhere but after "can" and its like.
_RUSSIAN = re.compile(
    r"(?<!может )(?<!могут )(?<!могла )(?<!могли )(?<!удается )(?<!пытается )(?<!умеет )(?<!начинает )"
    r"\b(?!память|сеть|печать|нить|пять|девять|десять)[а-яё]{2,}(?:ать|ять|ить|еть|уть|оть)(?:ся)?\b"
)
# The scripts of the languages above.
_KNOWN = re.compile(r"LATIN|CJK|HIRAGANA|KATAKANA|CYRILLIC|HANGUL")


def judged(text: str) -> bool:
    """Return whether the text is in a script whose words of advice are known."""
    if text.isascii():  # nearly every finding, of which `lint` looks at all
        return True
    letters = [char for char in text if char.isalpha()]
    known = sum(char.isascii() or bool(_KNOWN.match(unicodedata.name(char, ""))) for char in letters)
    return 2 * known >= len(letters)


def given(text: str) -> bool:
    """Return whether the text says what to do instead, or that something was tried and given up."""
    folded = unicodedata.normalize("NFC", text).casefold().replace("’", "'")
    if folded.isascii():  # what the other scripts say cannot stand there
        if "->" in folded:
            return True
    elif _PART.search(folded) or _RUSSIAN.search(folded):
        return True
    else:
        marked = unicodedata.normalize("NFD", folded)
        folded = "".join(char for char in marked if not unicodedata.combining(char))
    return bool(_ANYWHERE.search(folded) or _INSTRUCTS.search(folded)) or advice_german.instructs(folded)
