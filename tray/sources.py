"""Where the lists come from: the host's database and lists.toml, each with what is wrong with it."""

import unicodedata
from collections.abc import Callable

from claudedo_findings import host_folder, listfile, lists
from claudedo_findings.errors import FindingsError
from claudedo_findings.lists import TodoList
from tray.watch import Kept, stamps


class _Source:
    """One place of lists. When it cannot be read, the lists it last had stay, and its problem is told."""

    def __init__(self, read: Callable[[], tuple[TodoList, ...]], watched: Callable[[], tuple[str, ...]]) -> None:
        self._read, self._watched = read, watched
        self._files = watched()
        self._kept: Kept[tuple[TodoList, ...]] = Kept()
        self.items: tuple[TodoList, ...] = ()
        self.problem = ""

    def look(self, *, again: bool) -> None:
        if again:
            self._kept.forget(only_error=True)
        try:
            self.items, self.problem = self._kept.get(stamps(self._files), self._ask), ""
        except FindingsError as error:
            self.problem = str(error)

    def _ask(self) -> tuple[TodoList, ...]:
        self._files = self._watched()  # the host's settings may name another database
        return self._read()


class Sources:
    """Both places of lists."""

    def __init__(self) -> None:
        self._host = _Source(lists.hosted, host_folder.watched)
        self._own = _Source(lists.configured, lambda: (listfile.path(),))
        self._merged: Kept[tuple[TodoList, ...]] = Kept()

    def look(self, *, again: bool) -> tuple[tuple[TodoList, ...], tuple[str, ...]]:
        """Return the lists in the order of their names, and the problems of the places that cannot be read.

        `again` asks a place that could not be read once more, also when its file did not change.
        """
        for source in (self._host, self._own):
            source.look(again=again)
        items = self._merged.get((self._host.items, self._own.items), self._sorted)
        return items, tuple(source.problem for source in (self._host, self._own) if source.problem)

    def _sorted(self) -> tuple[TodoList, ...]:
        items = lists.merged(self._host.items, self._own.items)
        return tuple(sorted(items, key=lambda item: (_place(item.name), item.name, item.working_dir)))


def _place(name: str) -> str:
    """Return what a name is sorted by: an umlaut stands with its vowel, as people look for it."""
    parts = unicodedata.normalize("NFKD", lists.name_key(name))
    return "".join(part for part in parts if not unicodedata.combining(part))
