"""Which findings say much the same: a note for the caller, never a reason not to save."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings import match, words

HOOKS = {
    "clock-skew-in-ci": "Invoice tests freeze local time, fail after midnight UTC",
    "no-config-cache": "Caching parsed config was tried, breaks reload",
    "sqlite-lock": "SQLite write lock is held by the tray during backup",
    "groesse-der-queue": "Die Größe der Warteschlange wird erst nach dem Neustart gelesen",
    "keine-umlaute": "Dateinamen mit Umlauten brechen den Export unter Windows",
    "idle-lock-zh": "空闲锁在重启后不会自动释放",
    "cache-zh": "配置缓存会导致热重载失败",
    "lock-ja": "アイドルロックは再起動後に解放されない",
    "timezone-ja": "タイムゾーンの変換で請求書のテストが失敗する",
    "lock-ru": "Замок простоя не освобождается после перезапуска",
    "encoding-ru": "Кодировка консоли ломает вывод кириллицы",
}


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Invoice tests fail after midnight UTC because the fixture freezes local time", "clock-skew-in-ci"),
        ("After midnight UTC the invoice tests fail", "clock-skew-in-ci"),
        ("CACHING PARSED CONFIG BREAKS RELOAD", "no-config-cache"),
        ("The tray holds the SQLite write lock during a backup", "sqlite-lock"),
        ("Die Groß\u0308e der Warteschlange wird nach dem Neustart gelesen", "groesse-der-queue"),
        ("GRÖSSE DER WARTESCHLANGE WIRD ERST NACH NEUSTART GELESEN", "groesse-der-queue"),
        ("Export unter Windows: Dateinamen mit Umlauten brechen ihn", "keine-umlaute"),
        ("重启后空闲锁不会释放", "idle-lock-zh"),
        ("热重载失败:配置缓存", "cache-zh"),
        ("再起動後にアイドルロックが解放されない", "lock-ja"),
        ("請求書のテストがタイムゾーンの変換で失敗", "timezone-ja"),
        ("После перезапуска замок простоя не освобождается", "lock-ru"),
        ("Вывод кириллицы ломает кодировка консоли", "encoding-ru"),
    ],
)
def test_paraphrase_is_found_first(title: str, slug: str) -> None:
    assert match.similar(title, HOOKS)[:1] == (slug,)


@pytest.mark.parametrize(
    "title",
    [
        "Release notes are generated from the changelog, not from tags",
        "Invoice numbers are not sequential across tenants",
        "The config of the linter lives in two places",
        "SQLite needs WAL mode on network drives",
        "The lock file is named after the branch",
        "Die Größe des Logos ist im Stylesheet festgelegt",
        "Der Export der Rechnungen läuft nur nachts",
        "用户头像上传需要压缩",
        "配置文件的编码必须是无签名格式",
        "ユーザー画像は圧縮が必要",
        "テストの並列実行でポートが衝突する",
        "Аватар пользователя нужно сжимать",
        "Консоль открывается дважды при запуске",
        "",
        "the of and",
        "!!! ???",
    ],
)
def test_unrelated_title_finds_nothing(title: str) -> None:
    assert match.similar(title, HOOKS) == ()


def test_at_most_three_are_named() -> None:
    hooks = {f"trap-{n}": "Invoice tests fail after midnight" for n in range(9)}

    assert match.similar("Invoice tests fail after midnight", hooks) == ("trap-0", "trap-1", "trap-2")


def test_the_closest_is_named_first() -> None:
    hooks = {
        "a-part": "Invoice tests fail after midnight on Fridays in the office network",
        "b-whole": "Invoice tests fail after midnight UTC",
    }

    assert match.similar("Invoice tests fail after midnight UTC", hooks) == ("b-whole", "a-part")


def test_empty_index_finds_nothing() -> None:
    assert match.similar("Invoice tests fail", {}) == ()


def test_one_shared_word_is_not_similar() -> None:
    assert match.similar("tests", {"a": "tests"}) == ()


@given(st.text(max_size=40), st.dictionaries(st.sampled_from("abcdef"), st.text(max_size=40)))
def test_any_text_gives_at_most_three_known_slugs(title: str, hooks: dict[str, str]) -> None:
    found = match.similar(title, hooks)

    assert len(found) <= 3
    assert set(found) <= set(hooks)


@given(st.text("abc déß空闲锁", min_size=12, max_size=40))
def test_a_text_with_two_words_is_similar_to_itself(text: str) -> None:
    if sum(word.weight for word in words.asked(text)) >= 2:
        assert match.similar(text, {"same": text}) == ("same",)
