"""What the verbs that read transcripts share: which they read, and how far they are."""

import argparse

from claudedo_findings.cli.progress import Progress


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


def progress() -> Progress:
    """Return what tells a person on a terminal how much is read."""
    return Progress("MB read", 1e6)


def _days(value: str) -> float:
    number = float(value)
    if not 0 < number < 100_000:
        raise argparse.ArgumentTypeError("give a number of days above 0")
    return number
