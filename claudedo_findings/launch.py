"""The door to other programs of the user: the file manager, VS Code and the editor."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence

from claudedo_findings import vscode
from claudedo_findings.errors import FindingsError, shown

PATIENCE = 1.5  # seconds; an opener that cannot do it says so at once, one that can may run as long as its window
FAILURES = (OSError, subprocess.SubprocessError)  # of starting a program, also where a library does it
# What stands in for an unset $EDITOR: what these systems come with.
_EDITORS = ("notepad",) if sys.platform == "win32" else ("sensible-editor", "nano", "vi")
_started: list[subprocess.Popen[bytes]] = []  # those still running: a Popen that is dropped while it runs warns


def folder(path: str) -> None:
    """Open a folder in the file manager. Raises FindingsError, naming the folder, when there is none to do it."""
    _desktop(path)


def file(path: str) -> None:
    """Open a file with the program that the desktop has for its kind. Raises FindingsError like `folder`."""
    _desktop(path)


def code(path: str) -> None:
    """Open a folder or a file in VS Code, its insiders' edition or VSCodium, whichever is found first.

    Raises FindingsError when none is installed or it does not start.
    """
    found = vscode.program()
    if not found:
        raise FindingsError(
            f"VS Code was not found (looked for {', '.join(vscode.NAMES)} on PATH and where they are installed by"
            f" default): run 'Shell Command: Install code command' in it, or open {path} by hand"
        )
    _start([found, path], path)


def copy(text: str) -> None:
    """Put text on the clipboard of Windows or macOS with the program that the system has for it."""
    if sys.platform == "win32":
        command, data, place = ["clip"], text.encode("utf-16"), {}  # with a mark, or it reads the code page
    else:
        command, data, place = ["pbcopy"], text.encode(), {"LC_CTYPE": "UTF-8"}  # else it reads the system's encoding
    try:
        subprocess.run(command, input=data, env={**os.environ, **place}, capture_output=True, timeout=10, check=True)
    except FAILURES as error:
        raise FindingsError(f"{command[0]} could not copy to the clipboard: {error}") from error


def editor(path: str) -> None:
    """Open a file in $VISUAL or $EDITOR and wait until it is closed.

    Raises FindingsError when no editor is found, it cannot be started, or it ends with an error.
    """
    command = _editor_command()
    try:
        # The user's own terminal: it inherits all three streams.
        code = subprocess.run([*command, path], check=False).returncode
    except OSError as error:
        reason = error.strerror or str(error)
        raise FindingsError(f"the editor {shown(command[0])} cannot be started ({reason}): correct $EDITOR") from error
    if code:
        raise FindingsError(f"the editor {shown(command[0])} ended with exit code {code}")


def _desktop(path: str) -> None:
    if sys.platform == "win32":
        try:
            os.startfile(path)  # noqa: S606  # the path is an argument, there is no shell
        except OSError as error:
            raise FindingsError(f"Windows cannot open {path}: {error.strerror or error}; open it by hand") from error
        return
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    if not shutil.which(opener):
        raise FindingsError(f"{opener} was not found, so there is no desktop to open {path}: go there by hand")
    _start([opener, path], path)


def _start(command: Sequence[str], path: str) -> None:
    """Start a program of its own session, so that it outlives this one; its early failure is an error."""
    name = os.path.basename(command[0])
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise FindingsError(f"{name} could not be started: {error.strerror}; open {path} by hand") from error
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        _started[:] = [other for other in _started if other.poll() is None] + [process]
        return
    if status:
        raise FindingsError(f"{name} gave up (exit {status}): there may be no desktop here; open {path} by hand")


def _editor_command() -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        value = os.environ.get(name, "").strip()
        if not value:
            continue
        try:
            # Backslashes are part of a path on Windows, and quotes stand around one with spaces.
            command = shlex.split(value, posix=sys.platform != "win32")
        except ValueError as error:
            raise FindingsError(f"${name} {shown(value)} cannot be read ({error}): correct it") from error
        return [part.strip('"') for part in command] if sys.platform == "win32" else command
    found = next(filter(None, map(shutil.which, _EDITORS)), None)
    if found is None:
        raise FindingsError("no editor was found: set EDITOR to yours")
    return [found]
