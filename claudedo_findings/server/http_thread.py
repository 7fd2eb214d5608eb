"""The HTTP service in a thread of a program that does something else: signals and the end stay that program's."""

import threading

from claudedo_findings.server import http, http_start
from claudedo_findings.server.http_front import LIMIT


class InThread:
    """A running service. Made in any thread."""

    def __init__(self, options: http_start.Options) -> None:
        """Start it. Raises FindingsError for what stops the service from starting."""
        self._service = http.prepare(http_start.begin(options), lambda _ready: None, leaves=False)
        self.url = self._service.url
        self._thread = threading.Thread(target=self._service.run, name="HTTP service", daemon=True)
        self._thread.start()

    def serving(self) -> bool:
        """Return whether it has not ended."""
        return self._thread.is_alive()

    def stop(self) -> bool:
        """Let it end as a signal would, and wait for that; return whether every running save was finished in time."""
        self._service.front.end("the program that hosts it ends")
        self._thread.join(LIMIT)
        return not self._thread.is_alive()
