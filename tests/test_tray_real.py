"""The real tray on a real desktop: an X server, a session bus, a panel, and clicks."""

import json
import os
import signal
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import lists, service, tracking
from claudedo_findings.store import Store
from tests.conftest import FIELDS, make_repo
from tests.trayrig import GUARD, Desktop, python_with_gtk, until
from tray import autostart

NAME = "Größe & maß_stab"
OPEN, CODE, CHECK_IN = "Open findings", "Open in VS Code", "Check in .claudedo"


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that sees this project and Debian's GTK bindings."""
    return python_with_gtk(tmp_path_factory.mktemp("tray") / "venv")


@pytest.fixture
def desktop(python: Path) -> Iterator[Desktop]:
    """A desktop without a panel."""
    with Desktop(python) as started:
        yield started


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file where a file manager and a VS Code write what they are to open, a line each."""
    log = tmp_path / "opened"
    log.touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("xdg-open", "code"):
        program = programs / name
        program.write_text(f'#!/bin/sh\nprintf "%s %s\\n" {name} "$1" >>"{log}"\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return log


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository that is the list NAME, with one finding."""
    repo = make_repo(tmp_path / "shop")
    lists.add(NAME, str(repo))
    save(repo, "first", "The first trap")
    return repo


def save(repo: Path, slug: str, title: str) -> None:
    """Save a finding by another process."""
    command = [sys.executable, "-m", "claudedo_findings", "save", slug, "--here", "--title", title, "--body", "Text."]
    subprocess.run(command, cwd=repo, check=True, stdout=subprocess.DEVNULL, timeout=GUARD)


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, str]:
    """Return the exit status of a process that ends, and what it wrote on stderr."""
    errors = process.communicate(timeout=GUARD)[1].decode()
    return process.returncode, errors


def test_opening_calls_the_openers_with_the_right_paths(desktop: Desktop, shop: Path, opened: Path) -> None:
    panel = desktop.panel()
    desktop.tray()
    store = shop / ".claudedo"
    shown = f"{NAME} (1)"
    for label, line in (
        (OPEN, f"xdg-open {store}"),
        (CODE, f"code {store}"),
        ("The first trap", f"xdg-open {store / 'traps' / 'first.md'}"),
    ):
        opened.write_text("")
        panel.click(shown, label)
        until(opened.read_text, f"{label} opens something")
        assert opened.read_text() == f"{line}\n"


def test_toggling_changes_the_exclude_file_and_the_check_mark(desktop: Desktop, shop: Path) -> None:
    panel = desktop.panel()
    desktop.tray()
    shown = (f"{NAME} (1)", CHECK_IN)

    def stands(*, checked: bool, told: int) -> bool:
        excluded = "/.claudedo/\n" in (shop / ".git" / "info" / "exclude").read_text()
        item = panel.item(*shown)
        marked = item is not None and item["checked"] is checked
        return excluded is not checked and marked and len(panel.ask("notifications")) == told

    until(lambda: stands(checked=False, told=0), "a new store is not checked in")
    panel.click(*shown)
    until(lambda: stands(checked=True, told=1), "file and mark follow, and it is told")
    assert tracking.state(Store(door.places(str(shop)))).checked_in
    panel.click(*shown)
    until(lambda: stands(checked=False, told=2), "file and mark follow, and it is told")
    titles = [title for title, _ in panel.ask("notifications")]
    assert titles == [f"{NAME}: git sees .claudedo now", f"{NAME}: git ignores .claudedo now"]


def test_check_mark_follows_git_whoever_changed_it(desktop: Desktop, shop: Path) -> None:
    panel = desktop.panel()
    desktop.tray()
    shown = (f"{NAME} (1)", CHECK_IN)
    panel.wait(*shown, checked=False)
    tracking.track(Store(door.places(str(shop))))
    panel.wait(*shown, checked=True)
    (shop / ".gitignore").write_text(".claudedo\n")
    panel.wait(*shown, checked=False)
    panel.wait(f"{NAME} (1)", "Ignored by .gitignore:1:.claudedo")


def test_finding_of_another_process_appears_and_is_told_once(desktop: Desktop, shop: Path) -> None:
    panel = desktop.panel()
    desktop.tray()
    panel.wait(f"{NAME} (1)")
    assert panel.ask("notifications") == []
    save(shop, "second", "Vec<T> & friends are slow")
    panel.wait(f"{NAME} (2)", "Vec<T> & friends are slow")
    told = until(lambda: panel.ask("notifications"), "the new finding is told")
    # The panel said that it reads marks in a text.
    assert told == [[f"Finding saved in {NAME}", "Vec&lt;T&gt; &amp; friends are slow"]]


