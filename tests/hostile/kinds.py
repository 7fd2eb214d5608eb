"""The kinds of hostile input. The slow ones, of processes and of long texts, get a share of the number."""

from collections.abc import Callable

from tests.hostile import calls, databases, events, long, settings, stores, verbs, web
from tests.hostile.world import World

_SHARE = 50


def _some(kind: Callable[[World, int], int]) -> Callable[[World, int], int]:
    return lambda world, examples: kind(world, max(3, examples // _SHARE))


KINDS: dict[str, Callable[[World, int], int]] = {
    "tool calls": calls.in_process,
    "tool calls to real servers": calls.to_servers,
    "command lines": verbs.in_process,
    "command lines as processes": _some(verbs.as_processes),
    "front matters": stores.front_matters,
    "indexes": stores.indices,
    "databases": databases.ask,
    "settings": settings.read,
    "HTTP requests": web.raw,
    "hook events": events.hooks,
    "hook events as processes": _some(events.hook_processes),
    "transcripts": events.runs,
    "long texts": _some(long.read),
}
