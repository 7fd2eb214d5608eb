"""The smallest server that the official SDK allows: what a stdio front on it would start like."""

import anyio
import mcp.types as types  # noqa: TID251  # the peer
from mcp.server.lowlevel import Server  # noqa: TID251  # the peer
from mcp.server.stdio import stdio_server  # noqa: TID251  # the peer


async def _list(_context: object, _params: object) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[])


async def _main() -> None:
    server: Server[object] = Server("minimal", on_list_tools=_list)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(_main)
