"""The Python SDK 1.x: lists the tools and makes the calls that stdin asks for."""

# mypy: ignore-errors
# ruff: noqa: TID251
# The project's environment has 2.x.

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def talk(target: dict[str, Any], calls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the protocol's version, the tools and the answers, as they are on the wire."""
    if "url" in target:
        transport = streamablehttp_client(target["url"], headers=target["headers"])
    else:
        transport = stdio_client(StdioServerParameters(**target))
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        protocol = (await session.initialize()).protocolVersion
        tools = (await session.list_tools()).tools
        answers = [await session.call_tool(tools[0].name, call) for call in calls]
    return {
        "protocol": protocol,
        "tools": [tool.model_dump(mode="json", exclude_none=True) for tool in tools],
        "answers": [answer.model_dump(mode="json", exclude_none=True) for answer in answers],
    }


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps(asyncio.run(talk(asked["target"], asked["calls"]))))
