"""What a session waits for: a server's first reply, and the first save."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path

from tests.bench import ground
from tests.bench.client import Client
from tests.bench.clock import in_turn, process
from tests.bench.rows import Row, most
from tests.bench.stage import Stage

_REPLIES_OVER_BARE, _REPLY_MS = 2.5, 30.0

Command = Sequence[object]


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    repo = stage.store(10_000)
    serve = [stage.ours, "serve", "--here"]
    sdk = [stage.python, ground.ROOT / "tests" / "bench" / "sdk_server.py"]
    of_memory = stage.remembering(repo)
    times = in_turn(
        stage.runs,
        {
            "bare": process([stage.python, "-c", "pass"], repo),
            "ours": partial(_reply, serve, repo),
            "sdk": partial(_reply, sdk, repo),
            "epitaph": partial(_reply, [stage.epitaph / "python", "-m", "epitaph.mcp"], repo),
            "memory": partial(_reply, stage.memory, repo, of_memory),
            "node": process([stage.memory[0], "-e", "0"], repo),
        },
    )
    reply, bare = times["ours"].median, times["bare"].median
    numbers = count(500_000)
    small = stage.store(50)
    saves = in_turn(
        max(5, stage.runs // 2),
        {
            "ours": lambda: _save(serve, small, lambda client: client.save(next(numbers))),
            "memory": lambda: _save(
                stage.memory, small, lambda client: client.remember(next(numbers)), stage.remembering(small)
            ),
        },
    )
    return [
        Row(
            what="first reply over stdio, 10,000 findings in the store",
            ours=reply,
            beside={
                "bare Python": bare,
                "minimal server on the SDK": times["sdk"].median,
                "epitaph 0.3.0": times["epitaph"].median,
                "bare Node 22": times["node"].median,
                "server-memory": times["memory"].median,
            },
            budgets=[
                most("≤ 2.5 × bare", reply / bare, _REPLIES_OVER_BARE),
                most("≤ 30 ms", reply, _REPLY_MS),
            ],
        ),
        Row(
            what="from start to the first save in one go, 50 findings",
            ours=saves["ours"].median,
            beside={"server-memory": saves["memory"].median},
        ),
    ]


def _reply(command: Command, repo: Path, environment: Mapping[str, str] | None = None) -> float:
    """Return the milliseconds from the start to the first reply."""
    return _save(command, repo, lambda _client: None, environment)


def _save(
    command: Command, repo: Path, save: Callable[[Client], None], environment: Mapping[str, str] | None = None
) -> float:
    """Return the milliseconds from the start until something was saved."""
    started = time.perf_counter()
    client = Client(command, repo, environment)
    save(client)
    taken = (time.perf_counter() - started) * 1000
    client.end()  # what it still loads must not slow down the next one
    return taken
