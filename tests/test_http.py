"""The HTTP service as clients, browsers, hosts and the system meet it: real processes on loopback."""

import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from claudedo_findings import __version__, files, git, lists, lock, service
from claudedo_findings.server import http_connection, http_start, parent
from claudedo_findings.server.http_gate import BODY_LIMIT
from claudedo_findings.store import Store
from tests.conftest import FIELDS, HostMaker, Server, make_repo, seal
from tests.conftest import git as run_git
from tests.serving import BASE, GUARD, Answer, Service, call

MODERN = "2026-07-28"
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def serving(listed: Path) -> Iterator[Service]:
    """A service with a key, for the only list `app`."""
    with Service(cwd=listed) as started:
        yield started


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Path]]:
    """A service for all the tests that are refused, with a home of its own, and the checkout of its only list `app`."""
    home, programs = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("bin")
    with pytest.MonkeyPatch.context() as patch:
        seal(home, programs, patch)
        repo = make_repo(home / "repo")
        lists.add("app", str(repo))
        started = Service(cwd=repo)
    with started:
        yield started, repo


def slugs(repo: Path) -> frozenset[str]:
    return Store(git.places(str(repo))).slugs()


def listing(repo: Path) -> list[str]:
    index = Store(git.places(str(repo))).read_index()
    assert index
    return [entry.slug for entry in index.entries]


def refused(answer: Answer, status: int) -> str:
    """Return the message of a refusal, checked to be JSON-RPC."""
    assert answer.status == status, answer.body
    assert answer.headers["Content-Type"] == "application/json"
    found = answer.json()
    assert (found["jsonrpc"], found["id"], found["error"]["code"]) == ("2.0", None, -32600)
    message: str = found["error"]["message"]
    return message


def failing(*arguments: str, cwd: Path, **env: str) -> str:
    """Return the one line on stderr of a service that cannot start."""
    done = subprocess.run(
        [sys.executable, "-m", "claudedo_findings", "serve", *arguments],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=GUARD,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


# Who may come in


def test_ready_line_says_all_that_a_host_needs(serving: Service, sealed: Path) -> None:
    assert serving.ready == {
        "url": f"http://127.0.0.1:{serving.port}/mcp",
        "pid": serving.process.pid,
        "version": __version__,
        "keyFile": str(sealed / "findings" / "state" / "service.key"),
    }
    assert serving.save()["structuredContent"]["status"] == "created"


def test_hosts_of_this_service_are_accepted(serving: Service) -> None:
    for host in ("127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"):
        assert serving.request(Host=host.format(port=serving.port)).status == 200, host


EVIL_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1:{port}.evil.example",
    "127.0.0.1:x.evil.example",
    "127.0.0.1",
    "localhost",
    "127.0.0.1:1",
    "[::1]:{port}",
    "",
)


def test_other_hosts_are_refused_everywhere(closed: tuple[Service, Path]) -> None:
    serving, repo = closed
    for host in EVIL_HOSTS:
        for method, path in (("POST", "/mcp"), ("GET", "/health")):
            answer = serving.request(method, path, Host=host.format(port=serving.port))
            assert "is not this service" in refused(answer, 421), host
    assert slugs(repo) == set()


def test_pages_of_browsers_are_refused(closed: tuple[Service, Path]) -> None:
    serving, repo = closed
    for origin in ("https://evil.example", "null", f"http://localhost:{serving.port}", "vscode-webview://x"):
        assert "Origin" in refused(serving.request(Origin=origin), 403), origin
    assert slugs(repo) == set()


def test_only_post_reaches_the_tool(closed: tuple[Service, Path]) -> None:
    serving, _ = closed
    for method in ("GET", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "FOO"):
        answer = serving.request(method)
        assert (answer.status, answer.headers["Allow"]) == (405, "POST"), method
        if method != "HEAD":
            refused(answer, 405)


