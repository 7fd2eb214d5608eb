"""What each MCP client must be told, to start this program or to reach its HTTP service."""

import json
import shlex
import sys
from collections.abc import Callable

from claudedo_findings import service
from claudedo_findings.cli import connect_dotnet, registration
from claudedo_findings.cli.registration import Registration

_NAME = "findings"
_KEY = service.KEY_VARIABLE
_PASSED = ("CLAUDEDO_TASK_ID", "CLAUDEDO_LIST", "CLAUDEDO_FINDINGS_HOME")


def _claude(serve: list[str]) -> Registration:
    text = f"claude mcp add -s user {_NAME} -- {registration.shell(serve)}"
    return Registration(action="run", place="in a shell, once; it holds for all projects of the user", text=text)


def _claude_http(url: str) -> Registration:
    header = f"{service.KEY_HEADER}: ${{{_KEY}}}"
    text = f"claude mcp add -s user -t http {_NAME} {url} --header " + (
        f'"{header}"' if sys.platform == "win32" else shlex.quote(header)
    )
    headers = {service.KEY_HEADER: f"${{{_KEY}}}", service.TASK_HEADER: "TASK-ID", service.LIST_HEADER: "LIST"}
    run = json.dumps({"mcpServers": {_NAME: {"type": "http", "url": url, "headers": headers}}})
    return Registration(
        action="run",
        place="in a shell, once; it holds for all projects of the user",
        text=text,
        notes=(
            "Claude Code puts the variable's value in at each start; the key itself is not written to its settings.",
            f"A host that starts runs puts their task into a file for --mcp-config instead: {run}",
        ),
    )


def _codex(serve: list[str]) -> Registration:
    lines = (
        f"[mcp_servers.{_NAME}]",
        f"command = {json.dumps(serve[0], ensure_ascii=False)}",
        f"args = {json.dumps(serve[1:], ensure_ascii=False)}",
        f"env_vars = {json.dumps(_PASSED)}",
    )
    notes = ("Codex gives its servers a bare environment; env_vars lets the task through.",)
    return Registration(action="paste", place="into ~/.codex/config.toml", text="\n".join(lines), notes=notes)


def _codex_http(url: str) -> Registration:
    text = f'[mcp_servers.{_NAME}]\nurl = "{url}"\nbearer_token_env_var = "{_KEY}"'
    return Registration(action="paste", place="into ~/.codex/config.toml", text=text)


def _gemini(serve: list[str]) -> Registration:
    text = f"gemini mcp add -s user {_NAME} {registration.shell(serve)}"
    return Registration(action="run", place="in a shell, once; it holds for all projects of the user", text=text)


def _gemini_http(url: str) -> Registration:
    server = {"httpUrl": url, "headers": {service.KEY_HEADER: f"${_KEY}"}}
    return Registration(
        action="paste", place="into ~/.gemini/settings.json", text=registration.as_json({"mcpServers": {_NAME: server}})
    )


_OPENCODE = "into ~/.config/opencode/opencode.json"
_OPENCODE_2 = "That is for opencode 1; opencode 2 has the server one level deeper, in mcp.servers, without 'enabled'."


def _opencode(serve: list[str]) -> Registration:
    server = {"type": "local", "command": serve, "enabled": True}
    return Registration(
        action="paste", place=_OPENCODE, text=registration.as_json({"mcp": {_NAME: server}}), notes=(_OPENCODE_2,)
    )


def _opencode_http(url: str) -> Registration:
    headers = {service.KEY_HEADER: f"{{env:{_KEY}}}"}
    server = {"type": "remote", "url": url, "headers": headers, "oauth": False, "enabled": True}
    return Registration(
        action="paste", place=_OPENCODE, text=registration.as_json({"mcp": {_NAME: server}}), notes=(_OPENCODE_2,)
    )


_VSCODE = "into the file that the command 'MCP: Open User Configuration' opens (mcp.json)"


def _vscode(serve: list[str]) -> Registration:
    server = {"type": "stdio", "command": serve[0], "args": serve[1:]}
    return Registration(action="paste", place=_VSCODE, text=registration.as_json({"servers": {_NAME: server}}))


def _vscode_http(url: str) -> Registration:
    server = {"type": "http", "url": url, "headers": {service.KEY_HEADER: "${input:findings-key}"}}
    asked = {"type": "promptString", "id": "findings-key", "description": "Key of claudedo-findings", "password": True}
    return Registration(
        action="paste", place=_VSCODE, text=registration.as_json({"servers": {_NAME: server}, "inputs": [asked]})
    )


def _cursor(serve: list[str]) -> Registration:
    text = registration.as_json({"mcpServers": {_NAME: {"command": serve[0], "args": serve[1:]}}})
    return Registration(action="paste", place="into ~/.cursor/mcp.json", text=text)


def _cursor_http(url: str) -> Registration:
    server = {"url": url, "headers": {service.KEY_HEADER: f"${{env:{_KEY}}}"}}
    return Registration(
        action="paste", place="into ~/.cursor/mcp.json", text=registration.as_json({"mcpServers": {_NAME: server}})
    )


def _dotnet(serve: list[str]) -> Registration:
    return Registration(action="compile", place=connect_dotnet.PLACE, text=connect_dotnet.stdio(serve))


def _dotnet_http(url: str) -> Registration:
    text = connect_dotnet.http([*registration.command(), "serve", "--http"], url)
    return Registration(action="compile", place=connect_dotnet.PLACE, text=text, notes=connect_dotnet.HTTP_NOTES)


CLIENTS: dict[str, tuple[Callable[[list[str]], Registration], Callable[[str], Registration]]] = {
    "claude": (_claude, _claude_http),
    "codex": (_codex, _codex_http),
    "gemini": (_gemini, _gemini_http),
    "opencode": (_opencode, _opencode_http),
    "vscode": (_vscode, _vscode_http),
    "cursor": (_cursor, _cursor_http),
    "dotnet": (_dotnet, _dotnet_http),
}
