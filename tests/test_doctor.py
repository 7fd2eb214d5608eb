"""doctor: each rule with a machine that it complains about, and one that it must let be."""

import http.server
import json
import os
import re
import socket
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import threading
from pathlib import Path

import pytest

from claudedo_findings import clients, doctor, doctor_lists, lists, service
from claudedo_findings.problem import Report
from tests.conftest import HostMaker, git
from tests.serving import Service
from tests.test_cli import SAVE, run

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
COMMAND = [sys.executable, "-m", "claudedo_findings"]


def examine(port: int | None = None) -> Report:
    """Look at the machine of the test."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: nobody answers there
        return doctor.examine(COMMAND, port or taken.getsockname()[1])


def told(report: Report) -> dict[str, str]:
    """Return what is told of each rule."""
    return {problem.rule: problem.what for problem in report.problems}


@pytest.fixture
def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def test_a_good_machine_has_no_complaints_and_says_what_it_found(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    report = examine()
    assert report.problems == ()
    assert report.not_checked == ()
    said = "\n".join(report.fine)
    for start in ("python: 3.", "command: ", "git: 2.", "lists.toml: 1 list in ", "host: no ", "key: none yet"):
        assert start in said
    assert f"list 'app': {listed}/.claudedo, ignored by .git/info/exclude:" in said
    assert "service: not running" in said
    assert "client: none has it registered" in said


def test_every_rule_of_the_machine_stands_in_readme() -> None:
    section = README.partition("## Checking the machine")[2].partition("\n## ")[0]
    source = "".join(path.read_text() for path in Path(doctor.__file__).parent.glob("doctor*.py"))
    used = set(re.findall(r'rule="([a-z-]+)"', source)) | set(re.findall(r'wrong\("([a-z-]+)"', source))
    assert re.findall(r"^\| `([a-z-]+)`", section, re.MULTILINE) == sorted(used)


def test_a_missing_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git was not found" in told(examine())["git"]


@pytest.mark.parametrize(("version", "fine"), [("2.35.9", False), ("2.36.0", True), ("3.0.0.windows.1", True)])
def test_an_old_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, fine: bool) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\necho git version {version}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert ("git" not in told(examine())) is fine


def test_an_unknown_version_of_git_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho git of the house\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert examine().not_checked == ("git's version: it says 'git of the house'",)


def test_another_program_of_the_name_on_path_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_port: int
) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "claudedo-findings").write_text("#!/bin/sh\nexit 9\n")
        (tmp_path / name / "claudedo-findings").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/old:{os.environ['PATH']}")
    report = doctor.examine([f"{tmp_path}/new/claudedo-findings"], free_port)
    assert [problem.path for problem in report.problems] == [f"{tmp_path}/old/claudedo-findings"]
    assert not doctor.examine([f"{tmp_path}/old/claudedo-findings"], free_port).problems


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_state_folder_that_cannot_be_written_is_told(sealed: Path) -> None:
    sealed.chmod(0o500)
    assert "config folder" in told(examine())["folder"]
    sealed.chmod(0o700)


def test_a_state_folder_that_is_a_file_is_told(sealed: Path) -> None:
    (sealed / "findings").write_text("")
    assert "folder" in told(examine())


def test_a_broken_lists_file_is_told_with_its_line_and_the_host_still_counts(
    sealed: Path, host_database: HostMaker, tmp_path: Path
) -> None:
    lists.add("app", str(tmp_path))
    host_database([("gone", "a" * 32, str(tmp_path / "nowhere"))])
    path = sealed / "findings" / "lists.toml"
    path.write_text("[lists]\napp = 'x'\n!\n")
    report = examine()
    assert [problem.where for problem in report.problems if problem.rule == "lists-file"] == [f"{path}:3"]
    assert "list 'gone': the folder" in told(report)["list"]


def test_each_list_is_told_of_by_itself(repo: Path, tmp_path: Path, sealed: Path) -> None:
    for name in ("gone", "plain", "good"):
        (tmp_path / name).mkdir()
        lists.add(name, str(tmp_path / name))
    (tmp_path / "gone").rmdir()
    lists.add("app", str(repo))
    report = examine()
    assert [problem.where for problem in report.problems] == [f"{sealed}/findings/lists.toml:2"]
    assert "list 'gone': the folder" in report.problems[0].what
    assert f"list 'plain': {tmp_path}/plain, no findings yet" in report.fine


def test_a_store_without_git_is_said_not_to_be_checked(tmp_path: Path) -> None:
    lists.add("plain", str(tmp_path))
    run(*SAVE, "--list", "plain", cwd=tmp_path)
    assert examine().not_checked == (f"what git thinks of {tmp_path}/.claudedo: it is in no repository",)


def test_a_host_is_read_and_its_missing_columns_are_told(repo: Path, host_database: HostMaker) -> None:
    path = host_database([("app", "b" * 32, str(repo))])
    assert f"host: 1 list in {path}, every column known" in examine().fine
    import sqlite3  # noqa: TID251  # plays another version of the host

    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE worktrees RENAME COLUMN path TO place")
    connection.close()
    assert told(examine())["host"] == "the host's database lacks worktrees.path"
    path.write_bytes(b"no database at all" * 100)
    assert "cannot read the host's database" in told(examine())["host"]


def test_a_host_database_that_was_moved_away_is_told(sealed: Path) -> None:
    (sealed / ".todo-app").mkdir()
    (sealed / ".todo-app" / "ui.config.json").write_text('{"DbPath": "elsewhere.db"}')
    assert "does not exist" in told(examine())["host"]


def test_two_lists_of_one_name_are_told(repo: Path, tmp_path: Path, host_database: HostMaker) -> None:
    lists.add("app", str(repo))
    (tmp_path / "other").mkdir()
    host_database([("App", "c" * 32, str(tmp_path / "other"))])
    assert "another list has that name" in told(examine())["list"]


@pytest.mark.parametrize(
    ("exclude", "add", "ignore", "complaint"),
    [
        ("", False, "", "git neither ignores the store nor tracks it"),
        ("", True, "", ""),
        ("", True, ".claudedo/\n", "git tracks 3 of its files, but .gitignore:1:.claudedo/ hides new ones"),
        ("/.claudedo/\n", False, "", ""),
    ],
)
def test_what_git_thinks_of_a_store_is_told(listed: Path, exclude: str, add: bool, ignore: str, complaint: str) -> None:
    run(*SAVE, cwd=listed)
    (listed / ".git" / "info" / "exclude").write_text(exclude)
    if add:
        git(listed, "add", ".claudedo")
        git(listed, "commit", "-q", "-m", "findings")
    if ignore:
        (listed / ".gitignore").write_text(ignore)
    assert complaint in told(examine()).get("exclude", "")
    assert bool(complaint) is ("exclude" in told(examine()))


def test_a_store_made_shared_but_not_committed_yet_is_fine(listed: Path) -> None:
    run(*SAVE, cwd=listed)
    run("track", cwd=listed)
    assert examine().problems == ()


def test_a_lock_that_is_held_is_told_with_its_process(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_lists, "PATIENCE", 0.3)
    run(*SAVE, cwd=listed)
    assert (listed / ".git" / "claudedo-findings.lock").exists()
    assert examine().problems == ()  # a file that nobody holds
    script = (
        "import filelock, sys\n"
        "with filelock.FileLock(sys.argv[1]):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    path = listed / ".git" / "claudedo-findings.lock"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        what = told(examine())["lock"]
        holder.communicate()
    assert what.startswith("the lock has been held")
    if sys.platform == "linux":
        assert what.endswith(f"by process {holder.pid}")
    assert examine().problems == ()


def test_a_look_at_the_lock_makes_no_file(listed: Path) -> None:
    (listed / ".claudedo").mkdir()
    examine()
    assert not (listed / ".git" / "claudedo-findings.lock").exists()


def test_the_key_file_must_be_its_owners_alone_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    key, path = service.key()
    assert f"key: {path}, for its owner alone" in examine().fine
    Path(path).chmod(0o644)
    assert "open to other users" in told(examine())["key"]
    assert key not in repr(examine())
    Path(path).chmod(0o600)
    Path(path).write_text("short\n")
    assert "has 5 characters" in told(examine())["key"]
    monkeypatch.setenv("CLAUDEDO_FINDINGS_KEY", "k" * 20)
    assert "key: CLAUDEDO_FINDINGS_KEY in the environment" in examine().fine


def test_a_service_that_runs_is_named_and_a_stranger_on_its_port_is_told(listed: Path) -> None:
    with Service(cwd=listed) as running:
        fine = examine(running.port).fine
        assert any(line.startswith("service: ") and f"process {running.process.pid}" in line for line in fine)
    stranger = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=stranger.serve_forever, daemon=True).start()
    assert "belongs to another program" in told(examine(stranger.server_port))["service"]
    stranger.shutdown()
    stranger.server_close()


@pytest.mark.parametrize(
    "answer",
    [
        *(b"[" * 4_000, b"no JSON", b"[]", b"{}", b'{"service": "claudedo-findings"}', b"\xff", b"9" * 4_090),
        *(
            b'{"service": "claudedo-findings", "version": "1", "pid": %s}' % pid
            for pid in (b"1e999", b"NaN", b"null", b'"x"', b"[]")
        ),
    ],
    ids=lambda answer: answer[:70].decode("latin-1"),
)
def test_whatever_a_stranger_says_of_its_health_it_is_a_stranger(answer: bytes) -> None:
    class Stranger(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing on stderr."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, daemon=True).start()
        try:
            assert "belongs to another program" in told(examine(stranger.server_port))["service"]
        finally:
            stranger.shutdown()


# -- clients

PROGRAM = os.path.abspath(sys.executable)
SERVERS: dict[str, tuple[str, str]] = {
    "claude": (
        ".claude.json",
        '{"mcpServers": {"findings": {"command": "%s", "args": ["-m", "claudedo_findings", "serve"]}}}',
    ),
    "codex": (
        ".codex/config.toml",
        '[mcp_servers.traps]\ncommand = "%s"\nargs = ["-m", "claudedo_findings", "serve"]\n',
    ),
    "gemini": (
        ".gemini/settings.json",
        '{"mcpServers": {"x": {"command": "%s", "args": ["-m", "claudedo_findings", "serve"]}}}',
    ),
    "opencode": (
        ".config/opencode/opencode.json",
        '{"mcp": {"f": {"type": "local", "command": ["%s", "-m", "claudedo_findings", "serve"]}}}',
    ),
    "vscode": (
        ".config/Code/User/mcp.json",
        '{\n// mine\n"servers": {"f": {"command": "%s", "args": ["-m", "claudedo_findings", "serve",]}},}',
    ),
    "cursor": (
        ".cursor/mcp.json",
        '{"mcpServers": {"f": {"command": "%s", "args": ["-m", "claudedo_findings", "serve"]}}}',
    ),
}


def put(home: Path, name: str, text: str) -> Path:
    """Write a client's settings."""
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("client", sorted(SERVERS))
def test_each_client_is_found_by_its_own_settings(sealed: Path, client: str) -> None:
    name, text = SERVERS[client]
    path = put(sealed, name, text % PROGRAM)
    report = examine()
    assert report.problems == ()
    assert [line for line in report.fine if line.startswith(f"client: {client} has it as ")]
    before = path.read_bytes()
    put(sealed, name, text % "/no/such/program")
    assert "starts /no/such/program, which is not there" in told(examine())["client"]
    put(sealed, name, text.replace('"serve"', '"version"') % PROGRAM)
    assert "without 'serve'" in told(examine())["client"]
    for broken in ("{[", f"a = {'[' * 9_000}" if name.endswith(".toml") else "[" * 90_000):
        put(sealed, name, broken)
        assert f"the settings of {client} cannot be read" in told(examine())["client"]
    path.write_bytes(before)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("client", "http"),
    [(name, http) for name in ("codex", "opencode", "vscode", "cursor") for http in (False, True)] + [("gemini", True)],
)
def test_what_connect_prints_is_what_is_found(sealed: Path, listed: Path, client: str, http: bool) -> None:
    """The texts to paste, pasted; those to run would start the client."""
    printed = json.loads(run("connect", client, "--json", *(["--http"] if http else []), cwd=listed)[1])
    path = put(sealed, SERVERS[client][0], printed["text"])
    found = clients.registrations(clients.Settings(client=client, path=str(path)))
    assert found is not None
    assert [(each.client, each.name, bool(each.url)) for each in found] == [(client, "findings", http)]


