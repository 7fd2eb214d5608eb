"""Starting the tray at login: one file of ours where each system looks for such files."""

import os
import plistlib
import sys
from collections.abc import Sequence

from claudedo_findings import files

_NAME = "claudedo-findings-tray"


def install(options: Sequence[str]) -> str:
    """Write the file, and return what to tell."""
    place = path()
    data = content(command(options))
    if files.read(place) == data:
        return f"starts at login already, by {place}"
    files.make_folder(os.path.dirname(place))
    files.write_atomic(place, data)
    return f"starts at login now, by {place}"


def remove() -> str:
    """Delete the file, and return what to tell."""
    place = path()
    if files.read(place) is None:
        return f"does not start at login: there is no {place}"
    files.remove(place)
    return f"starts at login no more; {place} is deleted"


def path() -> str:
    """Return the absolute path of the file on this system."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
        return os.path.join(roaming, "Microsoft", "Windows", "Start Menu", "Programs", "Startup", f"{_NAME}.cmd")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "LaunchAgents", f"{_NAME}.plist")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(config, "autostart", f"{_NAME}.desktop")


def command(options: Sequence[str]) -> list[str]:
    """Return what is started: this Python, safe from a folder `tray` in the directory it happens to start in."""
    python = sys.executable
    if sys.platform == "win32":  # the one without a console window
        windowless = os.path.join(os.path.dirname(python), "pythonw.exe")
        python = windowless if os.path.isfile(windowless) else python
    return [python, "-P", "-m", "tray", *options]


def content(words: Sequence[str]) -> bytes:
    """Return the file that starts a command on this system."""
    if sys.platform == "win32":
        # A batch file is read in the console's code page, which is set to UTF-8 for the path.
        line = " ".join(f'"{word.replace("%", "%%")}"' for word in words)
        return f'@chcp 65001 >nul\r\n@start "" {line}\r\n'.encode()
    if sys.platform == "darwin":
        return plistlib.dumps(
            {
                "Label": _NAME,
                "ProgramArguments": list(words),
                "RunAtLoad": True,
                "ProcessType": "Interactive",
                "LimitLoadToSessionType": "Aqua",
            }
        )
    entry = {
        "Type": "Application",
        "Name": "claudedo-findings",
        "Comment": "Findings of every list in the tray",
        "Exec": " ".join(map(_quoted, words)),
        "Terminal": "false",
        "X-GNOME-Autostart-enabled": "true",
    }
    return "\n".join(["[Desktop Entry]", *(f"{key}={value}" for key, value in entry.items()), ""]).encode()


def _quoted(word: str) -> str:
    r"""Return a word for a desktop entry's Exec: quoted, `%%` for `%`, and `\\` for each `\` that quoting needs."""
    escaped = "".join(f"\\{char}" if char in '"`$\\' else char for char in word).replace("%", "%%")
    return f'"{escaped}"'.replace("\\", "\\\\")
