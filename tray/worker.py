"""The thread beside the icon: it looks, and does what was clicked, one after the other."""

import queue
from collections.abc import Callable
from dataclasses import replace

from tray import actions, telling
from tray.menu import Action, Verb
from tray.poll import INTERVAL, Poll
from tray.seen import Service, Snapshot
from tray.telling import Told
from tray.words import Words

_END = Action(verb=Verb.QUIT)


class Worker:
    """Calls `show` after each look and `tell` when there is something to notify, both on its own thread."""

    def __init__(
        self,
        words: Words,
        *,
        show: Callable[[Snapshot], None],
        tell: Callable[[Told], None],
        service: Callable[[], Service | None] = lambda: None,
        interval: float = INTERVAL,
        quiet: bool = False,
    ) -> None:
        self._words, self._show, self._tell, self._service = words, show, tell, service
        self._interval, self._quiet = interval, quiet
        self._clicked: queue.SimpleQueue[Action] = queue.SimpleQueue()
        self._poll = Poll()

    def click(self, action: Action) -> None:
        """Have an action done; from any thread."""
        self._clicked.put(action)

    def end(self) -> None:
        """Let `run` return after what was clicked before; from any thread."""
        self._clicked.put(_END)

    def run(self) -> None:
        """Look and act until the end."""
        self._look(quick=True)
        while True:
            self._look()
            try:
                action = self._clicked.get(timeout=self._interval)
            except queue.Empty:
                continue
            if action is _END:
                return
            told = actions.perform(action, self._words)
            if action.verb in (Verb.TRACK, Verb.UNTRACK):
                self._poll.toggled()
            if told:
                self._tell(told)

    def _look(self, *, quick: bool = False) -> None:
        snapshot = self._poll.look(quick=quick)
        self._show(replace(snapshot, service=self._service()))
        told = None if self._quiet else telling.saved(self._poll.saved, self._words)
        if told:
            self._tell(told)