def test_server_of_the_second_opencode_is_found_one_level_deeper(sealed: Path) -> None:
    server = {"findings": {"type": "local", "command": ["/gone/claudedo-findings", "serve"]}}
    path = put(sealed, ".config/opencode/opencode.json", json.dumps({"mcp": {"servers": server}}))
    found = clients.registrations(clients.Settings(client="opencode", path=str(path)))
    assert found is not None
    assert [(each.name, each.command) for each in found] == [("findings", ("/gone/claudedo-findings", "serve"))]


def test_registrations_of_one_project_are_found(listed: Path, sealed: Path) -> None:
    server = '{"mcpServers": {"findings": {"command": "/gone/claudedo-findings", "args": ["serve"]}}}'
    put(listed, ".mcp.json", server)
    put(sealed, ".claude.json", f'{{"projects": {{"/x": {server}}}}}')
    paths = [problem.where for problem in examine().problems]
    assert paths == [f"{sealed}/.claude.json:1", f"{listed}/.mcp.json:1"]


def test_servers_of_others_and_odd_settings_are_let_be(sealed: Path) -> None:
    put(
        sealed,
        ".claude.json",
        '{"mcpServers": {"other": {"command": "x"}, "odd": 3, "y": {"url": "http://x.invalid"}}}',
    )
    put(sealed, ".cursor/mcp.json", "[1, 2]")
    put(sealed, ".gemini/settings.json", '{"mcpServers": null, "projects": {"a": 1}}')
    report = examine()
    assert report.problems == ()
    assert "client: none has it registered" in "\n".join(report.fine)


