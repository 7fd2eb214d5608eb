"""What differs between the systems' trays. Each module has the same functions; the right one is imported when asked."""

import importlib
import sys
from collections.abc import Callable
from typing import Any, Protocol, cast

Pystray = Any  # the module and its icons have no types
Icon = Any


class Desktop(Protocol):
    """One system's tray, as the modules of this package offer it."""

    def load(self, wait: float) -> Pystray:
        """Return the module `pystray` with a backend that can show a menu, waiting some seconds for a tray.

        Raises FindingsError that names what is missing and what to install.
        """

    def run(self, icon: Icon, ready: Callable[[], None]) -> None:
        """Run the icon on the main thread until it is stopped; `ready` is called there once it may be shown."""

    def on_main(self, icon: Icon, do: Callable[[], None]) -> None:
        """Have something done on the main thread, where alone icons and menus may change; from any thread."""

    def copy(self, text: str) -> None:
        """Put text on the clipboard; on the main thread."""

    def label(self, text: str) -> str:
        """Return a label as the system wants it, where it takes some character for a mark."""

    def body(self, text: str) -> str:
        """Return a notification's text as the system wants it; off the main thread, because it may ask and wait."""

    def notify(self, icon: Icon, title: str, text: str) -> None:
        """Show a notification, or none where the system refuses to; on the main thread."""


def here() -> Desktop:
    """Return this system's tray."""
    name = {"win32": "windows", "darwin": "mac"}.get(sys.platform, "linux")
    return cast("Desktop", importlib.import_module(f"{__name__}.{name}"))
