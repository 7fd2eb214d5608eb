"""Verbs that set up: serve, connect, demo."""

import argparse

from claudedo_findings import service
from claudedo_findings.cli import connect
from claudedo_findings.cli.common import Verbs, add_verb, list_name
from claudedo_findings.errors import FindingsError

LOG_LEVELS = ("debug", "info", "warning", "error")
_HTTP_OPTIONS = ("port", "no_key", "parent_pid", "log_level")


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    _add_serve(verbs)
    connect.add_verb_connect(verbs)

    parser = add_verb(
        verbs, "demo", _demo, "show the whole way in a temporary folder, with a real client", store=False, json=False
    )
    parser.add_argument("--keep", action="store_true", help="keep the temporary folder and print where it is")


def _add_serve(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "serve", _serve, "serve save_finding to MCP clients, over stdio or HTTP", store=False, json=False
    )
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument("--list", metavar="NAME", type=list_name, help="save to this list alone")
    bound.add_argument("--here", action="store_true", help="save to the checkout of the current directory alone")
    http = parser.add_argument_group("the HTTP service", "A first line on stdout says where it listens, as JSON.")
    http.add_argument("--http", action="store_true", help="serve many clients on loopback, until it is ended")
    # None where an option was not given: without --http it would be silently meaningless.
    http.add_argument("--port", type=int, metavar="N", help=f"listen there (default {service.PORT}; 0: any free one)")
    http.add_argument("--no-key", action="store_true", default=None, help="trust everybody who reaches loopback")
    http.add_argument("--parent-pid", type=int, metavar="N", help="end when this process ends")
    http.add_argument("--log-level", choices=LOG_LEVELS, help="of the log file in the state folder (default info)")


def _serve(args: argparse.Namespace) -> int:
    given = {name: value for name in _HTTP_OPTIONS if (value := getattr(args, name)) is not None}
    if not args.http:
        if given:
            raise FindingsError(f"--{next(iter(given)).replace('_', '-')} needs --http")
        from claudedo_findings.server import stdio

        stdio.serve(bound=args.list, here=args.here)
    if not 0 <= given.get("port", 0) <= 65535:
        raise FindingsError(f"--port {args.port} is no port: choose one from 1 to 65535, or 0 for any free one")
    from claudedo_findings.server import http_start

    if "no_key" in given:
        given["trusting"] = given.pop("no_key")
    begun = http_start.begin(http_start.Options(bound=args.list, here=args.here, **given))
    from claudedo_findings.server import http  # a second later

    return http.serve(begun, lambda line: print(line, flush=True))


def _demo(args: argparse.Namespace) -> int:
    from claudedo_findings.cli import demo

    return demo.run(keep=args.keep)
