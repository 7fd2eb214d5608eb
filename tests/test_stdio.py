"""The stdio front as clients meet it: real processes, pipelined calls, hostile lines, every way to end."""

import fcntl
import json
import os
import shutil
import signal
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claudedo_findings import lists
from claudedo_findings.server import jsonrpc, protocol
from tests.conftest import FIELDS, Server

END = 10  # seconds; a guard against hanging at ten times what the design allows
CLIENT = {"name": "test", "version": "1"}
SCOPES = LISTS = (None, "", "missing")


def line(method: str, params: object = None, request_id: object = 1) -> bytes:
    """Return a request."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode()


HELLO = line("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}, "hello")
PING = line("ping", request_id="ping")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def saving(request_id: object = 1, **changed: object) -> bytes:
    """Return a call that saves FIELDS with some of them changed."""
    return line("tools/call", {"name": "save_finding", "arguments": {**FIELDS, **changed}}, request_id)


def answers(text: bytes) -> list[dict[str, Any]]:
    """Return what a server wrote, each line checked to be one JSON-RPC answer."""
    found = [json.loads(part) for part in text.splitlines()]
    for answer in found:
        assert answer["jsonrpc"] == "2.0"
        assert set(answer) - {"jsonrpc"} in ({"id", "result"}, {"id", "error"})
    return found


def traps(repo: Path) -> list[Path]:
    """Return the files of all findings."""
    return sorted((repo / ".claudedo" / "traps").glob("*"))


def entries(repo: Path) -> list[str]:
    """Return the entries of the index."""
    text = (repo / ".claudedo" / "INDEX.md").read_text(encoding="utf-8")
    return [entry for entry in text.splitlines() if entry.startswith("- ")]


def git_first(folder: Path, script: str) -> dict[str, str]:
    """Return an environment in which `git` is a shell script; `$GIT` in it is the real one."""
    folder.mkdir()
    stub = folder / "git"
    stub.write_text(f"#!/bin/sh\nGIT='{shutil.which('git')}'\n{script}\n")
    stub.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def slow_git(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """An environment whose git takes longer than an ending server waits for readers, and the file it makes first."""
    started = tmp_path / "git-started"
    return git_first(tmp_path / "slow", f'touch \'{started}\'; sleep 2; exec "$GIT" "$@"'), started


def reach(server: Server, started: Path) -> None:
    """Wait until a save is under way."""
    while not started.exists():
        assert server.process.poll() is None


def test_eight_calls_at_once_are_eight_findings(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, *(saving(n, slug=f"trap-{n}", body=f"body {n}") for n in range(8)))
    found = answers(server.end()[0])
    assert sorted(answer["id"] for answer in found[1:]) == list(range(8))
    assert {answer["result"]["structuredContent"]["status"] for answer in found[1:]} == {"created"}
    assert len(traps(listed)) == len(entries(listed)) == 8


def test_eight_calls_for_one_slug_leave_one_whole_finding(listed: Path) -> None:
    bodies = [f"body {n} " + "x" * 500 for n in range(8)]
    server = Server(cwd=listed)
    server.send(HELLO, *(saving(n, body=body) for n, body in enumerate(bodies)))
    assert len(answers(server.end()[0])) == 9
    (file,) = traps(listed)
    assert sum(file.read_text().rstrip().endswith(body) for body in bodies) == 1
    assert len(entries(listed)) == 1


def test_a_hundred_calls_at_once_are_all_answered(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, *(saving(n, slug=f"trap-{n}") for n in range(100)))
    assert len(answers(server.end()[0])) == 101
    assert len(traps(listed)) == 100


def test_a_ping_is_answered_while_a_save_runs(listed: Path, slow_git: tuple[dict[str, str], Path]) -> None:
    server = Server(cwd=listed, env=slow_git[0])
    server.send(HELLO, saving(), PING)
    assert [answer["id"] for answer in answers(server.end()[0])] == ["hello", "ping", 1]


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_every_script_arrives_whole_whatever_the_locale(repo: Path, env: dict[str, str]) -> None:
    lists.add("größe 锁", str(repo))
    texts = {"title": "Größe ≠ 大小 \U0001f600", "body": "Straße, 空闲锁, ключ, \U0001f512."}
    server = Server(cwd=repo, env=env)
    server.send(HELLO, saving(**texts), json.dumps({"jsonrpc": "2.0", "id": 2, "method": "空"}).encode())
    output, _ = server.end()
    assert "größe 锁".encode() in output
    assert "空".encode() in output
    assert all(text in traps(repo)[0].read_text(encoding="utf-8") for text in texts.values())


def test_raw_utf8_behind_a_byte_order_mark_is_read(listed: Path) -> None:
    server = Server(cwd=listed)
    call = {"name": "save_finding", "arguments": {**FIELDS, "title": "Größe"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, ensure_ascii=False)
    server.send(b"\xef\xbb\xbf" + HELLO, b"\xef\xbb\xbf" + request.encode() + b"\r")
    assert not answers(server.end()[0])[1]["result"]["isError"]
    assert "Größe" in traps(listed)[0].read_text(encoding="utf-8")


BREAK_SAVE = """
import os, sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "claudedo_findings.%s":
            print("noise")
            os.write(1, b"noise")
            os.system("echo noise")
            raise RuntimeError("broken on purpose")
