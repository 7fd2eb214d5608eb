"""The long-running service: streamable HTTP on the official SDK, without sessions, for many clients at once."""

import json
import logging
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from claudedo_findings import __version__, service
from claudedo_findings.errors import shown
from claudedo_findings.server import http_log, parent, tool
from claudedo_findings.server.http_front import Front
from claudedo_findings.server.http_gate import BODY_LIMIT, CALLER, Gate
from claudedo_findings.server.http_start import Begun

SAVES = 4  # at once, each in a thread; they queue for a store's lock, and more of them only make its tail longer
_Context = ServerRequestContext[Any, Any]
_log = logging.getLogger(__name__)


def serve(begun: Begun, announce: Callable[[str], None]) -> int:
    """Serve until a signal or the parent's end, and return the exit status: 0, or 130 after Ctrl-C.

    `announce` is called once, when clients can connect, with the ready line: one JSON object.
    Raises FindingsError when the log file cannot be written.
    """
    made = prepare(begun, announce, leaves=True)
    if begun.options.parent_pid:
        parent.watch(begun.options.parent_pid, partial(made.front.end, "its parent has ended"))
    made.run()
    return made.front.status


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A service that listens already and has yet to answer."""

    front: Front
    manager: StreamableHTTPSessionManager
    listener: socket.socket
    log: logging.Handler

    @property
    def url(self) -> str:
        return service.url(self.listener.getsockname()[1])

    def run(self) -> None:
        """Serve until `front` is told to end; signals end it too when this is the main thread."""
        try:
            anyio.run(self._run)
        finally:
            self.front.last.cancel()
            _log.info("ended")
            self.log.close()

    async def _run(self) -> None:
        async with self.manager.run():
            await self.front.serve(sockets=[self.listener])


def prepare(begun: Begun, announce: Callable[[str], None], *, leaves: bool) -> Prepared:
    """Return a service on the socket that listens; raises FindingsError when the log file cannot be written.

    With `leaves` the whole process goes when a save still waits at the end.
    """
    log = http_log.start(begun.options.log_level)
    port = begun.listener.getsockname()[1]
    ready = {"url": service.url(port), "pid": os.getpid(), "version": __version__, "keyFile": begun.key_file}
    manager = StreamableHTTPSessionManager(
        _server(), stateless=True, json_response=True, max_request_body_size=BODY_LIMIT
    )
    gate = Gate(manager.handle_request, port=port, key=begun.key, bound=begun.options.bound, folder=begun.folder)
    front = Front(gate, partial(announce, json.dumps(ready)), leaves=leaves)
    _log.info("%s serves %s%s", __version__, service.url(port), "" if begun.key else " without a key")
    return Prepared(front=front, manager=manager, listener=begun.listener, log=log)


def _server() -> Server[Any]:
    listed = types.ListToolsResult(tools=[types.Tool.model_validate(tool.listing())])
    threads = anyio.CapacityLimiter(SAVES)

    async def list_tools(_context: _Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listed

    async def call_tool(context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name != tool.NAME:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {shown(params.name)}")
        assert context.request is not None  # here every message is a request
        caller = context.request.scope[CALLER]
        started = time.monotonic()
        result = await anyio.to_thread.run_sync(partial(tool.call, params.arguments, caller), limiter=threads)
        _log.info("save: %s in %.0f ms", _outcome(result), (time.monotonic() - started) * 1000)
        return types.CallToolResult.model_validate(result)

    return Server(
        "claudedo-findings",
        version=__version__,
        instructions=tool.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _outcome(result: dict[str, object]) -> str:
    answer = result.get("structuredContent")
    return f"{answer['status']} in {answer['list']!r}" if isinstance(answer, dict) else "refused"
