"""The verb trial: runs an experiment and prints what it says."""

import argparse
import os
import signal
from types import FrameType

from claudedo_findings import trial
from claudedo_findings.cli.common import Verbs, add_verb, print_json, print_table, print_text
from claudedo_findings.cli.progress import Progress
from claudedo_findings.errors import FindingsError
from claudedo_findings.trial import plan, summary
from claudedo_findings.trial.plan import Plan

_HEADINGS = (
    "MODEL",
    "CONDITION",
    "YES",
    "OF",
    "SHARE",
    "95 % INTERVAL",
    "FAILED",
    "TIMED OUT",
    "UNPROVEN",
    "NO VERDICT",
)


def add_verbs(verbs: Verbs) -> None:
    """Add the verbs of this family."""
    parser = add_verb(verbs, "trial", _trial, "try whether a finding changes what an agent does", store=False)
    parser.add_argument("file", metavar="FILE", nargs="?", help="the plan, a TOML file")
    parser.add_argument("--out", metavar="DIR", help="the results folder; without it FILE's name and '.results'")
    parser.add_argument("--example", metavar="DIR", help="write an example to a new folder and run nothing")


def _trial(args: argparse.Namespace) -> int:
    if bool(args.file) == bool(args.example):
        raise FindingsError("give the FILE of a trial, or '--example DIR' to get one")
    if args.example:
        path = trial.write_example(os.path.abspath(args.example))
        if args.json:
            print_json({"plan": path})
        else:
            print_text(f"wrote {path}\nrun it with: claudedo-findings trial {path}")
        return 0
    read = plan.load(os.path.abspath(args.file))
    out = os.path.abspath(args.out or f"{os.path.splitext(args.file)[0]}.results")
    signal.signal(signal.SIGTERM, _interrupt)  # the agents must not outlive a trial that is ended
    result = trial.run(read, out, Progress("runs"))
    if args.json:
        print_json(_as_json(read, out, result))
    else:
        _print(read, out, result)
    return 0 if all(row.answered for table in result.tables.values() for row in table) else 1


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _print(read: Plan, out: str, result: trial.Result) -> None:
    print_text(f"trial {read.name!r}, plan {result.ground}, outputs in {out}")
    for note in result.notes:
        print_text(f"note: {note}")
    for name, table in result.tables.items():
        print_text(f"\nmetric {name} ({read.metrics[name].kind}, {read.metric_hash(name)})")
        print_table(_HEADINGS, [_cells(row) for row in table])
        effects = [(*_named(effect), effect.model, *_points(effect)) for effect in summary.effects(table)]
        effects += [
            (*_named(both), "all", *(_points(both.effect) if both.effect else ("withheld", both.withheld)))
            for both in summary.pooled(table)
        ]
        if effects:
            print_text("")
            print_table(("CONDITION", "LESS", "MODEL", "POINTS", "95 % INTERVAL"), effects)


def _named(value: summary.Effect | summary.Pooled) -> tuple[str, str]:
    return value.condition, value.against


def _cells(row: summary.Row) -> tuple[str, ...]:
    low, high = row.interval or (0.0, 0.0)
    known = row.share is not None
    return (
        row.model,
        row.condition,
        str(row.counts["yes"]),
        str(row.answered),
        f"{row.share:.0%}" if row.share is not None else "-",
        f"{low:.0%} to {high:.0%}" if known else "-",
        *(str(row.counts[verdict]) for verdict in summary.VERDICTS[2:]),
    )


def _points(effect: summary.Effect) -> tuple[str, str]:
    low, high = effect.interval
    return f"{effect.difference * 100:+.0f}", f"{low * 100:+.0f} to {high * 100:+.0f}"


def _as_json(read: Plan, out: str, result: trial.Result) -> dict[str, object]:
    return {
        "trial": read.name,
        "plan": result.ground,
        "results": out,
        "notes": result.notes,
        "metrics": [
            {
                "metric": name,
                "kind": read.metrics[name].kind,
                "hash": read.metric_hash(name),
                "rows": [_row_as_json(row) for row in table],
                "effects": [_effect_as_json(effect) for effect in summary.effects(table)],
                "pooled": [
                    {
                        "condition": both.condition,
                        "against": both.against,
                        "effect": _effect_as_json(both.effect) if both.effect else None,
                        "withheld": both.withheld,
                    }
                    for both in summary.pooled(table)
                ],
            }
            for name, table in result.tables.items()
        ],
    }


def _row_as_json(row: summary.Row) -> dict[str, object]:
    names = {"timed out": "timedOut", "no verdict": "noVerdict"}
    return {
        "model": row.model,
        "condition": row.condition,
        **{names.get(verdict, verdict): count for verdict, count in row.counts.items()},
        "share": row.share,
        "interval": row.interval,
    }


def _effect_as_json(effect: summary.Effect) -> dict[str, object]:
    return {
        "model": effect.model,
        "condition": effect.condition,
        "against": effect.against,
        "difference": effect.difference,
        "interval": effect.interval,
    }
