"""What the repository says about a store: which scopes exist, what git shares, what differs from HEAD."""

import os
from collections.abc import Iterator

from claudedo_findings import git, rules, tracking
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.layout import FOLDER
from claudedo_findings.lint_finding import File
from claudedo_findings.problem import Problem
from claudedo_findings.store import Store

_AT_ONCE = 200  # paths that git is asked about in one process: a command line has its limits


def scopes(store: Store, found: list[File], worktree: str) -> Iterator[Problem]:
    """Yield each finding whose scope is neither in the main checkout, nor known to git there, nor in `worktree`."""
    missing = {}
    for file in found:
        scope = _usable(file)
        tops = [store.places.root, *([os.path.join(worktree, store.places.prefix)] if worktree else [])]
        if scope and not any(os.path.lexists(os.path.join(top, scope)) for top in tops):
            missing[file] = scope
    known = _known_to_git(store, sorted(set(missing.values())))
    for file, scope in missing.items():
        if scope not in known:
            what = f"the scope {shown(scope)} exists nowhere in {store.places.root}"
            hint = "correct it by saving this slug again, or retire the finding if what it warned of is gone"
            yield file.at(file.key_line("scope"), "scope", what, hint)


def shared(store: Store) -> Iterator[Problem]:
    """Yield what a checked-in store lacks that lets its lines merge and keeps drafts and old texts out."""
    for path, lines in tracking.lacking(store).items():
        what = f"the store is checked in, but this file lacks {', '.join(lines)}"
        yield Problem(rule="shared-files", path=path, line=1, what=what, hint="run 'claudedo-findings track'")


def sharing(store: Store) -> tuple[bool, list[str]]:
    """Return whether the store is checked in, and what git could not tell."""
    if not store.places.common_dir:
        return False, [f"what git thinks: {store.places.root} is in no git repository"]
    try:
        state = tracking.state(store)
    except FindingsError as error:
        return False, [f"what git thinks: {error}"]
    return state.checked_in and state.files > 0, []


def changed(store: Store) -> frozenset[str]:
    """Return the absolute paths in the store that differ from HEAD, deleted ones too; all when it is excluded.

    Raises FindingsError without git.
    """
    places = store.places
    if not places.common_dir:
        raise FindingsError(
            f"{places.root} is in no git repository, so nothing tells what changed: leave out --changed"
        )
    names = ["diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", "HEAD", "--", FOLDER]
    told = git.run(names if places.head else ["ls-files", "-z", "--", FOLDER], places.root)
    told += git.run(["ls-files", "-z", "--others", "--", FOLDER], places.root)
    return frozenset(os.path.join(places.root, *name.split("/")) for name in told.split("\0") if name)


def _usable(file: File) -> str:
    try:
        scope = rules.scope(file.stored.scope)
    except FindingsError:  # what is wrong with its form is told elsewhere
        return ""
    return "" if scope == "." else scope


def _known_to_git(store: Store, wanted: list[str]) -> set[str]:
    """Return those of the paths that git tracks, though they are not checked out (a sparse checkout, for one)."""
    known: set[str] = set()
    if not store.places.common_dir:
        return known
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        literal = [f":(literal){path}" for path in some]
        told = [name for name in git.run(["ls-files", "-z", "--", *literal], store.places.root).split("\0") if name]
        known |= {path for path in some if any(name == path or name.startswith(f"{path}/") for name in told)}
    return known
