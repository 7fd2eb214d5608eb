"""Verbs that start something: serve, demo."""

import argparse

from claudedo_findings.cli.common import Verbs, add_verb, list_name


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "serve", _serve, "serve save_finding to an MCP client over stdio", store=False, json=False)
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument("--list", metavar="NAME", type=list_name, help="save to this list alone")
    bound.add_argument("--here", action="store_true", help="save to the checkout of the current directory alone")

    parser = add_verb(
        verbs, "demo", _demo, "show the whole way in a temporary folder, with a real client", store=False, json=False
    )
    parser.add_argument("--keep", action="store_true", help="keep the temporary folder and print where it is")


def _serve(args: argparse.Namespace) -> int:
    from claudedo_findings.server import stdio

    stdio.serve(bound=args.list, here=args.here)


def _demo(args: argparse.Namespace) -> int:
    from claudedo_findings.cli import demo

    return demo.run(keep=args.keep)
