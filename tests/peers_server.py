"""The official SDK's low-level server around the same tool: what the stdio front is held against."""

import os
import sys
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server  # noqa: TID251  # the judge
from mcp.server.stdio import stdio_server  # noqa: TID251
from mcp.shared.exceptions import MCPError  # noqa: TID251

from claudedo_findings import __version__, resolution
from claudedo_findings.errors import shown
from claudedo_findings.server import tool


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    """Return the one tool."""
    return types.ListToolsResult(tools=[types.Tool.model_validate(tool.listing())])


async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Run the one tool; another name is an error of the protocol."""
    if params.name != tool.NAME:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {shown(params.name)}")
    caller = resolution.Caller(cwd=os.getcwd())
    result = await anyio.to_thread.run_sync(partial(tool.call, params.arguments, caller))
    return types.CallToolResult.model_validate(result)


async def serve() -> None:
    """Serve stdio until the input ends."""
    server = Server(
        "claudedo-findings",
        version=__version__,
        instructions=tool.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    sys.exit(anyio.run(serve))
