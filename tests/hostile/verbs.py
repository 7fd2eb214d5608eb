"""Command lines: every verb that runs without a person or a program of the user's, with any arguments."""

import json
import os
import subprocess  # noqa: TID251  # some run as real processes
import sys

from hypothesis import strategies as st

from claudedo_findings import cli
from tests.hostile.corpus import text
from tests.hostile.tried import each
from tests.hostile.watch import GUARD
from tests.hostile.world import World

# Not these: they serve, start programs of the user's, or ask a person. `hook` has inputs of its own.
_ELSEWHERE = {"serve", "demo", "open", "review", "hook", "trial"}
VERBS = sorted({verb for verbs in cli.FAMILIES.values() for verb in verbs} - _ELSEWHERE)
_OPTIONS = [
    *("--list", "--here", "--json", "--title", "--body", "--scope", "--evidence", "--retry-when", "--expires", "-"),
    *("--from-commit", "--why", "--overturned", "--version", "--apply", "--yes", "--file", "--save", "--all", "--weak"),
    *(
        "--thorough",
        "--days",
        "--changed",
        "--fix",
        "--stale",
        "--retired",
        "--candidates",
        "--quiet",
        "--help",
        "--http",
    ),
    *("--hooks", "--port", "--list=app", "--why=x", "--title=x", "--body=x", "--remove", "--format"),
]
_ARGUMENT = text.filter(lambda value: "\0" not in value).map(
    lambda value: os.fsdecode(os.fsencode(value.encode("utf-8", "surrogatepass")))
)
_ours = st.sampled_from(["clock-skew", "trap-1", "app", "src/app.py", "claude", "bash", "add", "remove", "1"])
command_lines = st.builds(
    lambda verb, rest: [verb, *rest],
    st.sampled_from(VERBS),
    st.lists(st.one_of(_ARGUMENT, _ours, st.sampled_from(_OPTIONS)), max_size=6),
).filter(lambda line: line[:1] != ["lists"] or not any("neighbour" in word for word in line))


def in_process(world: World, examples: int) -> int:
    """Run command lines in this process."""

    def check(line: list[str]) -> None:
        world.reset()
        code, out = world.verb(*line, stdin=b"Text from stdin.")
        if "--json" in line and code in (0, 1) and out and line[0] != "completion" and "--help" not in line:
            json.loads(out)

    return each(world, command_lines, check, examples)


def as_processes(world: World, examples: int) -> int:
    """Run command lines as real processes, whose arguments are bytes."""

    def check(line: list[str]) -> None:
        world.reset()
        done = subprocess.run(
            [sys.executable, "-m", "claudedo_findings", *line],
            input=b"\xff\xfe",
            capture_output=True,
            timeout=GUARD,
            check=False,
        )
        assert done.returncode in (0, 1, 2), done
        assert b"Traceback" not in done.stderr, done
        done.stdout.decode("utf-8")

    return each(world, command_lines, check, examples)
