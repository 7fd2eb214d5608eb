"""The trays of Linux desktops: AppIndicator where the panel speaks it, else the older GTK status icon."""

import contextlib
import html
import os
import time
from collections.abc import Callable
from typing import Any

from claudedo_findings.errors import FindingsError
from tray.desktop import Icon, Pystray

Bus = Any  # Gio has no types here
_INSTALL = (
    "on Debian and Ubuntu: apt install python3-gi gir1.2-gtk-3.0 gir1.2-ayatanaappindicator3-0.1,"
    " and pipx install --system-site-packages 'claudedo-findings[tray]'"
)
_WATCHER = "org.kde.StatusNotifierWatcher"
_MENUS = ("appindicator", "gtk")


def load(wait: float) -> Pystray:
    """See Desktop."""
    chosen = os.environ.get("PYSTRAY_BACKEND", "")
    if chosen not in ("", *_MENUS):
        raise FindingsError(f"PYSTRAY_BACKEND={chosen} shows no menu: unset it, or set one of {', '.join(_MENUS)}")
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise FindingsError("there is no display: start the tray in a desktop session; --once prints the menu anywhere")
    try:
        import gi

        gi.require_version("Gtk", "3.0")
        from gi.repository import Gio, GLib, Gtk
    except (ImportError, ValueError) as error:
        raise FindingsError(f"the tray needs GTK 3 for Python ({error}); {_INSTALL}") from error
    if not Gtk.init_check()[0]:
        display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        raise FindingsError(f"the display {display!r} cannot be used: start the tray in a desktop session")
    try:
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    except GLib.Error as error:
        raise FindingsError(
            f"there is no D-Bus session ({error.message}): start the tray in a desktop session,"
            " or under dbus-run-session"
        ) from error
    os.environ["PYSTRAY_BACKEND"] = chosen or _wait_for_host(bus, wait)
    try:
        import pystray
    except (ImportError, ValueError) as error:  # ValueError: a typelib is missing
        raise FindingsError(f"the tray's libraries are not complete ({error}); {_INSTALL}") from error
    return pystray


def run(icon: Icon, ready: Callable[[], None]) -> None:
    """See Desktop."""
    from gi.repository import GLib

    # The older icon stands in the panel, and is clicked, before pystray has made its menu.
    icon._menu_handle = None
    # At its end pystray closes its last notification, also where no notification service runs.
    with contextlib.suppress(GLib.Error):
        icon.run(lambda _icon: on_main(icon, ready))


def on_main(_icon: Icon, do: Callable[[], None]) -> None:
    """See Desktop."""
    from gi.repository import GLib

    def once() -> bool:
        do()
        return False  # GLib would repeat it

    GLib.idle_add(once)


def copy(text: str) -> None:
    """See Desktop."""
    from gi.repository import Gdk, Gtk

    Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text(text, -1)


def label(text: str) -> str:
    """See Desktop."""
    return text


def body(text: str) -> str:
    """See Desktop. The notification service says whether it reads marks in a text; a `<` would cut it off there."""
    from gi.repository import Gio, GLib

    name = "org.freedesktop.Notifications"
    try:
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        answer = bus.call_sync(
            name, f"/{name.replace('.', '/')}", name, "GetCapabilities", None, None, Gio.DBusCallFlags.NONE, 2000, None
        )
    except GLib.Error:  # nobody shows it then
        return text
    return html.escape(text, quote=False) if "body-markup" in answer.unpack()[0] else text


def notify(icon: Icon, title: str, text: str) -> None:
    """See Desktop. pystray asks over D-Bus, with the icon as a file of its own."""
    from gi.repository import GLib

    with contextlib.suppress(GLib.Error, OSError):
        icon.notify(text, title)


def _wait_for_host(bus: Bus, wait: float) -> str:
    """Return the backend for the panel of this session. At login it may come up after us."""
    deadline = time.monotonic() + wait
    while True:
        if _has_watcher(bus):
            return "appindicator"
        if _has_status_area():
            return "gtk"
        if time.monotonic() >= deadline:
            raise FindingsError(
                "no panel here shows tray icons: add a status tray to it; GNOME needs the AppIndicator extension"
                " (on Debian and Ubuntu: apt install gnome-shell-extension-appindicator, then log in again)"
            )
        time.sleep(0.5)


def _has_watcher(bus: Bus) -> bool:
    """Return whether a panel shows AppIndicators."""
    from gi.repository import Gio, GLib

    asked = GLib.Variant("(ss)", (_WATCHER, "IsStatusNotifierHostRegistered"))
    try:
        answer = bus.call_sync(
            _WATCHER,
            "/StatusNotifierWatcher",
            "org.freedesktop.DBus.Properties",
            "Get",
            asked,
            None,
            Gio.DBusCallFlags.NONE,
            2000,
            None,
        )
    except GLib.Error:
        return False
    return bool(answer.unpack()[0])


def _has_status_area() -> bool:
    """Return whether a panel shows the older icons: it then owns a selection of the X screen."""
    if not os.environ.get("DISPLAY"):
        return False
    from Xlib import display, error  # pystray brings it

    try:
        screen = display.Display()
    except (OSError, error.DisplayError):
        return False
    try:
        atom = screen.intern_atom(f"_NET_SYSTEM_TRAY_S{screen.get_default_screen()}")
        return bool(screen.get_selection_owner(atom))
    finally:
        screen.close()
