"""What `list` and `show` say of the texts beside the findings: candidates and retired ones."""

from claudedo_findings.cli.common import print_json, print_table, print_text
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import candidates
from claudedo_findings.gather.candidate import Held
from claudedo_findings.lists import TodoList
from claudedo_findings.store import Store

_WORDS = {"candidates": "candidate", "retired": "retired finding"}
_MACHINE = ("slug", "also", "drafted")  # keys that say nothing to people


def list_aside(item: TodoList, store: Store, kind: str, *, json: bool) -> int:
    """Print the candidates or the retired texts, one line each; return 1 when there are none."""
    found = list(candidates.held(store, kind))
    if json:
        rows = [as_json(store, held) for held in found]
        print_json({"list": item.name, "store": store.folder, kind: rows})
    elif found:
        middle = "STATE" if kind == "candidates" else "REASON"
        rows_of_text = [
            (held.name, state(held) if kind == "candidates" else held.reason or "-", held.source or "-", _title(held))
            for held in found
        ]
        print_table(("SLUG", middle, "SOURCE", "TITLE"), rows_of_text)
    else:
        print_text(f"no {_WORDS[kind]}s in {store.folder}")
    return 0 if found else 1


def show_aside(item: TodoList, store: Store, slug: str, *, json: bool) -> bool:
    """Print the candidate, else the retired text, of that slug; return whether there is one.

    Raises FindingsError when there may be one, in a folder that cannot be looked at.
    """
    unseen = []
    for kind, word in _WORDS.items():
        try:
            if slug not in store.slugs(kind):
                continue
        except FindingsError as error:
            unseen.append(error)
            continue
        held = candidates.one(store, kind, slug)
        if json:
            print_json({**as_json(store, held), "kind": _kind(held), "list": item.name, "body": held.stored.body})
        else:
            print_text(f"{word}, not in the index: {text(store, held)}")
            for warning in (held.complaint, *unseen):
                if warning:
                    print_text(f"warning: {warning}", to_stderr=True)
        return True
    if unseen:
        raise unseen[0]
    return False


def beside(store: Store, slug: str) -> tuple[list[str], list[str]]:
    """Return a note for each candidate and retired text that has a finding's slug, and for each that may be there."""
    notes, unseen = [], []
    for kind, word in _WORDS.items():
        try:
            if slug in store.slugs(kind):
                notes.append(f"note: there is also a {word} of this name: {store.finding_path(slug, kind)}")
        except FindingsError as error:  # the finding itself was read
            unseen.append(f"warning: whether there is a {word} of this name is not known: {error}")
    return notes, unseen


def text(store: Store, held: Held) -> str:
    """Return a candidate or a retired text for people: its path, its keys, then what it says."""
    keys = [f"{name}: {value}" for name, value in held.stored.keys.items() if value and name not in _MACHINE]
    heading = f"# {held.stored.title or held.name}"
    return "\n".join([store.finding_path(held.name, held.kind), *keys, "", heading, "", held.stored.body])


def state(held: Held) -> str:
    """Return in a word what became of a candidate since it was drafted."""
    if held.complaint:
        return "broken"
    if not held.drafted:
        return "by hand"
    return "edited" if held.touched else "drafted"


def as_json(store: Store, held: Held) -> dict[str, object]:
    """Return a candidate or a retired text as the object of `--json`."""
    said = {"state": state(held)} if held.kind == "candidates" else {"reason": held.reason}
    return {
        "slug": held.name,
        "title": held.stored.title,
        "scope": held.stored.scope,
        **said,
        "source": held.source,
        "evidence": held.stored.keys.get("evidence", ""),
        "path": store.finding_path(held.name, held.kind),
        "complaint": held.complaint,
    }


def _kind(held: Held) -> str:
    return "candidate" if held.kind == "candidates" else "retired"


def _title(held: Held) -> str:
    return held.stored.title or f"({held.complaint})"
