"""The menu on the screen: a thin adapter of pystray. Everything here runs on the main thread, but for `_work`."""

import signal
import threading
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType

from claudedo_findings.errors import FindingsError
from tray import icons, menu
from tray.desktop import Desktop, Pystray
from tray.hosted import Hosted
from tray.menu import SEPARATOR, Action, Item, Verb
from tray.seen import Snapshot
from tray.telling import Told
from tray.words import Words
from tray.worker import Worker

NAME = "claudedo-findings"
_PATIENCE = 15.0  # seconds for what was clicked last; a busy store takes 10
_TIP = 127  # characters that Windows has room for


class App:
    """The icon, its menu, and the thread that looks and acts."""

    def __init__(
        self, desktop: Desktop, pystray: Pystray, words: Words, *, hosted: Hosted | None, interval: float, quiet: bool
    ) -> None:
        self._desktop, self._pystray, self._words, self._hosted = desktop, pystray, words, hosted
        self._worker = Worker(
            words,
            show=lambda snapshot: self._on_main(partial(self._draw, snapshot)),
            tell=lambda told: self._on_main(partial(self._tell, told, desktop.body(told.text))),
            service=hosted.state if hosted else lambda: None,
            interval=interval,
            quiet=quiet,
        )
        self._thread = threading.Thread(target=self._work, name="looks and acts", daemon=True)
        self._drawn: Snapshot | None = None
        self._items: Sequence[Item] = ()
        self._bug: BaseException | None = None
        self.status = 0
        first = self._menu(menu.build(Snapshot(), words)[-1:])
        self._icon = pystray.Icon(NAME, icons.for_system(attention=False), NAME, first)

    def run(self) -> int:
        """Show the icon until the user quits or a signal comes; return the exit status."""
        if self._hosted:
            self._hosted.start()
        try:
            self._desktop.run(self._icon, self._ready)
        finally:
            self._worker.end()
            if self._thread.ident:
                self._thread.join(_PATIENCE)
            if self._hosted:
                self._hosted.stop()
        if self._bug:
            raise self._bug
        return self.status

    def _ready(self) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):  # now, because pystray sets its own when it starts
                signal.signal(getattr(signal, name), self._signalled)
        self._icon.visible = True
        self._thread.start()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self.status = 130 if number == signal.SIGINT else 0
        self._icon.stop()

    def _on_main(self, do: Callable[[], None]) -> None:
        self._desktop.on_main(self._icon, do)

    def _work(self) -> None:
        try:
            self._worker.run()
        except BaseException as error:  # noqa: BLE001  # told on the main thread, which would else show old news for ever
            self._bug = error
            self._on_main(self._icon.stop)

    def _draw(self, snapshot: Snapshot) -> None:
        if snapshot == self._drawn:
            return
        items = menu.build(snapshot, self._words)
        if items != self._items:
            self._items = items
            self._icon.menu = self._menu(items)
        if self._drawn is None or snapshot.needs_attention != self._drawn.needs_attention:
            self._icon.icon = icons.for_system(attention=snapshot.needs_attention)
        self._icon.title = menu.cut(menu.summary(snapshot, self._words), _TIP)
        self._drawn = snapshot

    def _menu(self, items: Sequence[Item]) -> Pystray:
        return self._pystray.Menu(*map(self._item, items))

    def _item(self, item: Item) -> Pystray:
        if item == SEPARATOR:
            return self._pystray.Menu.SEPARATOR
        checked = None if item.checked is None else (lambda _item, checked=item.checked: checked)
        action = self._menu(item.items) if item.items else partial(self._clicked, item.action)
        return self._pystray.MenuItem(self._desktop.label(item.label), action, checked=checked, enabled=item.enabled)

    def _clicked(self, action: Action | None, *_pystray: object) -> None:
        if action is None:
            return
        if action.verb is Verb.QUIT:
            self._icon.stop()
        else:
            self._worker.click(action)

    def _tell(self, told: Told, text: str) -> None:
        if told.clipboard:
            try:
                self._desktop.copy(told.clipboard)
            except FindingsError as error:
                text = Told(title=told.title, text=str(error)).text
        self._desktop.notify(self._icon, told.title, text)
