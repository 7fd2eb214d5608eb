"""Lines of JSON-RPC and calls of the tool, in this process and to real servers."""

import json
import time
from typing import Any

from hypothesis import strategies as st

from claudedo_findings.resolution import Caller
from claudedo_findings.server import jsonrpc, protocol, tool
from tests.conftest import FIELDS, Server
from tests.hostile.corpus import data, json_value, nasty, text
from tests.hostile.tried import each
from tests.hostile.watch import GUARD
from tests.hostile.world import World
from tests.test_many_writers import HELLO
from tests.test_many_writers import call as request

_LINES = 100  # to one real server

_field = st.sampled_from(["slug", "title", "body", "scope", "list", "extra", "__proto__", ""])
arguments = st.one_of(
    st.builds(lambda name, value: {**FIELDS, name: value}, _field, st.one_of(nasty, json_value)),
    st.builds(lambda number, value: {**FIELDS, "slug": f"trap-{number}", "body": value}, st.integers(0, 30), text),
    st.dictionaries(_field, text, max_size=5),
    json_value,
)
_method = st.one_of(
    st.sampled_from(["tools/call", "tools/list", "initialize", "ping", "server/discover", "notifications/x"]), text
)
_message = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.one_of(st.just("2.0"), json_value),
        "id": json_value,
        "method": st.one_of(_method, json_value),
        "params": json_value,
        "result": json_value,
    },
)


def _line(message: object) -> bytes:
    try:
        return json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(message).encode()


def _saving(given: object) -> bytes:
    return _line({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool.NAME, "arguments": given}})


lines = st.one_of(
    arguments.map(_saving),
    arguments.map(_saving),
    _message.map(_line),
    data,
    st.builds(
        lambda start, number: start * number, st.sampled_from([b"[", b'{"a":', b"[{}", b'"']), st.integers(1, 99_999)
    ),
    st.builds(
        lambda line, at, byte: line[:at] + byte + line[at + 1 :],
        arguments.map(_saving),
        st.integers(0, 200),
        st.binary(max_size=1),
    ),
).map(lambda line: line.replace(b"\n", b" "))


def in_process(world: World, examples: int) -> int:
    """Give lines to the protocol and run the calls that come of them."""
    session = protocol.Session()
    session.receive(request(0, "initialize", HELLO))

    def check(line: bytes) -> None:
        found: list[Any] = []

        def run() -> None:
            reply = session.receive(line)
            if isinstance(reply, protocol.Call):
                reply = reply.reply(tool.call(reply.arguments, Caller(cwd=str(world.repo))))
            found.append(reply)

        world.watched(run)
        if found[0] is not None:
            judge(jsonrpc.encode(found[0]))

    return each(world, lines, check, examples)


def to_servers(world: World, examples: int) -> int:
    """Write lines to real servers; whatever came before, a server answers a ping and ends with 0."""

    def check(batch: list[bytes]) -> None:
        server = Server(cwd=world.repo)
        started = time.monotonic()
        server.send(request(0, "initialize", HELLO))
        judge(server.receive())
        server.send(*batch)
        server.send(request(424242, "ping", {}))
        output, errors = server.end()
        answers = [judge(line + b"\n") for line in output.split(b"\n")[:-1]]
        assert any(answer.get("id") == 424242 for answer in answers), output
        assert (server.process.returncode, errors) == (0, b"")
        assert time.monotonic() - started < GUARD * 2  # a save with its durable writes in each line

    batches = st.lists(lines.filter(lambda line: b"\r" not in line), min_size=_LINES, max_size=_LINES)
    number = max(1, examples // _LINES)
    return each(world, batches, check, number) * _LINES


def judge(line: bytes) -> dict[str, Any]:
    """Return the answer in a line. It is one line of UTF-8 JSON, and tells of no bug."""
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    answer: dict[str, Any] = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    told = json.dumps(answer)
    assert "internal error" not in told, told
    assert "Traceback" not in told, told
    assert answer.get("error", {}).get("code") != jsonrpc.INTERNAL_ERROR, told
    return answer


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")
