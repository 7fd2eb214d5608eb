"""The verb that walks through the candidates on a terminal: review."""

import argparse
import sys
from collections import Counter

from claudedo_findings import approve, launch, retire
from claudedo_findings.cli import aside
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_text
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import candidates
from claudedo_findings.store import Store

_QUESTION = "[a]pprove, [e]dit, [r]eject, [s]kip, [q]uit? "


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    add_verb(verbs, "review", _review, "walk through the candidates: approve, edit, reject, skip", json=False)


def _review(args: argparse.Namespace) -> int:
    _, store = chosen(args)
    if not (sys.stdin and sys.stdin.isatty()):
        raise FindingsError(
            "review asks about each candidate, but its input is no terminal: name them, with 'approve SLUG'"
            " or 'reject SLUG --why REASON'"
        )
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]  # a real stream
    for name in [held.name for held in candidates.held(store, "candidates") if held.name not in _known(store)]:
        print_text(f"warning: passed over {name}.md: give it a slug as its name", to_stderr=True)
    slugs = sorted(_known(store))
    if not slugs:
        print_text(f"no candidates in {store.folder}")
        return 1
    done: Counter[str] = Counter()
    for number, slug in enumerate(slugs, 1):
        print_text(f"\n--- candidate {number} of {len(slugs)}")
        result = _settle(store, slug)
        if result == "quit":
            break
        done[result] += 1
    left = len(_known(store))
    print_text(f"\n{done['approved']} approved, {done['rejected']} rejected, {left} left")
    return 0


def _settle(store: Store, slug: str) -> str:
    """Show a candidate and ask until it is approved, rejected or skipped; return that word, or quit."""
    while slug in _known(store):
        seen = candidates.one(store, "candidates", slug)
        print_text(aside.text(store, seen))
        problem = approve.problem(store, slug)
        if problem:
            print_text(f"\nproblem: {problem}")
        answer = _ask(_QUESTION)
        try:
            result = _ANSWERS.get(answer.lower(), _again)(store, slug, seen.data)
        except FindingsError as error:
            print_text(f"error: {error}", to_stderr=True)
            continue
        if result:
            return result
    print_text(f"{slug} is no candidate any more")
    return "gone"


def _approve(store: Store, slug: str, seen: bytes) -> str:
    (one,) = approve.approve(store, [slug], seen={slug: seen})
    print_text("\n".join([f"approved: {one.path}", *(f"warning: {text}" for text in one.warnings)]))
    return "approved"


def _edit(store: Store, slug: str, _seen: bytes) -> str:
    launch.editor(store.finding_path(slug, "candidates"))
    return ""


def _reject(store: Store, slug: str, _seen: bytes) -> str:
    why = _ask("why (nothing: do not reject)? ")
    if why in ("", _END):
        return ""
    print_text(f"rejected: {retire.reject(store, [slug], why)[0]}")
    return "rejected"


def _skip(_store: Store, _slug: str, _seen: bytes) -> str:
    return "skipped"


def _quit(_store: Store, _slug: str, _seen: bytes) -> str:
    return "quit"


def _again(_store: Store, _slug: str, _seen: bytes) -> str:
    return ""


_END = "\x04"
_WORDS = {"approve": _approve, "edit": _edit, "reject": _reject, "skip": _skip, "quit": _quit}
_ANSWERS = {_END: _quit, **_WORDS, **{word[0]: action for word, action in _WORDS.items()}}


def _known(store: Store) -> frozenset[str]:
    return store.slugs("candidates")


def _ask(question: str) -> str:
    r"""Return the line that was typed, "\x04" at the end of input."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else _END
