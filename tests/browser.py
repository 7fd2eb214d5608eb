"""Drives a real Chromium over its debugging pipe: JSON over two pipes, so no driver has to be kept in step with it."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess  # noqa: TID251  # drives a real program
import time
from pathlib import Path
from types import TracebackType
from typing import Any

Json = dict[str, Any]
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
_PATIENCE = 60.0  # seconds; a machine with many tests at work starts a browser slowly
_KEYS = {"Tab": 9, "Enter": 13, " ": 32}


class Browser:
    """One page in a browser of its own."""

    def __init__(self, folder: Path) -> None:
        assert PROGRAM
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self._in, self._out, self._rest = ours_in, ours_out, b""
        self._ids = itertools.count(1)
        self._session = ""
        self.events: list[Json] = []
        # Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
        shell = f'exec "$@" 3</dev/fd/{theirs_in} 4>/dev/fd/{theirs_out}'
        command = ["sh", "-c", shell, "sh", PROGRAM, *_OPTIONS, f"--user-data-dir={folder}", "about:blank"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), stdout=quiet, stderr=quiet)
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self) -> "Browser":
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            os.write(self._out, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def send(self, method: str, **params: Any) -> Json:
        """Send a command and return its result."""
        ident = next(self._ids)
        message: Json = {"id": ident, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == ident:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])
            self.events.append(answer)

    def open(self, url: str) -> None:
        """Load a page and wait until it is there."""
        self.events.clear()
        self.send("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._receive())

    def look(self, width: int, *, dark: bool) -> None:
        """Give the window a width and the user's taste in colours."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, as a person would."""
        code = _KEYS[key]
        text = {"Enter": "\r", " ": " "}.get(key, "")
        name = "Space" if key == " " else key
        common = {"key": key, "code": name, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, words: str) -> None:
        """Type into what has the focus."""
        self.send("Input.insertText", text=words)

    def picture(self, path: Path) -> None:
        """Save a picture of the whole page."""
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _receive(self) -> Json:
        until = time.monotonic() + _PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self._in, 1 << 20)
            assert part, f"the browser ended with {self._process.wait()}"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))
