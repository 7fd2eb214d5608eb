"""The menu as plain data: what a user reads, can click and cannot."""

import ctypes
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from claudedo_findings.git import Places
from claudedo_findings.store import Store
from tray import menu, telling, text, words
from tray.menu import Item, Verb
from tray.seen import Newest, Saved, Seen, Service, Snapshot
from tray.telling import Told

EN, DE = words.load("en"), words.load("de")
STORE = Store(Places(root="/home/me/shop", common_dir="/home/me/shop/.git"))
SHOP = Seen(
    name="Shop",
    folder="/home/me/shop",
    store=STORE,
    exists=True,
    in_git=True,
    findings=12,
    stale=2,
    candidates=3,
    newest=(Newest(title="The clock is frozen", path="/home/me/shop/.claudedo/traps/clock.md"),),
)
FRESH = replace(SHOP, stale=0, candidates=0)
EMPTY = replace(FRESH, exists=False, findings=0, newest=())


def built(*lists: Seen, **fields: object) -> tuple[Item, ...]:
    return menu.build(replace(Snapshot(lists=lists, editor=True), **fields), EN)  # type: ignore[arg-type]


def inside(one: Seen, **fields: object) -> dict[str, Item]:
    """Return the items of a list's sub-menu by their labels."""
    return {item.label: item for item in built(one, **fields)[0].items if item.label}


def test_list_has_everything_in_its_order() -> None:
    assert list(text.lines(built(SHOP))) == [
        "Shop (12) ⚠",
        "    (12 findings · 2 stale · 3 candidates)",
        "    Open findings",
        "    Open in VS Code",
        "    [ ] Check in .claudedo",
        "    The clock is frozen",
        "    Copy pointer sentence",
        "Quit",
    ]


def test_labels_are_german_in_german() -> None:
    found = list(text.lines(menu.build(Snapshot(lists=(replace(SHOP, findings=1),), editor=False), DE)))
    assert found == [
        "Shop (1) ⚠",
        "    (1 Finding · 2 veraltet · 3 Kandidaten)",
        "    Findings öffnen",
        "    (In VS Code öffnen (nicht installiert))",
        "    [ ] .claudedo einchecken",
        "    The clock is frozen",
        "    Hinweissatz kopieren",
        "Beenden",
    ]


def test_clicks_mean_the_store_the_file_and_the_toggle() -> None:
    items = inside(SHOP)
    actions = {label: item.action for label, item in items.items() if item.action}
    assert {label: (action.verb, action.path) for label, action in actions.items()} == {
        "Open findings": (Verb.OPEN, STORE.folder),
        "Open in VS Code": (Verb.CODE, STORE.folder),
        "Check in .claudedo": (Verb.TRACK, STORE.folder),
        "The clock is frozen": (Verb.FILE, SHOP.newest[0].path),
        "Copy pointer sentence": (Verb.COPY, STORE.folder),
    }
    assert all(action.list == "Shop" for action in actions.values())
    toggle = inside(replace(SHOP, checked_in=True))["Check in .claudedo"]
    assert (toggle.checked, toggle.action and toggle.action.verb) == (True, Verb.UNTRACK)


@pytest.mark.parametrize(
    ("seen", "editor", "label"),
    [
        (EMPTY, True, "Open findings (none yet)"),
        (EMPTY, True, "Open in VS Code (no findings yet)"),
        (FRESH, False, "Open in VS Code (not installed)"),
        (EMPTY, False, "Open in VS Code (not installed)"),
        (replace(FRESH, in_git=False), True, "Check in .claudedo (no git repository)"),
        (EMPTY, True, "Copy pointer sentence (no findings yet)"),
        (replace(FRESH, findings=0, newest=()), True, "Copy pointer sentence (no findings yet)"),
        (replace(FRESH, rule=".gitignore:3:*"), True, "Ignored by .gitignore:3:*"),
        (replace(FRESH, findings=80), True, "Agents read all of that index: retire or merge some"),
        (replace(FRESH, warning="the repository is bare"), True, "the repository is bare"),
    ],
)
def test_what_cannot_be_clicked_says_why(seen: Seen, editor: bool, label: str) -> None:
    assert not inside(seen, editor=editor)[label].enabled


def test_store_may_be_checked_in_before_it_exists() -> None:
    toggle = inside(EMPTY)["Check in .claudedo"]
    assert (toggle.checked, toggle.action and toggle.action.verb) == (False, Verb.TRACK)


def test_broken_list_says_all_of_its_error_and_the_others_keep_working() -> None:
    error = "the folder '/mnt/away/" + "x" * 90 + "' does not exist: correct the list's folder " + "very " * 30 + "soon"
    away, shop = built(Seen(name="Away", folder="/mnt/away", error=error), FRESH)[:2]
    assert away.label == "Away ⚠"
    assert "".join("".join(item.label.split()) for item in away.items) == "".join(error.split())
    assert " ".join(item.label for item in away.items).split().count("very") == 30  # lines end between words
    assert all(len(item.label) <= menu.LONGEST and not item.enabled for item in away.items)
    assert shop.label == "Shop (12)"
    assert any(item.action for item in shop.items)


