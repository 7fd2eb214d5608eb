"""What an agent waits for: the sentence at its start, and the hook at every tool call."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

from claudedo_findings import lists
from tests.bench import ground
from tests.bench.clock import Times, in_turn, process
from tests.bench.rows import Row, most, number
from tests.bench.stage import Stage

_MS, _OVER_BARE = 80.0, 8.0


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    small, store = stage.store(50), stage.store(300)
    lists.add("shop", str(small))
    sessions = count()

    def event(name: str, **more: object) -> Callable[[], bytes]:
        def made() -> bytes:  # of a session of its own, since a finding is told once in a session
            common = {"session_id": f"s{next(sessions)}", "cwd": str(store), "hook_event_name": name}
            return json.dumps({**common, **more}).encode()

        return made

    def read(path: str) -> Callable[[], bytes]:
        return event("PostToolUse", tool_name="Read", tool_input={"file_path": str(store / path)})

    error = f"Exit code 1\nerror: {ground.fields(77)['title']}"
    events = {
        "hook, a file with findings was read": read("src/m42.py"),
        "hook, a file without findings was read": read("docs/guide.md"),
        "hook, a tool failed": event("PostToolUseFailure", tool_name="Bash", tool_input={}, error=error),
        "hook, a session starts": event("SessionStart", source="startup"),
    }
    pointers = {"pointer --here": ["--here"], "pointer --list NAME": ["--list", "shop"]}
    times = in_turn(
        stage.runs,
        {
            "bare": process([stage.python, "-c", "pass"], small),
            **{what: process([stage.ours, "pointer", *options], small) for what, options in pointers.items()},
            **{what: process([stage.ours, "hook"], store, given) for what, given in events.items()},
        },
    )
    findings = {**dict.fromkeys(pointers, 50), **dict.fromkeys(events, 300)}
    _answers(stage, store, events)
    return [_row(f"{what}, {findings[what]} findings", times[what], times["bare"]) for what in findings]


def _answers(stage: Stage, store: Path, events: dict[str, Callable[[], bytes]]) -> None:
    """Check that what was timed is what the rows say: an answer where one is due, and only there."""
    for what, given in events.items():
        process([stage.ours, "hook"], store, given, says="without findings" not in what)()


def _row(what: str, ours: Times, bare: Times) -> Row:
    return Row(
        what=what,
        ours=ours.median,
        beside={"bare Python": bare.median},
        note=f"of processor {number(ours.median_cpu)} ms, {number(ours.median_cpu / bare.median_cpu)} × bare",
        budgets=[most("≤ 80 ms", ours.median, _MS), most("≤ 8 × bare", ours.median / bare.median, _OVER_BARE)],
    )
