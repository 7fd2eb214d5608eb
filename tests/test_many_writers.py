"""Many processes write one store: nothing acknowledged is lost, and no reader sees half a file."""

import json
import os
import random
import signal
import subprocess  # noqa: TID251  # writers are processes
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from claudedo_findings import files, finding, git, index, save
from claudedo_findings.resolution import Caller
from claudedo_findings.store import Store
from tests.conftest import Server

HELLO: dict[str, object] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}

# Waits for a line on stdin, so that all writers start at one instant; prints a slug once its save is acknowledged.
WRITER = """
import sys
from claudedo_findings import save
from claudedo_findings.resolution import Caller
print("ready", flush=True)
sys.stdin.readline()
name, number, same = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "same"
for at in range(number):
    answer = save.save_finding(
        slug="shared" if same else f"{name}-{at:03}", title=f"Title of {name} {at}", body=f"Body of {name} {at}. " * 20,
        caller=Caller(),
    )
    print(answer["slug"], flush=True)
"""


class Writer:
    """A process that saves `number` findings, each its own or all the same."""

    def __init__(self, name: str, number: int, kind: str = "own") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, name, str(number), kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n"

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def acknowledged(self) -> list[str]:
        """Wait for the end and return the slugs whose saves were acknowledged."""
        output, errors = self.process.communicate(timeout=120)
        assert (self.process.returncode, errors) == (0, "")
        return output.split()

    def stop_when(self, met: Callable[[], bool]) -> None:
        """Stop the process again and again, each time after a millisecond, until it stands where that is met."""
        for _ in range(300):  # far from all of its work
            self.process.send_signal(signal.SIGSTOP)
            os.waitpid(self.process.pid, os.WUNTRACED)
            if met():
                return
            self.process.send_signal(signal.SIGCONT)
            time.sleep(0.001)

    def kill(self) -> list[str]:
        """Kill the process and return the slugs whose saves were acknowledged before."""
        self.process.send_signal(signal.SIGKILL)
        output, _ = self.process.communicate(timeout=60)
        return output.split()


def listed_in(store: Store) -> set[str]:
    listing = store.read_index()
    return {entry.slug for entry in listing.entries} if listing else set()


def temp_files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if files.is_temp(path.name)]


def whole(data: bytes | None) -> bool:
    """Return whether a finding's bytes are a whole text of a writer."""
    text = (data or b"").decode()
    stored = finding.parse(text)
    words = stored.title.removeprefix("Title of ")
    return not stored.complaint and stored.body == (f"Body of {words}. " * 20).strip() and text.endswith("\n")


@pytest.mark.parametrize("each", [10, 50])
def test_eight_writers_lose_nothing(each: int, listed: Path) -> None:
    writers = [Writer(f"writer-{number}", each) for number in range(8)]
    for writer in writers:
        writer.go()
    acknowledged = sorted(slug for writer in writers for slug in writer.acknowledged())
    store = Store(git.places(str(listed)))
    listing = store.read_index()
    assert listing
    assert len(acknowledged) == 8 * each
    assert sorted(store.slugs()) == acknowledged
    assert [entry.slug for entry in listing.entries] == acknowledged
    assert [slug for slug in acknowledged if not whole(files.read(store.finding_path(slug)))] == []
    assert temp_files(listed) == []


def test_eight_writers_of_one_finding_leave_one_of_their_texts(listed: Path) -> None:
    writers = [Writer(f"writer-{number}", 5, "same") for number in range(8)]
    for writer in writers:
        writer.go()
    for writer in writers:
        assert writer.acknowledged() == ["shared"] * 5
    store = Store(git.places(str(listed)))
    listing = store.read_index()
    stored = store.read("shared")
    assert listing
    assert stored
    assert [(entry.slug, entry.hook) for entry in listing.entries] == [("shared", stored.title)]
    assert whole(files.read(store.finding_path("shared")))
    assert (listed / ".git" / "info" / "exclude").read_text().count("/.claudedo/") == 1


