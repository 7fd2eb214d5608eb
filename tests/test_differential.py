"""The stdio front against the official SDK's server around the same tool, answer by answer, in both eras.

Each conversation is a list of lines sent one after the other to two fresh processes. `DIFFERENT` is the whole list of
what differs, with reasons; everything else has to be equal.
"""

import json
import os
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FIELDS

SCRIPT = Path(__file__).with_name("peers_server.py")
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
CLIENT = {"name": "test", "version": "1"}
ENVELOPE: dict[str, Any] = {
    META + "protocolVersion": MODERN,
    META + "clientInfo": CLIENT,
    META + "clientCapabilities": {},
}
CALL = {"name": "save_finding", "arguments": FIELDS}
SILENCE = "no answer"

Frame = dict[str, Any] | bytes


def ask(method: str, params: object = None, request_id: object = 1, **extra: object) -> Frame:
    """Return a request without an envelope."""
    frame = {"jsonrpc": "2.0", "id": request_id, "method": method, **extra}
    return frame if params is None else {**frame, "params": params}


def modern(method: str, params: dict[str, Any] | None = None, request_id: object = 1, **envelope: object) -> Frame:
    """Return a request with the envelope of 2026-07-28; a part given as None is left out."""
    meta = {**ENVELOPE, **{META + name: value for name, value in envelope.items()}}
    meta = {name: value for name, value in meta.items() if value is not None}
    return ask(method, {**(params or {}), "_meta": meta}, request_id)


def hello(version: object = "2025-06-18", **changed: object) -> Frame:
    """Return an `initialize`; a part given as None is left out."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT, **changed}
    return ask("initialize", {name: value for name, value in params.items() if value is not None}, "hello")


DISCOVER = modern("server/discover", request_id="probe")

EQUAL: dict[str, list[Frame]] = {
    "initialize": [
        *(hello(version) for version in (*LEGACY, MODERN, "1999-01-01", "", 5, None)),
        hello(capabilities=None),
        hello(capabilities=[]),
        hello(clientInfo=None),
        hello(clientInfo={"name": "x"}),
        hello(clientInfo={"name": 1, "version": "1"}),
        hello(_meta=[]),
    ],
    "initialize with an envelope": [hello(_meta=ENVELOPE), ask("ping")],
    "initialize without parameters": [ask("initialize"), ask("tools/list")],
    "initialize twice": [hello(), hello("2024-11-05"), ask("tools/list")],
    "a refused initialize": [hello(5), ask("tools/list"), ask("ping")],
    "before initialize": [
        ask("ping"),
        ask("tools/list"),
        ask("tools/call", CALL),
        ask("tools/call", {"name": "save_finding"}),
        ask("no/such"),
        ask("server/discover"),
        ask("tools/call"),
    ],
    "the four legacy methods": [
        hello(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        ask("ping"),
        ask("ping", {}),
        ask("ping", {"_meta": {"progressToken": 1}}),
        ask("tools/list"),
        ask("tools/list", {"cursor": "x"}),
        ask("tools/list", {"cursor": None, "_meta": None}),
        ask("tools/call", CALL),
        ask("tools/call", CALL),
        ask("tools/call", {**CALL, "_meta": {"progressToken": "p"}, "unknown": 1}),
    ],
    "errors of the tool": [
        hello(),
        ask("tools/call", {"name": "save_finding"}),
        ask("tools/call", {"name": "save_finding", "arguments": None}),
        ask("tools/call", {"name": "save_finding", "arguments": {}}),
        ask("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "slug": 5}}),
        ask("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "list": "nowhere"}}),
        ask("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "slug": "größe \U0001f600 锁"}}),
    ],
    "faulty legacy requests": [
        hello(),
        ask("tools/call", {"name": "delete_everything", "arguments": {}}),
        ask("tools/call"),
        ask("tools/call", {}),
        ask("tools/call", {"name": 5}),
        ask("tools/call", {"name": "save_finding", "arguments": "text"}),
        ask("tools/call", {"name": "save_finding", "arguments": [1]}),
        ask("tools/list", {"cursor": 5}),
        ask("tools/list", {"_meta": "text"}),
        ask("ping", {"_meta": []}),
        ask("no/such"),
        ask("no/such", {"x": 1}),
        ask("resources/list"),
        ask("prompts/list"),
        ask("logging/setLevel", {"level": "info"}),
        ask("server/discover"),
        ask("notifications/initialized"),
        ask(""),
    ],
    "identifiers": [hello(), *(ask("ping", request_id=value) for value in (0, -1, 2**70, "", "ä", "1"))],
    "the modern methods": [
        DISCOVER,
        modern("tools/list"),
        modern("tools/list", {"cursor": "x"}),
        modern("tools/call", CALL),
        modern("tools/call", {"name": "save_finding", "arguments": {}}),
        modern("tools/call", CALL, clientInfo=None),
        modern("tools/call", CALL, request_id="text"),
    ],
    "a modern pipe that opens with a call": [modern("tools/call", CALL), DISCOVER],
    "faulty modern requests": [
        DISCOVER,
        modern("tools/call", {"name": "delete_everything"}),
        modern("tools/call", {}),
        modern("tools/call", {"name": 5}),
        modern("tools/call", {"name": "save_finding", "arguments": "text"}),
        modern("tools/list", {"cursor": 5}),
        modern("no/such"),
        modern("ping"),
        modern("resources/list"),
        modern("logging/setLevel", {"level": "info"}),
    ],
    "faulty envelopes": [
        modern("server/discover", protocolVersion="2027-01-01"),
        modern("tools/list", protocolVersion="2025-06-18"),
        modern("tools/list", protocolVersion=""),
        modern("tools/list", protocolVersion=20260728),
        modern("tools/list", protocolVersion="2027-01-01", clientCapabilities=None),
        modern("tools/list", clientCapabilities=None),
        modern("tools/list", clientCapabilities=[]),
        modern("tools/list", clientInfo={"name": "x"}),
        modern("tools/list", clientInfo="x"),
        modern("no/such", clientCapabilities=None),
        modern("no/such", protocolVersion="2027-01-01"),
    ],
    "no envelope on a modern pipe": [
        DISCOVER,
        ask("tools/list"),
        ask("ping"),
        ask("tools/list", {"_meta": []}),
        ask("tools/list", {"_meta": {}}),
        ask("tools/list", {"_meta": {META + "clientCapabilities": {}}}),
        ask("no/such"),
    ],
    "no answer is due": [
        hello(),
        b"",
        b"  \r",
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
        b'{"jsonrpc":"2.0","method":"no/such"}',
        b'{"jsonrpc":"2.0","id":7,"result":{}}',
        b'{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}',
        ask("ping"),
    ],
}


def error(code: int, message: str, data: object = None, request_id: object = None) -> dict[str, Any]:
    """Return an error reply."""
    body = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": request_id, "error": body}


class Alone:
    """The answer that the SDK gives to this line when it is the first."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame


