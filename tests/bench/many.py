"""Eight that save at once: processes of their own over stdio, and clients of one HTTP service."""

import http.client
import json
import subprocess  # noqa: TID251  # benchmarks drive real programs
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bench import ground
from tests.bench.client import Client
from tests.bench.clock import share
from tests.bench.rows import Budget, Row, most, number
from tests.bench.stage import Stage

_WRITERS, _SAVES = 8, 50
_P99_MS = 1_000.0

Save = Callable[[int], object]


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    repo = ground.repository(stage.base / "eight")
    memory = stage.base / "eight.jsonl"
    serve = [stage.ours, "serve", "--here"]
    ours = [Client(serve, repo) for _ in range(_WRITERS)]
    stdio, stdio_seconds = _all_at_once([client.save for client in ours])
    files, lines = _kept(repo)
    theirs = [Client(stage.memory, repo, {"MEMORY_FILE_PATH": str(memory)}) for _ in range(_WRITERS)]
    peer, _ = _all_at_once([client.remember for client in theirs])
    for client in (*ours, *theirs):
        client.end()
    remembered = len({json.loads(line)["name"] for line in memory.read_text().splitlines() if _whole(line)})
    count = _WRITERS * _SAVES
    web, web_seconds, web_kept = _over_http(stage, ground.repository(stage.base / "web"))
    return [
        Row(
            what="8 processes × 50 saves at once, p99",
            ours=share(stdio, 99),
            beside={f"server-memory, {remembered} of {count} kept": share(peer, 99)},
            note=f"ours {files} files and {lines} lines of {count}; {number(count / stdio_seconds)} saves a second",
            budgets=[
                Budget(text=f"all kept: {min(files, lines)} of {count}", met=(files, lines) == (count, count)),
                most("p99 ≤ 1 s, in ms", share(stdio, 99), _P99_MS),
            ],
        ),
        Row(
            what="HTTP service, 8 clients × 50 saves, throughput",
            ours=count / web_seconds,
            unit="saves/s",
            beside={"our 8 processes": count / stdio_seconds},
            note=f"median {number(share(web, 50))} ms, p99 {number(share(web, 99))} ms; kept {web_kept} of {count}",
            budgets=[Budget(text=f"all kept: {web_kept} of {count}", met=web_kept == count)],
        ),
    ]


def _all_at_once(saves: Sequence[Save]) -> tuple[list[float], float]:
    """Let all writers save; return the milliseconds of each save, and the seconds that all of them took."""

    def write(writer: int) -> list[float]:
        taken = []
        for number_of_save in range(_SAVES):
            started = time.perf_counter()
            saves[writer](writer * _SAVES + number_of_save)
            taken.append((time.perf_counter() - started) * 1000)
        return taken

    started = time.perf_counter()
    with ThreadPoolExecutor(len(saves)) as pool:
        times = [time for of_writer in pool.map(write, range(len(saves))) for time in of_writer]
    return times, time.perf_counter() - started


def _kept(repo: Path) -> tuple[int, int]:
    store = repo / ".claudedo"
    return len(list((store / "traps").glob("*.md"))), (store / "INDEX.md").read_text().count("](traps/")


def _whole(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _over_http(stage: Stage, repo: Path) -> tuple[list[float], float, int]:
    command: list[Path | str] = [stage.ours, "serve", "--http", "--port", "0", "--here"]
    with subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE) as service:
        assert service.stdout
        ready = json.loads(service.stdout.readline())
        try:
            connections = [_Connection(ready) for _ in range(_WRITERS)]
            times, seconds = _all_at_once([connection.save for connection in connections])
        finally:
            service.terminate()
    return times, seconds, min(_kept(repo))


class _Connection:
    """A connection to the service that stays open."""

    def __init__(self, ready: dict[str, str]) -> None:
        host, _, path = ready["url"].removeprefix("http://").partition("/")
        self._connection = http.client.HTTPConnection(host, timeout=60)
        self._path = f"/{path}"
        key = Path(ready["keyFile"]).read_text().strip()
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "X-ClaudeDo-Key": key,
        }

    def save(self, number_of_finding: int) -> None:
        """Save a finding; an error fails the benchmark."""
        params = {"name": "save_finding", "arguments": ground.fields(number_of_finding)}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        self._connection.request("POST", self._path, body, self._headers)
        answer = json.loads(self._connection.getresponse().read())
        assert not answer["result"].get("isError"), answer