def test_reader_never_sees_half_a_file(listed: Path) -> None:
    save.save_finding(slug="shared", title="Title of first 0", body="Body of first 0. " * 20, caller=Caller())
    store = Store(git.places(str(listed)))
    writers = [Writer("own", 250), Writer("shared", 250, "same")]
    for writer in writers:
        writer.go()
    looks, torn = 0, []
    while any(writer.process.poll() is None for writer in writers):
        looks += 1
        text = (files.read(store.index_path) or b"").decode()
        entries = index.parse(text).entries
        if not (text.startswith("# Findings\n\n- [") and text.endswith("\n") and entries):
            torn.append(text)
        for slug in {"shared", entries[-1].slug if entries else "shared", entries[0].slug if entries else "shared"}:
            data = files.read(store.finding_path(slug))
            if not whole(data):
                torn.append(f"{slug}: {data!r}")
    assert sum(len(writer.acknowledged()) for writer in writers) == 500
    assert looks > 50
    assert torn == []


def test_killed_writers_tear_nothing_and_the_next_save_heals(listed: Path) -> None:
    store = Store(git.places(str(listed)))
    chance = random.Random(20261130)
    acknowledged: set[str] = set()
    stopped_midway = 0
    for number in range(30):
        writer = Writer(f"writer-{number}", 1000, "same" if number % 3 == 0 else "own")
        writer.go()
        time.sleep(chance.uniform(0.01, 0.12))
        if number % 3 == 1:
            writer.stop_when(lambda: bool(store.slugs() - listed_in(store)))
        acknowledged |= set(writer.kill())
        present = store.slugs()
        assert acknowledged <= present
        assert [slug for slug in present if not whole(files.read(store.finding_path(slug)))] == []
        listing = listed_in(store)
        assert listing <= present
        stopped_midway += bool(temp_files(listed)) or listing != present
    started = time.monotonic()
    save.save_finding(slug="last", title="Title of last 0", body="Body of last 0. " * 20, caller=Caller())
    assert time.monotonic() - started < 20  # a hang guard at ten times what cases.md allows
    healed = store.read_index()
    assert healed
    assert sorted(entry.slug for entry in healed.entries) == sorted(store.slugs())
    assert temp_files(listed / ".claudedo" / "traps") == []
    store.sync()
    assert temp_files(listed) == []
    assert stopped_midway > 0, "no kill came in the middle of a save: this run proves nothing"


def test_server_killed_at_200_random_moments_tears_nothing_and_the_next_save_heals(listed: Path) -> None:
    store = Store(git.places(str(listed)))
    chance = random.Random(20261201)
    acknowledged: set[str] = set()
    for number in range(200):
        server = Server(cwd=listed)
        server.send(call(0, "initialize", HELLO), call(1, "tools/call", saving(f"round-{number:03}-first")))
        server.receive()
        answer = json.loads(server.receive())["result"]["structuredContent"]  # the save after the last kill
        acknowledged.add(answer["slug"])
        healed = store.read_index()
        assert healed
        assert sorted(entry.slug for entry in healed.entries) == sorted(store.slugs())
        server.send(*(call(at, "tools/call", saving(f"round-{number:03}-{at}")) for at in range(2, 8)))
        time.sleep(chance.uniform(0, 0.04))
        server.process.kill()
        output, _ = server.process.communicate(timeout=60)
        whole_lines = output.split(b"\n")[:-1]
        acknowledged |= {json.loads(line)["result"]["structuredContent"]["slug"] for line in whole_lines}
        present = store.slugs()
        assert acknowledged <= present
        torn = [slug for slug in present if not whole(files.read(store.finding_path(slug)))]
        assert torn == []
        if number % 10 == 9:  # keep the store small, so that every look at all of it stays quick
            for slug in present:
                Path(store.finding_path(slug)).unlink()
            acknowledged.clear()
    save.save_finding(slug="last", title="Title of last 0", body="Body of last 0. " * 20, caller=Caller())
    store.sync()
    assert temp_files(listed) == []


def call(number: int, method: str, params: dict[str, object]) -> bytes:
    """Return a request as a line."""
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def saving(slug: str) -> dict[str, object]:
    """Return the parameters of a save whose text `whole` can judge."""
    words = slug.replace("-", " ")
    return {
        "name": "save_finding",
        "arguments": {"slug": slug, "title": f"Title of {words}", "body": f"Body of {words}. " * 20},
    }
