"""The tray's command line, its start at login, its icon, and what it never does on import. No screen is needed."""

import fcntl
import io
import os
import plistlib
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path

import pytest
from PIL import Image

from claudedo_findings import lists
from claudedo_findings.errors import FindingsError
from tests.conftest import make_repo
from tray import __main__ as command
from tray import autostart, icons
from tray.desktop import linux

ROOT = Path(__file__).parent.parent


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the tray without any screen."""
    gone = {"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "LANG", "LC_ALL", "LANGUAGE"}
    clean = {name: value for name, value in os.environ.items() if name not in gone}
    return subprocess.run(
        [sys.executable, "-m", "tray", *arguments],
        cwd=ROOT,
        env={**clean, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_importing_never_imports_a_gui() -> None:
    names = [
        f"{path.relative_to(ROOT).with_suffix('')}".replace("/", ".").removesuffix(".__init__")
        for path in (ROOT / "tray").rglob("*.py")
    ]
    program = (
        f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\n"
        "print(sorted({'pystray', 'PIL', 'gi', 'Xlib', 'AppKit', 'mcp', 'uvicorn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_once_prints_the_menu_without_a_screen(tmp_path: Path) -> None:
    lists.add("Größe", str(make_repo(tmp_path / "repo")))
    done = run("--once")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:3] == ["Größe", "    (0 findings)", "    (Open findings (none yet))"]
    assert run("--once", "--language", "de").stdout.endswith("Beenden\n")


def test_without_a_display_it_says_what_to_do() -> None:
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: there is no display: start the tray in a desktop session")
    assert done.stderr.count("\n") == 1


def test_backend_that_has_no_menu_is_refused() -> None:
    for name in ("xorg", "dummy", "nonsense"):
        done = run(DISPLAY=":0", PYSTRAY_BACKEND=name)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert f"PYSTRAY_BACKEND={name} shows no menu" in done.stderr


def test_missing_libraries_are_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setitem(sys.modules, "gi", None)  # as where it is not installed
    with pytest.raises(
        FindingsError, match=r"needs GTK 3 .*apt install python3-gi .*pipx install --system-site-packages"
    ):
        linux.load(0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "70000"], "'70000' is no port"),
        (["--interval", "soon"], "'soon' is no number of seconds"),
        (["--language", "fr"], "choose from"),
        (["--once", "--install-autostart"], "not allowed with"),
        (["--nonsense"], "unrecognized arguments"),
    ],
)
def test_unusable_options_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert said in capsys.readouterr().err


def test_second_start_says_so_and_ends_with_0(sealed: Path) -> None:
    path = sealed / "findings" / "state" / "tray.lock"
    path.parent.mkdir(parents=True)
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = run(DISPLAY=":0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "claudedo-findings-tray runs already\n", "")


# At login

SYSTEMS = ("linux", "darwin", "win32")


@pytest.fixture
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the system that is played."""
    monkeypatch.setattr(sys, "platform", request.param)
    name: str = request.param
    return name


@pytest.mark.parametrize("system", SYSTEMS, indirect=True)
def test_autostart_is_written_once_and_removed_once(
    system: str, sealed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {
        "linux": ".config/autostart/claudedo-findings-tray.desktop",
        "darwin": "Library/LaunchAgents/claudedo-findings-tray.plist",
        "win32": "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/claudedo-findings-tray.cmd",
    }
    path = sealed / places[system]
    told = []
    for option in ("--install-autostart", "--install-autostart", "--remove-autostart", "--remove-autostart"):
        assert command.main([option, "--serve", "--quiet"]) == 0
        told.append((path.exists(), capsys.readouterr().out))
        if option == "--install-autostart":
            assert b"--serve" in path.read_bytes()
    assert told == [
        (True, f"starts at login now, by {path}\n"),
        (True, f"starts at login already, by {path}\n"),
        (False, f"starts at login no more; {path} is deleted\n"),
        (False, f"does not start at login: there is no {path}\n"),
    ]


HARD = ['/home/J Ö/py $x `y` "z" \\ 100%/python', "-m", "tray", "--language", "de"]


@pytest.mark.parametrize("system", ["darwin"], indirect=True)
@pytest.mark.usefixtures("system")
def test_launch_agent_starts_the_very_words_at_login() -> None:
    agent = plistlib.loads(autostart.content(HARD))
    assert (agent["ProgramArguments"], agent["RunAtLoad"], agent["Label"]) == (HARD, True, "claudedo-findings-tray")


@pytest.mark.parametrize("system", ["win32"], indirect=True)
@pytest.mark.usefixtures("system")
def test_startup_file_of_windows_knows_umlauts_and_percent_signs() -> None:
    assert autostart.content([r"C:\Users\J Ö\100%\pythonw.exe", "-m", "tray"]).decode() == (
        '@chcp 65001 >nul\r\n@start "" "C:\\Users\\J Ö\\100%%\\pythonw.exe" "-m" "tray"\r\n'
    )


@pytest.mark.parametrize("system", ["win32"], indirect=True)
@pytest.mark.usefixtures("system")
def test_windows_starts_the_python_without_a_console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python.exe"))
    assert autostart.command([])[0] == str(tmp_path / "python.exe")
    (tmp_path / "pythonw.exe").touch()
    assert autostart.command([])[0] == str(tmp_path / "pythonw.exe")


def test_started_command_is_this_tray_wherever_it_starts(tmp_path: Path) -> None:
    (tmp_path / "tray.py").write_text("raise SystemExit('the wrong tray')\n")
    done = subprocess.run(
        [*autostart.command(["--once"])], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == 0


# The icon


def luminance(color: tuple[int, ...]) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [part / 255 for part in color[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("panel", [(255, 255, 255), (240, 240, 240), (32, 32, 32), (0, 0, 0)])
def test_icon_is_legible_on_light_and_dark(panel: tuple[int, int, int]) -> None:
    image = icons.draw(64, attention=False)
    card, line = image.getpixel((8, 32)), image.getpixel((20, 19))
    assert isinstance(card, tuple)
    assert isinstance(line, tuple)
    assert contrast(card, panel) >= 3  # WCAG 2 for what is not text
    assert contrast(card, line) >= 3


@pytest.mark.parametrize("size", icons.WINDOWS)
def test_mark_is_seen_at_every_size(size: int) -> None:
    plain, marked = icons.draw(size, attention=False), icons.draw(size, attention=True)
    assert plain.size == marked.size == (size, size)
    at = (int(size * 0.75), int(size * 0.75))
    mark = marked.getpixel(at)
    assert isinstance(mark, tuple)
    assert mark != plain.getpixel(at)
    assert all(abs(part - wanted) < 24 for part, wanted in zip(mark, icons.MARK, strict=True))
    assert plain.getpixel((0, 0)) == (0, 0, 0, 0)


def test_windows_gets_every_size_drawn_for_itself() -> None:
    file = io.BytesIO()
    icons.WindowsIcon(attention=True).save(file, format="ICO")
    with Image.open(file) as image:
        assert image.info["sizes"] == {(size, size) for size in icons.WINDOWS}
        small = image.ico.getimage((16, 16))  # type: ignore[attr-defined]  # Pillow's own reader of .ico
    assert small.tobytes() == icons.draw(16, attention=True).tobytes()


@pytest.mark.parametrize("system", SYSTEMS, indirect=True)
def test_icon_is_what_the_system_takes(system: str) -> None:
    icon = icons.for_system(attention=False)
    if system == "win32":
        assert isinstance(icon, icons.WindowsIcon)
    else:
        assert isinstance(icon, Image.Image)
        assert icon.size == ((44, 44) if system == "darwin" else (48, 48))
