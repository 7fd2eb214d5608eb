"""Shell completion: argcomplete's protocol spoken to a real process, and a real bash."""

import os
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path

import pytest

from claudedo_findings import lists
from tests.conftest import make_repo
from tests.test_cli import SAVE, run


def complete(line: str, cwd: Path | str, point: int | None = None) -> set[str]:
    """Return what the program offers for a command line; the answer comes on file descriptor 8, as shells ask."""
    environment = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line.encode()) if point is None else point),
        "COMP_TYPE": "9",
    }
    script = f'exec "{sys.executable}" -m claudedo_findings 8>&1 9>&2 1>/dev/null'
    done = subprocess.run(
        ["bash", "-c", script], cwd=cwd, env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert done.stderr == b""
    return {word.strip() for word in done.stdout.decode().split("\n") if word.strip()}


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two lists, `shop` with two findings and a candidate, `till` with one."""
    for name in ("shop", "till"):
        lists.add(name, str(make_repo(tmp_path / name)))
        run(*SAVE, "--list", name, cwd=tmp_path)
    run("save", "config-cache", "--title", "Caching breaks reload", "--body", "b", "--list", "shop", cwd=tmp_path)
    for kind in ("candidates", "retired"):
        (tmp_path / "shop" / ".claudedo" / kind).mkdir()
        (tmp_path / "shop" / ".claudedo" / kind / f"in-{kind}.md").write_text("# A draft\n")
    return tmp_path / "shop"


PROGRAM = "claudedo-findings"


def test_verbs_are_completed(two: Path) -> None:
    assert complete(f"{PROGRAM} li", two) == {"lint", "list", "lists"}
    assert {"save", "open", "doctor", "completion"} <= complete(f"{PROGRAM} ", two)


def test_slugs_are_completed_of_the_list_that_is_meant(two: Path) -> None:
    assert complete(f"{PROGRAM} show ", two) == {"clock-skew", "config-cache"}
    assert complete(f"{PROGRAM} show con", two) == {"config-cache"}
    assert complete(f"{PROGRAM} show --list till ", two.parent) == {"clock-skew"}
    assert complete(f"{PROGRAM} open c", two) == {"clock-skew", "config-cache"}


def test_restore_takes_retired_findings_too(two: Path) -> None:
    assert complete(f"{PROGRAM} restore ", two) == {"clock-skew", "config-cache", "in-retired"}


def test_names_of_lists_are_completed(two: Path) -> None:
    assert complete(f"{PROGRAM} show --list ", two) == {"shop", "till"}
    assert complete(f"{PROGRAM} list --list=t", two) == {"--list=till"}
    assert complete(f"{PROGRAM} lists remove s", two) == {"shop"}
    assert complete(f"{PROGRAM} lists a", two) == {"add"}


def test_options_choices_and_folders_are_completed(two: Path) -> None:
    assert complete(f"{PROGRAM} lint --f", two) == {"--fix"}
    assert complete(f"{PROGRAM} connect c", two) == {"claude", "codex", "cursor"}
    assert complete(f"{PROGRAM} lists add x s", two) == {"src/"}


def test_what_is_free_text_is_not_completed_with_file_names(two: Path) -> None:
    assert complete(f"{PROGRAM} save x --title s", two) == set()


def test_nothing_is_offered_and_nothing_told_where_no_list_is_meant(two: Path) -> None:
    assert complete(f"{PROGRAM} show ", two.parent) == set()
    (two / ".claudedo" / "traps").rename(two / ".claudedo" / "elsewhere")
    (two / ".claudedo" / "traps").write_text("no folder")
    assert complete(f"{PROGRAM} show ", two) == set()


def test_the_normal_start_does_not_import_argcomplete(two: Path) -> None:
    script = (
        "import sys\n"
        "from claudedo_findings import cli\n"
        "code = cli.main(['list'])\n"
        "assert 'argcomplete' not in sys.modules\n"
        "sys.exit(code)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=two, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_the_script_of_each_shell_names_the_program(tmp_path: Path, shell: str) -> None:
    code, out, err = run("completion", shell, cwd=tmp_path)
    assert (code, err) == (0, "")
    assert PROGRAM in out
    assert "_ARGCOMPLETE" in out


def test_a_real_bash_completes_after_readmes_line(two: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / PROGRAM
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m claudedo_findings "$@"\n')
    program.chmod(0o755)
    script = f"""
        eval "$({PROGRAM} completion bash)"
        COMP_WORDS=({PROGRAM} show co) COMP_CWORD=2 COMP_LINE="{PROGRAM} show co" COMP_POINT=25 COMP_TYPE=9
        $(complete -p {PROGRAM} | sed 's/.*-F \\([^ ]*\\).*/\\1/') {PROGRAM} co show
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        [shutil.which("bash") or "bash", "--norc", "-c", script],
        cwd=two,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["config-cache"]