sys.meta_path.insert(0, Broken())
"""
FULL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"


@pytest.mark.parametrize(
    ("start", "complaint", "refusal"),
    [
        (BREAK_SAVE % "save", b"broken on purpose", "internal error (RuntimeError)"),
        (BREAK_SAVE % "lists", b"broken on purpose", "internal error (RuntimeError)"),
        (FULL_DISK, b"", "File too large"),
    ],
    ids=["save is broken", "lists is broken", "the disk is full"],
)
def test_only_protocol_is_on_stdout_when_the_process_is_broken(
    listed: Path, tmp_path: Path, start: str, complaint: bytes, refusal: str
) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "sitecustomize.py").write_text(start)
    path = f"{tmp_path / 'start'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    server = Server(cwd=listed, env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})
    server.send(HELLO, saving(), PING)
    output, errors = server.end()
    (answer,) = (answer for answer in answers(output) if answer["id"] == 1)
    assert refusal in json.dumps(answer)
    assert complaint in errors
    assert server.process.returncode == 0
    assert not traps(listed)


def test_only_protocol_is_on_stdout_when_git_fails(listed: Path, tmp_path: Path) -> None:
    server = Server(cwd=listed, env=git_first(tmp_path / "bin", "echo noise; echo noise >&2; exit 3"))
    server.send(HELLO, saving())
    assert answers(server.end()[0])[1]["result"]["isError"]


def test_only_protocol_is_on_stdout_when_the_store_cannot_be_written(listed: Path) -> None:
    (listed / ".claudedo").write_text("a file where the folder should be")
    server = Server(cwd=listed)
    server.send(HELLO, saving())
    assert answers(server.end()[0])[1]["result"]["isError"]


def test_warnings_and_stray_prints_go_to_stderr(listed: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import warnings\nfrom claudedo_findings import match\nreal = match.similar\n"
        "def noisy(*arguments):\n    warnings.warn('a warning')\n    print('a print')\n    return real(*arguments)\n"
        "match.similar = noisy\n"
    )
    server = Server(cwd=listed, env={"PYTHONWARNINGS": "always", "PYTHONPATH": str(tmp_path)})
    server.send(HELLO, saving())
    out, err = server.end()
    assert not answers(out)[1]["result"]["isError"]
    assert b"a warning" in err
    assert b"a print" in err


def test_the_end_of_input_ends_an_idle_server(listed: Path) -> None:
    server = Server(cwd=listed)
    assert server.process.communicate(timeout=END) == (b"", b"")
    assert server.process.returncode == 0


def test_the_end_of_input_right_after_the_first_reply_ends_it(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO)
    server.receive()
    assert server.process.communicate(timeout=END) == (b"", b"")
    assert server.process.returncode == 0


def test_a_last_line_without_a_line_break_is_answered(listed: Path) -> None:
    server = Server(cwd=listed)
    output, _ = server.process.communicate(PING, timeout=END)
    assert answers(output)[0]["id"] == "ping"


def test_the_end_of_input_during_a_save_waits_for_its_answer(
    listed: Path, slow_git: tuple[dict[str, str], Path]
) -> None:
    server = Server(cwd=listed, env=slow_git[0])
    server.send(HELLO, saving())
    output, errors = server.process.communicate(timeout=END)
    assert answers(output)[1]["result"]["structuredContent"]["status"] == "created"
    assert (server.process.returncode, errors, len(traps(listed))) == (0, b"", 1)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_during_a_save_waits_for_its_answer(
    listed: Path, slow_git: tuple[dict[str, str], Path], number: int, status: int
) -> None:
    server = Server(cwd=listed, env=slow_git[0])
    server.send(HELLO, saving())
    reach(server, slow_git[1])
    server.process.send_signal(number)
    server.process.wait(timeout=END)  # its input is still open
    output, errors = server.end()
    assert answers(output)[1]["result"]["structuredContent"]["status"] == "created"
    assert (server.process.returncode, errors, len(traps(listed))) == (status, b"", 1)


def test_a_client_that_is_gone_loses_no_save(listed: Path, slow_git: tuple[dict[str, str], Path]) -> None:
    server = Server(cwd=listed, env=slow_git[0])
    server.send(HELLO, saving())
    server.receive()
    assert server.process.stdout
    reach(server, slow_git[1])
    server.process.stdout.close()
    server.send(PING)
    server.process.wait(timeout=END)  # its input is still open
    assert server.process.stderr
    assert (server.process.returncode, server.process.stderr.read(), len(traps(listed))) == (0, b"", 1)
    server.process.stderr.close()
    assert server.process.stdin
    server.process.stdin.close()


@pytest.mark.skipif(sys.platform != "linux", reason="sets the size of a pipe")
def test_answers_that_wait_for_room_in_the_pipe_outlive_the_end_of_input(listed: Path) -> None:
    server = Server(cwd=listed)
    assert server.process.stdin
    assert server.process.stdout
    fcntl.fcntl(server.process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    server.send(HELLO, *(saving(n, slug=f"trap-{n}") for n in range(8)))
    server.process.stdin.close()
    while not (listed / ".claudedo" / "INDEX.md").exists() or len(entries(listed)) < 8:
        assert server.process.poll() is None
    assert len(answers(server.process.stdout.read())) == 9
    server.process.stdin = None
    server.end()


def test_a_client_that_reads_nothing_cannot_stop_the_end(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, saving(), *[line("tools/list")] * 100)  # more than a pipe holds
    while not (listed / ".claudedo" / "INDEX.md").exists():
        assert server.process.poll() is None
    server.process.terminate()
    assert server.process.wait(timeout=END) == 0
    server.end()


SNAPSHOT = """
import sys
from claudedo_findings import __main__
from claudedo_findings.server import jsonrpc
encode = jsonrpc.encode
def encode_and_tell(message):
    print(*sys.modules, file=sys.stderr)
    return encode(message)
