"""`connect`: prints how an MCP client is told of save_finding. It edits nobody's configuration."""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass

from claudedo_findings import service
from claudedo_findings.cli import connect_dotnet, connect_hooks
from claudedo_findings.cli.common import Verbs, add_verb, print_json, print_text
from claudedo_findings.errors import FindingsError

_NAME = "findings"
_KEY = service.KEY_VARIABLE
_PASSED = ("CLAUDEDO_TASK_ID", "CLAUDEDO_LIST", "CLAUDEDO_FINDINGS_HOME")


@dataclass(frozen=True, kw_only=True)
class Registration:
    """What to do with which text: `action` is "run", "paste" or "compile", `place` says where."""

    action: str
    place: str
    text: str
    notes: tuple[str, ...] = ()


def add_verb_connect(verbs: Verbs) -> None:
    """Add the verb."""
    help_text = "print what registers save_finding with a client; changes nothing"
    parser = add_verb(verbs, "connect", _connect, help_text, store=False)
    parser.add_argument("client", metavar="CLIENT", choices=sorted(_CLIENTS), help=", ".join(_CLIENTS))
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--http", action="store_true", help="through the HTTP service instead of a process per session")
    way.add_argument("--hooks", action="store_true", help="the settings for 'hook' instead: claude, codex, gemini")
    parser.add_argument(
        "--port", type=int, default=service.PORT, help="where the service listens (default %(default)s)"
    )


def command() -> list[str]:
    """Return the absolute command line that starts this program."""
    folder = os.path.dirname(os.path.abspath(sys.executable))
    script = os.path.join(folder, "claudedo-findings" + (".exe" if sys.platform == "win32" else ""))
    return [script] if os.path.isfile(script) else [os.path.abspath(sys.executable), "-m", "claudedo_findings"]


def _connect(args: argparse.Namespace) -> int:
    stdio, http = _CLIENTS[args.client]
    if args.hooks:
        made = _hooks(args.client)
    else:
        made = http(service.url(args.port)) if args.http else stdio([*command(), "serve"])
    notes = [*made.notes, *(_service_notes(args.port, args.client) if args.http else ())]
    if args.json:
        transport = "http" if args.http else "hooks" if args.hooks else "stdio"
        fields = {"action": made.action, "place": made.place, "text": made.text, "notes": notes}
        print_json({"client": args.client, "transport": transport, **fields})
        return 0
    # Notes on stderr: what is on stdout can be piped to where it goes.
    print_text(f"{made.action.capitalize()} this {made.place}:\n", to_stderr=True)
    print_text(made.text)
    sys.stdout.flush()
    print_text("".join(f"\n* {note}" for note in notes), to_stderr=True)
    return 0


def _hooks(client: str) -> Registration:
    if client not in connect_hooks.CLIENTS:
        raise FindingsError(f"hooks are known for {', '.join(connect_hooks.CLIENTS)} alone, not for {client!r}")
    place, value, notes = connect_hooks.settings(client, _shell([*command(), "hook", "--format", client]))
    return Registration(action="paste", place=place, text=_json(value), notes=notes)


def _service_notes(port: int, client: str) -> tuple[str, ...]:
    start = [*command(), "serve", "--http", *(["--port", str(port)] if port != service.PORT else [])]
    if client == "dotnet":
        return ()
    path = service.key_path()
    if sys.platform == "win32":
        export = f'$env:{_KEY} = (Get-Content "{path}").Trim()'
    else:
        export = f'export {_KEY}="$(cat {shlex.quote(path)})"'
    if client == "vscode":
        hand_over = f"VS Code asks for the key once and keeps it; it lies in {path} after the first start."
    else:
        hand_over = f"The client reads the key from its environment, so set it before the client starts: {export}"
    return f"Start the service first, which makes the key: {_shell(start)}", hand_over


def _shell(words: list[str]) -> str:
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _claude(serve: list[str]) -> Registration:
    text = f"claude mcp add -s user {_NAME} -- {_shell(serve)}"
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
    text = f"gemini mcp add -s user {_NAME} {_shell(serve)}"
    return Registration(action="run", place="in a shell, once; it holds for all projects of the user", text=text)


def _gemini_http(url: str) -> Registration:
    server = {"httpUrl": url, "headers": {service.KEY_HEADER: f"${_KEY}"}}
    return Registration(
        action="paste", place="into ~/.gemini/settings.json", text=_json({"mcpServers": {_NAME: server}})
    )


_OPENCODE = "into ~/.config/opencode/opencode.json"
_OPENCODE_2 = "That is for opencode 1; opencode 2 has the server one level deeper, in mcp.servers, without 'enabled'."


def _opencode(serve: list[str]) -> Registration:
    server = {"type": "local", "command": serve, "enabled": True}
    return Registration(action="paste", place=_OPENCODE, text=_json({"mcp": {_NAME: server}}), notes=(_OPENCODE_2,))


def _opencode_http(url: str) -> Registration:
    headers = {service.KEY_HEADER: f"{{env:{_KEY}}}"}
    server = {"type": "remote", "url": url, "headers": headers, "oauth": False, "enabled": True}
    return Registration(action="paste", place=_OPENCODE, text=_json({"mcp": {_NAME: server}}), notes=(_OPENCODE_2,))


_VSCODE = "into the file that the command 'MCP: Open User Configuration' opens (mcp.json)"


def _vscode(serve: list[str]) -> Registration:
    server = {"type": "stdio", "command": serve[0], "args": serve[1:]}
    return Registration(action="paste", place=_VSCODE, text=_json({"servers": {_NAME: server}}))


def _vscode_http(url: str) -> Registration:
    server = {"type": "http", "url": url, "headers": {service.KEY_HEADER: "${input:findings-key}"}}
    asked = {"type": "promptString", "id": "findings-key", "description": "Key of claudedo-findings", "password": True}
    return Registration(action="paste", place=_VSCODE, text=_json({"servers": {_NAME: server}, "inputs": [asked]}))


def _cursor(serve: list[str]) -> Registration:
    text = _json({"mcpServers": {_NAME: {"command": serve[0], "args": serve[1:]}}})
    return Registration(action="paste", place="into ~/.cursor/mcp.json", text=text)


def _cursor_http(url: str) -> Registration:
    server = {"url": url, "headers": {service.KEY_HEADER: f"${{env:{_KEY}}}"}}
    return Registration(action="paste", place="into ~/.cursor/mcp.json", text=_json({"mcpServers": {_NAME: server}}))


def _dotnet(serve: list[str]) -> Registration:
    return Registration(action="compile", place=connect_dotnet.PLACE, text=connect_dotnet.stdio(serve))


def _dotnet_http(url: str) -> Registration:
    text = connect_dotnet.http([*command(), "serve", "--http"], url)
    return Registration(action="compile", place=connect_dotnet.PLACE, text=text, notes=connect_dotnet.HTTP_NOTES)


_CLIENTS: dict[str, tuple[Callable[[list[str]], Registration], Callable[[str], Registration]]] = {
    "claude": (_claude, _claude_http),
    "codex": (_codex, _codex_http),
    "gemini": (_gemini, _gemini_http),
    "opencode": (_opencode, _opencode_http),
    "vscode": (_vscode, _vscode_http),
    "cursor": (_cursor, _cursor_http),
    "dotnet": (_dotnet, _dotnet_http),
}
