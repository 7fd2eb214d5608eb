"""The notification area of Windows. Its thread only hears messages, so that is how it is told to do something."""

import contextlib
import queue
from collections.abc import Callable, Iterator

from claudedo_findings import launch
from claudedo_findings.errors import FindingsError
from tray.desktop import Icon, Pystray

CALL = 0x8000 + 17  # WM_APP and up are free for a program's own messages
_waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()


def load(wait: float) -> Pystray:  # noqa: ARG001  # Windows has its notification area before it starts programs
    """See Desktop."""
    try:
        import pystray
    except ImportError as error:
        raise FindingsError(
            f"the tray's libraries are missing ({error}): pip install 'claudedo-findings[tray]'"
        ) from error
    return pystray


def run(icon: Icon, ready: Callable[[], None]) -> None:
    """See Desktop."""
    listen(icon)
    icon.run(lambda _icon: on_main(icon, ready))


def listen(icon: Icon) -> None:
    """Let the icon's messages carry calls. While its menu is open they wait: a change would destroy the open menu."""
    handlers, opened = icon._message_handlers, [False]
    from pystray._util import win32

    @contextlib.contextmanager
    def open_menu() -> Iterator[None]:
        opened[0] = True
        try:
            yield
        finally:
            opened[0] = False
            _do_all()

    def notified(wparam: int, lparam: int, before: Callable[[int, int], object] = handlers[win32.WM_NOTIFY]) -> object:
        with open_menu():
            return before(wparam, lparam)

    def called(_wparam: int, _lparam: int) -> None:
        if not opened[0]:
            _do_all()

    handlers[win32.WM_NOTIFY] = notified
    handlers[CALL] = called


def on_main(icon: Icon, do: Callable[[], None]) -> None:
    """See Desktop."""
    from pystray._util import win32

    _waiting.put(do)
    win32.PostMessage(icon._hwnd, CALL, 0, 0)


def copy(text: str) -> None:
    """See Desktop."""
    launch.copy(text)


def label(text: str) -> str:
    """See Desktop. A single `&` underlines the next letter."""
    return text.replace("&", "&&")


def body(text: str) -> str:
    """See Desktop."""
    return text


def notify(icon: Icon, title: str, text: str) -> None:
    """See Desktop. Windows refuses it while the taskbar is being started again."""
    with contextlib.suppress(OSError):
        icon.notify(text, title)


def _do_all() -> None:
    while True:
        try:
            do = _waiting.get_nowait()
        except queue.Empty:
            return
        do()
