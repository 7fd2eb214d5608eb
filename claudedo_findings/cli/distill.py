"""The verb distill: prints where runs struggled, and drafts candidates from what came back again and again."""

import argparse
import sys
import time

from claudedo_findings import sources
from claudedo_findings.cli import distill_page
from claudedo_findings.cli.common import Verbs, add_verb, chosen, current_folder, print_json, print_text
from claudedo_findings.gather import distill


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "distill", _distill, "show where runs struggled, from their transcripts")
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="*",
        help="transcripts or folders of such; without one those of this project's runs",
    )
    parser.add_argument(
        "--days", type=days, default=None, metavar="N", help="only transcripts changed in the last N days"
    )
    parser.add_argument("--save", action="store_true", help="keep the drafts as candidates, for review")


def days(value: str) -> float:
    """Return the value of `--days`."""
    number = float(value)
    if not 0 < number < 100_000:
        raise argparse.ArgumentTypeError("give a number of days above 0")
    return number


def _distill(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    current_folder()  # named places are relative to it
    since = sources.days_ago(args.days) if args.days else 0.0
    done = distill.run(store, item, args.path, since=since, save=args.save, progress=Megabytes())
    for complaint in done.tally.complaints:
        print_text(f"warning: {complaint}", to_stderr=True)
    if args.json:
        print_json(distill_page.as_json(item.name, store, done, saved=args.save))
    elif not done.runs:
        print_text("no transcripts of this project were found; name some", to_stderr=True)
    else:
        distill_page.show(store, done, saved=args.save)
    return 0 if done.walls or any(one.loops or one.corrections or one.gave_up for one in done.runs) else 1


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
