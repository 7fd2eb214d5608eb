"""The HTTP server itself: it tells when it is ready, and ends gracefully but in time."""

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from claudedo_findings.server import http_connection, http_start
from claudedo_findings.server.http_gate import Gate

GRACE, LIMIT = 4, 5.0  # seconds for running saves when the service ends; then it ends whatever runs
# Longer than clients keep an idle connection (.NET: 60 s), so that none is closed just when it is used again.
KEEP_ALIVE = 75
_log = logging.getLogger(__name__)


class Front(uvicorn.Server):
    """The HTTP server, which tells when it is ready and how it ended."""

    def __init__(self, gate: Gate, announce: Callable[[], None], *, leaves: bool) -> None:
        super().__init__(
            uvicorn.Config(
                gate,
                http=http_connection.Connection,
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,  # there is no proxy, and whoever says so lies
                server_header=False,
                backlog=http_start.BACKLOG,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=GRACE,
                # No limit_concurrency: it counts idle connections, and would refuse a save because of them.
            )
        )
        self._announce = announce
        self._leaves = leaves
        self._why = ""
        self.last = threading.Timer(LIMIT - 0.3, _leave, (self,))
        self.last.daemon = True
        self.status = 0

    def end(self, why: str) -> None:
        """Let the service end; may be called from any thread, and from a signal (which may not write a log)."""
        self._why = self._why or why
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that end the service. uvicorn's own would raise them again after a graceful end."""
        names = [name for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]
        if threading.current_thread() is not threading.main_thread():
            names = []
        before = {name: signal.signal(getattr(signal, name), self._signalled) for name in names}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(getattr(signal, name), handler)

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self.force_exit = self.should_exit and number == signal.SIGINT  # Ctrl-C again: at once
        self.status = 130 if number == signal.SIGINT else self.status
        self.end(signal.Signals(number).name)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        with contextlib.suppress(OSError):  # nobody reads the line, which is no reason not to serve
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End gracefully; what a save is still waiting for after that was never acknowledged."""
        _log.info("ends: %s", self._why)
        if self._leaves:
            self.last.start()
        await super().shutdown(sockets)


def _leave(front: Front) -> None:
    _log.warning("ended with a save that was still waiting; it was not acknowledged")
    logging.shutdown()
    sys.stdout.flush()
    os._exit(front.status)
