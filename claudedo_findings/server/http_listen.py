"""The service's own socket, and connections that nobody can hold open by sending slowly."""

import asyncio
import errno
import socket
import sys
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from claudedo_findings import files, service
from claudedo_findings.errors import FindingsError

BACKLOG = 1024
HEAD_SECONDS = 10.0  # from a request's first byte, or from connecting, to the end of its headers
# Of idle connections, the one that waits longest goes when there are more than this: a process may have 1,024 files
# open on most systems, and a save needs some.
CONNECTIONS = 512
_IN_USE = (errno.EADDRINUSE, errno.EACCES) if sys.platform == "win32" else (errno.EADDRINUSE,)


def listen(port: int) -> socket.socket:
    """Return a socket that listens on loopback; port 0 takes a free one.

    Raises FindingsError that says who has the port, as far as that can be seen.
    """
    # The protocol is named because asyncio asks for it: without it, it leaves Nagle's algorithm on, 40 ms per answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":  # there SO_REUSEADDR lets two processes share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # connections of an earlier run may linger
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((service.HOST, port))
        listener.listen(BACKLOG)  # here, not in uvicorn: of two that start at once, one learns it only now
    except OSError as error:
        listener.close()
        if error.errno in _IN_USE:
            raise FindingsError(f"port {port} is taken by {_owner(port)}") from error
        raise FindingsError(f"cannot listen on port {port}: {files.reason(error)}; choose another --port") from error
    return listener


def _owner(port: int) -> str:
    try:
        answer = service.health(port)
    except FindingsError:
        answer = None
    if answer:
        return (
            f"claudedo-findings {answer['version']}, process {answer['pid']}: "
            f"use it, or end it first, or choose another --port"
        )
    look = f"netstat -ano | findstr :{port}" if sys.platform == "win32" else f"lsof -nP -iTCP:{port} -sTCP:LISTEN"
    return f"another program, which {look!r} names: end it, or choose another --port"


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