def test_wrong_missing_and_too_long_keys_are_refused(closed: tuple[Service, Path]) -> None:
    serving, repo = closed
    wrong = ["", "x", "k" * 43, "k" * 10_000, "\xfc" * 43, f"{serving.key}x", f"x{serving.key}", serving.key[:-1]]
    attempts: list[dict[str, Any]] = [{}, {"Authorization": serving.key}, {"X_ClaudeDo_Key": f"Bearer {serving.key}"}]
    attempts += [{name: text} for text in wrong for name in ("X_ClaudeDo_Key", "Authorization")]
    attempts += [{"Authorization": f"{scheme} {text}"} for text in wrong for scheme in ("Bearer", "Basic")]
    attempts += [{"X_ClaudeDo_Key": "wrong", "Authorization": f"Bearer {serving.key}"}]
    for headers in attempts:
        answer = serving.request(keyed=False, **headers)
        assert "the key is " in refused(answer, 401), headers
        # A challenge that names resource metadata would make clients start OAuth.
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert serving.key.encode() not in answer.body
    assert slugs(repo) == set()


def test_key_is_accepted_in_both_headers(serving: Service) -> None:
    ways: list[dict[str, Any]] = [{"X_ClaudeDo_Key": serving.key}, {"Authorization": f"bearer  {serving.key}"}]
    for headers in ways:
        assert serving.request(keyed=False, **headers).status == 200


def test_two_different_values_of_a_header_are_refused(closed: tuple[Service, Path]) -> None:
    serving, _ = closed
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost:{serving.port}\r\nX-ClaudeDo-Key: {serving.key}\r\n"
    twice = f"{head}Content-Length: 0\r\nX-ClaudeDo-List: a\r\nX-ClaudeDo-List: b\r\n\r\n"
    with serving.raw(twice.encode()) as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_other_paths_are_plainly_not_found(closed: tuple[Service, Path]) -> None:
    serving, _ = closed
    oauth = ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server/mcp", "/register")
    for path in ("/", "/mcpx", "/mcp/x", *oauth):
        for method in ("GET", "POST"):
            answer = serving.request(method, path, keyed=False)
            assert (answer.status, answer.body) == (404, b"not found\n"), path
            assert answer.headers["WWW-Authenticate"] is None


def test_health_needs_no_key(closed: tuple[Service, Path]) -> None:
    serving, _ = closed
    answer = serving.request("GET", "/health", keyed=False)
    expected = {"service": "claudedo-findings", "status": "ok", "version": __version__, "pid": serving.process.pid}
    assert (answer.status, answer.json()) == (200, expected)
    assert serving.request("POST", "/health").status == 405


def test_too_large_requests_are_refused_and_the_next_is_served(serving: Service, listed: Path) -> None:
    large = json.dumps(call(body="x" * BODY_LIMIT)).encode()
    connection = serving.client()
    connection.request("POST", "/mcp", large, {**BASE, service.KEY_HEADER: serving.key})
    assert "larger than 1,048,576 bytes" in refused(Answer(connection.getresponse()), 413)
    assert serving.save(connection)["isError"] is False
    # In chunks, so that no length is told beforehand.
    connection.request(
        "POST", "/mcp", iter([large[:500_000], large[500_000:]]), {**BASE, service.KEY_HEADER: serving.key}
    )
    refused(Answer(connection.getresponse()), 413)
    connection.close()
    just_under = serving.save(slug="just-under", body="x" * (BODY_LIMIT - 1000))
    assert "8000" in just_under["content"][0]["text"].replace(",", "")
    assert slugs(listed) == {"clock-skew"}


def test_without_a_key_loopback_is_trusted(listed: Path) -> None:
    with Service("--no-key", cwd=listed) as serving:
        assert serving.ready["keyFile"] == ""
        assert serving.request(keyed=False).status == 200
        assert serving.request(keyed=False, Host="evil.example").status == 421
    assert not Path(service.key_path()).exists()


# The key