jsonrpc.encode = encode_and_tell
sys.argv = ["claudedo-findings", "serve"]
__main__.main()
"""


def test_nothing_slow_is_imported_before_the_first_reply(listed: Path) -> None:
    slow = "dataclasses pathlib concurrent.futures argparse subprocess typing filelock sqlite3 pydantic mcp tomllib"
    done = subprocess.run(
        [sys.executable, "-c", SNAPSHOT], input=HELLO, cwd=listed, capture_output=True, timeout=60, check=True
    )
    imported = set(done.stderr.decode().split())
    assert "claudedo_findings.server.stdio" in imported
    assert not imported & {*slow.split(), "claudedo_findings.save", "claudedo_findings.lists"}


def test_starting_has_no_effects(listed: Path, tmp_path: Path, sealed: Path) -> None:
    before = sorted(sealed.rglob("*"))
    env = git_first(tmp_path / "bin", f'touch \'{tmp_path / "git-started"}\'; exec "$GIT" "$@"')
    server = Server(cwd=listed, env=env)
    server.send(HELLO, line("tools/list"), line("server/discover", {"_meta": META}))
    assert len(answers(server.end()[0])) == 3
    assert not (tmp_path / "git-started").exists()
    assert sorted(sealed.rglob("*")) == before


@pytest.mark.parametrize("arguments", [["--list", "app"], ["--list=app"], ["--here"]])
def test_a_bound_server_saves_to_its_list(listed: Path, arguments: list[str]) -> None:
    lists.add("another", str(listed.parent))
    server = Server(*arguments, cwd=listed)
    server.send(HELLO, saving())
    content = answers(server.end()[0])[1]["result"]["structuredContent"]
    assert content["path"] == str(traps(listed)[0])


@pytest.mark.usefixtures("listed")
def test_a_removed_working_directory_does_not_matter(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    server = Server(cwd=gone)
    server.send(HELLO)
    server.receive()
    gone.rmdir()
    server.send(saving())
    assert not answers(server.end()[0])[0]["result"]["isError"]


def test_missing_null_and_empty_mean_the_same(listed: Path) -> None:
    forms: list[dict[str, object]] = [
        {name: value for name, value in (("scope", scope), ("list", wanted)) if value != "missing"}
        for scope in SCOPES
        for wanted in LISTS
    ]
    server = Server(cwd=listed)
    server.send(HELLO, saving(0, scope="src"))
    server.receive()
    first = json.loads(server.receive())["result"]["structuredContent"]
    server.send(*(saving(1, **form) for form in forms))
    contents = [answer["result"]["structuredContent"] for answer in answers(server.end()[0])]
    assert contents == [{**first, "status": "unchanged"}] * 9


def test_a_late_initialize_after_a_probe_works(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(line("server/discover", {"_meta": META}), HELLO, line("tools/list"), saving(2))
    probe, hello, tools, saved = answers(server.end()[0])
    assert probe["result"]["supportedVersions"] == ["2026-07-28"]
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert set(tools["result"]) == {"tools"}
    assert set(saved["result"]) == {"content", "isError", "structuredContent"}


def test_a_late_probe_after_initialize_works(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, line("server/discover", {"_meta": META}), line("tools/list"))
    assert all("result" in answer for answer in answers(server.end()[0]))


HOSTILE: list[tuple[str, bytes, int]] = [
    ("half an object", b"{", -32700),
    ("NaN", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', -32700),
    ("invalid UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
    ("UTF-16", '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16-be"), -32700),
    ("100,000 nested arrays", b"[" * 100_000, -32700),
    ("100,000 nested arrays, closed", b"[" * 100_000 + b"]" * 100_000, -32700),
    ("a number of 5,000 digits", b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', -32700),
    ("a NUL", b"\0", -32700),
    ("a batch", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    ("null", b"null", -32600),
    ("no method", b'{"jsonrpc":"2.0","id":1}', -32600),
    ("no identifier to use", b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    ("an unknown method", line("no/such"), -32601),
    ("half a surrogate pair", b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32601),
    ("an unknown tool", line("tools/call", {"name": "\ud800"}), -32602),
    ("parameters in a list", line("ping", [1]), -32602),
]


@pytest.mark.parametrize(("text", "code"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_line_that_cannot_be_served_gets_its_code(text: bytes, code: int) -> None:
    session = protocol.Session()
    session.receive(HELLO)
    answer = session.receive(text)
    assert isinstance(answer, dict)
    assert isinstance(error := answer["error"], dict)
    assert error["code"] == code


def test_no_line_kills_the_server(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, *(text for _, text, _ in HOSTILE), saving(scope="\ud800"), saving(body="\ud800"), PING)
    output, errors = server.end()
    found = answers(output)
    assert len(found) == len(HOSTILE) + 4
    assert "ping" in [answer["id"] for answer in found]
    assert (errors, server.process.returncode) == (b"", 0)


def test_ten_megabytes_are_read_and_refused_by_the_tool(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, saving(body="x" * 10_000_000), PING)
    (answer,) = (answer for answer in answers(server.end()[0]) if answer["id"] == 1)
    assert answer["result"]["isError"]
    assert len(json.dumps(answer)) < 1_000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_line_without_end_is_skipped_in_bounded_memory(listed: Path) -> None:
    server = Server(cwd=listed)
    server.send(HELLO, b"x" * 200_000_000, PING)
    assert [json.loads(server.receive()).get("error", {}).get("code") for _ in range(3)] == [None, -32600, None]
    (peak,) = (row for row in Path(f"/proc/{server.process.pid}/status").read_text().splitlines() if "VmHWM" in row)
    assert int(peak.split()[1]) < 100_000  # KiB
    server.end()


def json_values() -> st.SearchStrategy[Any]:
    """Return any JSON value, with lone surrogates and the words of the protocol."""
    words = st.sampled_from(["2.0", "ping", "tools/call", "tools/list", "server/discover", "save_finding", *META])
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | words | st.just("\ud800")
    keys = st.text() | st.sampled_from(["id", "method", "params", "name", "arguments", "_meta", *META])
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=10)


def requests() -> st.SearchStrategy[Any]:
    """Return what is almost a request."""
    methods = st.sampled_from(["initialize", "ping", "tools/list", "tools/call", "server/discover"]) | json_values()
    meta = st.just(META) | st.fixed_dictionaries({}, optional={name: json_values() for name in META}) | json_values()
    params = st.fixed_dictionaries(
        {}, optional={name: json_values() for name in ("name", "arguments", "cursor")} | {"_meta": meta}
    )
    return st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | json_values(), "method": methods},
        optional={"id": json_values(), "params": params | json_values(), "result": json_values()},
    )


@settings(deadline=None, max_examples=300)
@given(st.lists(st.binary() | (json_values() | requests()).map(lambda value: json.dumps(value).encode())))
def test_no_input_makes_the_session_raise_or_say_what_is_not_json_rpc(texts: list[bytes]) -> None:
    for found in received(texts):
        assert len(answers(jsonrpc.encode(found))) == 1


def received(texts: list[bytes]) -> Iterator[jsonrpc.Message]:
    """Yield the answers of one session, with an empty result for each call."""
    session = protocol.Session()
    for text in texts:
        found = session.receive(text)
        if isinstance(found, protocol.Call):
            yield found.reply({})
        elif found is not None:
            yield found
