"""The HTTP service in this process, on a thread of its own; the tray keeps the main thread."""

import threading
from typing import TYPE_CHECKING

from claudedo_findings.errors import FindingsError
from tray.seen import Service

if TYPE_CHECKING:
    from claudedo_findings.server.http_thread import InThread


class Hosted:
    """The service, and what the menu says of it. A service that cannot start is told there, and the tray goes on."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._running: InThread | None = None
        self._error = ""
        self._starting = threading.Thread(target=self._start, name="starts the HTTP service", daemon=True)

    def start(self) -> None:
        """Start it, without waiting: its libraries take most of a second."""
        self._starting.start()

    def state(self) -> Service:
        """Return how it stands."""
        if self._running and not self._running.serving():
            self._error = self._error or "it has ended; see service.log in the state folder"
        if self._error:
            return Service(error=self._error)
        return Service(url=self._running.url if self._running else "")

    def stop(self) -> None:
        """End it; running saves are finished."""
        self._starting.join()
        if self._running:
            self._running.stop()

    def _start(self) -> None:
        from claudedo_findings.server import http_start
        from claudedo_findings.server.http_thread import InThread

        try:
            self._running = InThread(http_start.Options(port=self._port))
        except FindingsError as error:
            self._error = str(error)
