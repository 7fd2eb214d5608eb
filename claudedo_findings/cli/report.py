"""The verb report: which findings were read, and what followed."""

import argparse
import os

from claudedo_findings.cli import report_text, transcripts
from claudedo_findings.cli.common import Verbs, add_verb, chosen, current_folder, print_json, print_text


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "report", _report, "say which findings were read, in which runs, and what followed")
    transcripts.add_sources(parser)
    parser.add_argument("--html", metavar="FILE", help="write one self-contained page")


def _report(args: argparse.Namespace) -> int:
    from claudedo_findings import report, sources
    from claudedo_findings.report import as_json, page_file

    item, store = chosen(args)
    html = args.html and os.path.join(current_folder(), args.html)  # named transcripts are relative to it too
    if html:
        page_file.check(html)
    since = sources.days_ago(args.days) if args.days else 0.0
    done = report.make(store, item, args.path, since=since, progress=transcripts.progress())
    for complaint in done.looked.complaints:
        print_text(f"warning: {complaint}", to_stderr=True)
    if html:
        page_file.write(done, html)
        print_text(f"written: {html}", to_stderr=args.json)
    if args.json:
        print_json(as_json.of(done))
    elif not done.looked.runs:
        print_text("no transcripts of this project were found; name some", to_stderr=True)
    elif not html:
        report_text.show(done)
    return 0 if done.looked.runs else 1
