"""What a person sees of long work: on a terminal alone, and gone before anything else is printed."""

import os
import re
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path

import pytest

from tests.lookalikes import Session
from tests.test_cli import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

SLOW = """
import time
from claudedo_findings.cli.progress import Progress
told = Progress("MB read", 1e6)
told(1_000_000, 3_000_000)
time.sleep(0.6)
told(2_000_000, 3_000_000)
told(3_000_000, 3_000_000)
"""
# The verb as it is, but for the half second in which it says nothing.
AT_ONCE = """
import sys
from claudedo_findings.cli import main, progress
progress._QUIET = progress._PAUSE = 0
sys.exit(main(sys.argv[1:]))
"""


def on_terminal(*arguments: str, cwd: Path) -> str:
    """Return what a program that writes to a terminal with both its streams leaves there, to the letter."""
    ours, theirs = os.openpty()
    process = subprocess.Popen([sys.executable, "-c", *arguments], cwd=cwd, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # how Linux tells that the other end is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    process.wait(60)
    return seen.decode()


def test_long_work_is_told_on_a_terminal_after_half_a_second_and_nothing_in_a_pipe(tmp_path: Path) -> None:
    assert on_terminal(SLOW, cwd=tmp_path) == "\r\x1b[K2 of 3 MB read\r\x1b[K"
    piped = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, check=True, cwd=tmp_path)
    assert (piped.stdout, piped.stderr) == (b"", b"")


@pytest.fixture
def busy(listed: Path) -> Path:
    """A project with two of everything that the verbs look at."""
    for number in "ab":
        text = ["--title", f"Trap {number} of the clock", "--body", "Use UTC.", "--scope", "src/app.py"]
        assert run("save", f"trap-{number}", *text, cwd=listed)[0] == 0
        (listed / f"{number}.md").write_text("# Gotcha: the clock is frozen\n\nThaw it.\n")
        session = Session(seed=f"000{number}", cwd=str(listed), session=f"5e55104e-0000-4000-8000-00000000000{number}")
        session.bash("make", "Exit code 1\nerror: no rule", failed=True)
        session.write(listed / "runs" / f"{number}.jsonl")
    return listed


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("stale --json", "1 of 2 findings"),
        ("list --stale --json", "1 of 2 findings"),
        ("lint --json", "reading …"),
        ("doctor --json --port 1", "looking …"),
        ("detect --json", "reading the history"),
        ("harvest --json a.md b.md", "1 of 2 notes"),
        ("distill --json runs", "0 of 0 MB read"),
        ("report --json runs", "0 of 0 MB read"),
        ("show nothing", ""),
        ("harvest --json a.md nowhere.md", ""),
    ],
)
def test_nothing_of_it_stays_beside_what_a_verb_prints(busy: Path, line: str, told: str) -> None:
    seen = on_terminal(AT_ONCE, *line.split(), cwd=busy)
    assert f"\r\x1b[K{told}" in seen or not told
    left = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)|\r\x1b\[K", "", seen)
    assert "\x1b[K" not in left
    _, out, err = run(*line.split(), cwd=busy)
    varies = r'"made": "[^"]*"'
    assert re.sub(varies, "", left.replace("\r\n", "\n")) in {
        re.sub(varies, "", text) for text in (out + err, err + out)
    }
