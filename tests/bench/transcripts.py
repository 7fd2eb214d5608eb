"""How fast transcripts are read: a corpus of look-alikes with ids of their own, read cold, then from the state folder.

`python -m tests.bench.transcripts [MEGABYTES]` prints seconds, MB/s and the peak memory of each run, beside what
parsing alone costs in the same run.
"""

import json
import os
import resource
import subprocess  # noqa: TID251  # measures real processes
import sys
import tempfile
import time
from pathlib import Path

import pydantic_core

from tests.lookalikes import SAID, Log, Made, Rollout, Session

_CODE = "".join(
    f'{line:6}→    assert total([Item("tea", \'{line}.50\')]) == Decimal("{line}.50"), "größer"\n'
    for line in range(1, 250)
)
_OPTION = "Exit code 1\nerror: unknown option '--parent'\n(Did you mean --parentId?)"


def session(number: int) -> Session:
    """Return a session like the median of 686 public ones: 0.9 MB, 240 lines, 55 calls, a line of 73 KB."""
    made = Session(seed=f"{number:08d}", session=f"5e55104e-0000-4000-8000-{number:012d}")
    made.user("the cart must show the tax")
    if number % 2:
        made.call("Read", "1\t# Findings", file_path="/work/shop/.claudedo/INDEX.md")
        made.call("Read", "1\t# The option", file_path="/work/shop/.claudedo/traps/option-00.md")
    made.call("Read", _CODE * 3, file_path="/work/shop/src/whole.py")
    for step in range(12):
        made.answer({"type": "thinking", "thinking": "Let me look at how the total is made. " * 20})
        path = f"/work/shop/src/part_{step}.py"
        read = made.asks("Read", file_path=path)
        made.hook_saw(read, "Read")
        file = {"filePath": path, "content": _CODE, "numLines": 250, "startLine": 1, "totalLines": 250}
        made.result(read, _CODE, toolUseResult={"type": "text", "file": file})
        edit = made.asks("Edit", file_path=path, old_string="Decimal(0)", new_string="Decimal('0.00')")
        made.hook_saw(edit, "Edit")
        made.result(edit, f"The file {path} has been updated.", toolUseResult={"originalFile": _CODE, "filePath": path})
        command = f"cd /work/shop && python -m pytest -q tests/test_{step}.py 2>&1 | tail -20"
        made.bash(command, "==== 7 passed in 0.31s ====")
        made.text("The total is right now. Next I will look at the tax. " * 6)
    agent = Session(seed=f"9{number:07d}", agent=f"a{number:06d}", session=made.session)
    for step in range(8):
        agent.call("Grep", "src/a.py:3:total\n" * 40, pattern="total", path="src", output_mode="content")
        agent.bash(f"sed -n '1,80p' src/part_{step}.py", _CODE[:4_000])
    made.echo(agent.lines, agent.agent)
    made.bash("shopctl list --parent 7", _OPTION, failed=True)
    made.bash("shopctl list --parentId 7", "[]")
    made.call("Edit", SAID + "use the other file", failed=True, file_path="/work/shop/src/a.py")
    return made


def log(number: int) -> Log:
    """Return the log of a run of the host."""
    made = Log(seed=f"7{number:07d}", session=f"10600000-0000-4000-8000-{number:012d}")
    made.init()
    for step in range(20):
        made.bash(f"cat src/part_{step}.py", _CODE)
        made.bash("make", f"Exit code 2\nsrc/part_{step}.py:3:1: error: cannot link against libshop", failed=True)
    made.end()
    return made


def rollout(number: int) -> Rollout:
    """Return a rollout of Codex."""
    made = Rollout(seed=f"6{number:07d}", session=f"c0de0000-0000-4000-8000-{number:012d}")
    made.begin()
    for step in range(20):
        made.shell(f"sed -n '1,200p' src/part_{step}.py", _CODE)
        made.tokens(100, 20_000, 50)
    return made


def build(folder: Path, size: int) -> int:
    """Write about `size` bytes of transcripts, one with a line of 15 MB; return the bytes written."""
    written, number = 0, 0
    giant = Session(seed="giant")
    giant.result(giant.asks("Read", file_path="/work/shop/dump.sql"), "INSERT INTO items VALUES (1);\n" * 520_000)
    giant.write(folder / "giant.jsonl")
    written += (folder / "giant.jsonl").stat().st_size
    while written < size:
        made: Made = (session, session, session, log, rollout)[number % 5](number)
        path = made.write(folder / f"{number:06d}.{'ndjson' if isinstance(made, Log) else 'jsonl'}")
        written += path.stat().st_size
        number += 1
    return written


def findings(store: Path) -> None:
    """Save the 50 findings that errors are held against."""
    for number in range(50):
        title = f"shopctl lists children with --parentId, never --parent, in part {number}"
        fields = ["--title", title, "--body", "`unknown option '--parent'`: use `--parentId`."]
        command = [sys.executable, "-m", "claudedo_findings", "save", f"option-{number:02d}", "--here", *fields]
        subprocess.run(command, cwd=store, check=True, capture_output=True)


def verb(name: str, folder: Path, state: Path, store: Path) -> tuple[float, float, float, str]:
    """Run the verb; return its seconds by the clock and of processor, its peak memory in MiB, and its first line."""
    environment = os.environ | {"CLAUDEDO_FINDINGS_HOME": str(state)}
    command = [sys.executable, "-m", "claudedo_findings", name, "--here", str(folder)]
    started = time.perf_counter()
    child = subprocess.Popen(command, cwd=store, env=environment, stdout=subprocess.PIPE)
    assert child.stdout
    first = child.stdout.read().decode().partition("\n")[0]
    _, status, usage = os.wait4(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, first
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, first


def parsing(folder: Path) -> tuple[float, float]:
    """Return the MB/s of the standard library's parser and of ours on a part of the corpus."""
    lines = [line for path in sorted(folder.iterdir())[:40] for line in path.read_bytes().splitlines()]
    size = sum(map(len, lines)) / 1e6
    speeds = []
    for parse in (json.loads, pydantic_core.from_json):
        started = time.process_time()
        for line in lines:
            parse(line)
        speeds.append(size / (time.process_time() - started))
    return speeds[0], speeds[1]


def main() -> None:
    """Build, measure, print."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as place:
        folder, store = Path(place) / "transcripts", Path(place) / "store"
        folder.mkdir()
        store.mkdir()
        subprocess.run(["git", "init", "-q", str(store)], check=True)
        findings(store)
        size = build(folder, megabytes * 1_000_000) / 1e6
        print(f"{size:.0f} MB in {len(list(folder.iterdir()))} files; this process took {_own():.0f} MiB to make them")
        print("parsing alone: json {:.0f} MB/s, pydantic_core {:.0f} MB/s".format(*parsing(folder)))
        for name in ("distill", "report"):
            state = Path(place) / name
            for when in ("cold", "again"):
                seconds, busy, peak, first = verb(name, folder, state, store)
                speed = f"{size / busy:.0f} MB for each second of processor"
                print(
                    f"{name} {when}: {seconds:.1f} s ({busy:.1f} s of processor), {speed}, peak {peak:.0f} MiB; {first}"
                )
        kept = sum(path.stat().st_size for path in state.rglob("*.json"))
        print(f"state folder: {kept / 1e6:.1f} MB")


def _own() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
