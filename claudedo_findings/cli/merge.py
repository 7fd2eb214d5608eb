"""Verbs that take findings out of the index: retire, merge."""

import argparse

from claudedo_findings import finding, merge, retire, rules
from claudedo_findings.cli.common import Verbs, add_verb, chosen, print_json, print_text


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "retire", _retire, "take findings out of the index, with a reason; 'restore' undoes it")
    parser.add_argument("slugs", metavar="SLUG", nargs="+", help="key of it: its file name without .md")
    parser.add_argument("--why", required=True, metavar="REASON", help="what makes them no longer hold")
    parser.add_argument("--overturned", action="store_true", help="a retry of the rejected approach succeeded")
    parser = add_verb(verbs, "merge", _merge, "propose one text for two findings, and write it with --apply")
    parser.add_argument("source", metavar="FROM", help="the finding that is retired")
    parser.add_argument("target", metavar="INTO", help="the finding whose slug and title stay")
    parser.add_argument("--apply", action="store_true", help="write the proposed text and retire FROM")


def _retire(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    slugs = [rules.slug(slug) for slug in args.slugs]
    paths = retire.retire(store, slugs, args.why, overturned=args.overturned)
    if args.json:
        rows = [{"slug": slug, "path": path} for slug, path in zip(dict.fromkeys(slugs), paths, strict=True)]
        print_json({"list": item.name, "retired": rows})
    else:
        print_text("\n".join(f"retired: {path}" for path in paths))
    return 0


def _merge(args: argparse.Namespace) -> int:
    item, store = chosen(args)
    source, target = rules.slug(args.source), rules.slug(args.target)
    done = merge.apply(store, source, target) if args.apply else None
    proposal = done.proposal if done else merge.proposal(store, source, target)
    warnings = [*proposal.warnings, *(done.outcome.warnings if done else ())]
    if args.json:
        print_json(
            {
                "slug": target,
                "list": item.name,
                "from": source,
                "applied": done is not None,
                "title": proposal.merged.title,
                "scope": proposal.merged.scope,
                "body": proposal.merged.body,
                "path": store.finding_path(target),
                "retired": done.retired if done else "",
                "warnings": warnings,
            }
        )
    elif done:
        print_text(f"merged: {store.finding_path(target)}\nretired: {done.retired}")
    else:
        print_text(finding.render(proposal.merged).rstrip("\n"))
    for warning in warnings if not args.json else ():
        print_text(f"warning: {warning}", to_stderr=True)
    if not done and not args.json:
        print_text(f"nothing was written: 'merge {source} {target} --apply' writes this text", to_stderr=True)
    return 0
