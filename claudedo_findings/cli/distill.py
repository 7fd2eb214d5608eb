"""The verb distill: prints where runs struggled, and drafts candidates from what came back again and again."""

import argparse

from claudedo_findings import sources
from claudedo_findings.cli import distill_page, transcripts
from claudedo_findings.cli.common import Verbs, add_verb, chosen, current_folder, print_json, print_text
from claudedo_findings.gather import distill


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "distill", _distill, "show where runs struggled, from their transcripts")
    transcripts.add_sources(parser)
    parser.add_argument("--save", action="store_true", help="keep the drafts as candidates, for review")


def _distill(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    current_folder()  # named places are relative to it
    since = sources.days_ago(args.days) if args.days else 0.0
    done = distill.run(store, item, args.path, since=since, save=args.save, progress=transcripts.progress())
    for complaint in done.tally.complaints:
        print_text(f"warning: {complaint}", to_stderr=True)
    if args.json:
        print_json(distill_page.as_json(item.name, store, done, saved=args.save))
    elif not done.runs:
        print_text("no transcripts of this project were found; name some", to_stderr=True)
    else:
        distill_page.show(store, done, saved=args.save)
    return 0 if done.walls or any(one.loops or one.corrections or one.gave_up for one in done.runs) else 1
