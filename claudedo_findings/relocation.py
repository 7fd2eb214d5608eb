"""Where the content of a path that is gone lies now."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

# Of the lines: a new file of the same name that keeps them is the old one. git's own default for a rename.
_SAME_FILE = 0.5
# Fewer of a folder's files found elsewhere say that the folder was given up, not moved.
_FOUND_FILES = 0.5
_SMALL_PART = 0.2  # of the files found: a place that took fewer is not where the folder went


@dataclass(frozen=True)
class Ground:
    """All files of HEAD, path to blob id: where to look."""

    files: Mapping[str, str]

    @cached_property
    def by_id(self) -> Mapping[str, list[str]]:
        found = defaultdict(list)
        for path, blob in self.files.items():
            found[blob].append(path)
        return found

    @cached_property
    def by_name(self) -> Mapping[str, list[str]]:
        found = defaultdict(list)
        for path in self.files:
            found[posixpath.basename(path)].append(path)
        return found


def of_file(
    path: str, blob: str, ground: Ground, *, is_new: Callable[[str], bool], kept: Callable[[str], float]
) -> tuple[str, ...]:
    """Return the paths that may be what `path` became; several when they are equally likely, () for none.

    First the same content, in a new place if there is one ("" as `blob` leaves that out); else a new file of the same
    name that keeps half the lines. `kept` gives that share, 0 to 1, for a place, and `is_new` tells whether it was not
    there at the stamp.
    """
    same = ground.by_id.get(blob, [])
    if same:
        return tuple(sorted([place for place in same if is_new(place)] or same))
    name = posixpath.basename(path)
    shares = {place: kept(place) for place in ground.by_name.get(name, []) if is_new(place)}
    best = max(shares.values(), default=0.0)
    return tuple(sorted(place for place, share in shares.items() if share == best >= _SAME_FILE))


def of_folder(found: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the folders that a folder's files went to, the fullest first, from where each file is now.

    `found` has every file of the folder by its path there. () when fewer than half of them are anywhere.
    """
    placed = {inner: places for inner, places in found.items() if places}
    if not found or len(placed) < _FOUND_FILES * len(found):
        return ()
    votes = Counter(base for inner, places in placed.items() for base in {_base(place, inner) for place in places})
    most = votes.most_common()
    if most[0][1] == len(placed):  # one place took all
        return tuple(sorted(base for base, count in most if count == len(placed)))
    large: Iterable[tuple[str, int]] = [(base, count) for base, count in most if count >= _SMALL_PART * len(placed)]
    return tuple(base for base, _ in large or most[:1])


def _base(place: str, inner: str) -> str:
    """Return the folder in which `place` is what `inner` was in the old one."""
    if place == inner:
        return "."
    return place.removesuffix(f"/{inner}") if place.endswith(f"/{inner}") else posixpath.dirname(place) or "."
