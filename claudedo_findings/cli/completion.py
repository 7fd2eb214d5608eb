"""Shell completion: prints what makes a shell ask, and answers it. argcomplete does the shells' part."""

import argparse
import os
from collections.abc import Callable, Iterator

from claudedo_findings import lists
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_text
from claudedo_findings.errors import FindingsError

SHELLS = ("bash", "zsh", "fish", "powershell")
# Whose slugs a verb takes, where it is not those of findings.
_KINDS = {"approve": ("candidates",), "reject": ("candidates",), "restore": ("traps", "retired")}
_SLUGS = ("SLUG", "FROM", "INTO")
_PATHS = ("DIR", "PATH", "FILE", "P")


def add_verbs(verbs: Verbs) -> None:
    """Add the verb."""
    parser = add_verb(
        verbs, "completion", _completion, "print what lets a shell complete verbs and slugs", store=False, json=False
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def verb_at_hand() -> str:
    """Return the verb of the command line that the shell wants completed, "" while that itself is typed."""
    line = os.environ.get("COMP_LINE", "")
    words = line.split()
    return words[1] if len(words) > 2 or (len(words) == 2 and line.endswith(" ")) else ""


def answer(parser: argparse.ArgumentParser) -> None:
    """Write the completions to where the shell reads them, and end the process."""
    import argcomplete
    from argcomplete.completers import FilesCompleter, SuppressCompleter

    for verb, action in _actions(parser, ""):
        name = str(action.metavar).rstrip("…").rstrip(".")
        if name in _SLUGS:
            completer = _slugs(_KINDS.get(verb, ("traps",)))
        elif name == "NAME":
            completer = _names
        elif name in _PATHS:
            completer = FilesCompleter()
        else:
            continue
        action.completer = completer  # type: ignore[attr-defined]  # argcomplete looks for it there
    argcomplete.autocomplete(parser, always_complete_options=False, default_completer=SuppressCompleter())


def _completion(args: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print_text(shellcode(["claudedo-findings"], shell=args.shell))
    return 0


def _actions(parser: argparse.ArgumentParser, verb: str) -> Iterator[tuple[str, argparse.Action]]:
    """Yield every option and argument with the verb it belongs to."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield from _actions(child, verb or name)
        elif action.choices is None and action.nargs != 0:
            yield verb, action


def _slugs(kinds: tuple[str, ...]) -> Callable[..., list[str]]:
    def complete(parsed_args: argparse.Namespace, **_: object) -> list[str]:
        meant = argparse.Namespace(list=getattr(parsed_args, "list", None), here=getattr(parsed_args, "here", False))
        try:
            store = chosen(meant)[1]
            return sorted({slug for kind in kinds for slug in store.slugs(kind)})
        except FindingsError:  # an error would land in the middle of the user's line
            return []

    return complete


def _names(**_: object) -> list[str]:
    try:
        return [item.name for item in lists.known()]
    except FindingsError:
        return []
