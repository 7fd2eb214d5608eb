"""One list, looked at again and again: stat before read, and git only when its own files changed."""

import os
from collections.abc import Hashable

from claudedo_findings import exclude, git, lists, tracking
from claudedo_findings.errors import FindingsError
from claudedo_findings.git import Places
from claudedo_findings.layout import FOLDER
from claudedo_findings.lists import TodoList
from claudedo_findings.store import Store
from claudedo_findings.tracking import Tracking
from tray.findings import Findings
from tray.seen import Newest, Seen
from tray.staleness import Staleness
from tray.watch import Kept, Stamp, folder_stamp, identity, stamp, stamps


class Look:
    """What is known of one list, and by which files' stamps."""

    def __init__(self, item: TodoList) -> None:
        self._item = item
        self._watched: tuple[str, ...] = ()
        self._head: Stamp = None
        self._root = ""
        self._places: Kept[Places] = Kept()
        self._findings = Findings()
        self._had_store = False
        self._candidates: Kept[int] = Kept()
        self._rules: tuple[str, ...] | None = None
        self._tracking: Kept[Tracking] = Kept()
        self._staleness = Staleness()

    @property
    def saved(self) -> tuple[Newest, ...]:
        return self._findings.saved

    def toggled(self) -> None:
        """Ask git at the next look, whatever the files say."""
        self._rules = None
        self._tracking.forget()

    def look(self, *, again: bool, quick: bool) -> Seen:
        """Return how the list stands; `again` looks at every file, and asks once more where the answer was an error.

        A `quick` look does not ask which findings are stale.
        """
        try:
            return self._look(again=again, quick=quick)
        except FindingsError as error:
            self._findings.saved = ()
            return Seen(name=self._item.name, folder=self._item.working_dir, error=str(error))

    def _look(self, *, again: bool, quick: bool) -> Seen:
        if again:
            for kept in (self._places, self._candidates, self._tracking):
                kept.forget(only_error=True)
            self._staleness.forget_problem()
        places, head = self._where()
        store = Store(places)
        exists = store.exists()
        if exists:
            self._findings.look(store, everything=again)
        elif self._had_store:
            self._findings = Findings()  # what comes back then is not new
            raise FindingsError(f"the store {store.folder} has disappeared: restore it, or restart the tray")
        else:
            self._findings.start_empty()
        self._had_store = exists
        git_says = self._git_says(store, head) if exists and places.common_dir else None
        stale = 0 if quick else self._staleness.count(store, _without_staging(head), self._findings.stamps)
        drafts = os.path.join(store.folder, "candidates")
        return Seen(
            name=self._item.name,
            folder=places.root,
            store=store,
            exists=exists,
            in_git=bool(places.common_dir),
            checked_in=bool(git_says and git_says.checked_in),
            rule=git_says.rule if git_says and "info/exclude:" not in git_says.rule else "",
            warning=places.warning or self._staleness.problem,
            findings=len(self._findings.stamps),
            stale=stale,
            candidates=self._candidates.get(folder_stamp(drafts), lambda: len(store.slugs("candidates"))),
            newest=self._findings.newest,
        )

    def _where(self) -> tuple[Places, tuple[Stamp, ...]]:
        """Return where the store lies, and the stamps of HEAD and the staging area."""
        folder = os.path.expanduser(self._item.working_dir)
        before = stamp(self._watched[0]) if self._watched else None
        if not self._watched or before != self._head:
            self._watched, self._head = git.watched(self._root or folder), before
        head = stamps(self._watched)
        dot_git = git.enclosing(folder) if folder else ""
        key = identity(folder), dot_git, identity(dot_git), _without_staging(head)
        places = self._places.get(key, lambda: lists.root(self._item))
        self._root = places.root
        return places, head

    def _git_says(self, store: Store, head: Hashable) -> Tracking:
        if self._rules is None:
            self._rules = exclude.watched(store.places, FOLDER)
        return self._tracking.get((head, stamps(self._rules)), lambda: tracking.state(store))


def _without_staging(head: tuple[Stamp, ...]) -> tuple[Stamp, ...]:
    """Return the stamps without that of the staging area, which `git status` writes too."""
    return head[:1] + head[2:]
