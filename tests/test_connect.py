"""`connect` prints registrations that are right as they stand, and touches nothing."""

import json
import os
import shlex
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from claudedo_findings import service
from claudedo_findings.cli import registration
from tests.serving import Service

CLIENTS = ("claude", "codex", "gemini", "opencode", "vscode", "cursor", "dotnet")
URL = "http://127.0.0.1:47823/mcp"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "claudedo_findings", "connect", *arguments], capture_output=True, text=True, check=False
    )


def printed(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("transport", [[], ["--http"]])
def test_every_client_is_told_what_goes_where_and_nothing_is_written(
    client: str, transport: list[str], sealed: Path
) -> None:
    before = sorted(sealed.rglob("*"))
    done = run(client, *transport)
    found = printed(client, *transport)
    assert done.returncode == 0
    assert found["text"] in done.stdout
    assert found["place"] in done.stderr
    assert found["transport"] == ("http" if transport else "stdio")
    needed = URL if transport and client != "dotnet" else registration.command()[0]
    assert needed in found["text"]
    assert sorted(sealed.rglob("*")) == before


@pytest.mark.parametrize("client", CLIENTS)
def test_no_registration_holds_the_key_itself(client: str) -> None:
    key, path = service.key()
    done = run(client, "--http")
    assert key not in done.stdout + done.stderr
    assert path in done.stderr or client == "dotnet"


def test_command_of_every_stdio_registration_starts_this_program() -> None:
    words = registration.command()
    assert os.path.isabs(words[0])
    done = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("claudedo-findings ")
    serve = [*words, "serve"]
    codex = tomllib.loads(printed("codex")["text"])["mcp_servers"]["findings"]
    assert [codex["command"], *codex["args"]] == serve
    assert "CLAUDEDO_TASK_ID" in codex["env_vars"]
    assert json.loads(printed("opencode")["text"])["mcp"]["findings"]["command"] == serve
    for client, outer in (("vscode", "servers"), ("cursor", "mcpServers")):
        server = json.loads(printed(client)["text"])[outer]["findings"]
        assert [server["command"], *server["args"]] == serve
    for client in ("claude", "gemini"):
        assert shlex.split(printed(client)["text"])[-len(serve) :] == serve


def test_http_registrations_name_the_key_in_each_clients_own_way() -> None:
    key = service.KEY_VARIABLE
    assert tomllib.loads(printed("codex", "--http")["text"])["mcp_servers"]["findings"] == {
        "url": URL,
        "bearer_token_env_var": key,
    }
    expected = {
        "gemini": ("mcpServers", f"${key}"),
        "opencode": ("mcp", f"{{env:{key}}}"),
        "vscode": ("servers", "${input:findings-key}"),
        "cursor": ("mcpServers", f"${{env:{key}}}"),
    }
    for client, (outer, value) in expected.items():
        server = json.loads(printed(client, "--http")["text"])[outer]["findings"]
        assert server["headers"] == {"X-ClaudeDo-Key": value}
        assert URL in server.values()
    claude = shlex.split(printed("claude", "--http")["text"])
    assert claude[-2:] == ["--header", f"X-ClaudeDo-Key: ${{{key}}}"]


def test_another_port_stands_in_everything() -> None:
    for client in CLIENTS:
        found = printed(client, "--http", "--port", "5000")
        assert "5000" in found["text"]
        assert str(service.PORT) not in json.dumps(found)


def test_printed_shell_lines_hand_the_key_over(listed: Path) -> None:
    with Service(cwd=listed) as serving:
        export = next(note for note in printed("claude", "--http")["notes"] if "export" in note).partition(": ")[2]
        script = f'{export}; printf %s "${service.KEY_VARIABLE}"'
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout == serving.key


def test_csharp_program_starts_the_service_as_it_really_starts(listed: Path) -> None:
    text = printed("dotnet", "--http")["text"]
    words = json.loads(f"[{text.partition('new[] { ')[2].partition(', Environment.ProcessId')[0]}]")
    assert words == ["serve", "--http", "--port", "47823", "--parent-pid"]
    command = json.loads(text.partition("new ProcessStartInfo(")[2].partition(")")[0])
    words[3] = "0"
    process = subprocess.Popen([command, *words, str(os.getpid())], cwd=listed, stdout=subprocess.PIPE)
    try:
        assert process.stdout
        ready = json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()
    for name in ("url", "keyFile"):
        assert f'ready.GetProperty("{name}")' in text
        assert ready[name]
    for header in (service.KEY_HEADER, service.TASK_HEADER, service.LIST_HEADER):
        assert f'["{header}"]' in text
    for program in (text, printed("dotnet")["text"]):
        assert program.count("{") == program.count("}")


def test_unknown_client_is_refused_with_the_known_ones() -> None:
    done = run("emacs")
    assert done.returncode == 2
    assert all(client in done.stderr for client in CLIENTS)


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_hooks_name_this_program_and_narrow_matchers(client: str, repo: Path, sealed: Path) -> None:
    found = printed(client, "--hooks")
    assert found["transport"] == "hooks"
    entries = [(name, entry) for name, group in json.loads(found["text"])["hooks"].items() for entry in group]
    commands = {hook["command"] for _, entry in entries for hook in entry["hooks"]}
    assert len(commands) == 1
    words = shlex.split(commands.pop())
    assert words == [*registration.command(), "hook", "--format", client]
    assert all(entry.get("matcher") not in (None, "", "*") for name, entry in entries if name != "SubagentStart")
    seconds = {hook["timeout"] for _, entry in entries for hook in entry["hooks"]}
    assert seconds == {5_000 if client == "gemini" else 5}
    event = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(repo), "source": "startup"}
    done = subprocess.run(words, input=json.dumps(event), capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert not (sealed / ".claude").exists()


def test_hooks_of_a_client_without_them_are_refused() -> None:
    done = run("cursor", "--hooks")
    assert done.returncode == 2
    assert "hooks are known for claude, codex, gemini alone" in done.stderr
