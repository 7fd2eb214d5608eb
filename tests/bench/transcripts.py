"""Transcripts to measure with: look-alikes with ids of their own, of the sizes that public ones have."""

from pathlib import Path

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
        made.call("Read", "1\t# Findings", file_path="/srv/shop/.claudedo/INDEX.md")
        made.call("Read", "1\t# The option", file_path="/srv/shop/.claudedo/traps/option-00.md")
    made.call("Read", _CODE * 3, file_path="/srv/shop/src/whole.py")
    for step in range(12):
        made.answer({"type": "thinking", "thinking": "Let me look at how the total is made. " * 20})
        path = f"/srv/shop/src/part_{step}.py"
        read = made.asks("Read", file_path=path)
        made.hook_saw(read, "Read")
        file = {"filePath": path, "content": _CODE, "numLines": 250, "startLine": 1, "totalLines": 250}
        made.result(read, _CODE, toolUseResult={"type": "text", "file": file})
        edit = made.asks("Edit", file_path=path, old_string="Decimal(0)", new_string="Decimal('0.00')")
        made.hook_saw(edit, "Edit")
        made.result(edit, f"The file {path} has been updated.", toolUseResult={"originalFile": _CODE, "filePath": path})
        command = f"cd /srv/shop && python -m pytest -q tests/test_{step}.py 2>&1 | tail -20"
        made.bash(command, "==== 7 passed in 0.31s ====")
        made.text("The total is right now. Next I will look at the tax. " * 6)
    agent = Session(seed=f"9{number:07d}", agent=f"a{number:06d}", session=made.session)
    for step in range(8):
        agent.call("Grep", "src/a.py:3:total\n" * 40, pattern="total", path="src", output_mode="content")
        agent.bash(f"sed -n '1,80p' src/part_{step}.py", _CODE[:4_000])
    made.echo(agent.lines, agent.agent)
    made.bash("shopctl list --parent 7", _OPTION, failed=True)
    made.bash("shopctl list --parentId 7", "[]")
    made.call("Edit", SAID + "use the other file", failed=True, file_path="/srv/shop/src/a.py")
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
    giant.result(giant.asks("Read", file_path="/srv/shop/dump.sql"), "INSERT INTO items VALUES (1);\n" * 520_000)
    giant.write(folder / "giant.jsonl")
    written += (folder / "giant.jsonl").stat().st_size
    while written < size:
        made: Made = (session, session, session, log, rollout)[number % 5](number)
        path = made.write(folder / f"{number:06d}.{'ndjson' if isinstance(made, Log) else 'jsonl'}")
        written += path.stat().st_size
        number += 1
    return written
