"""Texts become words that meet whatever their case, marks, endings and script."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from claudedo_findings import words


def meet(one: str, other: str) -> bool:
    """Return whether every word of `one`, asked for, is found in `other`."""
    forms = words.forms(other)
    asked = words.asked(one)
    return bool(asked) and all(not forms.isdisjoint(word.forms) for word in asked)


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("größe", "Die GRÖSSE der Datei"),
        ("GRÖSSE", "groesse"),
        ("groesse", "Gro\u0308ße"),
        ("GROESSE", "größe"),
        ("cafe", "Café"),
        ("naïve", "naive"),
        ("KAPI", "kapı"),
        ("счет", "счёт"),
        ("ОЧЕРЕДЬ", "очереди"),
        ("перезапуск", "после перезапуска"),
        ("fails", "the test failed"),
        ("caching", "a cache"),
        ("committed", "commit"),
        ("configure", "configuration"),
        ("retries", "retry"),
        ("processes", "process"),
        ("Rechnungen", "die Rechnung"),
        ("空闲锁", "释放空闲锁失败"),
        ("锁", "空闲锁"),
        ("空闲", "空闲锁"),
        ("ロック", "アイドルロックは"),
        ("ｱｲﾄﾞﾙ", "アイドル"),
        ("ひらがな", "ひらがなの"),
        ("잠금", "잠금이 해제되지 않음"),
        ("API", "调用API失败"),
        ("ＡＰＩ", "api"),
        ("redis", "删除Redis大键"),
        ("getUserId", "get_user_id()"),
        ("user id", "getUserId"),
        ("getuserid", "get_user_id"),
        ("HTTPServer", "http server HTTPServer"),
        ("http", "HTTPServer"),
        ("load_settings", "`load_settings()`"),
        ("token", "OAuth2Token"),
        ("decode", "utf8Decode"),
        ("sha1sum", "SHA1SUM"),
        ("SHA1SUM", "sha1sum"),
    ],
)
def test_words_meet(asked: str, stored: str) -> None:
    assert meet(asked, stored)


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("lock", "block"),
        ("cat", "concatenate"),
        ("internal", "internet"),
        ("闲空", "空闲"),
        ("クロック", "ブロック"),
        ("кот", "который"),
        ("groesse", "grosse"),
        ("が", "か"),
    ],
)
def test_other_words_do_not_meet(asked: str, stored: str) -> None:
    assert not meet(asked, stored)


@pytest.mark.parametrize("text", ["", "  \n", "the of and", "und die", "не было", "!!! ??? …", "—", "__", "没有"])
def test_a_text_without_usable_words_asks_nothing(text: str) -> None:
    assert words.asked(text) == ()


def test_an_identifier_is_asked_for_whole_and_in_parts() -> None:
    assert [(word.text, word.weight) for word in words.asked("getUserId")] == [
        ("getUserId", 1.0),
        ("User", 0.5),
        ("Id", 0.5),
    ]


def test_a_word_is_asked_for_once_whatever_its_form() -> None:
    assert [word.text for word in words.asked("fails failed FAILING")] == ["fails"]


@given(st.text())
def test_any_text_meets_itself(text: str) -> None:
    assert not words.asked(text) or meet(text, text)


# The iota below a Greek letter becomes one beside it in capitals, and stays there.
@given(st.text(st.characters(codec="utf-8").filter(lambda char: "\u0345" not in unicodedata.normalize("NFD", char))))
def test_case_does_not_count(text: str) -> None:
    # Identifiers are told apart by their case, so words alone are compared.
    assume("\u0345" not in unicodedata.normalize("NFKD", text))  # a mark of Greek that is a letter in capitals
    plain = text.lower()
    assert {word.forms for word in words.asked(plain)} == {word.forms for word in words.asked(plain.upper().lower())}
