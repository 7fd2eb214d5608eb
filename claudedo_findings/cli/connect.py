"""`connect`: prints how an MCP client is told of save_finding. It edits nobody's configuration."""

import argparse
import shlex
import sys

from claudedo_findings import service
from claudedo_findings.cli import connect_clients, connect_hooks, registration
from claudedo_findings.cli.common import Verbs, add_verb, print_json, print_text
from claudedo_findings.cli.registration import Registration
from claudedo_findings.errors import FindingsError

_KEY = service.KEY_VARIABLE


def add_verb_connect(verbs: Verbs) -> None:
    """Add the verb."""
    help_text = "print what registers save_finding with a client; changes nothing"
    parser = add_verb(verbs, "connect", _connect, help_text, store=False)
    names = connect_clients.CLIENTS
    parser.add_argument("client", metavar="CLIENT", choices=sorted(names), help=", ".join(names))
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--http", action="store_true", help="through the HTTP service instead of a process per session")
    way.add_argument("--hooks", action="store_true", help="the settings for 'hook' instead: claude, codex, gemini")
    parser.add_argument(
        "--port", type=int, default=service.PORT, help="where the service listens (default %(default)s)"
    )


def _connect(args: argparse.Namespace) -> int:
    stdio, http = connect_clients.CLIENTS[args.client]
    if args.hooks:
        made = _hooks(args.client)
    else:
        made = http(service.url(args.port)) if args.http else stdio([*registration.command(), "serve"])
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
    command = registration.shell([*registration.command(), "hook", "--format", client])
    place, value, notes = connect_hooks.settings(client, command)
    return Registration(action="paste", place=place, text=registration.as_json(value), notes=notes)


def _service_notes(port: int, client: str) -> tuple[str, ...]:
    start = [*registration.command(), "serve", "--http", *(["--port", str(port)] if port != service.PORT else [])]
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
    return f"Start the service first, which makes the key: {registration.shell(start)}", hand_over
