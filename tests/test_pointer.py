"""`pointer` as a host calls it at the start of every run: quick, and the same however it is asked."""

import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path

import pytest

from claudedo_findings import git
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store

SLOW = {
    "argparse",
    "dataclasses",
    "json",
    "shutil",
    "tempfile",
    "pydantic",
    "mcp",
    "sqlite3",
    "hashlib",
    "tomlkit",
    "filelock",
    "platformdirs",
    "asyncio",
    "claudedo_findings.store",
    "claudedo_findings.finding",
    "claudedo_findings.tracking",
    "claudedo_findings.match",
}


@pytest.fixture
def store(listed: Path) -> Store:
    """The store of the list `app`, with one finding and checked today."""
    made = Store(git.places(str(listed)))
    made.save(Finding(slug="clock-skew", title="The clock is frozen", body="Thaw it."), keep_scope=False)
    assert run("--here", cwd=listed)[0] == 0
    return made


def run(*options: str, cwd: Path | str, python: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Run the verb and return its exit code, stdout and stderr."""
    command = [sys.executable, *python, "-m", "claudedo_findings", "pointer", *options]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("options", [[], ["--here"], ["--list", "app"], ["--list=app"]])
def test_nothing_slow_is_imported_for_the_sentence(store: Store, options: list[str]) -> None:
    code, out, err = run(*options, cwd=store.places.root, python=("-X", "importtime"))
    loaded = {line.rpartition("|")[2].strip() for line in err.splitlines()}
    assert (code, out.count(store.index_path)) == (0, 1)
    assert "claudedo_findings.layout" in loaded
    assert not SLOW & loaded


@pytest.mark.parametrize(
    ("plain", "parsed"),
    [
        (["--here"], ["--her"]),
        (["--list", "app"], ["--lis", "app"]),
        (["--list=gone"], ["--lis=gone"]),
    ],
)
def test_the_quick_form_answers_as_the_parser_does(store: Store, plain: list[str], parsed: list[str]) -> None:
    answer = run(*plain, cwd=store.places.root)
    assert answer == run(*parsed, cwd=store.places.root)
    assert bool(answer[1]) == (answer[0] == 0)


@pytest.mark.parametrize("options", [["--list", " "], ["--list="], ["--list", "--here"], ["--list"], ["app"]])
def test_options_that_say_nothing_are_refused(store: Store, options: list[str]) -> None:
    code, out, err = run(*options, cwd=store.places.root)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