def test_sources_that_cannot_be_read_are_told_beside_the_lists() -> None:
    problem = ("lists.toml is not valid TOML",)
    labels = [item.label for item in built(FRESH, problems=problem)]
    assert labels == ["Shop (12)", "", "⚠ lists.toml is not valid TOML", "", "Quit"]
    assert [item.label for item in built(problems=problem)] == ["⚠ lists.toml is not valid TOML", "", "Quit"]


def test_without_lists_the_menu_says_how_to_add_one() -> None:
    assert built()[0] == Item(label="No lists yet: claudedo-findings lists add NAME DIR")


def test_lists_of_one_name_are_told_apart_by_their_folders() -> None:
    labels = [item.label for item in built(FRESH, replace(FRESH, folder="/home/me/old", findings=0))]
    assert labels[:2] == ["Shop – /home/me/shop (12)", "Shop – /home/me/old"]


def test_position_never_expresses_state() -> None:
    states = [replace(FRESH, name="A"), replace(SHOP, name="B"), Seen(name="C", folder="", error="x"), EMPTY]
    for lists in (states, states[::-1]):
        assert [item.label.split(" ")[0] for item in built(*lists)[:4]] == [one.name for one in lists]


@pytest.mark.parametrize(
    ("service", "label"),
    [
        (Service(), "Service: starting"),
        (Service(url="http://127.0.0.1:47823/mcp"), "Service: http://127.0.0.1:47823/mcp"),
        (Service(error="port 47823 is taken"), "Service: port 47823 is taken"),
    ],
)
def test_service_shows_its_address_and_state(service: Service, label: str) -> None:
    assert label in [item.label for item in built(FRESH, service=service)]


@pytest.mark.parametrize(
    ("snapshot", "needed"),
    [
        (Snapshot(lists=(FRESH,), service=Service(url="http://x")), False),
        (Snapshot(lists=(FRESH, replace(FRESH, stale=1))), True),
        (Snapshot(lists=(replace(FRESH, candidates=1),)), True),
        (Snapshot(lists=(replace(FRESH, warning="bare"),)), True),
        (Snapshot(lists=(replace(FRESH, findings=79),)), False),
        (Snapshot(lists=(replace(FRESH, findings=80),)), True),
        (Snapshot(lists=(Seen(name="A", folder="", error="x"),)), True),
        (Snapshot(problems=("lists.toml",)), True),
        (Snapshot(service=Service(error="port")), True),
    ],
)
def test_attention_is_needed_where_something_waits_for_a_human(snapshot: Snapshot, needed: bool) -> None:
    assert snapshot.needs_attention is needed


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("a\nb\tc", "a b c"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202eright to left", "\\u202eright to left"),
        ("Ä & <b>_x", "Ä & <b>_x"),
        ("word " * 40, "word " * 14 + "w…"),
        ("x" * 70 + " yyy", "x" * 70 + "…"),
    ],
)
def test_labels_are_one_short_line_without_hidden_characters(stored: str, shown: str) -> None:
    assert menu.cut(stored) == shown
    assert len(shown) <= menu.LONGEST


def saved(name: str, number: int) -> Saved:
    return Saved(list=name, title=f"Trap {number}", path=f"/{name}/{number}.md")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([saved("Shop", 1)], Told(title="Finding saved in Shop", text="Trap 1")),
        (
            [saved("Shop", 1), saved("Shop", 2)],
            Told(title="Shop: 2 findings saved", text="Trap 1\nTrap 2"),
        ),
        (
            [saved("Shop", 1), *(saved("Blog", number) for number in range(2, 6))],
            Told(title="5 findings saved", text="Shop: Trap 1\nBlog: Trap 2\nBlog: Trap 3\n… and 2 more"),
        ),
    ],
)
def test_findings_that_come_at_once_are_told_at_once(found: list[Saved], told: Told) -> None:
    assert telling.saved(found, EN) == told


def test_nothing_saved_tells_nothing() -> None:
    assert telling.saved([], EN) is None


def test_notifications_fit_into_what_windows_has_room_for() -> None:
    told = Told(title="x" * 200, text="\n".join(["y" * 300] * 5), clipboard="z" * 500)
    assert (len(told.title), len(told.text), len(told.clipboard)) == (telling.TITLE, telling.TEXT, 500)


def test_languages_have_the_same_labels_with_the_same_values() -> None:
    folder = Path(words.__file__).parent / "locales"
    assert {path.stem for path in folder.glob("*.json")} == set(words.LANGUAGES)
    tables = [json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in words.LANGUAGES]
    assert tables[0].keys() == tables[1].keys()
    for key in tables[0]:
        assert {
            part for part in ("{number}", "{list}", "{rule}", "{url}", "{error}", "{path}") if part in tables[0][key]
        } == {
            part for part in ("{number}", "{list}", "{rule}", "{url}", "{error}", "{path}") if part in tables[1][key]
        }, key


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de-DE"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "sv:de:en"}, "de"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "C:de"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_language_is_the_systems(variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert words.load()("quit") == words.load(language)("quit")


def test_language_of_windows_and_macos_is_asked_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: 0x0C07)  # German (Austria)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    preferred = SimpleNamespace(NSLocale=SimpleNamespace(preferredLanguages=lambda: ["fr-CH", "de-CH", "en"]))
    monkeypatch.setitem(sys.modules, "Foundation", preferred)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    for system in ("win32", "darwin"):
        monkeypatch.setattr(sys, "platform", system)
        assert words.load()("quit") == "Beenden"
