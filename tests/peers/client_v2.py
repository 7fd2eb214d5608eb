"""The Python SDK 2.x in one of its modes: lists the tools and makes the calls that stdin asks for."""

# ruff: noqa: TID251

import asyncio
import json
import sys
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


async def talk(target: dict[str, Any], mode: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the protocol's version, the tools and the answers, as they are on the wire."""
    server: Any
    if "url" in target:
        server = streamable_http_client(target["url"], http_client=create_mcp_http_client(target["headers"]))
    else:
        server = StdioServerParameters(**target)
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        answers = [await client.call_tool(tools[0].name, call) for call in calls]
        protocol = client.protocol_version
    return {
        "protocol": protocol,
        "tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools],
        "answers": [answer.model_dump(mode="json", by_alias=True, exclude_none=True) for answer in answers],
    }


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps(asyncio.run(talk(asked["target"], asked["mode"], asked["calls"]))))
