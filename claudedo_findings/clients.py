"""Which MCP clients of this user have save_finding registered, read from their own settings. Changes nothing."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings import files, jsonc, service
from claudedo_findings.errors import FindingsError

Table = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class Registration:
    """One server in a client's settings that is this tool: `command` for stdio, `url` for HTTP, the other is empty."""

    client: str
    name: str
    path: str
    line: int
    command: tuple[str, ...] = ()
    url: str = ""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A file in which a client keeps its servers; it may not exist."""

    client: str
    path: str


def settings(projects: Sequence[str] = ()) -> tuple[Settings, ...]:
    """Return the files where clients keep servers for this user, and Claude Code's and others' in `projects`."""
    home = os.path.expanduser("~")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    claude = os.environ.get("CLAUDE_CONFIG_DIR") or home
    codex = os.environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    found = [
        ("claude", os.path.join(claude, ".claude.json")),
        ("codex", os.path.join(codex, "config.toml")),
        ("gemini", os.path.join(home, ".gemini", "settings.json")),
        ("opencode", os.path.join(config, "opencode", "opencode.json")),
        ("opencode", os.path.join(config, "opencode", "opencode.jsonc")),
        ("cursor", os.path.join(home, ".cursor", "mcp.json")),
    ]
    found += [
        ("vscode", os.path.join(_editors(home, config), name, "User", "mcp.json"))
        for name in ("Code", "Code - Insiders", "VSCodium")
    ]
    for project in projects:
        found += [("claude", os.path.join(project, ".mcp.json")), ("vscode", os.path.join(project, ".vscode/mcp.json"))]
        found += [("cursor", os.path.join(project, ".cursor/mcp.json"))]
    return tuple(Settings(client=client, path=path) for client, path in found)


def registrations(source: Settings) -> tuple[Registration, ...] | None:
    """Return what a settings file says about this tool, None when there is no such file.

    Raises FindingsError when it cannot be understood.
    """
    data = files.read(source.path)
    if data is None:
        return None
    text = data.decode("utf-8-sig", errors="replace")
    try:
        table = _toml(text) if source.path.endswith(".toml") else jsonc.loads(text)
    except (ValueError, RecursionError) as error:
        raise FindingsError(f"the settings of {source.client} cannot be read ({error})") from error
    found = []
    for name, server in _servers(table):
        command, url = _command(server), _text(server, "url", "httpUrl")
        if _is_ours(name, command, url):
            line = next((number for number, row in enumerate(text.split("\n"), 1) if name in row), 1)
            made = Registration(client=source.client, name=name, path=source.path, line=line, command=command, url=url)
            found.append(made)
    return tuple(found)


def _editors(home: str, config: str) -> str:
    if sys.platform == "win32":
        return os.environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
    return os.path.join(home, "Library", "Application Support") if sys.platform == "darwin" else config


def _toml(text: str) -> object:
    import tomllib

    return tomllib.loads(text)


def _servers(table: object) -> Iterator[tuple[str, Table]]:
    """Yield each server by its name, from wherever the known clients keep them."""
    if not isinstance(table, Mapping):
        return
    places: list[object] = [table.get(key) for key in ("mcpServers", "mcp_servers", "servers", "mcp")]
    if isinstance(table.get("mcp"), Mapping):
        places.append(table["mcp"].get("servers"))  # opencode 2
    projects = table.get("projects")
    if isinstance(projects, Mapping):  # Claude Code keeps the servers of one project there
        places += [project.get("mcpServers") for project in projects.values() if isinstance(project, Mapping)]
    for place in places:
        if isinstance(place, Mapping):
            yield from ((str(name), server) for name, server in place.items() if isinstance(server, Mapping))


def _command(server: Table) -> tuple[str, ...]:
    command, arguments = server.get("command"), server.get("args")
    words = command if isinstance(command, list) else [command] if isinstance(command, str) else []
    return tuple(map(str, [*words, *(arguments if isinstance(arguments, list) else [])]))


def _text(server: Table, *keys: str) -> str:
    return next((value for key in keys if isinstance(value := server.get(key), str)), "")


_SIGNS: tuple[Callable[[str], bool], ...] = (
    lambda word: os.path.basename(word.replace("\\", "/")).removesuffix(".exe") == "claudedo-findings",
    lambda word: word == "claudedo_findings",
)


def _is_ours(name: str, command: Sequence[str], url: str) -> bool:
    started = any(sign(word) for word in command for sign in _SIGNS)
    return started or (bool(url) and (name in ("findings", "claudedo-findings") or f":{service.PORT}/" in url))
