"""The texts of one finding that were replaced, and which text the tool itself wrote last.

An untracked store has no git to bring a text back, so whatever is replaced is kept here first.
"""

import os
import re
from dataclasses import dataclass

from claudedo_findings import files

LIMIT = 10  # the tool's own texts that are kept; texts edited by hand are never pruned
_NAME = re.compile(r"(\d{4,})(-hand)?\.md\Z")
_SEAL = "written"


@dataclass(frozen=True, kw_only=True)
class Version:
    """A text that was replaced: its number (the oldest is 1), whether a hand had written it, and its file."""

    number: int
    by_hand: bool
    path: str


def versions(folder: str) -> tuple[Version, ...]:
    """Return the versions in a finding's history folder, the oldest first; () where there is none."""
    found = ((name, match) for name in files.names(folder) if (match := _NAME.match(name)))
    unsorted = (
        Version(number=int(match[1]), by_hand=bool(match[2]), path=os.path.join(folder, name)) for name, match in found
    )
    return tuple(sorted(unsorted, key=lambda version: version.number))


def keep(folder: str, data: bytes) -> Version:
    """Put a file's bytes into the history before they are replaced, and return where they are."""
    files.make_folder(folder)
    files.sweep(folder)
    before = versions(folder)
    number = before[-1].number + 1 if before else 1
    hand = by_hand(folder, data)
    version = Version(
        number=number, by_hand=hand, path=os.path.join(folder, f"{number:04}{'-hand' if hand else ''}.md")
    )
    files.write_atomic(version.path, data)
    return version


def by_hand(folder: str, data: bytes) -> bool:
    """Return whether a finding's bytes are others than those the tool wrote last."""
    return files.read(os.path.join(folder, _SEAL)) != _digest(data)


def prune(folder: str) -> None:
    """Delete the tool's own texts beyond the newest ten."""
    own = [version for version in versions(folder) if not version.by_hand]
    for version in own[: max(0, len(own) - LIMIT)]:
        files.remove(version.path)


def seal(folder: str, data: bytes) -> None:
    """Note which bytes the tool wrote, so that a later hand edit is known as one. Losing the note loses nothing."""
    files.make_folder(folder)
    files.write_atomic(os.path.join(folder, _SEAL), _digest(data), durable=False)


def _digest(data: bytes) -> bytes:
    import hashlib  # 3 ms: `pointer` imports this module without using it

    # git or an editor may have changed the line ends or added a BOM, which is no hand edit.
    same = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    return hashlib.sha256(same).hexdigest().encode("ascii")
