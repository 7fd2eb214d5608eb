"""The adapter of pystray, on its dummy backend: what is drawn, on which thread, and what the other systems need."""

import os
import queue
import subprocess  # noqa: TID251  # plays macOS
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from claudedo_findings import git as door
from claudedo_findings import lists, tracking
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store
from tests.conftest import make_repo
from tests.test_tray_poll import save
from tray import words
from tray.app import App
from tray.desktop import Desktop, mac, windows
from tray.poll import Poll
from tray.seen import Snapshot

GUARD = 30.0  # seconds


class Screen:
    """A desktop that draws into memory: pystray's own classes, and a main loop that does one thing after the other."""

    def __init__(self, pystray: ModuleType) -> None:
        self.calls: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self.threads: set[int] = set()
        self.drawn = 0
        self.told: list[tuple[str, str]] = []
        self.copied: list[str] = []
        self.icon: Any = None
        screen = self

        class Icon(pystray.Icon):  # type: ignore[name-defined, misc]  # pystray has no types
            def _drawn(self) -> None:
                screen.icon = self
                screen.drawn += 1
                screen.threads.add(threading.get_ident())

            _show = _hide = _update_icon = _update_title = _update_menu = _drawn

            def _run(self) -> None:
                self._mark_ready()
                while (call := screen.calls.get(timeout=GUARD)) is not None:
                    call()

            def _stop(self) -> None:
                screen.calls.put(None)

            def _notify(self, message: str, title: str) -> None:
                screen.told.append((title, message))

        self.pystray = SimpleNamespace(Icon=Icon, Menu=pystray.Menu, MenuItem=pystray.MenuItem)

    # What a Desktop offers

    def load(self, _wait: float) -> Any:
        return self.pystray

    def run(self, icon: Any, ready: Callable[[], None]) -> None:
        icon.run(lambda _icon: self.on_main(icon, ready))

    def on_main(self, _icon: Any, do: Callable[[], None]) -> None:
        self.calls.put(do)

    def copy(self, text: str) -> None:
        if not text:
            raise FindingsError("nothing to copy")
        self.copied.append(text)

    def label(self, text: str) -> str:
        return text

    def body(self, text: str) -> str:
        return text

    def notify(self, icon: Any, title: str, text: str) -> None:
        icon.notify(text, title)

    # What a user sees and does

    def item(self, *labels: str) -> Any:
        """Return an item by the labels that lead to it, None when it is not there."""
        items, found = (self.icon.menu or ()) if self.icon else (), None
        for label in labels:
            found = next((item for item in items if item.text == label), None)
            items = found.submenu or () if found else ()
        return found

    def once(self, ready: Callable[[], Any], *steps: Callable[[], None]) -> None:
        """Do some steps on the main thread once something is ready; the loop goes on meanwhile."""

        def check() -> None:
            if ready():
                for step in steps:
                    step()
            else:
                threading.Timer(0.02, self.calls.put, (check,)).start()

        self.calls.put(check)

    def click(self, *labels: str) -> None:
        self.item(*labels)(self.icon)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A screen in memory, and the signals as they were afterwards."""
    monkeypatch.setenv("PYSTRAY_BACKEND", "dummy")
    import pystray  # noqa: TID251  # its dummy backend draws nothing

    monkeypatch.setattr("signal.signal", lambda *_: None)  # pytest keeps its own
    return Screen(pystray)


def app(screen: Screen, *, quiet: bool = False) -> App:
    return App(screen, screen.pystray, words.load("en"), hosted=None, interval=0.05, quiet=quiet)


def test_menus_and_icons_change_on_the_main_thread_alone(screen: Screen, listed: Path) -> None:
    save(listed, "a", "The first")
    shown: list[str] = []

    def toggle() -> None:
        screen.click("app (1)", "Check in .claudedo")
        screen.once(lambda: screen.item("app (1)", "Check in .claudedo").checked, finish)

    def finish() -> None:
        shown.extend(item.text for item in screen.icon.menu)
        screen.click("Quit")

    screen.once(lambda: screen.item("app (1)"), toggle)
    assert app(screen).run() == 0
    assert screen.threads == {threading.main_thread().ident}
    assert shown == ["app (1)", "- - - -", "Quit"]
    assert screen.told[0][0] == "app: git sees .claudedo now"
    assert tracking.state(Store(door.places(str(listed)))).checked_in


def test_nothing_is_drawn_while_nothing_changes(screen: Screen, listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(listed, "a")
    looks, before = [0], [0, 0]
    look = Poll.look

    def counted(poll: Poll, *, quick: bool = False) -> Snapshot:
        looks[0] += 1
        return look(poll, quick=quick)

    monkeypatch.setattr(Poll, "look", counted)

    def keep() -> None:
        before[:] = looks[0], screen.drawn

    # Two looks later nothing of the first is on its way any more.
    screen.once(
        lambda: screen.item("app (1)") and looks[0] > 4,
        keep,
        lambda: screen.once(
            lambda: looks[0] > before[0] + 4, lambda: before.append(screen.drawn), lambda: screen.click("Quit")
        ),
    )
    assert app(screen).run() == 0
    assert before[2] == before[1]


def test_icon_has_a_mark_and_a_line_when_something_waits(screen: Screen, listed: Path, tmp_path: Path) -> None:
    lists.add("away", str(make_repo(tmp_path / "away")))
    save(listed, "a")
    found: list[Any] = []

    def keep() -> None:
        found.append((screen.icon.icon.getpixel((36, 36)), screen.icon.title))

    def unplug() -> None:
        keep()
        os.rename(tmp_path / "away", tmp_path / "unplugged")
        screen.once(lambda: screen.item("away ⚠"), keep, lambda: screen.click("Quit"))

    screen.once(lambda: screen.item("app (1)"), unplug)
    assert app(screen).run() == 0
    (plain, line), (marked, _) = found
    assert line == "claudedo-findings: 2 lists · 1 finding"
    assert plain != marked


def test_sentence_is_copied_on_the_main_thread_and_told(screen: Screen, listed: Path) -> None:
    save(listed, "a")
    screen.once(
        lambda: screen.item("app (1)"),
        lambda: screen.click("app (1)", "Copy pointer sentence"),
        lambda: screen.once(lambda: screen.told, lambda: screen.click("Quit")),
    )
    assert app(screen).run() == 0
    assert str(listed / ".claudedo" / "INDEX.md") in screen.copied[0]
    assert screen.told[0][0].startswith("Copied")


def test_click_on_what_is_gone_meanwhile_says_so(screen: Screen, listed: Path) -> None:
    save(listed, "a", "The first")

    def click() -> None:
        os.unlink(Store(door.places(str(listed))).finding_path("a"))
        screen.click("app (1)", "The first")
        screen.once(lambda: screen.told, lambda: screen.click("Quit"))

    screen.once(lambda: screen.item("app (1)", "The first"), click)
    assert app(screen, quiet=True).run() == 0
    assert screen.told[0][0] == "app: that did not work"
    assert screen.told[0][1].endswith("a.md is not there any more")


def test_bug_beside_the_icon_ends_it_with_its_traceback(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray.poll.Poll.look", lambda *_, **__: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        app(screen).run()


# Windows and macOS, as far as that goes on Linux


@pytest.fixture
def notified(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[str]]:
    """An icon with pystray's message handlers of Windows, and what was done, in order."""
    done: list[str] = []
    icon = SimpleNamespace(_hwnd=7, _message_handlers={})

    def post(window: int, message: int, wparam: int, lparam: int) -> None:
        assert window == icon._hwnd
        icon._message_handlers[message](wparam, lparam)

    def opened(_wparam: int, _lparam: int) -> None:
        done.append("menu opens")
        windows.on_main(icon, lambda: done.append("change"))  # comes in while Windows runs the menu's own loop
        done.append("menu closes")

    win32 = SimpleNamespace(WM_NOTIFY=1035, PostMessage=post)
    icon._message_handlers[win32.WM_NOTIFY] = opened
    monkeypatch.setitem(sys.modules, "pystray._util.win32", win32)
    monkeypatch.setattr("pystray._util.win32", win32, raising=False)
    return icon, done


