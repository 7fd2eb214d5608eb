"""What a person or an agent asks of a large store: the list, and which findings fit."""

from tests.bench import ground
from tests.bench.clock import in_turn, process
from tests.bench.rows import Row, most, number
from tests.bench.stage import Stage

_SIZE = 10_000


def rows(stage: Stage) -> list[Row]:
    """Measure."""
    repo = stage.store(_SIZE)
    epitaph = stage.epitaph / "epitaph"
    question = ground.fields(7_777)["title"]
    commands = {
        "ours list": [stage.ours, "list", "--here"],
        "epitaph list": [epitaph, "list"],
        "ours check": [stage.ours, "check", "--here", question],
        "epitaph check": [epitaph, "check", question],
    }
    actions = {name: process(command, repo, says=True) for name, command in commands.items()}
    times = in_turn(max(5, stage.runs // 2), actions)
    rows = []
    for verb in ("list", "check"):
        ours, peer = times[f"ours {verb}"], times[f"epitaph {verb}"]
        rows.append(
            Row(
                what=f"{verb}, {_SIZE:,} findings",
                ours=ours.median,
                beside={"epitaph 0.3.0": peer.median},
                note=f"of processor {number(ours.median_cpu)} and {number(peer.median_cpu)} ms",
                budgets=[most("faster than epitaph", ours.median / peer.median, 1.0)],
            )
        )
    return rows
