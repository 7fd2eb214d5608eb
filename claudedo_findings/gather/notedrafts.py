"""One note's traps as drafts, and the traps of all notes, each once."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from claudedo_findings import redact
from claudedo_findings.gather import marks, notes, scopes
from claudedo_findings.gather.draft import Draft
from claudedo_findings.gather.pieces import Piece
from claudedo_findings.gather.scopes import Tracked
from claudedo_findings.gather.shelf import Source

_AGENT_NOTES = ("claude.md", "agents.md")
_TITLE_KEY_LIMIT = 120  # characters


@dataclass(frozen=True, kw_only=True)
class Found:
    """One trap of a note: its draft, where it stands (`path:line`), how strongly it is marked, where else it stands."""

    draft: Draft
    place: str
    strength: str
    also_at: tuple[str, ...] = ()


def of_note(source: Source, tracked: Tracked, complaints: list[str], *, weak: bool) -> Iterator[Found]:
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
    """Return a title as it stands in keys: its words alone, so that punctuation and case may change.

    Words alone no longer look like the secret or home they were part of, so these go first.
    """
    folded = unicodedata.normalize("NFKC", redact.text(title, "")).casefold()
    return " ".join(re.findall(r"\w+", folded))[:_TITLE_KEY_LIMIT].strip() or folded[:_TITLE_KEY_LIMIT]


def _own_folder(source: Source, name: str) -> str:
    return source.folder if name.lower() in _AGENT_NOTES and not source.path.startswith("/") else ""


def _evidence(source: Source, piece: Piece) -> str:
    heading = marks.bare(piece.trail[-1]) if piece.trail else ""
    return f"{source.path}: {heading}" if heading else source.path


def once(found: Sequence[Found]) -> Iterator[Found]:
    """Yield each trap once: of those in several notes with one text or one title the first, with the others' places."""
    first: dict[str, int] = {}
    kept: list[Found] = []
    for trap in found:
        names = (f"text {trap.draft.digest}", f"title {normalised(trap.draft.title)}")
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