def test_windows_changes_no_menu_while_it_is_open(notified: tuple[Any, list[str]]) -> None:
    icon, done = notified
    windows.listen(icon)
    windows.on_main(icon, lambda: done.append("first change"))
    icon._message_handlers[1035](0, 0)
    assert done == ["first change", "menu opens", "menu closes", "change"]


def test_windows_keeps_ampersands() -> None:
    assert windows.label("R&D & more") == "R&&D && more"
    assert windows.body("R&D") == "R&D"


def test_macos_changes_menus_through_its_own_main_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    later: list[Callable[[], None]] = []
    helper = SimpleNamespace(AppHelper=SimpleNamespace(callAfter=later.append))
    monkeypatch.setitem(sys.modules, "PyObjCTools", helper)

    def ready() -> None:
        """Stand for what is to be done."""

    mac.run(SimpleNamespace(run=lambda setup: setup(None)), ready)
    assert later == [ready]


@pytest.mark.parametrize(
    ("desktop", "refusal"),
    [
        (mac, subprocess.CalledProcessError(1, "osascript")),
        (mac, subprocess.TimeoutExpired("osascript", 9)),
        (mac, FileNotFoundError("osascript")),
        (windows, OSError(1460, "the taskbar does not answer")),
    ],
)
def test_notification_that_the_system_refuses_does_not_end_the_tray(desktop: Desktop, refusal: Exception) -> None:
    tried: list[tuple[str, str]] = []

    def notify(text: str, title: str) -> None:
        tried.append((title, text))
        raise refusal

    desktop.notify(SimpleNamespace(notify=notify), "app", "The clock is frozen")
    assert tried == [("app", "The clock is frozen")]


def test_osascript_that_fails_does_not_end_the_tray(
    screen: Screen, listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program that pystray starts on macOS, as one that fails; the tray goes on and takes a click after it."""
    (tmp_path / "osascript").write_text(f"#!/bin/sh\necho tried >> '{tmp_path / 'tried'}'\nexit 1\n")
    (tmp_path / "osascript").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(screen, "notify", mac.notify)
    monkeypatch.setattr(
        screen.pystray.Icon, "_notify", lambda *_: subprocess.check_call(["osascript", "-e", "display notification"])
    )
    save(listed, "a")
    screen.once(
        lambda: screen.item("app (1)"),
        lambda: screen.click("app (1)", "Copy pointer sentence"),
        lambda: screen.once((tmp_path / "tried").exists, lambda: screen.click("Quit")),
    )
    assert app(screen).run() == 0


@pytest.mark.parametrize("desktop", [windows, mac])
def test_missing_library_names_what_to_install(desktop: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pystray", "AppKit"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(FindingsError, match=r"pip install 'claudedo-findings\[tray\]'"):
        desktop.load(0)


@pytest.mark.parametrize(
    ("system", "desktop"), [("win32", "windows"), ("darwin", "mac"), ("linux", "linux"), ("freebsd14", "linux")]
)
def test_each_system_has_its_desktop(system: str, desktop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tray.desktop import here

    monkeypatch.setattr(sys, "platform", system)
    assert getattr(here(), "__name__", "") == f"tray.desktop.{desktop}"
