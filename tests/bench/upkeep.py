"""Whether findings can still be trusted, asked of a long history."""

import subprocess  # noqa: TID251  # benchmarks drive real programs
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.bench import ground
from tests.bench.clock import in_turn
from tests.bench.rows import Row, number
from tests.bench.stage import Stage

_FINDINGS, _COMMITS, _FILES = 300, 20_000, 97
_ASKED = 10  # of the findings, when each is asked about with a process of its own


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    repo = ground.repository(stage.base / "history")
    _write_history(repo)
    commits = _git(repo, "rev-list", "--reverse", "--abbrev-commit", "--abbrev=9", "HEAD").split()
    stamps = commits[1 :: len(commits) // _FINDINGS][:_FINDINGS]
    ground.fill(repo, _FINDINGS, stamps)
    times = in_turn(
        max(3, stage.runs // 4),
        {
            "ours": partial(_stale, stage, repo),
            "walk": partial(_git, repo, "rev-list", "--count", "HEAD"),
            "each": partial(_one_by_one, repo, stamps),
        },
    )
    return [
        Row(
            what=f"stale, {_FINDINGS} findings, {_COMMITS:,} commits",
            ours=times["ours"].median,
            beside={
                "one walk of git over the history": times["walk"].median,
                f"{_FINDINGS} × git log": times["each"].median * _FINDINGS / _ASKED,
            },
            note=f"of processor {number(times['ours'].median_cpu)} ms",
        )
    ]


def _stale(stage: Stage, repo: Path) -> None:
    command: list[Path | str] = [stage.ours, "stale", "--here"]
    done = subprocess.run(command, cwd=repo, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert len(done.stdout.splitlines()) > _FINDINGS, done.stdout


def _one_by_one(repo: Path, stamps: list[str]) -> None:
    for at in range(0, _FINDINGS, _FINDINGS // _ASKED):
        _git(repo, "log", "--oneline", f"{stamps[at]}..HEAD", "--", ground.fields(at)["scope"])


def _write_history(repo: Path) -> None:
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=repo, input=b"".join(_stream(repo)), check=True)
    _git(repo, "reset", "-q", "--hard")


def _stream(repo: Path) -> Iterator[bytes]:
    """Yield a history in which each commit changes one line of one file."""
    branch = _git(repo, "symbolic-ref", "HEAD").strip()
    texts = [[f"def f{line}(): return {line}\n" for line in range(60)] for _ in range(_FILES)]
    for commit in range(_COMMITS):
        file = commit * 31 % _FILES
        texts[file][commit * 7 % 60] = f"def f{commit}(): return {commit}\n"
        data = "".join(texts[file]).encode()
        message = f"change {commit}".encode()
        who = f"committer Bench <bench@example.invalid> {1_700_000_000 + commit * 60} +0000\n"
        yield f"commit {branch}\n{who}data {len(message)}\n".encode() + message + b"\n"
        if not commit:
            yield b"deleteall\n"
        yield f"M 100644 inline src/m{file}.py\ndata {len(data)}\n".encode() + data + b"\n"


def _git(repo: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repo, check=True, capture_output=True, text=True).stdout
