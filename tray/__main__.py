"""Where the tray starts. A screen and its libraries are needed only when an icon is to be shown."""

import argparse
import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from claudedo_findings import __version__, folders, lock, service
from claudedo_findings.errors import FindingsError
from tray import autostart, menu, text, words
from tray.poll import INTERVAL, Poll


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tray, or what the options ask for instead, and return the exit status."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # without a console there is none
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return _run(_parser().parse_args(arguments))
    except FindingsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001  # the last edge: a bug keeps its traceback and has its own exit code
        traceback.print_exc()
        print("error: this is a bug in claudedo-findings-tray; please report it with the lines above", file=sys.stderr)
        return 3


def _run(args: argparse.Namespace) -> int:
    if args.install_autostart:
        print(autostart.install(_kept(args)))
        return 0
    if args.remove_autostart:
        print(autostart.remove())
        return 0
    labels = words.load(args.language or "")
    if args.once:
        print("\n".join(text.lines(menu.build(Poll().look(), labels))))
        return 0
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(lock.locked(os.path.join(folders.state(), "tray.lock"), timeout=0))
            return _show(args, labels)
    except lock.BusyError:
        print("claudedo-findings-tray runs already")
        return 0


def _show(args: argparse.Namespace, labels: words.Words) -> int:
    from tray import desktop
    from tray.app import App
    from tray.hosted import Hosted

    here = desktop.here()
    pystray = here.load(args.wait)
    hosted = Hosted(args.port) if args.serve else None
    return App(here, pystray, labels, hosted=hosted, interval=args.interval, quiet=args.quiet).run()


def _kept(args: argparse.Namespace) -> list[str]:
    """Return the options that a start at login takes over."""
    options = ["--wait", "60"]  # the panel may come up after us
    options += ["--language", args.language] if args.language else []
    options += ["--quiet"] if args.quiet else []
    options += ["--serve", "--port", str(args.port)] if args.serve else []
    return options


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints look like every other error."""

    def error(self, message: str) -> NoReturn:
        raise FindingsError(f"{message} (see '{self.prog} --help')")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="claudedo-findings-tray",
        description="Show the findings of every list in the tray: open them, check them in, see what is new.",
        epilog="exit codes: 0 fine or running already, 2 could not do it, 3 a bug, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"claudedo-findings-tray {__version__}")
    parser.add_argument("--language", choices=words.LANGUAGES, help="of the labels (default: the system's)")
    parser.add_argument("--quiet", action="store_true", help="do not notify when a finding was saved")
    parser.add_argument("--serve", action="store_true", help="run the HTTP service too, in this process")
    parser.add_argument("--port", type=_port, default=service.PORT, metavar="N", help="of the service (%(default)s)")
    parser.add_argument(
        "--interval", type=_interval, default=INTERVAL, metavar="S", help="seconds between two looks (%(default)s)"
    )
    parser.add_argument(
        "--wait", type=_seconds, default=3.0, metavar="S", help="seconds to wait for a panel that shows icons"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--once", action="store_true", help="print the menu as text and exit; needs no screen")
    instead.add_argument("--install-autostart", action="store_true", help="start it at login, with these options")
    instead.add_argument("--remove-autostart", action="store_true", help="start it at login no more")
    return parser


def _port(value: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) > 65535:
        raise argparse.ArgumentTypeError(f"{value!r} is no port: choose one from 0 (any free one) to 65535")
    return int(value)


def _interval(value: str) -> float:
    return max(0.2, _seconds(value))  # more often costs more than it tells


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{value!r} is no number of seconds from 0 to 3600")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