PARSE, REQUEST = error(-32700, "Parse error"), error(-32600, "Invalid request")
PARAMS = error(-32602, "Invalid request parameters", "", request_id=1)
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}

# Reason: the lines before, the line, our answer, the SDK's.
DIFFERENT: list[tuple[str, list[Frame], Frame, object, object]] = [
    (
        "a client whose probe timed out sends initialize on the same pipe: the SDK's answer makes it give up",
        [DISCOVER],
        hello("2025-06-18"),
        Alone(hello("2025-06-18")),
        error(
            -32022,
            "connection is serving the 2026-07-28 protocol; the initialize handshake is not accepted",
            {"supported": [MODERN], "requested": "2025-06-18"},
            "hello",
        ),
    ),
    (
        "after initialize too, an envelope says all that is needed: a probe that comes late is answered",
        [hello()],
        DISCOVER,
        Alone(DISCOVER),
        error(
            -32600,
            "this connection serves the handshake protocol era;"
            " requests carrying the 2026-07-28 envelope are not accepted on it",
            request_id="probe",
        ),
    ),
    *(
        (f"JSON-RPC wants an answer to {kind}; the SDK drops it in silence", [hello()], line, answer, SILENCE)
        for kind, line, answer in (
            ("bad JSON", b"{", PARSE),
            ("NaN", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', PARSE),
            ("deep nesting", b"[" * 100_000, PARSE),
            ("a huge number", b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', PARSE),
            ("a batch", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', REQUEST),
            ("a text", b'"ping"', REQUEST),
            ("an empty object", b"{}", REQUEST),
            ("another JSON-RPC", ask("ping", jsonrpc="1.0"), {**REQUEST, "id": 1}),
            ("a method that is a number", b'{"jsonrpc":"2.0","id":1,"method":5}', {**REQUEST, "id": 1}),
            ("parameters in a list", ask("ping", []), PARAMS),
        )
    ),
    *(
        (
            f"an identifier may not be {value}; the SDK takes the line for a notification",
            [hello()],
            b'{"jsonrpc":"2.0","method":"ping","id":%s}' % value.encode(),
            REQUEST,
            SILENCE,
        )
        for value in ("null", "1.5", "true", "[1]", "{}")
    ),
    (
        "half a surrogate pair is JSON",
        [hello()],
        b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
        error(-32601, "Method not found", "\ud800", 1),
        SILENCE,
    ),
    (
        "invalid UTF-8 is not JSON; the SDK replaces it",
        [hello()],
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        PARSE,
        error(-32601, "Method not found", "\ufffd", 1),
    ),
    (
        "a byte order mark does no harm; the SDK drops the line",
        [hello()],
        b"\xef\xbb\xbf" + json.dumps(ask("ping")).encode(),
        PONG,
        SILENCE,
    ),
    (
        "what the front never reads it does not judge: capabilities are the client's affair",
        [],
        hello(capabilities={"roots": 5}),
        Alone(hello()),
        {**PARAMS, "id": "hello"},
    ),
    (
        "nor a progress token, since no progress is sent",
        [hello()],
        ask("ping", {"_meta": {"progressToken": []}}),
        PONG,
        PARAMS,
    ),
    (
        "of a method that is not served, the parameters do not matter",
        [hello()],
        ask("resources/read", {}),
        error(-32601, "Method not found", "resources/read", 1),
        PARAMS,
    ),
]


def as_line(frame: Frame) -> bytes:
    """Return a frame as it goes over the wire."""
    return frame if isinstance(frame, bytes) else json.dumps(frame).encode()


class Side:
    """One of the two servers, with a repository and a home of its own that look the same in answers."""

    def __init__(self, root: Path, repo: Path, script: list[str]) -> None:
        self.root, self.script = root, script
        shutil.copytree(repo, root / "repo")
        (root / "findings").mkdir()
        (root / "findings" / "lists.toml").write_text(f"[lists]\napp = {json.dumps(str(root / 'repo'))}\n")

    def talk(self, frames: list[Frame], silent: frozenset[int] = frozenset()) -> list[object]:
        """Return the answers of a fresh process; the lines at the places in `silent` have none."""
        answers: list[object] = []
        with subprocess.Popen(
            [sys.executable, *self.script],
            cwd=self.root / "repo",
            env={**os.environ, "CLAUDEDO_FINDINGS_HOME": str(self.root / "findings")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdin
            assert process.stdout
            for place, frame in enumerate(frames):
                process.stdin.write(as_line(frame) + b"\n")
                process.stdin.flush()
                due = place not in silent
                answers.append(json.loads(self._same(process.stdout.readline())) if due else SILENCE)
            rest, complaints = process.communicate(timeout=60)
            assert (process.returncode, rest) == (0, b""), complaints
        return answers

    def _same(self, line: bytes) -> bytes:
        return line.replace(str(self.root).encode(), b"ROOT")


def is_notice(frame: Frame) -> bool:
    """Return whether a line is none that both servers answer: blank, a notification or an answer."""
    message = json.loads(frame) if isinstance(frame, bytes) and frame.strip() else frame
    return not isinstance(message, dict) or "id" not in message or "method" not in message


@pytest.fixture
def ours(tmp_path: Path, repo: Path) -> Side:
    return Side(tmp_path / "ours", repo, ["-m", "claudedo_findings", "serve"])


@pytest.fixture
def theirs(tmp_path: Path, repo: Path) -> Side:
    return Side(tmp_path / "them", repo, [str(SCRIPT)])


@pytest.mark.parametrize("name", EQUAL)
def test_the_front_answers_like_the_sdk(name: str, ours: Side, theirs: Side) -> None:
    frames = EQUAL[name]
    silent = frozenset(place for place, frame in enumerate(frames) if is_notice(frame))
    answers = zip(frames, ours.talk(frames, silent), theirs.talk(frames, silent), strict=True)
    for frame, mine, judge in answers:
        assert mine == judge, as_line(frame)[:200]


@pytest.mark.parametrize("before", [[hello()], [DISCOVER], []], ids=["initialized", "discovered", "fresh"])
def test_what_differs_from_the_sdk_is_what_the_table_says(before: list[Frame], ours: Side, theirs: Side) -> None:
    rows = [row for row in DIFFERENT if row[1] == before]
    frames = [*before, *(row[2] for row in rows)]
    silent = frozenset(place for place, row in enumerate(rows, len(before)) if row[4] is SILENCE)
    mine, judge = ours.talk(frames)[len(before) :], theirs.talk(frames, silent)[len(before) :]
    for (reason, _, _, our_answer, their_answer), answer, other in zip(rows, mine, judge, strict=True):
        expected = theirs.talk([our_answer.frame])[0] if isinstance(our_answer, Alone) else our_answer
        assert (answer, other) == (expected, their_answer), reason
        assert answer != other, f"no difference any more: {reason}"
