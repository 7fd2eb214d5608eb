"""Runs of several files: sub-agents join their parents, copies count once, paths lead to the main checkout."""

import json
import os
import time
from pathlib import Path

import pytest

from claudedo_findings import digests, runs, sources
from claudedo_findings.tally import Tally
from claudedo_findings.transcripts.model import Run
from tests.lookalikes import Log, Session

SESSION = "5e55104e-0000-4000-8000-000000000001"


def load(folder: Path, *roots: str) -> tuple[list[Run], Tally]:
    tally = Tally()
    return list(runs.load(sources.named([str(folder)], roots), tally)), tally


def agent_lines() -> Session:
    agent = Session(agent="a1b2c3", model="model-small", seed="0002")
    agent.user("Find the config")
    agent.call("Read", "1\tx", file_path="/srv/shop/config.py")
    return agent


@pytest.mark.parametrize("place", [f"{SESSION}/subagents/agent-a1b2c3.jsonl", "agent-a1b2c3.jsonl"])
def test_sub_agents_join_their_parent_and_are_counted_once(tmp_path: Path, place: str) -> None:
    agent = agent_lines()
    main = Session()
    main.bash("ls")
    main.echo(agent.lines[:2], "a1b2c3")  # the echo was cut off before the result
    agent.write(tmp_path / place)
    main.write(tmp_path / f"{SESSION}.jsonl")
    [run], tally = load(tmp_path)
    assert {(call.tool, call.agent, call.outcome.value) for call in run.calls} == {
        ("Read", "a1b2c3", "ok"),
        ("Bash", "", "ok"),
    }
    assert len(run.calls) == 2
    assert {message.model for message in run.messages} == {"model-large", "model-small"}
    assert (tally.files, tally.copies) == (2, 0)


def test_a_sub_agent_without_its_parent_stands_alone(tmp_path: Path) -> None:
    agent_lines().write(tmp_path / SESSION / "subagents" / "agent-a1b2c3.jsonl")
    [run], _ = load(tmp_path)
    assert (run.session, [call.agent for call in run.calls]) == (SESSION, ["a1b2c3"])


def test_calls_without_ids_are_never_copies_of_those_in_another_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        session = Session(session=f"5e55104e-0000-4000-8000-00000000000{name}")
        session.result(session.asks("Bash", ident="REDACTED", command=name), "done")
        lines = [json.loads(line) for line in session.lines]
        scrubbed = [{key: value for key, value in line.items() if key != "uuid"} for line in lines]
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in scrubbed))
    found, tally = load(tmp_path)
    assert [len(run.calls) for run in found] == [1, 1]
    assert tally.copies == 0


def test_a_forked_session_adds_only_what_is_new_in_it(tmp_path: Path) -> None:
    first = Session()
    first.user("do it")
    first.bash("one")
    first.write(tmp_path / "a.jsonl")
    first.session = "5e55104e-0000-4000-8000-000000000002"
    first.bash("two")
    first.write(tmp_path / "b.jsonl")
    loaded, tally = load(tmp_path)
    assert [[call.aim for call in run.calls] for run in loaded] == [["one"], ["two"]]
    assert [len(run.words) for run in loaded] == [1, 0]
    assert [len(run.messages) for run in loaded] == [1, 1]
    assert tally.copies == 1


def test_a_log_and_the_session_of_the_same_run_are_one_run(tmp_path: Path) -> None:
    log = Log()
    log.init()
    log.bash("one")
    log.end()
    log.write(tmp_path / "t_run1.ndjson")
    session = Session()
    session.user("the prompt")
    session.count = 0
    session.bash("one")
    session.write(tmp_path / "u.jsonl")
    ids = {json.loads(line)["message"]["content"][0].get("id") for line in session.lines if b"tool_use" in line}
    assert ids & {json.loads(line)["message"]["content"][0].get("id") for line in log.lines if b'"tool_use"' in line}
    [run], tally = load(tmp_path)
    assert (run.kind, run.task, run.number, tally.copies) == ("log", "t", 1, 1)


def test_short_ids_of_local_models_are_no_copies_of_each_other(tmp_path: Path) -> None:
    for seed in ("0001", "0002"):
        session = Session(seed=seed, session=f"5e55104e-0000-4000-8000-00000000{seed}")
        session.result(session.asks("Bash", ident="call_0", command="make"), "fine")
        session.write(tmp_path / f"{seed}.jsonl")
    loaded, tally = load(tmp_path)
    assert ([len(run.calls) for run in loaded], tally.copies) == ([1, 1], 0)


def test_copies_with_scrubbed_ids_are_known_by_the_ids_of_their_lines(tmp_path: Path) -> None:
    session = Session()
    for name in "ab":
        session.result(session.asks("Bash", ident="REDACTED", command=f"make {name}"), "fine")
        session.write(tmp_path / f"{name}.jsonl")
    loaded, tally = load(tmp_path)
    assert ([[call.aim for call in run.calls] for run in loaded], tally.copies) == ([["make a"], ["make b"]], 1)


