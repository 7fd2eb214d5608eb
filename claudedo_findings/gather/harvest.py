"""Harvest: notes become drafts, each trap once, and what is gone from a note is told."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from claudedo_findings import git, redact
from claudedo_findings.gather import candidates, marks, notes, scopes, shelf
from claudedo_findings.gather.draft import Draft, digest
from claudedo_findings.gather.pieces import Piece
from claudedo_findings.gather.plan import Held, Kept
from claudedo_findings.gather.scopes import Tracked
from claudedo_findings.gather.shelf import Source
from claudedo_findings.store import Store

_AGENT_NOTES = ("claude.md", "agents.md")
_TITLE_KEY_LIMIT = 120  # characters


@dataclass(frozen=True, kw_only=True)
class Found:
    """One trap of a note: its draft, where it stands (`path:line`), how strongly it is marked, where else it stands."""

    draft: Draft
    place: str
    strength: str
    also_at: tuple[str, ...] = ()


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
    listed = git.run(["ls-files", "-z"], root).split("\0")[:-1] if store.places.common_dir else []
    tracked = Tracked(listed)
    notes_to_read = shelf.named(root, named, folder) if named else shelf.default(root, listed)
    held = [one for kind in ("traps", "candidates") for one in candidates.held(store, kind) if _is_note(one)]
    found: list[Found] = []
    gone: list[tuple[Gone, set[str]]] = []
    present: set[str] = set()
    read = 0
    for source in notes_to_read.read():
        read += 1
        if progress:
            progress(read, len(notes_to_read.paths))
        mine = [one for one in held if one.source.startswith(_prefix(source.path))]
        traps = list(_traps(source, tracked, notes_to_read.complaints, weak=weak or bool(mine)))
        present |= {digest(trap.draft.source) for trap in traps}
        gone += [_gone(one, f"removed from {source.path}") for one in mine]
        found += [trap for trap in traps if weak or trap.strength == marks.STRONG]
    if not named:
        gone += [_gone(one, f"{path} is gone") for one in held if notes_to_read.lacks(path := _path(one))]
    once = tuple(_once(found))
    kept = (candidates.keep if save else candidates.preview)(store, [trap.draft for trap in once])
    return Harvest(
        found=once,
        kept=kept,
        gone=tuple(one for one, keys in gone if not keys & present),
        copies=notes_to_read.copies,
        complaints=tuple(notes_to_read.complaints),
        read=read,
    )


def _traps(source: Source, tracked: Tracked, complaints: list[str], *, weak: bool) -> Iterator[Found]:
    """Yield the traps of one note. A note without any mark is not parsed."""
    name = source.path.rpartition("/")[2]
    if not weak and not marks.of_file(name) and not marks.ANY_STRONG.search(source.text):
        return
    reading = notes.read(source.text, name)
    if reading.passed_over:
        complaints.append(f"{source.path} has {reading.passed_over} lines too long or nested too deeply: passed over")
    taken: dict[str, int] = {}
    for piece in reading.pieces:
        title = normalised(piece.title)
        taken[title] = taken.get(title, 0) + 1
        nth = "" if taken[title] == 1 else f" ({taken[title]})"
        draft = Draft(
            source=f"note:{source.path}#{title}{nth}",
            title=piece.title,
            body=piece.body,
            scope=scopes.scope(piece.title, piece.body, tracked, source.folder) or _own_folder(source, name),
            evidence=_evidence(source, piece),
        )
        yield Found(draft=draft, place=f"{source.path}:{piece.start + 1}", strength=piece.strength)


def normalised(title: str) -> str:
    """Return a title as it stands in keys: its words alone, so that punctuation and case may change."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+", folded))[:_TITLE_KEY_LIMIT].strip() or folded[:_TITLE_KEY_LIMIT]


def _own_folder(source: Source, name: str) -> str:
    return source.folder if name.lower() in _AGENT_NOTES and not source.path.startswith("/") else ""


def _evidence(source: Source, piece: Piece) -> str:
    heading = marks.bare(piece.trail[-1]) if piece.trail else ""
    return f"{source.path}: {heading}" if heading else source.path


def _once(found: Sequence[Found]) -> Iterator[Found]:
    """Yield each trap once: of those with one text, or one name, the first; the others' keys and places go with it."""
    first: dict[str, int] = {}
    kept: list[Found] = []
    for trap in found:
        names = (f"text {trap.draft.digest}", f"slug {trap.draft.slug}")
        at = next((first[name] for name in names if name in first), None)
        if at is None or trap.place.rpartition(":")[0] == kept[at].place.rpartition(":")[0]:
            first |= dict.fromkeys(names, len(kept))
            kept.append(trap)
            continue
        one = kept[at]
        also = (*one.draft.also, trap.draft.source)
        draft = Draft(
            source=one.draft.source,
            title=one.draft.title,
            body=one.draft.body,
            scope=one.draft.scope,
            evidence=f"{one.draft.evidence}; also {trap.draft.evidence}",
            also=also,
        )
        kept[at] = replace(one, draft=draft, also_at=(*one.also_at, trap.place))
    yield from kept


def _is_note(held: Held) -> bool:
    return held.source.startswith("note:")


def _prefix(path: str) -> str:
    return redact.text(f"note:{path}#", "")


def _path(held: Held) -> str:
    return held.source.removeprefix("note:").partition("#")[0]


def _gone(held: Held, reason: str) -> tuple[Gone, set[str]]:
    return Gone(slug=held.name, kind=held.kind, source=held.source, reason=reason), held.keys
