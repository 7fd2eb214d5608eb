"""How the HTTP service begins: what stops it is told before the SDK is imported, which takes a second."""

import errno
import os
import socket
import sys
from dataclasses import dataclass

from claudedo_findings import files, lists, nearby, service
from claudedo_findings.errors import FindingsError

BACKLOG = 1024
_IN_USE = (errno.EADDRINUSE, errno.EACCES) if sys.platform == "win32" else (errno.EADDRINUSE,)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How the service is started; `bound` and `here` as for stdio."""

    port: int = service.PORT
    bound: str | None = None
    here: bool = False
    trusting: bool = False
    """Without a key: whoever reaches loopback may save."""
    parent_pid: int = 0
    log_level: str = "info"


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A service that may start: its socket listens already, so that clients wait for it and nobody takes the port."""

    options: Options
    listener: socket.socket
    key: str | None
    """None when it trusts everybody."""
    key_file: str
    folder: str
    """Of the only list it serves, "" for any."""


def begin(options: Options) -> Begun:
    """Return the service that may start; raises FindingsError for what stops it: a list, the key, the port."""
    folder = nearby.here(os.getcwd()).working_dir if options.here else ""
    if options.bound is not None:
        lists.find(options.bound)
    lists.known()  # an unreadable host database or lists.toml is told now, to the one who starts the service
    key, key_file = (None, "") if options.trusting else service.key()
    return Begun(options=options, listener=listen(options.port), key=key, key_file=key_file, folder=folder)


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
