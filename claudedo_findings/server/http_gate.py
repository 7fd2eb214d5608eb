"""The gate before `/mcp`: who may come in, with what. ASGI, and nothing that needs the SDK."""

import asyncio
import hmac
import json
import logging
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from claudedo_findings import __version__, service
from claudedo_findings.errors import shown
from claudedo_findings.resolution import Caller
from claudedo_findings.server import jsonrpc

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_LIMIT = 1024 * 1024  # bytes; the longest finding has some 10,000, every character of it escaped 100,000
BODY_SECONDS = 10.0  # for a whole body to come in: loopback needs milliseconds
CALLER = "claudedo_findings.caller"  # where the scope keeps who calls
_log = logging.getLogger(__name__)


class _Refusal(Exception):  # noqa: N818  # an answer, not a fault of ours
    def __init__(self, status: int, message: str, *headers: tuple[bytes, bytes]) -> None:
        self.status, self.message, self.headers = status, message, headers


class Gate:
    """Lets a POST to `/mcp` with the right Host, no Origin and the right key through to `app`; `/health` needs no key.

    `key` is None where loopback is trusted. `bound` and `folder` say which list the service was bound to, if any.
    """

    def __init__(self, app: App, *, port: int, key: str | None, bound: str | None = None, folder: str = "") -> None:
        self._app = app
        # Whole and exact: the SDK's own pattern `127.0.0.1:*` also lets `127.0.0.1:x.evil.example` pass.
        self._hosts = {f"{service.HOST}:{port}", f"localhost:{port}"}
        self._key = None if key is None else key.encode()
        self._bound, self._folder = bound, folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        headers = _Headers(scope)
        try:
            self._check_origin(headers)
            path, method = scope["path"], scope["method"]
            if path == "/health":
                await _respond(send, *_health(method))
            elif path in ("/mcp", "/mcp/"):
                self._check_call(method, headers)
                scope[CALLER] = self._caller(headers)
                body = await _body(headers, receive)
                await self._app({**scope, "path": "/mcp"}, _replay(body, receive), send)
            else:
                # Also /.well-known/…: anything else there makes clients start OAuth.
                await _respond(send, 404, b"not found\n", content_type=b"text/plain")
        except _Refusal as refusal:
            _log.warning("refused with %d: %s", refusal.status, refusal.message)
            error = jsonrpc.failure(None, jsonrpc.INVALID_REQUEST, refusal.message)
            await _respond(send, refusal.status, jsonrpc.encode(error).rstrip(), *refusal.headers)

    def _check_origin(self, headers: "_Headers") -> None:
        host = headers.one("host").lower()
        if host not in self._hosts:
            allowed = " and ".join(sorted(self._hosts))
            raise _Refusal(421, f"the Host header {shown(host)} is not this service: it answers to {allowed} alone")
        if headers.has("origin"):
            raise _Refusal(403, "requests with an Origin header, as browsers send them, are not served")

    def _check_call(self, method: str, headers: "_Headers") -> None:
        if method != "POST":
            raise _Refusal(
                405, f"{shown(method, 20)} is not served here: send MCP messages by POST", (b"allow", b"POST")
            )
        if self._key is None:
            return
        scheme, _, token = headers.one("authorization").partition(" ")
        given = headers.one(service.KEY_HEADER) or (token.strip() if scheme.lower() == "bearer" else "")
        if not hmac.compare_digest(given.encode(), self._key):
            problem = "the key is wrong" if given else "the key is missing"
            how = (
                f"send it as {service.KEY_HEADER} or as Authorization: Bearer; the service's first line names its file"
            )
            raise _Refusal(401, f"{problem}: {how}", (b"www-authenticate", b"Bearer"))

    def _caller(self, headers: "_Headers") -> Caller:
        # The service's own folder says nothing about its callers; it counts only when it is bound to it.
        task, task_list = headers.one(service.TASK_HEADER).strip(), headers.one(service.LIST_HEADER).strip()
        return Caller(task=task, task_list=task_list, bound=self._bound, here=bool(self._folder), cwd=self._folder)


class _Headers:
    """The headers of a request; the names are lower-case already."""

    def __init__(self, scope: Scope) -> None:
        self._pairs: list[tuple[bytes, bytes]] = list(scope["headers"])

    def has(self, name: str) -> bool:
        return any(key == name.lower().encode() for key, _ in self._pairs)

    def one(self, name: str) -> str:
        """Return the value of a header, "" without one; which of two different ones is meant, nobody can say."""
        values = {value for key, value in self._pairs if key == name.lower().encode()}
        if len(values) > 1:
            raise _Refusal(400, f"the header {name} came more than once, with different values")
        value = values.pop() if values else b""
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.decode("latin-1")


def _health(method: str) -> tuple[int, bytes]:
    if method not in ("GET", "HEAD"):
        raise _Refusal(405, f"{shown(method, 20)} is not served here: ask by GET", (b"allow", b"GET, HEAD"))
    state = {"service": "claudedo-findings", "status": "ok", "version": __version__, "pid": os.getpid()}
    return 200, json.dumps(state).encode()


async def _body(headers: _Headers, receive: Receive) -> bytes:
    """Return the body; refuses one that is too large before reading it, where its length is told."""
    length = headers.one("content-length")  # digits, the HTTP parser saw to it
    size, body, more = int(length or 0), bytearray(), True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more and size <= BODY_LIMIT:
                message = await receive()
                if message["type"] != "http.request":  # the client is gone
                    raise _Refusal(400, "the body ended early", (b"connection", b"close"))
                body += message.get("body", b"")
                size, more = max(size, len(body)), message.get("more_body", False)
    except TimeoutError as error:
        raise _Refusal(408, f"the body took more than {BODY_SECONDS:.0f} s", (b"connection", b"close")) from error
    if size > BODY_LIMIT:
        limit = f"{BODY_LIMIT:,} bytes, far more than a finding has (its body: 8,000 characters)"
        raise _Refusal(413, f"the request is larger than {limit}: shorten it and save again")
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    unread = [body]

    async def replay() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return await receive()

    return replay


async def _respond(
    send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes], content_type: bytes = b"application/json"
) -> None:
    fixed = [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})
