"""A line-by-line client of a stdio server: ours, or another one's."""

import json
import os
import subprocess  # noqa: TID251  # benchmarks drive real programs
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench import ground

_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Client:
    """A server that has given its first reply."""

    def __init__(self, command: Sequence[object], cwd: Path, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self.request("initialize", _HELLO)

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return its result; an error fails the benchmark."""
        assert self._process.stdin
        assert self._process.stdout
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        result: dict[str, Any] = json.loads(self._process.stdout.readline())["result"]
        assert not result.get("isError"), result
        return result

    def save(self, number: int) -> None:
        """Save the finding of that number with us."""
        self.request("tools/call", {"name": "save_finding", "arguments": ground.fields(number)})

    def remember(self, number: int) -> None:
        """Save the same with server-memory."""
        self.request("tools/call", {"name": "create_entities", "arguments": {"entities": [ground.entity(number)]}})

    def resident_mib(self) -> float:
        """Return the server's resident memory in MiB (Linux)."""
        return ground.status_kib(self._process.pid, "VmRSS") / 1024

    def end(self) -> None:
        """Close the server's input and wait for its end."""
        try:
            self._process.communicate(timeout=60)
        finally:
            self._process.kill()
