"""Verbs for the agents' side: pointer."""

import argparse

from claudedo_findings import pointer
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_text
from claudedo_findings.errors import FindingsError


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "pointer", _pointer, "print the sentence that leads an agent to the index; nothing without one")


def _pointer(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    try:
        pointer.sync_daily(store)
    except FindingsError as error:  # a store that cannot be written can still be read
        print_text(f"warning: the index was not checked today: {error}", to_stderr=True)
    sentence = pointer.sentence(store)
    if args.json:
        print_json({"list": item.name, "pointer": sentence, "index": store.index_path if sentence else ""})
    elif sentence:
        print_text(sentence)
    return 0 if sentence else 1