def test_key_of_the_environment_wins_over_the_file(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(service.KEY_VARIABLE, "a-key-of-the-environment")
    with Service(cwd=listed) as serving:
        assert (serving.ready["keyFile"], serving.key) == ("", "a-key-of-the-environment")
        assert serving.request().status == 200
    assert not Path(service.key_path()).exists()


def test_key_is_made_once_for_its_owner_alone() -> None:
    key, path = service.key()
    assert len(key) >= 40
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert service.key() == (key, path)
    assert not [name for name in os.listdir(os.path.dirname(path)) if files.is_temp(name)]


def test_services_that_start_together_agree_on_the_key() -> None:
    script = "import sys; sys.stdin.readline(); from claudedo_findings import service; print(service.key()[0])"
    started = [
        subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    for process in started:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    assert len({process.communicate(timeout=GUARD)[0] for process in started}) == 1


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        ("", 0o600, "is empty"),
        (" \n", 0o600, "is empty"),
        ("short", 0o600, "has 5 characters"),
        ("x" * 600, 0o600, "has 600 characters"),
        ("two words of a sentence", 0o600, "no header can carry"),
        ("schlüssel-mit-umlaut-drin", 0o600, "no header can carry"),
        ("a-good-key-for-everybody", 0o644, "open to other users (mode 0644)"),
        ("a-good-key-for-a-group-x", 0o640, "open to other users (mode 0640)"),
    ],
)
def test_bad_key_file_stops_the_start(content: str, mode: int, said: str, listed: Path) -> None:
    path = Path(service.key_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(mode)
    message = failing("--http", "--port", "0", cwd=listed)
    assert said in message
    assert str(path) in message
    assert not content.strip() or content.strip() not in message
    assert path.read_text() == content


def test_bad_key_of_the_environment_stops_the_start(listed: Path) -> None:
    for value in ("", "short"):
        assert "in the environment" in failing("--http", "--port", "0", cwd=listed, CLAUDEDO_FINDINGS_KEY=value)


# What stops a start


def test_answers_leave_at_once() -> None:
    # Of a socket whose protocol is not named asyncio leaves Nagle's algorithm on, which holds each answer for 40 ms.
    with http_start.listen(0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_second_service_says_who_has_the_port(serving: Service, listed: Path) -> None:
    message = failing("--http", "--port", str(serving.port), cwd=listed)
    assert f"port {serving.port} is taken by claudedo-findings {__version__}, process {serving.process.pid}" in message


def test_a_start_that_is_refused_does_not_wait_for_the_sdk(listed: Path) -> None:
    with http_start.listen(0) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-X", "importtime", "-m", "claudedo_findings", "serve", "--http", "--port", port]
        done = subprocess.run(command, cwd=listed, capture_output=True, text=True, check=False)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert (done.returncode, f"port {port} is taken" in done.stderr) == (2, True)
    assert "claudedo_findings.server.http_start" in loaded
    assert not {"mcp", "uvicorn", "starlette", "anyio"} & loaded


def test_port_of_another_program_is_told(listed: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        def greet() -> None:
            with other.accept()[0] as connection:
                connection.sendall(b"SSH-2.0-x\r\n")

        threading.Thread(target=greet, daemon=True).start()
        message = failing("--http", "--port", str(port), cwd=listed)
    assert f"port {port} is taken by another program" in message
    assert str(port) in message.partition("which")[2]


def test_unusable_options_stop_the_start(listed: Path) -> None:
    assert "--port needs --http" in failing("--port", "0", cwd=listed)
    assert "--no-key needs --http" in failing("--no-key", cwd=listed)
    assert "--port 70000 is no port" in failing("--http", "--port", "70000", cwd=listed)
    assert "no list is called 'nowhere'" in failing("--http", "--port", "0", "--list", "nowhere", cwd=listed)
    assert "no such process" in failing("--http", "--port", "0", "--parent-pid", str(2**22 - 1), cwd=listed)


def test_unreadable_host_database_stops_the_start(sealed: Path, listed: Path) -> None:
    (sealed / ".todo-app").mkdir()
    (sealed / ".todo-app" / "todo.db").write_text("no database " * 1000)
    assert "todo.db" in failing("--http", "--port", "0", cwd=listed)


# Many clients, slow ones, idle ones


def test_idle_and_slow_connections_do_not_stop_a_save(serving: Service, listed: Path) -> None:
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost:{serving.port}\r\nX-ClaudeDo-Key: {serving.key}\r\n"
    waiting = [serving.raw() for _ in range(200)]
    slow = [serving.raw(head[:at].encode()) for at in range(1, 60, 3)]
    slow += [serving.raw(f"{head}Content-Length: 5000\r\n\r\n{{".encode()) for _ in range(20)]
    assert serving.save()["isError"] is False
    assert slugs(listed) == {"clock-skew"}
    for connection in slow:  # what will never be a request is let go, though more of it comes in
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"x")
    for connection in slow:
        connection.settimeout(http_connection.HEAD_SECONDS * 10)
        with contextlib.suppress(ConnectionError):
            assert connection.recv(65536)[:10] in (b"", b"HTTP/1.1 4")
    for connection in waiting + slow:
        connection.close()


def test_of_too_many_idle_connections_the_oldest_makes_room(serving: Service) -> None:
    waiting = [serving.raw() for _ in range(http_connection.CONNECTIONS + 1)]
    assert serving.save()["isError"] is False
    for connection in waiting:  # what is seen now, not what the clock of a first request does later
        connection.setblocking(False)
    assert waiting[0].recv(1) == b""
    with pytest.raises(BlockingIOError):
        waiting[-1].recv(1)
    for connection in waiting:
        connection.close()


def test_eight_clients_lose_nothing(serving: Service, listed: Path) -> None:
    def client(number: int) -> list[str]:
        connection = serving.client()
        found = [serving.save(connection, slug=f"client-{number}-{at:02}") for at in range(25)]
        connection.close()
        return [result["structuredContent"]["slug"] for result in found]

    with ThreadPoolExecutor(8) as pool:
        acknowledged = [slug for found in pool.map(client, range(8)) for slug in found]
    assert len(acknowledged) == 200
    assert slugs(listed) == set(acknowledged)
    assert listing(listed) == sorted(acknowledged)
    assert [path for path in listed.rglob("*") if files.is_temp(path.name)] == []


# The end


def test_sigterm_keeps_every_acknowledged_save(serving: Service, listed: Path) -> None:
    acknowledged: list[str] = []
    first = threading.Event()

    def one(number: int) -> None:
        try:
            result = serving.save(slug=f"save-{number}")
        except OSError:  # not acknowledged
            return
        acknowledged.append(result["structuredContent"]["slug"])
        first.set()

    clients = [threading.Thread(target=one, args=(number,)) for number in range(50)]
    for client in clients:
        client.start()
    assert first.wait(GUARD)
    before = len(acknowledged)
    serving.process.send_signal(signal.SIGTERM)
    assert serving.process.wait(GUARD) == 0
    for client in clients:
        client.join(GUARD)
    assert before < 50, "no save was running: this run proves nothing"
    assert len(acknowledged) > before, "running saves were not finished"
    assert set(acknowledged) <= slugs(listed)
    assert set(acknowledged) <= set(listing(listed))
    assert [path for path in listed.rglob("*") if files.is_temp(path.name)] == []


def test_ends_in_time_though_a_save_waits_for_the_store(serving: Service, listed: Path) -> None:
    with lock.locked(str(listed / ".git" / "claudedo-findings.lock")):
        connection = serving.client()
        connection.request("POST", "/mcp", json.dumps(call()).encode(), {**BASE, service.KEY_HEADER: serving.key})
        serving.request("GET", "/health")  # by now the save waits
        serving.process.send_signal(signal.SIGTERM)
        assert serving.process.wait(GUARD) == 0
        try:
            status = Answer(connection.getresponse()).status
        except OSError:
            status = 0
        connection.close()
    assert status in (0, 500)
    assert "was not acknowledged" in serving.log()
    assert slugs(listed) == set()


def test_ctrl_c_ends_with_130(serving: Service) -> None:
    idle = [serving.raw() for _ in range(3)]
    kept = serving.client()
    serving.save(kept)
    serving.process.send_signal(signal.SIGINT)
    assert serving.process.wait(GUARD) == 130
    assert [connection.recv(1) for connection in idle] == [b""] * 3
    kept.close()
    for connection in idle:
        connection.close()


def test_ends_with_its_host(listed: Path) -> None:
    host = subprocess.Popen(["sleep", "1000"])
    with Service("--parent-pid", str(host.pid), cwd=listed) as serving:
        assert serving.request("GET", "/health").status == 200
        assert serving.process.poll() is None
        host.kill()  # and not waited for: a zombie is an ended host too
        assert serving.process.wait(GUARD) == 0
        assert "its parent has ended" in serving.log()
    host.wait(GUARD)


def test_end_of_the_host_is_seen_without_the_systems_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    host = subprocess.Popen(["sleep", "1000"])
    ended = threading.Event()
    parent.watch(host.pid, ended.set)
    assert not ended.wait(1)
    host.kill()
    host.wait(GUARD)
    assert ended.wait(GUARD)


def test_serves_on_when_nobody_reads_the_ready_line(listed: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "claudedo_findings", "serve", "--http", "--port", str(port)]
    process = subprocess.Popen(command, cwd=listed, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    try:
        for _ in range(GUARD * 20):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            threading.Event().wait(0.05)
        assert http_start._owner(port).startswith("claudedo-findings")
    finally:
        process.kill()
        process.communicate(timeout=GUARD)


# What a call means


def test_headers_give_the_task_context(listed: Path, tmp_path: Path, host_database: HostMaker) -> None:
    other = make_repo(tmp_path / "other")
    lists.add("größe", str(other))
    task = "8c1d44e0-1111-2222-3333-444455556666"
    host_database([("shop", "a" * 32, str(other))], [(task, "a" * 32)])
    with Service(cwd=listed) as serving:

        def saved(slug: str, requested: str = "", **headers: Any) -> dict[str, Any]:
            found: dict[str, Any] = serving.request(body=call(slug=slug, list=requested), **headers).json()["result"]
            return found

        both = saved("both", X_ClaudeDo_Task="task-7", X_ClaudeDo_List="app")["structuredContent"]
        assert (both["list"], both["sourceTask"], both["path"]) == (
            "app",
            "task-7",
            str(listed / ".claudedo/traps/both.md"),
        )
        known = saved("known", X_ClaudeDo_Task=task)["structuredContent"]
        assert (known["list"], known["sourceTask"]) == ("shop", "8c1d44e0")
        other_list = saved("beaten", "app", X_ClaudeDo_List="shop")["structuredContent"]
        assert other_list["list"] == "shop"
        assert "'app' was ignored" in other_list["warnings"][0]
        umlaut = saved("umlaut", X_ClaudeDo_List="größe".encode().decode("latin-1"))["structuredContent"]
        assert umlaut["list"] == "größe"
        unknown = saved("unknown", X_ClaudeDo_Task="nobody")
        assert unknown["isError"]
        assert "'nobody'" in unknown["content"][0]["text"]
        assert "which list is meant?" in saved("none")["content"][0]["text"]


def test_folder_and_environment_of_the_service_mean_nothing(
    listed: Path, tmp_path: Path, host_database: HostMaker
) -> None:
    worktree = tmp_path / "worktree"
    run_git(listed, "worktree", "add", "-q", str(worktree))
    host_database([("shop", "a" * 32, str(listed))], [("t1", "a" * 32)], [("t1", str(worktree))])
    lists.remove("app")
    with Service(cwd=worktree, env={"CLAUDEDO_TASK_ID": "t2", "CLAUDEDO_LIST": "x"}) as serving:
        assert serving.save()["structuredContent"]["sourceTask"] == ""
    with Service("--here", cwd=worktree) as serving:
        answer = serving.save(slug="bound")["structuredContent"]
        assert (answer["list"], answer["sourceTask"]) == ("shop", "")
        assert answer["path"] == str(listed / ".claudedo" / "traps" / "bound.md")
        assert "is bound to" in serving.save(list="other")["content"][0]["text"]
    with Service("--list", "SHOP", cwd=tmp_path) as serving:
        assert serving.save(slug="named")["structuredContent"]["list"] == "shop"


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "save_finding", "arguments": FIELDS}),
    ("tools/call", {"name": "save_finding", "arguments": FIELDS}),
    (
        "tools/call",
        {"name": "save_finding", "arguments": {**FIELDS, "body": "größe \U0001f600 锁\nline", "scope": None}},
    ),
    (
        "tools/call",
        {"name": "save_finding", "arguments": {**FIELDS, "slug": "b", "list": "APP", "scope": "src/app.py"}},
    ),
    ("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "slug": "../x"}}),
    ("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "slug": 5, "title": [1]}}),
    ("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "body": "x" * 9000}}),
    ("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "body": "token ghp_" + "a1B2" * 9}}),
    ("tools/call", {"name": "save_finding", "arguments": {**FIELDS, "list": "nowhere"}}),
    ("tools/call", {"name": "save_finding", "arguments": {}}),
    ("tools/call", {"name": "save_finding"}),
    ("tools/call", {"name": "save_finding", "arguments": None}),
    ("tools/call", {"name": "delete_everything\n" + "x" * 100, "arguments": {}}),
    ("tools/call", {"name": 5}),
    ("tools/call", {"name": "save_finding", "arguments": "text"}),
    ("no/such", {}),
]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_http_and_stdio_answer_alike(era: str, listed: Path, tmp_path: Path) -> None:
    extra = {"_meta": META} if era == "modern" else {}
    requests = [
        {"jsonrpc": "2.0", "id": at, "method": method, "params": {**params, **extra}}
        for at, (method, params) in enumerate(CALLS)
        # Over HTTP the name of a tool stands in a header too, which a number cannot match.
        if era == "legacy" or params.get("name") != 5
    ]
    if era == "legacy":
        requests.insert(0, HELLO)
    over_http = []
    with Service(cwd=listed) as serving:
        for request in requests:
            headers: dict[str, Any] = {}
            if era == "modern":
                params: Any = request["params"]
                headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": str(request["method"])}
                if isinstance(params.get("name"), str):
                    # What no header can carry as it is goes as Base64, says the specification.
                    headers["Mcp_Name"] = header_value(params["name"])
            over_http.append(serving.request(body=request, **headers).json())
    shutil.rmtree(listed / ".claudedo")
    server = Server(cwd=tmp_path)
    over_stdio = []
    for request in requests:
        server.send(json.dumps(request).encode())
        over_stdio.append(json.loads(server.receive()))
    server.end()
    assert over_http == over_stdio
    assert {"result", "error"} <= {key for answer in over_http for key in answer}


def header_value(text: str) -> str:
    plain = text.isascii() and text.isprintable()
    return text if plain else f"=?base64?{base64.b64encode(text.encode()).decode()}?="


# The log


def test_log_says_what_happened_and_nothing_of_what_was_in_it(listed: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    with Service("--log-level", "debug", cwd=listed) as serving:
        serving.save(slug="name-of-it", title="Its very title", body="Its very body")
        serving.save(body=f"with {secret}")
        serving.request(keyed=False, X_ClaudeDo_Key="a-wrong-key-of-mine")
        serving.request(body=b'{"jsonrpc": "2.0", "its": "very broken')
        serving.request(body={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ["Its very name"]}})
        serving.process.send_signal(signal.SIGTERM)
        assert serving.process.wait(GUARD) == 0
        log = serving.log()
        for hidden in (serving.key, secret, "very", "name-of-it", "a-wrong-key"):
            assert hidden not in log, hidden
        for shown in (
            "serves http://127.0.0.1",
            "save: created in 'app'",
            "save: refused",
            "refused with 401",
            "SIGTERM",
        ):
            assert shown in log, shown


def test_log_level_and_size_are_kept(listed: Path) -> None:
    state = Path(service.key_path()).parent
    state.mkdir(parents=True, exist_ok=True)
    (state / "service.log").write_bytes(b"old line\n" * 120_000)
    with Service("--log-level", "warning", cwd=listed) as serving:
        serving.save()
        serving.request("GET")
        assert "refused with 405" in (state / "service.log").read_text()
        assert "save: created" not in serving.log()
        assert (state / "service.log.1").stat().st_size == 9 * 120_000
