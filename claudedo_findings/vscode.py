"""Where VS Code lies, or what stands in for it: its insiders' edition or VSCodium."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence

NAMES = ("code", "code-insiders", "codium")
_EXE = {"code": "Code.exe", "code-insiders": "Code - Insiders.exe", "codium": "VSCodium.exe"}
# Where the makers' installers put it without touching PATH (code.visualstudio.com/docs/setup, vscodium.com).
_MAC = "Contents/Resources/app/bin"
_PLACES: dict[str, Sequence[str]] = {
    "darwin": [
        f"{top}/Applications/{name}"
        for name in (
            f"Visual Studio Code.app/{_MAC}/code",
            f"Visual Studio Code - Insiders.app/{_MAC}/code",
            f"VSCodium.app/{_MAC}/codium",
        )
        for top in ("", "~")
    ],
    "win32": [
        rf"{top}\{name}"
        for name in (
            r"Microsoft VS Code\Code.exe",
            r"Microsoft VS Code Insiders\Code - Insiders.exe",
            r"VSCodium\VSCodium.exe",
        )
        for top in (r"%LOCALAPPDATA%\Programs", "%ProgramFiles%")
    ],
    "linux": [
        "/snap/bin/code",
        "/snap/bin/codium",
        "/usr/share/code/bin/code",
        "/usr/share/codium/bin/codium",
        "/var/lib/flatpak/exports/bin/com.visualstudio.code",
        "/var/lib/flatpak/exports/bin/com.vscodium.codium",
    ],
}


def program() -> str:
    """Return the path of VS Code, or of what stands in for it; "" when none is installed."""
    return next(_programs(), "")


def _programs() -> Iterator[str]:
    for name in NAMES:
        found = shutil.which(name)
        if found:
            # A batch file would read '&' and '%' in a path as its own; the program beside it does not.
            beside = os.path.join(os.path.dirname(os.path.dirname(found)), _EXE[name])
            yield beside if found.lower().endswith(".cmd") and os.path.isfile(beside) else found
    for place in _PLACES.get(sys.platform, ()):
        path = os.path.expandvars(os.path.expanduser(place))
        if os.path.isfile(path):
            yield path