def test_a_registration_over_http_needs_the_service_on_this_machine(listed: Path, sealed: Path, free_port: int) -> None:
    server = '{"mcpServers": {"findings": {"url": "%s"}}}'
    put(sealed, ".cursor/mcp.json", server % f"http://127.0.0.1:{free_port}/mcp")
    assert "where nothing listens" in told(examine())["client"]
    for elsewhere in ("https://evil.example/mcp", f"http://127.0.0.1:{'9' * 5_000}/mcp"):
        put(sealed, ".cursor/mcp.json", server % elsewhere)
        assert "which is not this machine's service" in told(examine())["client"]
    with Service(cwd=listed) as running:
        put(sealed, ".cursor/mcp.json", server % f"http://localhost:{running.port}/mcp")
        assert "client" not in told(examine())


# -- the verb


def test_doctor_prints_everything_on_stdout_and_exits_1_for_a_problem(
    listed: Path, sealed: Path, free_port: int
) -> None:
    code, out, err = run("doctor", "--port", str(free_port), cwd=listed)
    assert (code, err) == (0, ""), out
    assert out.splitlines()[-1] == "no problems"
    path = put(sealed, ".cursor/mcp.json", "{[")
    code, out, err = run("doctor", "--port", str(free_port), cwd=listed)
    assert (code, err) == (1, "")
    assert f"\n{path}:1: client: the settings of cursor cannot be read" in out
    report = json.loads(run("doctor", "--json", "--port", str(free_port), cwd=listed)[1])
    assert [problem["rule"] for problem in report["problems"]] == ["client"]
    assert report["notChecked"] == []
    assert any(line.startswith("git: ") for line in report["fine"])
