"""Where the content of a path that is gone lies now."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

# Of the lines: a new file of the same name that keeps them is the old one. git's own default for a rename.
_SAME_FILE = 0.5
# Fewer of a folder's files found elsewhere say that the folder was given up, not moved.
_FOUND_FILES = 0.5
_SMALL_PART = 0.2  # of the files found: a place that took fewer is not where the folder went
_MANY = 3  # equal copies: more of them are boilerplate, and say nothing about where a folder went

IsNew = Callable[[str], bool]
"""Says of a path at HEAD whether it was not there at the stamp."""
Kept = Callable[[str, str], float]
"""Returns which share, 0 to 1, of a stamped file's lines stands in a file at HEAD, both given by path."""


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


def of_file(path: str, blob: str, ground: Ground, *, is_new: IsNew, kept: Kept) -> tuple[str, ...]:
    """Return the paths that may be what the file `path` became; several when they are equally likely, () for none.

    First the same content, in a new place if there is one ("" as `blob` leaves that out); else a new file of the same
    name that keeps at least half of the lines, and more than any file does that was there all along.
    """
    same = ground.by_id.get(blob, [])
    if same:
        return tuple(sorted([place for place in same if is_new(place)] or same))
    namesakes = ground.by_name.get(posixpath.basename(path), [])
    return _alike(path, [place for place in namesakes if is_new(place)], ground, is_new=is_new, kept=kept)


def of_folder(path: str, files: Mapping[str, str], ground: Ground, *, is_new: IsNew, kept: Kept) -> tuple[str, ...]:
    """Return the folders that took the files of the folder `path`, the fullest first; () when few are anywhere.

    `files` has the folder's files by their paths below it. One place that took at least half of them is where the
    folder went; otherwise the parts are looked for, and what lay elsewhere before, too, is no sign of a move.
    """
    copies = {inner: _copies(blob, ground, is_new) for inner, blob in files.items()}
    bases = {_base(place, inner) for inner, places in copies.items() for place in places}
    nearby: dict[str, list[str]] = {}
    for inner in files:
        # Where no file is the same as before, every new file of that inner path is looked at.
        candidates = {posixpath.join(base, inner) for base in bases} if bases else _ending(inner, ground)
        nearby[inner] = [place for place in sorted(candidates) if place in ground.files and is_new(place)]
    whole = _whole(path, copies, nearby, kept)
    if whole is not None:
        return (whole or ".",)
    found = {
        inner: _telling(files[inner], copies[inner], ground)
        or _alike(posixpath.join(path, inner), nearby[inner], ground, is_new=is_new, kept=kept)
        for inner in files
    }
    placed = sum(bool(places) for places in found.values())
    if placed < _FOUND_FILES * len(files) or not placed:
        return ()
    most = Counter(base for inner, places in found.items() for base in {_base(place, inner) for place in places})
    return tuple(base or "." for base, count in most.most_common() if count >= _SMALL_PART * placed)


def _whole(
    path: str, copies: Mapping[str, Sequence[str]], nearby: Mapping[str, Sequence[str]], kept: Kept
) -> str | None:
    """Return the one folder that took at least half of the files, and more than one, at their old inner paths."""
    votes: Counter[str] = Counter()
    for inner, places in nearby.items():
        old = posixpath.join(path, inner)
        votes.update(
            _base(place, inner) for place in places if place in copies[inner] or kept(old, place) >= _SAME_FILE
        )
    most = votes.most_common(2)
    if not most or most[0][1] < max(2, _FOUND_FILES * len(nearby)) or most[0][1] in [count for _, count in most[1:]]:
        return None
    return most[0][0]


def _copies(blob: str, ground: Ground, is_new: IsNew) -> list[str]:
    return [place for place in ground.by_id.get(blob, []) if is_new(place)]


def _telling(blob: str, copies: Sequence[str], ground: Ground) -> tuple[str, ...]:
    return tuple(copies) if len(copies) == len(ground.by_id.get(blob, [])) <= _MANY else ()


def _alike(path: str, new: Sequence[str], ground: Ground, *, is_new: IsNew, kept: Kept) -> tuple[str, ...]:
    """Return those of some new files that keep most of the lines, () when that is no sign of a move.

    Two package.json are half the same whatever they are of: a file that was there all along must not keep as much.
    """
    shares = {place: kept(path, place) for place in new}
    best = max(shares.values(), default=0.0)
    if best < _SAME_FILE:
        return ()
    old = (place for place in ground.by_name[posixpath.basename(path)] if place not in shares and not is_new(place))
    if any(kept(path, place) >= best for place in old):
        return ()
    return tuple(sorted(place for place, share in shares.items() if share == best))


def _ending(inner: str, ground: Ground) -> set[str]:
    return {place for place in ground.by_name.get(posixpath.basename(inner), []) if f"/{place}".endswith(f"/{inner}")}


def _base(place: str, inner: str) -> str:
    """Return the folder, "" for the root, in which `place` is what `inner` was in the old one."""
    if place == inner:
        return ""
    return place.removesuffix(f"/{inner}") if place.endswith(f"/{inner}") else posixpath.dirname(place)
