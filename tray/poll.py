"""Plain polling: one look at all lists, on the thread of whoever asks. No file watcher."""

import time

from claudedo_findings import vscode
from claudedo_findings.lists import TodoList
from tray.look import Look
from tray.seen import Saved, Seen, Snapshot
from tray.sources import Sources

INTERVAL = 2.0  # seconds between two looks
# Seconds between two looks at every single file, and between two tries of what failed though no file changed.
EVERYTHING = 30.0


class Poll:
    """Looks at all lists, and remembers what it saw."""

    def __init__(self, *, everything: float = EVERYTHING) -> None:
        self._sources = Sources()
        self._looks: dict[tuple[str, str, str], Look] = {}
        self._everything, self._everything_at = everything, 0.0
        self._editor = False
        self.saved: tuple[Saved, ...] = ()

    def look(self, *, quick: bool = False) -> Snapshot:
        """Return how everything stands; `saved` then tells the findings that were saved since the look before.

        A `quick` look leaves out which findings are stale: that may take seconds the first time.
        """
        again = time.monotonic() >= self._everything_at
        if again:
            self._everything_at = time.monotonic() + self._everything
            self._editor = bool(vscode.program())
        items, problems = self._sources.look(again=again)
        self._looks = {_key(item): self._looks.get(_key(item)) or Look(item) for item in items}
        seen: list[Seen] = []
        saved: dict[str, Saved] = {}  # two lists may share a store
        for item in items:
            look = self._looks[_key(item)]
            seen.append(look.look(again=again, quick=quick))
            for one in look.saved:
                saved.setdefault(one.path, Saved(list=item.name, title=one.title, path=one.path))
        self.saved = tuple(saved.values())
        return Snapshot(lists=tuple(seen), problems=problems, editor=self._editor)

    def toggled(self) -> None:
        """Ask git of every list at the next look: a toggle may concern several lists of one repository."""
        for look in self._looks.values():
            look.toggled()


def _key(item: TodoList) -> tuple[str, str, str]:
    return item.id, item.name, item.working_dir
