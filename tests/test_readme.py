"""README is true: its commands work as written, every verb stands in it, and it quotes the bar."""

import argparse
import re
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
from pathlib import Path

from claudedo_findings import cli
from claudedo_findings.bar import BAR
from tests.conftest import git

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def command(name: str) -> str:
    """Return the command of README that is marked with `name`."""
    found = re.search(rf"<!-- command: {name} -->\n```sh\n(.+?)\n```", README, re.DOTALL)
    assert found, f"README has no command {name}"
    return found[1]


def verbs() -> dict[str, argparse.ArgumentParser]:
    """Return every verb of the command line with its parser."""
    actions = [action for action in cli.parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(actions[0].choices)


def test_every_verb_has_help_and_stands_in_readme() -> None:
    for name, parser in verbs().items():
        assert parser.description, name
        assert re.search(rf"`{name}[ `]", README), f"README does not name the verb {name}"


def test_readme_quotes_the_bar() -> None:
    assert BAR in " ".join(README.split())


def test_first_command_sets_up_a_clean_clone_and_ends_with_the_demo(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(ROOT), str(clone))
    # What is not committed yet is part of what README speaks of.
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    done = subprocess.run(
        ["sh", "-c", command("demo")], cwd=clone, capture_output=True, text=True, check=False, timeout=280
    )
    assert done.returncode == 0, done.stderr
    assert "- [clock-skew-in-ci](traps/clock-skew-in-ci.md) — The invoice tests" in done.stdout
    assert "status: unchanged" in done.stdout
    assert done.stdout.rstrip().endswith("reads the index before it explores.")
    # What was installed is whole: the tray and its labels too, from the package, not from this folder.
    menu = subprocess.run(
        [clone / ".venv" / "bin" / "claudedo-findings-tray", "--once", "--language", "de"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (menu.returncode, menu.stdout.splitlines()[-1:]) == (0, ["Beenden"]), menu.stderr


def test_second_command_is_what_ci_runs() -> None:
    assert command("tests") == "tests/run"
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("exec tests/run")
    for script in (".ci/run", "tests/run", "tests/setup"):
        assert (ROOT / script).stat().st_mode & 0o111, f"{script} is not executable"
    assert ".venv/bin/python -m pytest" in (ROOT / "tests" / "run").read_text().splitlines()[-1]
