"""Verbs for the agents' side: pointer, hook, snippet."""

from claudedo_findings import pointer
from claudedo_findings.cli.common import Verbs, add_verb, chosen, meant, print_json, print_text
from claudedo_findings.errors import FindingsError
from claudedo_findings.layout import Layout

TYPE_CHECKING = False  # `pointer` waits for no argparse
if TYPE_CHECKING:
    import argparse


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "pointer", _pointer, "print the sentence that leads an agent to the index; nothing without one")
    parser = add_verb(
        verbs,
        "hook",
        _hook,
        "answer an agent's hook event on stdin with what is known about it; always exits 0",
        store=False,
        json=False,
    )
    parser.add_argument("--format", metavar="AGENT", help="claude, codex or gemini; without it the event tells")
    add_verb(
        verbs, "snippet", _snippet, "print a block for CLAUDE.md or AGENTS.md that leads to the index; edits neither"
    )


def _hook(args: "argparse.Namespace") -> int:
    from claudedo_findings.hook import front

    return front.main([] if args.format is None else [f"--format={args.format}"])


def _snippet(args: "argparse.Namespace") -> int:
    from claudedo_findings import tracking  # `pointer` asks nothing of it

    item, store = chosen(args)
    shared = bool(store.places.common_dir) and store.exists() and tracking.state(store).checked_in
    text = pointer.snippet(store, shared=shared)
    if args.json:
        print_json({"list": item.name, "snippet": text, "shared": shared})
        return 0
    print_text(text)
    if not shared:
        print_text(
            "the path is this machine's: put it where it is not checked in, like CLAUDE.local.md", to_stderr=True
        )
    return 0


def _pointer(args: "argparse.Namespace") -> int:
    return point(args.list, here=args.here, json=args.json)


def point(wanted: str | None, *, here: bool, json: bool = False) -> int:
    """Print the sentence of the list that `--list`, `--here` or the current directory means."""
    item, places = meant(wanted, here=here)
    store = Layout(places)
    try:
        pointer.sync_daily(store)
    except FindingsError as error:  # a store that cannot be written can still be read
        print_text(f"warning: the index was not checked today: {error}", to_stderr=True)
    sentence = pointer.sentence(store)
    if json:
        print_json({"list": item.name, "pointer": sentence, "index": store.index_path if sentence else ""})
    elif sentence:
        print_text(sentence)
    return 0 if sentence else 1
