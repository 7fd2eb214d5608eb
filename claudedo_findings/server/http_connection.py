"""Connections that nobody can hold open by sending slowly."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # from a request's first byte, or from connecting, to the end of its headers
# Of idle connections, the one that waits longest goes when there are more than this: a process may have 1,024 files
# open on most systems, and a save needs some.
CONNECTIONS = 512


class Connection(H11Protocol):
    """One client's connection. uvicorn alone would wait for ever for the headers of a request."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's own signature
        """Start the clock of the first request, and make room where too many only wait."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._start()
        if len(self.connections) > CONNECTIONS:
            idle = [other for other in self.connections if isinstance(other, Connection) and other._waits()]
            if idle:
                min(idle, key=lambda other: other._since).transport.close()

    def data_received(self, data: bytes) -> None:
        """Hand the bytes on. The clock runs while they are less than a request, however many there come."""
        super().data_received(data)
        if self._waits():
            self._start()
        else:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Count from here how long the client has nothing to say."""
        self._since = self.loop.time()
        super().on_response_complete()

    def _waits(self) -> bool:
        cycle: Any = self.cycle  # None before the first request, which uvicorn's annotation does not say
        return cycle is None or cycle.response_complete

    def _start(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
