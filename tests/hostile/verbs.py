"""Command lines: every verb that runs without a person or a program of the user's, with any arguments."""

import json
import subprocess  # noqa: TID251  # some run as real processes
import sys

from claudedo_findings.finding import Finding, render
from tests.conftest import git
from tests.hostile.lines import command_lines
from tests.hostile.tried import each
from tests.hostile.watch import GUARD
from tests.hostile.world import World

_FURNITURE = {"traps": ("clock-skew", "trap-1"), "candidates": ("draft-2",), "retired": ("gone-3",)}


def in_process(world: World, examples: int) -> int:
    """Run command lines in this process."""
    _sources(world)

    def check(line: list[str]) -> None:
        _furnish(world)
        code, out = world.verb(*line, stdin=b"Text from stdin.")
        if "--json" in line and code in (0, 1) and out and line[0] != "completion" and "--help" not in line:
            json.loads(out)

    return each(world, command_lines, check, examples)


def as_processes(world: World, examples: int) -> int:
    """Run command lines as real processes, whose arguments are bytes."""
    _sources(world)

    def check(line: list[str]) -> None:
        _furnish(world)
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


def _sources(world: World) -> None:
    """Give `harvest` a note and `detect` a revert."""
    (world.repo / "NOTES.md").write_text("# Gotchas\n\n* Never cache the clock: CI freezes it at midnight UTC.\n")
    git(world.repo, "rm", "-q", "src/app.py")
    git(world.repo, "commit", "-q", "-m", "Do without the app")
    git(world.repo, "revert", "--no-edit", "HEAD")


def _furnish(world: World) -> None:
    """Put back what the verbs before may have moved or removed."""
    world.reset()
    for kind, slugs in _FURNITURE.items():
        for slug in slugs:
            path = world.folder / kind / f"{slug}.md"
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                keys = "source: note:NOTES.md#x\n" if kind == "candidates" else ""
                text = render(Finding(slug=slug, title=f"The clock of {slug} is frozen", body="Use UTC.", scope="src"))
                path.write_text(text.replace("---\n\n", f"{keys}---\n\n", 1), encoding="utf-8")
