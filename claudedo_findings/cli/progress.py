"""How far long work is, on one line that only a terminal gets, and that goes before anything else is printed."""

import sys
import time

_QUIET = 0.5  # seconds at the start, in which most work is done
_PAUSE = 0.1  # seconds between two lines


class Progress:
    """Tells how much of a number of things is done, at most ten times a second; nothing in the first half second."""

    def __init__(self, of_what: str, unit: float = 1) -> None:
        self._of_what = of_what
        self._unit = unit
        self._next = time.monotonic() + _QUIET

    def __call__(self, done: int, of: int) -> None:
        """Show that `done` of `of` are done; the last call clears the line."""
        now = time.monotonic()
        if done >= of:
            stage("")
        elif now >= self._next:
            self._next = now + _PAUSE
            stage(f"{done / self._unit:.0f} of {of / self._unit:.0f} {self._of_what}")


class _Line:
    shown = False


def stage(what: str) -> None:
    """Show in a few words what is being done; "" clears the line."""
    if not what and not _Line.shown:
        return
    if sys.stderr and sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)
        _Line.shown = bool(what)
