"""The menu bar of macOS, which ends a program that changes a menu off the main thread."""

import contextlib
from collections.abc import Callable

from claudedo_findings import launch
from claudedo_findings.errors import FindingsError
from tray.desktop import Icon, Pystray


def load(wait: float) -> Pystray:  # noqa: ARG001  # the menu bar is there before programs are started
    """See Desktop."""
    try:
        import AppKit
        import pystray
    except ImportError as error:
        raise FindingsError(
            f"the tray's libraries are missing ({error}): pip install 'claudedo-findings[tray]'"
        ) from error
    # An icon in the menu bar alone: without this the Dock shows Python too.
    AppKit.NSApplication.sharedApplication().setActivationPolicy_(AppKit.NSApplicationActivationPolicyAccessory)
    return pystray


def run(icon: Icon, ready: Callable[[], None]) -> None:
    """See Desktop."""
    icon.run(lambda _icon: on_main(icon, ready))


def on_main(_icon: Icon, do: Callable[[], None]) -> None:
    """See Desktop."""
    from PyObjCTools import AppHelper

    AppHelper.callAfter(do)


def copy(text: str) -> None:
    """See Desktop."""
    launch.copy(text)


def label(text: str) -> str:
    """See Desktop."""
    return text


def body(text: str) -> str:
    """See Desktop."""
    return text


def notify(icon: Icon, title: str, text: str) -> None:
    """See Desktop. pystray runs `osascript`, which ends with an error where nobody is logged in on the screen."""
    with contextlib.suppress(*launch.FAILURES):
        icon.notify(text, title)
