"""A store made by hand: every verb works on it, and nothing that a human wrote is lost."""

import shlex
from pathlib import Path

import pytest

from claudedo_findings import finding, lists
from tests.conftest import make_repo
from tests.test_cli import run
from tests.test_readme import verbs
from tests.test_verbs import VERBS

INDEX = """\ufeff# Was wir gelernt haben

Lies das zuerst, dann die Datei.\t(von Hand)

## Build

* [bau-reihenfolge](./traps/bau-reihenfolge.md): Erst die Schnittstellen, dann der Rest
1. [kein Eintrag](traps/bau-reihenfolge.md)

```
- [beispiel](traps/beispiel.md) — so sieht eine Zeile aus
```

## 数据库

+ [idle-lock](traps/idle-lock.md) – 空闲锁会被清理任务删除

| a | b |
|---|---|

_Ende._"""
GERMAN = """---\r
# Bemerkung von Hand\r
slug: bau-reihenfolge\r
tags: [bau, "schnittstelle"]\r
owner: 'Jürgen'\r
---\r
\r
Ein Satz vor der Überschrift.\r
\r
# Die Reihenfolge im Bau ist nicht die der Ordner\r
\r
Zuerst müssen die Schnittstellen gebaut werden, sonst fehlen Typen.\r
\r
## Warum\r
\r
Größe und Straße sind Wörter mit Umlauten."""
CHINESE = """---
scope: src/app.py
slug: idle-lock
verified-against: 0123456
note: >
  第一行
  第二行
---

# 空闲锁会被清理任务删除

不要依赖空闲锁，请使用行锁代替。
"""
BROKEN = "---\nslug: kaputt\nthis is no key\n\tnor this\n# Kaputt und doch da\n\nRetten, was geht.\n<<<<<<< \n"
FILES = {
    "INDEX.md": INDEX.replace("\n", "\r\n"),
    "traps/bau-reihenfolge.md": GERMAN,
    "traps/idle-lock.md": CHINESE,
    "traps/kaputt.md": BROKEN,
    "traps/Notizen von Jürgen.md": "Meine eigenen Notizen\r\nzweite Zeile",
    "maps/karte.md": "eine Karte\n",
    "README.md": "eigene Datei\n",
}
PROSE = (
    "# Was wir gelernt haben",
    "Lies das zuerst, dann die Datei.\t(von Hand)",
    "## Build",
    "1. [kein Eintrag](traps/bau-reihenfolge.md)",
    "- [beispiel](traps/beispiel.md) — so sieht eine Zeile aus",
    "## 数据库",
    "| a | b |",
    "_Ende._",
)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The checkout of a list with that store, and a list without one."""
    root = make_repo(tmp_path / "made")
    for name, text in FILES.items():
        path = root / ".claudedo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    lists.add("app", str(root))
    lists.add("empty", str(make_repo(tmp_path / "empty")))
    lists.add("worn", str(root))
    return root


def texts(root: Path) -> dict[str, bytes]:
    """Return every file below the store."""
    store = root / ".claudedo"
    return {str(path.relative_to(store)): path.read_bytes() for path in store.rglob("*") if path.is_file()}


def assert_nothing_is_lost(before: dict[str, bytes], root: Path) -> None:
    """Every file is kept as it was, here or in the history, or its lines still stand in it but for the stamp."""
    now = texts(root)
    for name, data in before.items():
        if name != "INDEX.md" and data not in now.values():
            places = {name, f"retired/{Path(name).name}"} & now.keys()
            kept = [line for place in places for line in now[place].decode("utf-8").splitlines()]
            lost = [line for line in data.decode("utf-8").splitlines() if line not in kept]
            assert all(line.startswith(f"{finding.KEYS[-1]}:") for line in lost), (name, lost)
    index = now["INDEX.md"].decode("utf-8")
    assert index.startswith("\ufeff")
    assert "\n" not in index.replace("\r\n", ""), "the index keeps its line ends"
    for line in PROSE:
        assert f"\r\n{line}" in f"\r\n{index.removeprefix(chr(0xFEFF))}", line


# How each verb is called here where the table's own arguments name the finding of another store.
HERE = {
    "restore": "restore idle-lock",
    "forget": "forget nothing --yes",
    "lint": "lint\nlint --fix\nlint --changed",
    "show": "show bau-reihenfolge\nshow idle-lock\nshow kaputt",
    "renew": "renew bau-reihenfolge idle-lock",
    "history": "history idle-lock",
    "save": "save idle-lock --title '空闲锁会被清理任务删除' --body '行锁。'\nsave kaputt --title 'Ein neuer' --body B",
    "list": "list\nlist --json\nlist --stale",
    "demo": "demo --help",
    "open": "open --help",
    "doctor": "doctor --port 1",
}


@pytest.mark.parametrize("name", sorted(set(VERBS) & set(verbs())))
def test_every_verb_works_and_loses_nothing(made: Path, name: str) -> None:
    before = texts(made)
    for line in HERE.get(name, VERBS[name].fine).splitlines():
        arguments = [word.replace("clock-skew", "bau-reihenfolge") for word in shlex.split(line)]
        code, _, err = run(*arguments, cwd=made)
        assert code in (0, 1) or err.startswith("error: "), (arguments, code, err)
        assert "Traceback" not in err
        assert_nothing_is_lost(before, made)


def test_list_shows_all_three_and_says_what_it_skipped(made: Path) -> None:
    code, out, err = run("list", cwd=made)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["bau-reihenfolge", "idle-lock", "kaputt"]
    assert "Kaputt und doch da (not in the index)" in out
    assert "Notizen von Jürgen.md" in err


def test_lint_names_what_is_wrong_in_each_file(made: Path) -> None:
    code, out, _ = run("lint", cwd=made)
    assert code == 1
    told = {tuple(line.removeprefix(f"{made}/.claudedo/").split(": ")[:2]) for line in out.splitlines()}
    assert {
        ("traps/kaputt.md:1", "missing-line"),
        ("traps/kaputt.md:3", "front-matter"),
        ("traps/kaputt.md:8", "conflict"),
        ("traps/Notizen von Jürgen.md", "file-name"),
        ("traps/bau-reihenfolge.md:1", "front-matter"),
        ("traps/idle-lock.md:1", "front-matter"),
    } <= told


def test_fix_adds_the_line_that_is_missing_and_leaves_the_rest_to_people(made: Path) -> None:
    before = texts(made)
    run("lint", "--fix", cwd=made)
    now = texts(made)
    assert {name for name in now if now[name] != before.get(name)} == {"INDEX.md"}
    added = set(now["INDEX.md"].decode().split("\r\n")) - set(before["INDEX.md"].decode().split("\r\n"))
    assert added == {"- [kaputt](traps/kaputt.md) — Kaputt und doch da"}


def test_save_over_a_hand_made_finding_keeps_its_keys_and_its_old_text(made: Path) -> None:
    before = texts(made)
    title = "Die Reihenfolge im Bau ist nicht die der Ordner"
    code, _, err = run("save", "bau-reihenfolge", "--title", title, "--body", "Erst die Schnittstellen.", cwd=made)
    assert code == 0
    assert "edited by hand; it is kept as" in err
    now = texts(made)
    assert now["history/bau-reihenfolge/0001-hand.md"] == before["traps/bau-reihenfolge.md"]
    text = now["traps/bau-reihenfolge.md"].decode()
    assert "\n" not in text.replace("\r\n", "")
    for line in ("# Bemerkung von Hand", 'tags: [bau, "schnittstelle"]', "owner: 'Jürgen'"):
        assert f"\r\n{line}\r\n" in text
    assert "* [bau-reihenfolge](./traps/bau-reihenfolge.md): Erst die Schnittstellen, dann der Rest" in now[
        "INDEX.md"
    ].decode("utf-8")
