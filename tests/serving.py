"""A real HTTP service on a free port, and a client that shows its answers as they came."""

import http.client
import json
import os
import socket
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from claudedo_findings import service
from tests.conftest import FIELDS

GUARD = 50  # seconds; ten times what the design allows the service for ending
BASE = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def call(request_id: object = 1, **fields: object) -> dict[str, Any]:
    """Return a call that saves FIELDS with some of them changed."""
    params = {"name": "save_finding", "arguments": {**FIELDS, **fields}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


class Answer:
    """Status, headers and body of one HTTP answer."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class Service:
    """A service process; ends with its block."""

    def __init__(
        self, *arguments: str, cwd: Path | str, env: Mapping[str, str] | None = None, wrapped: tuple[str, ...] = ()
    ) -> None:
        self.process = subprocess.Popen(
            [*wrapped, sys.executable, "-m", "claudedo_findings", "serve", "--http", "--port", "0", *arguments],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate(timeout=GUARD)[1].decode())
        self.ready = json.loads(line)
        self.port = int(self.ready["url"].removesuffix("/mcp").rpartition(":")[2])
        file = self.ready["keyFile"]
        self.key = Path(file).read_text().strip() if file else os.environ.get(service.KEY_VARIABLE, "")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=GUARD)

    def client(self) -> http.client.HTTPConnection:
        """Return a connection that is kept open between requests."""
        return http.client.HTTPConnection(service.HOST, self.port, timeout=GUARD)

    def raw(self, data: bytes = b"") -> socket.socket:
        """Return a plain connection on which `data` was sent."""
        connection = socket.create_connection((service.HOST, self.port), timeout=GUARD)
        connection.sendall(data)
        return connection

    def request(
        self, method: str = "POST", path: str = "/mcp", body: object = None, *, keyed: bool = True, **headers: str
    ) -> Answer:
        """Send one request on a connection of its own; `_` in the names of headers stands for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        key = {service.KEY_HEADER: self.key} if keyed and self.key else {}
        data = body if isinstance(body, bytes) else json.dumps(call() if body is None else body).encode()
        connection = self.client()
        try:
            connection.request(method, path, data if method in ("POST", "PUT") else None, {**BASE, **key, **named})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def save(self, connection: http.client.HTTPConnection | None = None, **fields: object) -> dict[str, Any]:
        """Save FIELDS with some of them changed, and return the tool's result."""
        opened = connection or self.client()
        opened.request("POST", "/mcp", json.dumps(call(**fields)).encode(), {**BASE, service.KEY_HEADER: self.key})
        answer = Answer(opened.getresponse())
        if connection is None:
            opened.close()
        assert answer.status == 200, answer.body
        found: dict[str, Any] = answer.json()["result"]
        return found

    def log(self) -> str:
        """Return all that was logged."""
        folder = Path(os.environ["CLAUDEDO_FINDINGS_HOME"]) / "state"
        return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("service.log*")))
