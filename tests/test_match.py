"""Which findings fit a question, and which say much the same: with reasons, in any script, for any text."""

import unicodedata

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


DOCUMENTS = [
    match.Document(
        "clock-skew", "The invoice tests freeze local time", "Invoice tests freeze time", "src/bill.py", "In CI."
    ),
    match.Document("lock-zh", "空闲锁不会释放", "空闲锁不会释放", "", "重启以后"),
    match.Document(
        "quotes", "The tray holds the database", "", "tray", "It says `OperationalError: database is locked`."
    ),
    match.Document("names", "Do not cache settings", "", "", "Leave `load_settings()` alone, it costs 3 ms."),
]


@pytest.mark.parametrize(
    ("question", "slug", "reason"),
    [
        ("invoice tests", "clock-skew", "title: invoice, tests"),
        ("FREEZE LOCAL TIME", "clock-skew", "title: FREEZE, LOCAL, TIME"),
        ("what is wrong in bill.py, tests?", "clock-skew", "scope: bill, py"),
        ("skew of the clock", "clock-skew", "hook: skew, clock"),
        ("空闲锁", "lock-zh", "title: 空闲, 闲锁"),
        ("锁", "lock-zh", "title: 锁"),
        ("重启", "lock-zh", "text: 重启"),
        ("sqlite3.OperationalError: database is locked", "quotes", "text: OperationalError, locked"),
        ("loadSettings", "names", "text: loadSettings"),
    ],
)
def test_a_hit_says_which_words_stand_where(question: str, slug: str, reason: str) -> None:
    hit = match.search(question, DOCUMENTS)[0]
    assert hit.slug == slug
    assert reason in hit.reasons


@pytest.mark.parametrize(
    ("question", "strong"),
    [
        ("invoice tests", True),
        ("OperationalError: database is locked", True),
        ("Traceback\n  File x\nsqlite3.OperationalError: database is locked\nexit 1", True),
        ("CI", False),
        ("use the database for the new wishlist page", False),
    ],
)
def test_strong_and_weak_are_told_apart(question: str, *, strong: bool) -> None:
    hits = match.search(question, DOCUMENTS)
    assert any(hit.strong for hit in hits) is strong


def test_a_word_of_most_findings_weighs_nothing() -> None:
    documents = [match.Document(f"trap-{number}", f"The module {number} fails") for number in range(40)]
    assert match.search("module fails", documents) == ()
    assert [hit.slug for hit in match.search("module 7 fails", documents)] == ["trap-7"]


def test_in_a_small_store_every_word_counts() -> None:
    documents = [match.Document(f"trap-{name}", f"The module {name} fails") for name in "abcdefgh"]
    assert len(match.search("module fails", documents)) == 8


def test_title_counts_over_hook_over_scope_over_text() -> None:
    places = [
        match.Document("d-title", "wombat rotation"),
        match.Document("c-hook", "x", "wombat rotation"),
        match.Document("b-scope", "x", "", "wombat/rotation"),
        match.Document("a-text", "x", "", "", "wombat rotation"),
    ]
    assert [hit.slug for hit in match.search("wombat rotation", places)] == ["d-title", "c-hook", "b-scope", "a-text"]


def test_at_most_twenty_hits() -> None:
    documents = [match.Document(f"trap-{number:03}", "wombat rotation") for number in range(50)]
    documents += [match.Document(f"other-{number:03}", "quite another thing") for number in range(100)]
    assert len(match.search("wombat rotation", documents)) == 20


def test_the_end_of_a_long_error_text_counts() -> None:
    noise = "".join(f"  at frame{number}\n" for number in range(5_000))
    hits = match.search(f"{noise}OperationalError: database is locked", DOCUMENTS)
    assert [hit.slug for hit in hits] == ["quotes"]


@pytest.mark.parametrize("question", ["", "the of and", "??? !!!", "und die", "не было"])
def test_a_question_without_usable_words_says_so(question: str) -> None:
    assert not match.usable(question)
    assert match.search(question, DOCUMENTS) == ()


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.lists(
    st.sampled_from(
        [
            "Invoice",
            "größe",
            "GROESSE",
            "空闲锁",
            "アイドルロック",
            "замок",
            "loadSettings",
            "tests",
            "`x y`",
            ".",
            "\n",
        ]
    ),
    max_size=8,
).map(" ".join)
ANY_DOCUMENTS = st.lists(
    st.builds(match.Document, st.sampled_from(["a", "b-c", "d"]), TEXTS, TEXTS, TEXTS, TEXTS),
    max_size=12,
    unique_by=lambda document: document.slug,
)


@given(st.text(), ANY_DOCUMENTS)
def test_any_text_is_answered_with_scores_from_0_to_1(question: str, documents: list[match.Document]) -> None:
    hits = match.search(question, documents)
    assert {hit.slug for hit in hits} <= {document.slug for document in documents}
    assert all(0 < hit.score <= 1 and hit.reasons for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(TEXTS, ANY_DOCUMENTS)
def test_case_of_the_question_does_not_count(question: str, documents: list[match.Document]) -> None:
    # Identifiers are split by their case; some letters have no other case that leads back, and some only one (`ª`).
    plain = question.casefold()
    upper = plain.upper()
    one_case = not any(letter.islower() for letter in unicodedata.normalize("NFKD", upper))
    if one_case and upper.casefold() == plain:
        scores = [[(hit.slug, hit.score) for hit in match.search(text, documents)] for text in (plain, upper)]
        assert scores[0] == scores[1]


@given(ANY_DOCUMENTS)
def test_a_findings_own_title_finds_it_first_or_tied(documents: list[match.Document]) -> None:
    for document in documents:
        hits = match.search(document.title, documents)
        if words.asked(document.title) and hits:
            own = {hit.slug: hit.score for hit in hits}.get(document.slug, 0.0)
            assert own == hits[0].score
