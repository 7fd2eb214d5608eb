"""A desktop for the real tray: an X server, a session bus and a panel of their own, and a Python that has GTK."""

import json
import os
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import time
import venv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
GUARD = 120.0  # seconds; a hang guard on a slow machine, not a budget
PROGRAMS = ("Xvfb", "dbus-daemon", "trayer", "xdotool")
DEBIAN = Path("/usr/lib/python3/dist-packages")  # where python3-gi lies


def python_with_gtk(folder: Path) -> Path:
    """Return the Python of a new environment that sees what this one sees, then Debian's GTK bindings.

    They come last, so that nothing else of Debian's is taken. Fails where something is not installed (tests/setup --dev
    does that): a tray that nobody tried is not a tray that works.
    """
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    assert not missing, f"{', '.join(missing)} not found: run tests/setup --dev"
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    site = next((folder / "lib").glob("python*/site-packages"))
    seen = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages")), str(DEBIAN)]
    (site / "seen.pth").write_text("\n".join(seen) + "\n")
    check = "import gi, pystray._base, PIL; gi.require_version('AyatanaAppIndicator3', '0.1')"
    done = subprocess.run(
        [python, "-c", check],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYSTRAY_BACKEND": "dummy"},
    )
    assert done.returncode == 0, (
        f"GTK for {sys.version.split()[0]} is not complete: run tests/setup --dev\n{done.stderr}"
    )
    return python


def until(true: Callable[[], Any], what: str, instead: Callable[[], Any] = lambda: "") -> Any:
    """Return what `true` returns once that is true; fails after the hang guard, and says what is there `instead`."""
    deadline = time.monotonic() + GUARD
    while not (found := true()):
        assert time.monotonic() < deadline, f"not within {GUARD:.0f} s: {what} {instead()}"
        time.sleep(0.05)
    return found


class Desktop:
    """An X server and a session bus; a panel for AppIndicators when it is asked for. Ends with its block."""

    def __init__(self, python: Path) -> None:
        self.python = python
        self._processes: list[subprocess.Popen[bytes]] = []
        self.environment: dict[str, str] = {}
        read, write = os.pipe()
        # Without -noreset it starts anew whenever its last client leaves, and refuses whoever comes just then.
        server = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x700x24", "-nolisten", "tcp", "-noreset"]
        self._start(server, pass_fds=(write,))
        os.close(write)
        with os.fdopen(read) as file:
            display = file.readline().strip()
        assert display, "Xvfb did not start"
        bus = self._start(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE)
        assert bus.stdout
        address = bus.stdout.readline().decode().strip()
        self.environment = {
            "DISPLAY": f":{display}",
            "DBUS_SESSION_BUS_ADDRESS": address,
            "NO_AT_BRIDGE": "1",
            # Not the screen, the language and the choice of whoever runs the tests.
            "GDK_BACKEND": "x11",
            "WAYLAND_DISPLAY": "",
            "PYSTRAY_BACKEND": "",
            "LANG": "C.UTF-8",
            "LC_ALL": "",
            "LC_MESSAGES": "",
            "LANGUAGE": "",
        }

    def _start(self, command: list[Any], **options: Any) -> "subprocess.Popen[bytes]":
        self._processes.append(
            subprocess.Popen(
                command, **{"stderr": subprocess.DEVNULL, **options, "env": {**os.environ, **self.environment}}
            )
        )
        return self._processes[-1]

    def start(self, *command: str) -> "subprocess.Popen[bytes]":
        """Start a program on this desktop."""
        return self._start(list(command), stdout=subprocess.DEVNULL)

    def run(self, *command: str) -> str:
        """Run a program on this desktop and return what it printed."""
        environment = {**os.environ, **self.environment}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=GUARD)
        return done.stdout

    def windows(self, *search: str) -> list[str]:
        """Return the windows on the screen that xdotool finds."""
        try:
            return self.run("xdotool", "search", "--onlyvisible", *search).split()
        except subprocess.CalledProcessError:  # none
            return []

    def panel(self, *, notifications: bool = True) -> "Panel":
        """Start the panel, and a notification service beside it."""
        # Two programs, as on a real desktop: each waits for the tray at times, and the tray for it.
        parts = ("panel", "notifications") if notifications else ("panel",)
        pipe = subprocess.PIPE
        command = [self.python, "-m", "tests.tray_panel"]
        return Panel(*(self._start([*command, part], cwd=ROOT, stdin=pipe, stdout=pipe) for part in parts))

    def tray(
        self, *arguments: str, env: Mapping[str, str] | None = None, interval: str = "0.2"
    ) -> "subprocess.Popen[bytes]":
        """Start the tray itself."""
        self.environment |= env or {}
        command = [self.python, "-P", "-m", "tray", "--interval", interval, *arguments]
        return self._start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self) -> "Desktop":
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=GUARD)


class Panel:
    """What a user sees of the tray, and does with it."""

    def __init__(self, *processes: "subprocess.Popen[bytes]") -> None:
        self._panel, self._notifications = processes[0], processes[-1]
        for process in processes:
            assert _answer(process) == "ready"

    def ask(self, *command: str) -> Any:
        """Send one command and return its answer."""
        process = self._notifications if command == ("notifications",) else self._panel
        assert process.stdin
        process.stdin.write(json.dumps(command).encode() + b"\n")
        process.stdin.flush()
        return _answer(process)

    def menu(self) -> list[dict[str, Any]]:
        """Return the items of the menu; none while it is being drawn."""
        return self.ask("menu") or []

    def item(self, *labels: str) -> dict[str, Any] | None:
        """Return one item of the menu by the labels that lead to it, None when it is not there."""
        items, found = self.menu(), None
        for label in labels:
            found = next((item for item in items if item["label"] == label), None)
            items = found["items"] if found else []
        return found

    def wait(self, *labels: str, checked: bool | None = None) -> None:
        """Wait until an item is there, with that check mark."""

        def there() -> bool:
            item = self.item(*labels)
            return item is not None and item["checked"] is checked

        until(there, f"{labels} is there", self.menu)

    def click(self, *labels: str) -> None:
        """Click an item once it is there and can be clicked."""
        until(lambda: (self.item(*labels) or {}).get("enabled"), f"{labels} is there", self.menu)
        # The menu may be drawn anew just then, with new numbers.
        until(lambda: self.ask("click", *labels), f"{labels} could not be clicked")


def _answer(process: "subprocess.Popen[bytes]") -> Any:
    assert process.stdout
    return json.loads(process.stdout.readline()).get("answer")
