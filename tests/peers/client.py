"""The Python SDK, 1.x or 2.x in one of its modes: lists the tools and makes the calls that stdin asks for."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def first_generation(target: dict[str, Any], _mode: str) -> Any:
    """Yield a session of 1.x and the protocol's version."""
    from mcp import ClientSession, StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamablehttp_client

    if "url" in target:
        transport = streamablehttp_client(target["url"], headers=target["headers"])
    else:
        transport = stdio_client(StdioServerParameters(**target))
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        yield session, (await session.initialize()).protocolVersion


@asynccontextmanager
async def second_generation(target: dict[str, Any], mode: str) -> Any:
    """Yield a client of 2.x and the protocol's version."""
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    server: Any = None
    if "url" in target:
        server = streamable_http_client(target["url"], http_client=create_mcp_http_client(target["headers"]))
    else:
        server = StdioServerParameters(**target)
    async with Client(server, mode=mode) as client:
        yield client, client.protocol_version


async def talk(target: dict[str, Any], mode: str, calls: list[Any]) -> dict[str, Any]:
    """Return the protocol's version, the tools and the answers, as they are on the wire."""
    connect = first_generation if mode == "1.x" else second_generation
    async with connect(target, mode) as (client, protocol):
        tools = (await client.list_tools()).tools
        answers = [await client.call_tool(tools[0].name, call) for call in calls]
    wire = {"mode": "json", "by_alias": True, "exclude_none": True}
    return {
        "protocol": protocol,
        "tools": [tool.model_dump(**wire) for tool in tools],
        "answers": [answer.model_dump(**wire) for answer in answers],
    }


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps(asyncio.run(talk(asked["target"], asked["mode"], asked["calls"]))))
