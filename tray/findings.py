"""The findings of one store as their files stand: how many, the newest, and which were saved since the last look."""

import os
from collections.abc import Mapping

from claudedo_findings import history
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store
from tray.seen import Newest
from tray.watch import Stamp, folder_stamp, stamp

NEWEST = 3


class Findings:
    """Looks at the files' stamps, and reads only titles that it tells."""

    def __init__(self) -> None:
        self._folder: tuple[int, ...] | None = None
        self._stamps: dict[str, Stamp] | None = None  # None: never looked
        self.newest: tuple[Newest, ...] = ()
        self._slugs: tuple[str, ...] = ()
        self.saved: tuple[Newest, ...] = ()

    @property
    def stamps(self) -> Mapping[str, Stamp]:
        return self._stamps or {}

    def start_empty(self) -> None:
        """Take a store that does not exist yet as seen: its first findings will be new."""
        self._folder, self._stamps, self.newest, self._slugs, self.saved = None, {}, (), (), ()

    def look(self, store: Store, *, everything: bool) -> None:
        """Look at the folder and the newest files, and with `everything` at each file: a hand edit moves no folder."""
        self.saved = ()
        folder = folder_stamp(os.path.dirname(store.finding_path("any")))
        known = self._stamps or {}
        edited = any(stamp(store.finding_path(slug)) != known.get(slug) for slug in self._slugs)
        if self._stamps is not None and folder == self._folder and not edited and not everything:
            return
        self._folder = folder
        now = {slug: stamp(store.finding_path(slug)) for slug in sorted(store.slugs())}
        if now == self._stamps:
            return
        if self._stamps is not None:
            changed = [slug for slug in now if now[slug] != known.get(slug)]
            self.saved = tuple(_told(store, slug) for slug in changed if _was_saved(store, slug, known.get(slug)))
        self._slugs = tuple(sorted(now, key=lambda slug: now[slug] or (0, 0, 0), reverse=True)[:NEWEST])
        self.newest = tuple(_told(store, slug) for slug in self._slugs)
        self._stamps = now


def _was_saved(store: Store, slug: str, before: Stamp) -> bool:
    """Return whether a changed finding is new or was overwritten by a save, which first put the old text away.

    A hand edit puts nothing away.
    """
    if before is None:
        return True
    versions = history.versions(store.history_folder(slug))
    put_away = stamp(versions[-1].path) if versions else None
    return bool(put_away and put_away[0] > before[0])


def _told(store: Store, slug: str) -> Newest:
    try:
        stored = store.read(slug)
    except FindingsError:  # one file that cannot be read is no reason not to tell of the others
        stored = None
    return Newest(title=(stored and stored.title) or slug, path=store.finding_path(slug))