def test_quiet_tells_no_findings_but_shows_them(desktop: Desktop, shop: Path) -> None:
    panel = desktop.panel()
    desktop.tray("--quiet")
    panel.wait(f"{NAME} (1)")
    save(shop, "second", "The second trap")
    panel.wait(f"{NAME} (2)")
    panel.click(f"{NAME} (2)", CHECK_IN)
    told = until(lambda: panel.ask("notifications"), "the toggle is told")
    assert len(told) == 1
    assert "git sees" in told[0][0]


@pytest.mark.usefixtures("shop")
def test_removed_list_disappears_and_a_new_one_stands_in_name_order(desktop: Desktop, tmp_path: Path) -> None:
    panel = desktop.panel()
    desktop.tray()
    panel.wait(f"{NAME} (1)")
    lists.add("Alpha", str(make_repo(tmp_path / "alpha")))

    def stands(*labels: str) -> None:
        # One question a time: the menu is empty while it is drawn.
        until(lambda: [item["label"] for item in panel.menu()] == [*labels, "Quit"], f"{labels} are there", panel.menu)

    stands("Alpha", f"{NAME} (1)")
    lists.remove(NAME)
    stands("Alpha")


def test_pointer_sentence_is_copied(desktop: Desktop, shop: Path) -> None:
    panel = desktop.panel()
    desktop.tray()
    panel.click(f"{NAME} (1)", "Copy pointer sentence")
    until(lambda: str(shop / ".claudedo" / "INDEX.md") in (panel.ask("clipboard") or ""), "the sentence is copied")


@pytest.mark.usefixtures("shop")
def test_labels_are_german_where_the_system_is(desktop: Desktop) -> None:
    panel = desktop.panel()
    desktop.tray(env={"LANG": "de_DE.UTF-8", "LC_ALL": ""})
    panel.wait(f"{NAME} (1)", "Findings öffnen")
    panel.click("Beenden")


def test_quit_ends_with_0_also_without_a_notification_service(desktop: Desktop, shop: Path) -> None:
    panel = desktop.panel(notifications=False)
    tray = desktop.tray()
    save(shop, "second", "Nobody is there to be told")
    panel.wait(f"{NAME} (2)")
    panel.click("Quit")
    assert ended(tray) == (0, "")


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_signals_end_it_in_order(number: signal.Signals, status: int, desktop: Desktop) -> None:
    panel = desktop.panel()
    tray = desktop.tray()
    panel.wait(f"{NAME} (1)")
    tray.send_signal(number)
    assert ended(tray) == (status, "")


@pytest.mark.usefixtures("shop")
def test_second_start_says_so_and_ends_with_0(desktop: Desktop) -> None:
    panel = desktop.panel()
    desktop.tray()
    panel.wait(f"{NAME} (1)")
    second = desktop.tray()
    output = second.communicate(timeout=GUARD)
    assert (second.returncode, output) == (0, (b"claudedo-findings-tray runs already\n", b""))
    panel.wait(f"{NAME} (1)")


@pytest.mark.usefixtures("shop")
def test_service_runs_in_the_same_process_and_ends_with_it(desktop: Desktop) -> None:
    panel = desktop.panel()
    tray = desktop.tray("--serve", "--port", "0")

    def address() -> str:
        labels = [item["label"] for item in panel.menu()]
        return next((label for label in labels if label.startswith("Service: http")), "").removeprefix("Service: ")

    url = until(address, "the service's address is shown")
    with urllib.request.urlopen(url.replace("/mcp", "/health"), timeout=GUARD) as answer:
        assert json.load(answer)["pid"] == tray.pid
    arguments = {**FIELDS, "slug": "over-http", "title": "Saved over HTTP"}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "save_finding", "arguments": arguments},
    }
    request = urllib.request.Request(
        url,
        json.dumps(call).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            service.KEY_HEADER: service.key()[0],
        },
    )
    with urllib.request.urlopen(request, timeout=GUARD) as answer:
        assert json.load(answer)["result"]["structuredContent"]["status"] == "created"
    panel.wait(f"{NAME} (2)", "Saved over HTTP")
    panel.click("Quit")
    assert ended(tray) == (0, "")


@pytest.mark.usefixtures("shop")
def test_taken_port_is_told_in_the_menu_and_the_tray_goes_on(desktop: Desktop) -> None:
    panel = desktop.panel()
    with_port = subprocess.Popen(
        [desktop.python, "-m", "claudedo_findings", "serve", "--http", "--port", "0"], stdout=subprocess.PIPE
    )
    try:
        assert with_port.stdout
        port = json.loads(with_port.stdout.readline())["url"].removesuffix("/mcp").rpartition(":")[2]
        desktop.tray("--serve", "--port", port)
        until(lambda: any(f"port {port} is taken" in item["label"] for item in panel.menu()), "the reason is told")
        panel.wait(f"{NAME} (1)")
    finally:
        with_port.terminate()
        with_port.communicate(timeout=GUARD)


