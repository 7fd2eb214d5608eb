"""One input after another: hypothesis makes them, keeps those that went wrong small, and stops at the first."""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from tests.hostile.world import World


def each(world: World, strategy: SearchStrategy[Any], check: Callable[[Any], object], examples: int) -> int:
    """Check that many inputs, and that nothing around the world changed; return how many there were."""
    before, done = world.around(), 0

    @seed(int(os.environ.get("HOSTILE_SEED", "20261130")))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if "HOSTILE_SHRINK" in os.environ else (Phase.generate,),
    )
    @given(strategy)
    def one(value: Any) -> None:
        nonlocal done
        done += 1
        check(value)

    one()
    after = world.around()
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed == set()
    return done
