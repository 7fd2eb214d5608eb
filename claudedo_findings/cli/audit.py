"""Verbs that look for what is wrong: lint, doctor."""

import argparse

from claudedo_findings import git, plural, service
from claudedo_findings.cli import progress, registration
from claudedo_findings.cli.common import Verbs, add_verb, chosen, current_folder, print_json, print_text
from claudedo_findings.problem import Problem, Report


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "lint", _lint, "check the findings and their index for what is broken or of little use")
    parser.add_argument("--fix", action="store_true", help="mend what is safe: the index, double lines, line ends")
    parser.add_argument("--changed", action="store_true", help="only what differs from HEAD, for a commit hook")
    summary = "check this machine: git, lists, host, service, registered clients"
    parser = add_verb(verbs, "doctor", _doctor, summary, store=False)
    parser.add_argument("--port", type=int, default=service.PORT, metavar="N", help="of the service (%(default)s)")


def _doctor(args: argparse.Namespace) -> int:
    from claudedo_findings import doctor

    progress.stage("looking …")
    report = doctor.examine(registration.command(), args.port)
    if args.json:
        print_json(_as_json(report))
    else:
        _print(report, quiet=False)
    return 1 if report.problems else 0


def _lint(args: argparse.Namespace) -> int:
    from claudedo_findings import lint, lint_fix  # not for the start of the family's other verbs

    item, store = chosen(args)
    fixed = lint_fix.fix(store) if args.fix else ()
    worktree = git.checkout(current_folder())
    report = lint.examine(store, only_changed=args.changed, worktree=worktree, progress=progress.stage)
    if args.json:
        print_json({"list": item.name, "store": store.folder, **_as_json(report), "fixed": list(fixed)})
    else:
        for done in fixed:
            print_text(f"fixed: {done}")
        _print(report, quiet=True)
    return 1 if report.problems else 0


def _as_json(report: Report) -> dict[str, object]:
    return {
        "problems": [_problem_as_json(problem) for problem in report.problems],
        "fine": list(report.fine),
        "notChecked": list(report.not_checked),
    }


def _problem_as_json(problem: Problem) -> dict[str, object]:
    names = ("slug", "rule", "where", "path", "line", "what", "hint")
    return {name: getattr(problem, name) for name in names}


def _print(report: Report, *, quiet: bool) -> None:
    """Print complaints on stdout, one a line; with `quiet` everything else goes to stderr, for editors that read."""
    for sentence in report.fine:
        print_text(f"fine: {sentence}", to_stderr=quiet)
    for problem in report.problems:
        print_text(f"{problem.where}: {problem.rule}: {problem.what}; {problem.hint}")
    count = len(report.problems)
    for sentence in report.not_checked:
        print_text(f"not checked: {sentence}", to_stderr=quiet)
    print_text(f"{plural.count(count, 'problem') if count else 'no problems'}", to_stderr=quiet)
