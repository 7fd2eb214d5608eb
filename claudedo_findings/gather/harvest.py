"""Harvest: notes become drafts, each trap once, and what is gone from a note is told."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings import git, redact
from claudedo_findings.gather import candidates, marks, notedrafts, notefiles
from claudedo_findings.gather.candidate import Held
from claudedo_findings.gather.draft import digest
from claudedo_findings.gather.notedrafts import Found
from claudedo_findings.gather.plan import Kept
from claudedo_findings.gather.scopes import Tracked
from claudedo_findings.gather.shelf import Shelf
from claudedo_findings.store import Store


@dataclass(frozen=True, kw_only=True)
class Gone:
    """A candidate or finding whose trap no longer stands in its note. It stays: a note may be tidied up."""

    slug: str
    kind: str
    source: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Harvest:
    """What a run found: traps with what became of each, texts gone from their notes, copies, and complaints."""

    found: tuple[Found, ...]
    kept: tuple[Kept, ...]
    gone: tuple[Gone, ...]
    copies: dict[str, str]
    complaints: tuple[str, ...]
    read: int
    """The number of notes read."""


def run(
    store: Store,
    named: Sequence[str] = (),
    folder: str = "",
    *,
    weak: bool = False,
    save: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Harvest:
    """Draft the traps of the default notes, or of those named (relative to `folder`), and keep them with `save`.

    One git process where there is a repository. Raises FindingsError when a named note cannot be read.
    """
    root = store.places.root
    tracked = git.run(["ls-files", "-z"], root).split("\0")[:-1] if store.places.common_dir else []
    shelf = notefiles.named(root, named, folder) if named else notefiles.default(root, tracked)
    held = [one for kind in ("traps", "candidates") for one in candidates.held(store, kind) if _is_note(one)]
    paths, found, asked = Tracked(tracked), list[Found](), dict[str, str]()
    read = 0
    for source in shelf.read():
        read += 1
        if progress:
            progress(read, len(shelf.paths))
        mine = [one.source for one in held if one.source.startswith(_prefix(source.path))]
        asked |= dict.fromkeys(mine, source.path)
        # A candidate with a weak mark is not gone because this run does not ask for such.
        found += notedrafts.of_note(source, paths, shelf.complaints, weak=weak or bool(mine))
    if progress and read < len(shelf.paths):  # copies and what could not be read
        progress(len(shelf.paths), len(shelf.paths))
    wanted = tuple(notedrafts.once([trap for trap in found if weak or trap.strength == marks.STRONG]))
    return Harvest(
        found=wanted,
        kept=(candidates.keep if save else candidates.preview)(store, [trap.draft for trap in wanted]),
        gone=tuple(_gone(held, found, asked, shelf, everywhere=not named)),
        copies=shelf.copies,
        complaints=tuple(shelf.complaints),
        read=read,
    )


def _gone(
    held: Sequence[Held], found: Sequence[Found], asked: Mapping[str, str], shelf: Shelf, *, everywhere: bool
) -> Iterator[Gone]:
    """Yield what no longer stands in its note, and with `everywhere` also what was drafted from a note that is gone."""
    present = {digest(trap.draft.source) for trap in found}
    for one in held:
        if one.keys & present:
            continue
        if one.source in asked:
            yield Gone(slug=one.name, kind=one.kind, source=one.source, reason=f"removed from {asked[one.source]}")
        elif everywhere and all(map(shelf.lacks, _paths(one.source))):
            path = next(_paths(one.source), one.source)
            yield Gone(slug=one.name, kind=one.kind, source=one.source, reason=f"{path} is gone")


def _paths(source: str) -> Iterator[str]:
    """Yield the paths that the key of a note may mean: a path can hold the sign that ends it."""
    key = source.removeprefix("note:")
    yield from (key[: found.start()] for found in re.finditer("#", key))


def _is_note(held: Held) -> bool:
    return held.source.startswith("note:")


def _prefix(path: str) -> str:
    return redact.text(f"note:{path}#", "")
