"""How fast transcripts are read: at the first time, and again from what the state folder keeps."""

import json
import os
import subprocess  # noqa: TID251  # benchmarks drive real programs
import time
from dataclasses import dataclass
from pathlib import Path

from tests.bench import ground, transcripts
from tests.bench.rows import Row, number
from tests.bench.stage import Stage

_FINDINGS = 50


@dataclass(frozen=True, kw_only=True)
class _Run:
    """Seconds by the clock and of processor, and the most memory in MiB."""

    seconds: float
    busy: float
    peak: float


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    folder, repo = stage.base / "transcripts", ground.repository(stage.base / "read")
    for each in range(_FINDINGS):
        _save(stage, repo, each)
    folder.mkdir()
    megabytes = transcripts.build(folder, stage.megabytes * 1_000_000) / 1e6
    speed = _parsing(folder)
    rows = []
    for verb in ("distill", "report"):
        state = stage.base / f"state-{verb}"
        first, again = (_run(stage, verb, folder, repo, state) for _ in range(2))
        kept = sum(path.stat().st_size for path in state.rglob("*.json")) / 1e6
        rows.append(
            Row(
                what=f"{verb}, {megabytes:,.0f} MB of transcripts, {_FINDINGS} findings",
                ours=first.busy,
                unit="s of processor",
                beside={"again": again.busy, "parsing alone, with json": megabytes / speed},
                note=f"by the clock {number(first.seconds)} and {number(again.seconds)} s;"
                f" peak {number(first.peak)} MiB; {number(kept)} MB in the state folder",
            )
        )
    return rows


def _save(stage: Stage, repo: Path, number_of_finding: int) -> None:
    """Save a finding that errors in the transcripts are held against."""
    title = f"shopctl lists children with --parentId, never --parent, in part {number_of_finding}"
    fields = ["--title", title, "--body", "`unknown option '--parent'`: use `--parentId`."]
    command: list[Path | str] = [stage.ours, "save", f"option-{number_of_finding:02}", "--here", *fields]
    subprocess.run(command, cwd=repo, check=True, capture_output=True)


def _run(stage: Stage, verb: str, folder: Path, repo: Path, state: Path) -> _Run:
    environment = os.environ | {"CLAUDEDO_FINDINGS_HOME": str(state)}
    command: list[Path | str] = [stage.ours, verb, "--here", folder]
    started = time.perf_counter()
    child = subprocess.Popen(command, cwd=repo, env=environment, stdout=subprocess.PIPE)
    assert child.stdout
    said = child.stdout.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, said
    return _Run(
        seconds=time.perf_counter() - started, busy=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss / 1024
    )


def _parsing(folder: Path) -> float:
    """Return how many MB of processor time's second the standard library's parser takes, on a part of the corpus."""
    lines = [line for path in sorted(folder.iterdir())[:40] for line in path.read_bytes().splitlines()]
    started = time.process_time()
    for line in lines:
        json.loads(line)
    return sum(map(len, lines)) / 1e6 / (time.process_time() - started)