def test_menu_of_the_gtk_icon_is_driven_by_mouse_and_keys(desktop: Desktop, shop: Path, opened: Path) -> None:
    desktop.start("trayer", "--edge", "top", "--align", "left", "--widthtype", "request", "--height", "32")
    until(lambda: desktop.windows("--class", "trayer"), "the panel is on the screen")  # first, as at a login
    tray = desktop.tray("--wait", "60")
    # A user clicks what he sees. The title says that the first look is done, so the menu stays as it is.
    icon = ("--name", "^claudedo-findings: 1 list")
    until(lambda: desktop.windows(*icon), "the icon is in the panel", lambda: f"(exit status {tray.poll()})")
    # Into the list's menu, to its first item that can be clicked; then up, to the last item of the menu.
    choose(desktop, lambda: bool(opened.read_text()), "Down", "Right", "Return")
    assert set(opened.read_text().split("\n")) == {f"xdg-open {shop / '.claudedo'}", ""}
    choose(desktop, lambda: tray.poll() is not None, "Up", "Return")
    assert ended(tray) == (0, "")


def test_gtk_icon_that_is_clicked_before_it_has_a_menu_shows_none(desktop: Desktop) -> None:
    program = """
from gi.repository import GLib
from tray.desktop import linux

pystray = linux.load(0)
icon = pystray.Icon("name")
GLib.idle_add(icon._status_icon.emit, "popup-menu", 3, 0, priority=GLib.PRIORITY_HIGH)
linux.run(icon, icon.stop)
"""
    command = [str(desktop.python), "-c", program]
    environment = {**os.environ, **desktop.environment, "PYSTRAY_BACKEND": "gtk"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=GUARD)
    assert (done.returncode, done.stderr) == (0, "")


def choose(desktop: Desktop, done: Callable[[], bool], *keys: str) -> None:
    """Open the icon's menu with the mouse and choose with keys, slower each time until it is done.

    What is typed while the menu, or the one inside, is not there yet is lost, and so is a menu that is drawn anew.
    """
    pauses = iter(range(1, 1000))

    def attempt() -> bool:
        pause = min(0.2 * next(pauses), 3.0)
        desktop.run("xdotool", "key", "Escape", "Escape")  # what an earlier attempt left open
        # The icon is the only thing in the upper left corner.
        desktop.run("xdotool", "mousemove", "16", "16", "click", "3", "sleep", f"{pause:.1f}")
        # GTK names a menu's window after the program, and the icon's after its title.
        if desktop.windows("--name", "^__main__.py$"):
            # Not `key --delay`: half of it the key is held down, and a second of that repeats it.
            desktop.run("xdotool", *(word for key in keys for word in ("key", key, "sleep", f"{pause:.1f}")))
        return done()

    until(lambda: done() or attempt(), f"{keys} were chosen in the menu")


def test_desktop_entry_of_the_autostart_starts_the_very_words(desktop: Desktop, tmp_path: Path) -> None:
    program = tmp_path / "J Ö" / 'py $x `y` "z" \\' / "python"
    program.parent.mkdir(parents=True)
    new = tmp_path / "started.new"
    lines = ["#!/bin/sh", f'printf "%s\\n" "$0" "$@" >"{new}"', f'mv "{new}" "{tmp_path}/started"', ""]
    program.write_text("\n".join(lines))
    program.chmod(0o755)
    entry = tmp_path / "tray.desktop"
    words = [str(program), "-m", "tray", "--language", "100 % d e"]
    entry.write_bytes(autostart.content(words))
    launch = (
        "import sys; from gi.repository import Gio; Gio.DesktopAppInfo.new_from_filename(sys.argv[1]).launch([], None)"
    )
    desktop.run(str(desktop.python), "-c", launch, str(entry))
    until((tmp_path / "started").exists, "GLib starts what the entry says")
    assert (tmp_path / "started").read_text().splitlines() == words


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "no panel here shows tray icons: add a status tray to it; GNOME needs the AppIndicator extension"),
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}, "there is no D-Bus session ("),
        ({"DISPLAY": ":99999"}, "the display ':99999' cannot be used: start the tray in a desktop session"),
    ],
)
def test_desktop_that_cannot_show_it_is_told_in_one_line(env: dict[str, str], said: str, desktop: Desktop) -> None:
    status, errors = ended(desktop.tray("--wait", "0.5", env=env))
    lines = [line for line in errors.splitlines() if line.startswith("error: ")]
    assert (status, len(lines)) == (2, 1), errors
    assert lines[0].startswith(f"error: {said}")


@pytest.mark.usefixtures("shop")
def test_panel_that_comes_up_later_is_waited_for(desktop: Desktop) -> None:
    tray = desktop.tray("--wait", "60")
    assert tray.poll() is None
    panel = desktop.panel()
    panel.wait(f"{NAME} (1)")