def test_paths_of_worktrees_are_those_of_the_main_checkout(tmp_path: Path) -> None:
    session = Session(cwd="/srv/trees/t1")
    session.call("Read", "1\tx", file_path="/srv/trees/t1/.claudedo/INDEX.md")
    session.bash("cd src && cat a.py ../.claudedo/traps/clock.md", "x")
    session.call("Grep", ".claudedo/traps/clock.md:3:skew", pattern="skew", path="/srv/trees/t1", output_mode="content")
    session.call("Read", "1\tx", file_path="/etc/hosts")
    session.put(
        session.envelope() | {"type": "attachment", "attachment": {"content": "see /srv/shop/.claudedo/traps/b.md"}}
    )
    session.write(tmp_path / "one.jsonl")
    [run], _ = load(tmp_path, "/srv/shop", "/srv/trees/t1")
    assert [call.reads for call in run.calls] == [
        (".claudedo/INDEX.md",),
        ("src/a.py", ".claudedo/traps/clock.md"),
        (),
        ("/etc/hosts",),
    ]
    assert run.calls[2].searches == (".", ".claudedo/traps/clock.md")
    assert [shown.path for shown in run.shown] == [".claudedo/traps/b.md"]


def test_a_run_elsewhere_is_its_own_root_but_not_in_a_home(tmp_path: Path) -> None:
    for name, cwd in (("a", "/elsewhere/x"), ("b", "/home/ann")):
        session = Session(cwd=cwd, seed=f"00{ord(name)}")
        session.call("Read", "1\tx", file_path=f"{cwd}/.claudedo/INDEX.md")
        session.write(tmp_path / f"{name}.jsonl")
    loaded, _ = load(tmp_path, "/srv/shop")
    assert [run.calls[0].reads for run in loaded] == [(".claudedo/INDEX.md",), ("/home/ann/.claudedo/INDEX.md",)]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    session = Session()
    session.bash("one")
    session.write(tmp_path / "one.jsonl")
    found = sources.named([str(tmp_path)])
    (tmp_path / "one.jsonl").unlink()
    tally = Tally()
    assert list(runs.load(found, tally)) == []
    assert "cannot read" in tally.complaints[0]


def test_progress_ends_at_all_bytes(tmp_path: Path) -> None:
    for name in "ab":
        session = Session(seed=f"00{ord(name)}")
        session.bash("one")
        session.write(tmp_path / f"{name}.jsonl")
    seen: list[tuple[int, int]] = []
    list(runs.load(sources.named([str(tmp_path)]), Tally(), lambda done, of: seen.append((done, of))))
    assert len(seen) == 2
    assert seen[-1][0] == seen[-1][1] == sum(path.stat().st_size for path in tmp_path.iterdir())


def kept(sealed: Path) -> list[Path]:
    return sorted((sealed / "findings" / "state" / "transcripts").glob("*.json"))


def test_a_transcript_is_read_once_until_it_grows(tmp_path: Path, sealed: Path) -> None:
    session = Session()
    session.bash("one")
    path = session.write(tmp_path / "one.jsonl")
    first = digests.of(str(path))
    [place] = kept(sealed)
    assert place.stat().st_mode & 0o077 == 0
    told = place.read_bytes()
    place.write_bytes(told.replace(b'"tool":"Bash"', b'"tool":"Kept"'))
    assert digests.of(str(path)).runs[0].calls[0].tool == "Kept"
    session.bash("two")
    session.write(path)
    assert [call.tool for call in digests.of(str(path)).runs[0].calls] == ["Bash", "Bash"]
    assert first.runs[0].calls[0].tool == "Bash"


def test_what_comes_from_the_state_folder_is_what_was_read(tmp_path: Path) -> None:
    session = Session()
    session.user("no, use tabs")
    session.text("You're right, I apologize.")
    session.bash("make", "Exit code 2\nerror: no rule", failed=True)
    session.bash("cat \\udc41", "x")
    session.lines[-2] = session.lines[-2].replace(b"\\\\udc41", b"\\udc41 /x/\xff")
    path = session.write(tmp_path / "one.jsonl")
    assert len(digests.of(str(path)).runs[0].calls) == 2
    assert digests.of(str(path)) == digests.of(str(path))


def test_what_another_version_kept_is_read_again(tmp_path: Path, sealed: Path) -> None:
    session = Session()
    session.bash("one")
    path = session.write(tmp_path / "one.jsonl")
    digests.of(str(path))
    [place] = kept(sealed)
    entry = json.loads(place.read_bytes())
    entry["digest"]["runs"][0]["calls"][0]["tool"] = "Old"
    place.write_text(json.dumps(entry | {"reader": "0" * 16}))
    assert digests.of(str(path)).runs[0].calls[0].tool == "Bash"


@pytest.mark.parametrize("damage", [b"", b"{", b"null", b'{"reader": 5}', b"\xff\xff"])
def test_a_damaged_entry_is_made_anew(tmp_path: Path, sealed: Path, damage: bytes) -> None:
    session = Session()
    session.bash("one")
    path = session.write(tmp_path / "one.jsonl")
    told = digests.of(str(path))
    [place] = kept(sealed)
    place.write_bytes(damage)
    assert digests.of(str(path)) == told
    assert place.read_bytes() != damage


def test_a_state_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, sealed: Path) -> None:
    session = Session()
    session.bash("one")
    path = session.write(tmp_path / "one.jsonl")
    (sealed / "findings").write_text("a file in the way")
    assert len(digests.of(str(path)).runs) == 1


def test_entries_that_nobody_asks_for_are_swept(tmp_path: Path, sealed: Path) -> None:
    for name in "ab":
        session = Session()
        session.bash("one")
        digests.of(str(session.write(tmp_path / f"{name}.jsonl")))
    old, new = kept(sealed)
    os.utime(old, (time.time() - 100 * 86_400,) * 2)
    digests.sweep()
    assert kept(sealed) == [new]
