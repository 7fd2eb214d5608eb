"""What must be true when everybody has gone home."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from claudedo_findings import files, finding
from tests.soak.journal import lost, tokens
from tests.soak.room import BUSY, Room

HAND = "edits by hand"
# Share of a hand's edits that may be lost: those that come between a writer's last look and its replace, some
# microseconds that no system call common to all systems closes. Without the last look it was some 2 to 10 %.
OVERRUN = 0.005
# Share of calls that may be refused after ten seconds: none on an idle machine, some with thirty programs on two cores.
REFUSED = 0.03


def complaints(room: Room, notes: list[str]) -> Iterator[str]:
    """Yield what is wrong with the store; `notes` are the human's own lines of the index.

    One save has been acknowledged since the last hand touched it.
    """
    yield from _losses(room)
    yield from _of_index(room, notes)
    counts = room.journal.counts
    if counts[BUSY] > counts["saves"] * REFUSED:
        yield f"{counts[BUSY]} calls were refused because the store was busy, of {counts['saves']} saves"
    for folder in (room.repo, room.trash.parent / "home"):
        yield from (f"a temp file remains: {path}" for path in folder.rglob("*") if files.is_temp(path.name))
    for path in (room.folder / "traps").glob("*.md"):
        if finding.parse(path.read_bytes().decode("utf-8")).complaint:
            yield f"{path} is not whole"
    exclude = (room.repo / ".git" / "info" / "exclude").read_text()
    if exclude.count("/.claudedo/") > 1:
        yield f"the exclude file names the store more than once: {exclude}"


def _of_index(room: Room, notes: list[str]) -> Iterator[str]:
    store = room.store()
    listing = store.read_index()
    entries = [entry.slug for entry in listing.entries] if listing else []
    doubles = [slug for slug, number in Counter(entries).items() if number > 1]
    if doubles:
        yield f"the index lists {doubles} more than once"
    if dangling := sorted(set(entries) - store.slugs()):
        yield f"the index lists {dangling}, which are not there"
    if missing := sorted(store.slugs() - set(entries)):
        yield f"the index does not list {missing}"
    text = room.index.read_text(encoding="utf-8")
    if "<<<<<<<" in text or "no-such" in text:
        yield f"the index was not healed: {text}"
    overrun = [note for note in notes if note not in text]
    room.journal.counts["last lines of the index by hand that a save overran"] += len(overrun)
    if len(overrun) > 1:
        yield f"the human's lines {overrun} are not in the index"


def _losses(room: Room) -> Iterator[str]:
    kept, deleted = tokens(_files(room.folder)), tokens(_files(room.trash))
    gone = lost(room.journal.promises, kept, deleted)
    by_hand = [promise for promise in gone if promise.by == HAND]
    room.journal.counts["edits by hand that a save overran"] += len(by_hand)
    if len(by_hand) > max(2, room.journal.counts[HAND] * OVERRUN):
        yield f"{len(by_hand)} of {room.journal.counts[HAND]} edits by hand were lost: {by_hand}"
    for promise in gone:
        if promise.by != HAND:
            yield f"lost: {promise.token} of {promise.slug} ({promise.by})"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "INDEX.md"]
