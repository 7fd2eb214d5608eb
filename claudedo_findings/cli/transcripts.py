"""What the verbs that read transcripts share: which they read, and how far they are."""

import argparse
import sys
import time


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose transcripts."""
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="*",
        help="transcripts or folders of such; without one those of this project's runs",
    )
    parser.add_argument(
        "--days", type=_days, default=None, metavar="N", help="only transcripts changed in the last N days"
    )


class Megabytes:
    """Tells a person on a terminal how much is read, at most ten times a second."""

    def __init__(self) -> None:
        self.shown = 0.0

    def __call__(self, done: int, of: int) -> None:
        """Show that `done` of `of` bytes are read."""
        now = time.monotonic()
        if sys.stderr.isatty() and (now - self.shown > 0.1 or done == of):
            self.shown = now
            end = "\n" if done == of else ""
            print(f"\r{done / 1e6:.0f} of {of / 1e6:.0f} MB read", end=end, file=sys.stderr, flush=True)


def _days(value: str) -> float:
    number = float(value)
    if not 0 < number < 100_000:
        raise argparse.ArgumentTypeError("give a number of days above 0")
    return number
