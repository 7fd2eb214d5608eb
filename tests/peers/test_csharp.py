"""The C# SDK's client, as the Azure MCP server carries it: that starts what is called `azd` and relays calls to it.

stdio alone; no ready-made program that drives the C# client over HTTP was found.
"""

import json
import subprocess  # noqa: TID251  # tests drive real programs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import join
from typing import Any

import pytest

from tests.peers import calls
from tests.peers.conftest import SERVE, environment

# Seconds: over the 5 that SDK 2.2 gives `server/discover`, so that its `initialize` comes after its probe.
LATE = 7


@pytest.mark.parametrize("late", [0, LATE])
def test_csharp_1(npm: Path, listed: Path, tmp_path: Path, late: int) -> None:
    azmcp = npm / "node_modules" / "@azure" / "mcp-linux-x64" / "dist" / "azmcp"
    _relay(azmcp, "ModelContextProtocol.Core/1.0.0", listed, tmp_path / "programs", late)


@pytest.mark.parametrize("late", [0, LATE])
def test_csharp_2(venv: Path, listed: Path, tmp_path: Path, late: int) -> None:
    (azmcp,) = venv.glob("lib/python*/site-packages/msmcp_azure/bin/azmcp")
    _relay(azmcp, "ModelContextProtocol.Core/2.2.0", listed, tmp_path / "programs", late)


def _relay(azmcp: Path, sdk: str, root: Path, programs: Path, late: int) -> None:
    assert sdk.encode() in azmcp.read_bytes()
    azd = programs / "azd"
    programs.mkdir()
    version = "azd version 1.30.0 (commit 0000000000000000000000000000000000000000)"
    azd.write_text(
        f'#!/bin/sh\n[ "$1" = version ] && {{ echo "{version}"; exit; }}\nsleep {late}\nexec {join(SERVE)}\n'
    )
    azd.chmod(0o755)
    with _azure(azmcp, programs, root) as azure:
        learned = azure.call(learn=True)["content"][0]["text"]
        (command,) = json.loads(learned[learned.index("[{") :])
        assert command.get("command", command.get("name")) == "save_finding"
        calls.check([azure.call(command="save_finding", parameters=call) for call in calls.CALLS], root)


class _Azure:
    """The Azure MCP server, asked line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._asked = 0

    def call(self, **arguments: object) -> dict[str, Any]:
        """Call its tool `azd`, which calls our server."""
        return self.ask("tools/call", {"name": "azd", "arguments": {"intent": "test", **arguments}})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request."""
        assert self._process.stdin
        assert self._process.stdout
        self._asked += 1
        print(
            json.dumps({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}),
            file=self._process.stdin,
            flush=True,
        )
        for line in self._process.stdout:
            said = json.loads(line)
            if said.get("id") == self._asked and "method" not in said:
                result: dict[str, Any] = said["result"]
                return result
        raise AssertionError("the Azure MCP server has ended")


@contextmanager
def _azure(azmcp: Path, programs: Path, cwd: Path) -> Iterator[_Azure]:
    ours = environment()
    ours["PATH"] = f"{programs}:{ours['PATH']}"
    process = subprocess.Popen(
        [azmcp, "server", "start", "--mode", "namespace", "--namespace", "azd"],
        cwd=cwd,
        env={**ours, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "AZURE_MCP_COLLECT_TELEMETRY": "false"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    with process:
        azure = _Azure(process)
        try:
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            azure.ask("initialize", hello)
            yield azure
        finally:
            assert process.stdin
            process.stdin.close()  # it ends its own servers, then itself
            try:
                process.wait(20)
            finally:
                process.kill()
