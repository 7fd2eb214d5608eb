"""Whether a text says what to do, and whether a title is enough: tables of examples in several languages."""

import pytest

from claudedo_findings import advice, titles

ADVISES = (
    "Only CI runs in UTC. Freeze with tz=UTC instead.",
    "The parser caches the file. Call reload() before reading it again.",
    "`wait -n` needs bash 5, and the image has 3.2: loop over the pids.",
    "Caching the parsed config was tried and rejected: reload broke.",
    "Never delete the empty cache file, a static import reads it.",
    "The write is not atomic on the share. Write beside it, then rename.",
    "Two suites share one port → run them one after the other.",
    "Don’t sort by name: the order of the file is the order of the migration.",
    "The check lives in the hook on purpose: lint-staged omits deletions.",
    "It looks like a leak; it's the pool. Set max_idle to 0 in tests.",
    "Only after `make gen`: the stubs are not checked in, so regenerate and commit them; pin the version.",
    "On touch the coordinates are raw. Compensate locally.",
    "Die Uhr ist eingefroren. Mit tz=UTC einfrieren.",
    "Der Cache wird nie geleert, deshalb vor dem Test `make clean` aufrufen.",
    "Nicht die Fixture, sondern der Server hält die Sperre: den Server stoppen und stattdessen die Kopie nutzen.",
    "Das wurde versucht und verworfen, weil der Import dann doppelt läuft.",
    "Für Umlaute muss die Datei in NFC gespeichert sein.",
    "Unter Last meldet die Datenbank eine Verklemmung. Die Artikel vor dem Sperren nach ihrer Nummer sortieren.",
    "Der Cache hält alte Werte. Stattdessen den Cache leeren",
    "vorher `make clean` ausführen",
    "vorher `make clean` ausfuehren",
    "Der Server hält die Sperre. Vorher stoppen.",
    "Port 8080 ist belegt. Server vorher stoppen.",
    "Cache leeren, dann neu bauen.",
    "Cache leeren, den Server neu starten.",
    "Der Pfad ist zu lang (vorher kürzen).",
    "Erst `npm ci` laufen lassen, sonst fehlen die Typen",
    "Der Import ist langsam: die Tabelle in Blöcken von 500 Zeilen lesen.",
    "测试在 UTC 中运行，应改用 tz=UTC 冻结时间。",
    "不要缓存配置，重新加载会失效。",
    "先启动服务，再运行迁移。",
    "空闲锁会被清理任务删除，请使用行锁代替。",
    "テストは UTC で動く。代わりに tz=UTC で固定すること。",
    "設定をキャッシュしない。再読み込みが壊れる。",
    "ロックはサーバーが持つため、先に止める必要がある。",
    "Тесты идут в UTC: нужно заморозить время.",
    "Вместо кэша используйте файл.",
    "Сервер живёт по UTC. Границы суток считать в поясе магазина.",
    "Кэшировать конфиг нельзя, перезагрузка ломается.",
    "Il faut vider le cache avant chaque essai.",
    "Hay que usar la copia, no el original.",
    "캐시를 비워야 합니다. 대신 사본을 사용하세요.",
)
DESCRIBES = (
    "The invoice tests fail after midnight.",
    "All devices share this prefix. Models cannot be told apart by it.",
    "Rounded end caps visually bridge small gaps and a ring reads as solid.",
    "os.replace is not atomic on Windows.",
    "The cache returned old values last Friday.",
    "Exit code 246 is what the router gives when it reboots.",
    "The build takes eleven minutes on the old machine.",
    "Die Rechnungstests scheitern nach Mitternacht.",
    "Der Server antwortet manchmal mit 502.",
    "Die Uhr auf dem Server ist eingefroren. Die Tests in der Nacht scheitern, wenn sie im Winter laufen.",
    "Der Job kann die Tabelle leeren.",
    "Die Tests scheitern, wenn andere die Datenbank leeren.",
    "Tests, die die Datenbank leeren, laufen zuletzt.",
    "Zwei Threads, in denen sie die Datei lesen.",
    "Es gelingt nicht, den Cache zu leeren.",
    "Der Dienst stürzt ab beim Testen",
    "Nach dem Speichern fehlt die Zeile.",
    "Probleme mit fehlenden Dateien",
    "The container is closed and the seal is broken.",
    "所有设备共享这个前缀。",
    "测试在午夜之后失败。",
    "請求有時返回 502。",
    "テストは真夜中に失敗した。",
    "Тесты падают после полуночи.",
    "Клиент не может открыть память, скорость падает.",
    "Les essais échouent le vendredi.",
    "Las pruebas fallan los viernes.",
)


@pytest.mark.parametrize("text", ADVISES)
def test_a_finding_that_says_what_to_do_is_let_be(text: str) -> None:
    assert advice.judged(text)
    assert advice.given(text)


@pytest.mark.parametrize("text", DESCRIBES)
def test_a_finding_that_only_describes_is_told(text: str) -> None:
    assert advice.judged(text)
    assert not advice.given(text)


@pytest.mark.parametrize("text", ["הבדיקות נכשלות אחרי חצות", "الاختبارات تفشل بعد منتصف الليل", "การทดสอบล้มเหลว"])
def test_a_script_without_known_words_is_not_judged(text: str) -> None:
    assert not advice.judged(text)


@pytest.mark.parametrize(
    "title",
    [
        "The clock is frozen",
        "SCP requires `-O` flag",
        "os.replace is not atomic on Windows",
        "Unix socket path limit is 107 bytes",
        "CodeQL `rust/cleartext-logging`",
        "Caching parsed config breaks reload",
        "Die Uhr steht im CI still",
        "Umlaute im Pfad brechen den Export",
        "空闲锁会被清理任务删除",
        "不要缓存解析后的配置",
        "設定のキャッシュは再読み込みを壊す",
        "Кэш конфигурации ломает перезагрузку",
    ],
)
def test_a_title_that_names_its_subject_routes(title: str) -> None:
    assert titles.routes(title)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "strftime",
        "`map_err_ignore`",
        "Partition table",
        "LVGL arcs",
        "Feels laggy",
        "Important note",
        "A bug in the tests",
        "Gotcha with the cache",
        "This does not work",
        "Achtung, wichtiger Hinweis",
        "Fehler im Build",
        "注意事项",
        "缓存问题",
        "重要",
        "落とし穴",
        "Ошибка в тестах",
    ],
)
def test_a_title_that_could_stand_over_anything_does_not(title: str) -> None:
    assert not titles.routes(title)


@pytest.mark.parametrize("piece", ["---\n", "> ", "* ", "を", "the ", "(", ". ", "der ", "\n", "a-", "зать "])
def test_no_text_takes_long(piece: str) -> None:
    # What is looked for anew from every line would run into the hang guard.
    advice.given(piece * 60_000 + "x")
