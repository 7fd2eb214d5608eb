"""For tests: a `panel` that shows AppIndicators to nobody and clicks what it is told, or a service of `notifications`.

Needs python3-gi. Reads one JSON command a line, answers each with one line of JSON: `["menu"]`, `["click", label, …]`,
`["notifications"]`, `["icon"]`, `["clipboard"]`.
"""

import json
import sys
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402  # after require_version

WATCHER = """<node><interface name="org.kde.StatusNotifierWatcher">
<method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
<method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
<property name="RegisteredStatusNotifierItems" type="as" access="read"/>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
<property name="ProtocolVersion" type="i" access="read"/></interface></node>"""
NOTIFICATIONS = """<node><interface name="org.freedesktop.Notifications">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method></interface></node>"""
MENU = "com.canonical.dbusmenu"
GUARD = 20_000  # milliseconds


class Panel:
    """The panel, on the session bus of its environment."""

    def __init__(self) -> None:
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        self.item: tuple[str, str] | None = None
        self.told: list[list[str]] = []
        if sys.argv[1] == "panel":
            self.serve("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher", WATCHER)
        else:
            self.serve("org.freedesktop.Notifications", "/org/freedesktop/Notifications", NOTIFICATIONS)

    def serve(self, name: str, path: str, description: str) -> None:
        interface = Gio.DBusNodeInfo.new_for_xml(description).interfaces[0]
        self.bus.register_object(path, interface, self.called, self.asked, None)
        Gio.bus_own_name_on_connection(self.bus, name, Gio.BusNameOwnerFlags.NONE, None, None)

    def called(
        self, _bus: Any, sender: str, _path: str, _interface: str, method: str, values: Any, answer: Any
    ) -> None:
        if method == "RegisterStatusNotifierItem":
            self.item = (sender, values.unpack()[0])
        if method == "Notify":
            _app, _replaces, _icon, title, text, *_ = values.unpack()
            self.told.append([title, text])
            answer.return_value(GLib.Variant("(u)", (len(self.told),)))
        elif method == "GetCapabilities":
            answer.return_value(GLib.Variant("(as)", (["body", "body-markup"],)))
        else:
            answer.return_value(None)

    def asked(self, _bus: Any, _sender: str, _path: str, _interface: str, name: str) -> Any:
        registered = [self.item[0]] if self.item else []
        return {
            "RegisteredStatusNotifierItems": GLib.Variant("as", registered),
            "IsStatusNotifierHostRegistered": GLib.Variant("b", True),
            "ProtocolVersion": GLib.Variant("i", 0),
        }[name]

    def call(self, path: str, interface: str, method: str, *values: Any) -> Any:
        assert self.item
        answer = self.bus.call_sync(
            self.item[0], path, interface, method, *values, None, Gio.DBusCallFlags.NONE, GUARD, None
        )
        return answer.unpack()

    def property(self, name: str) -> Any:
        assert self.item
        asked = GLib.Variant("(ss)", ("org.kde.StatusNotifierItem", name))
        return self.call(self.item[1], "org.freedesktop.DBus.Properties", "Get", asked)[0]

    def layout(self) -> tuple[int, dict[str, Any], list[Any]]:
        asked = GLib.Variant("(iias)", (0, -1, []))
        found: tuple[int, dict[str, Any], list[Any]] = self.call(self.property("Menu"), MENU, "GetLayout", asked)[1]
        return found

    def click(self, *labels: str) -> None:
        node = self.layout()
        for label in labels:
            node = next(child for child in node[2] if words(child[1]) == label)
        event = GLib.Variant("(isvu)", (node[0], "clicked", GLib.Variant("i", 0), 0))
        self.call(self.property("Menu"), MENU, "Event", event)

    def do(self, command: list[str]) -> Any:
        match command:
            case ["menu"]:
                return shown(self.layout()) if self.item else []
            case ["click", *labels]:
                self.click(*labels)
                return True
            case ["notifications"]:
                return self.told
            case ["icon"]:
                return self.property("IconName")
            case ["clipboard"]:
                return Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_text()
        raise ValueError(command)


def words(properties: dict[str, Any]) -> str:
    """Return the label as a panel shows it: a single underscore would mark a key, a double one is one."""
    label: str = properties.get("label", "")
    return label.replace("__", "_")


def shown(node: Any) -> list[dict[str, Any]]:
    """Return the items below a node of the menu, as far as a user sees them."""
    return [
        {
            "label": words(properties),
            "enabled": properties.get("enabled", True),
            "checked": bool(properties["toggle-state"] > 0) if properties.get("toggle-type") else None,
            "items": shown((number, properties, children)),
        }
        for number, properties, children in node[2]
        if properties.get("type") != "separator"
    ]


def main() -> None:
    """Answer commands until stdin ends."""
    panel = Panel()

    def command(channel: Any, _condition: Any) -> bool:
        line = channel.readline()
        if not line:
            Gtk.main_quit()
            return False
        try:
            answer = {"answer": panel.do(json.loads(line))}
        except (GLib.Error, StopIteration) as error:
            answer = {"error": str(error) or type(error).__name__}
        print(json.dumps(answer), flush=True)
        return True

    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.IO_IN | GLib.IO_HUP, command)
    print(json.dumps({"answer": "ready"}), flush=True)
    Gtk.main()


if __name__ == "__main__":
    main()
