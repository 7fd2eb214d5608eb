"""Bytes on a socket of the HTTP service: bad framing, smuggling, giant headers, slow senders."""

import json
import socket
import time
from contextlib import suppress

from hypothesis import strategies as st

from claudedo_findings import service as contract
from tests.hostile.calls import arguments
from tests.hostile.corpus import data, text
from tests.hostile.tried import each
from tests.hostile.watch import GUARD
from tests.hostile.world import World
from tests.serving import Service

_latin = text.map(lambda value: value.encode("latin-1", "replace"))
_method = st.one_of(
    st.sampled_from([b"POST", b"GET", b"PUT", b"TRACE", b"CONNECT", b"PRI", b"post", b"HEAD", b"OPTIONS"]), _latin
)
_target = st.one_of(
    st.sampled_from(
        [
            b"/mcp",
            b"/health",
            b"/mcp/",
            b"//mcp",
            b"/mcp/../mcp",
            b"http://127.0.0.1/mcp",
            b"*",
            b"/%6dcp",
            b"/mcp?x",
            b"/mcp#x",
        ]
    ),
    _latin,
)
_version = st.one_of(st.just(b"HTTP/1.1"), st.sampled_from([b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9.9", b"", b"HTTP/1.1 x"]))
_header = st.one_of(
    st.sampled_from(
        [
            *(
                b"Transfer-Encoding: chunked",
                b"Transfer-Encoding: chunked, identity",
                b"Transfer-Encoding:\tchunked",
                b"transfer-encoding: xchunked",
            ),
            *(
                b"Content-Length: 5",
                b"Content-Length: 0",
                b"Content-Length: -1",
                b"Content-Length: +5",
                b"Content-Length: 5, 5",
                b"Content-Length: 5_0",
            ),
            *(
                b"Content-Length: " + b"9" * 5_000,
                b"Content-Length: 0x5",
                b"Content-Length : 5",
                b" Content-Length: 5",
                b"Content-Length: 99999999999999999999",
            ),
            *(
                b"Host: evil.example",
                b"Host: 127.0.0.1:1",
                b"Origin: http://evil.example",
                b"Expect: 100-continue",
                b"Connection: close",
            ),
            *(
                b"Connection: Upgrade",
                b"Upgrade: websocket",
                b"X-Long: " + b"x" * 70_000,
                b"Cookie: " + b"a=b;" * 2_000,
                b"X-ClaudeDo-Key: wrong",
            ),
            *(
                b"Content-Type: text/plain",
                b"Accept: */*",
                b"Content-Encoding: gzip",
                b"Mcp-Session-Id: x",
                b"MCP-Protocol-Version: 1999-01-01",
            ),
            *(
                b"no colon",
                b": no name",
                b"X\0: y",
                b"X: \0",
                b"X: a\rb",
                b"\xff: \xff",
                b"Authorization: Bearer",
                b"Authorization: Basic eDp5",
            ),
        ]
    ),
    st.builds(lambda name, value: name + b": " + value, _latin, _latin),
    st.builds(
        lambda name, value: name + b": " + value, st.sampled_from([b"X-ClaudeDo-Task", b"X-ClaudeDo-List"]), _latin
    ),
)
_call = arguments.map(
    lambda given: json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "save_finding", "arguments": given}}
    ).encode()
)
_body = st.one_of(
    _call,
    data,
    st.sampled_from(
        [
            b"5\r\nhello\r\n0\r\n\r\n",
            b"0\r\n\r\nGET /health HTTP/1.1\r\n\r\n",
            b"fffffffffffffffff\r\n",
            b"-1\r\n",
            b"5;x=y\r\nhel",
            b"{" * 5_000,
            b"[" * 90_000,
        ]
    ),
)
_end = st.sampled_from([b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r"])
requests = st.tuples(
    _method, _target, _version, st.lists(_header, max_size=5), _body, _end, st.booleans(), st.booleans()
)
_SLOW = 40  # senders at once that never finish


def raw(world: World, examples: int) -> int:
    """Send requests of any shape to one service, which must answer a right one after each hundred of them."""
    number = 0
    with Service(cwd=world.repo) as service:

        def check(value: tuple[bytes, bytes, bytes, list[bytes], bytes, bytes, bool, bool]) -> None:
            nonlocal number
            number += 1
            answer = _exchange(service, _bytes(service, value))
            for told in (b"Traceback", b"internal error", b'File "', b"HTTP/1.1 500"):
                assert told not in answer, answer
            if number % 100 == 0:
                _alive(service)

        done = each(world, requests, check, examples)
        _slow(service)
        _alive(service)
        assert "Traceback" not in service.log()
        service.process.terminate()
        _, errors = service.process.communicate(timeout=GUARD * 5)
        assert (service.process.returncode, errors) == (0, b"")
    return done


def _bytes(service: Service, value: tuple[bytes, bytes, bytes, list[bytes], bytes, bytes, bool, bool]) -> bytes:
    method, target, version, headers, body, end, honest, framed = value
    if honest:
        headers = [
            f"Host: {contract.HOST}:{service.port}".encode(),
            f"X-ClaudeDo-Key: {service.key}".encode(),
            b"Content-Type: application/json",
            b"Accept: application/json, text/event-stream",
            *headers,
        ]
    if framed:
        headers = [*headers, b"Content-Length: %d" % len(body)]
    return end.join([method + b" " + target + b" " + version, *headers, b"", b""]) + body


def _exchange(service: Service, request: bytes) -> bytes:
    """Return what the service says until it closes, or until it has nothing to say to a request that is not whole."""
    answer = b""
    with socket.create_connection((contract.HOST, service.port), timeout=GUARD) as connection:
        try:
            connection.sendall(request)
            with suppress(OSError):  # closed already, which Linux calls "not connected"
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65_536):
                answer += piece
        except ConnectionError:
            pass  # it was refused before it was read
    return answer


def _alive(service: Service) -> None:
    started = time.monotonic()
    result = service.save(slug="alive", list="app")
    assert not result["isError"], result
    assert time.monotonic() - started < GUARD


def _slow(service: Service) -> None:
    """Whoever sends a byte a second, or nothing, keeps nobody else waiting and is cut off in the end."""
    head = f"POST /mcp HTTP/1.1\r\nHost: {contract.HOST}:{service.port}\r\nX-ClaudeDo-Key: {service.key}\r\n"
    starts = [
        b"",
        b"P",
        head.encode(),
        f"{head}Content-Length: 500\r\n\r\n{{".encode(),
        f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhel".encode(),
    ]
    opened = [service.raw(starts[number % len(starts)]) for number in range(_SLOW)]
    _alive(service)
    deadline = time.monotonic() + GUARD * 10  # the service gives a head ten seconds, a body ten more
    for connection in opened:
        connection.settimeout(max(0.1, deadline - time.monotonic()))
        while connection.recv(65_536):
            pass
        connection.close()
