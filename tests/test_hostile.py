"""A share of the hostile inputs of `python -m tests.hostile`, and a watch that can see."""

import json
import os
import subprocess  # noqa: TID251  # the watch must see it
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from claudedo_findings import rules, screen
from claudedo_findings.hook import event
from claudedo_findings.layout import Layout
from claudedo_findings.server import jsonrpc
from tests.hostile import calls, events, watch
from tests.hostile.kinds import KINDS
from tests.hostile.world import WATCH, World, furnish

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc")
EXAMPLES = int(os.environ.get("HOSTILE", "20"))


quiet = pytest.mark.filterwarnings("ignore:Generating overly large repr")


@pytest.fixture
def world(sealed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return furnish(tmp_path, sealed, monkeypatch)


@quiet
@pytest.mark.timeout(0 if EXAMPLES > 1000 else 300)
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_input_harms_nothing(kind: str, world: World) -> None:
    assert KINDS[kind](world, EXAMPLES) > 0


@quiet
def test_a_name_that_leads_out_of_the_store_is_seen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "slug", lambda value: value)
    monkeypatch.setattr(rules, "visible", lambda *_: None)
    monkeypatch.setattr(Layout, "guard", lambda *_: None)
    with pytest.raises((AssertionError, ExceptionGroup)):
        calls.in_process(world, 300)


@quiet
def test_an_exception_that_reaches_a_client_is_seen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonrpc, "parse", json.loads)
    with pytest.raises((ValueError, RecursionError, TypeError, AttributeError, ExceptionGroup)):
        calls.in_process(world, 300)


@quiet
def test_an_exception_of_another_kind_than_ours_is_seen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event, "_names", lambda value: isinstance(value, str))
    with pytest.raises((ValueError, ExceptionGroup)):
        events.hooks(world, 300)


@quiet
def test_a_hang_is_seen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def search(_text: str) -> str:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(watch, "GUARD", 0.5)
    monkeypatch.setattr(screen, "secret", search)
    with pytest.raises(watch.Hang):
        calls.in_process(world, 300)


@pytest.mark.parametrize(
    "deed",
    [
        lambda place: place.write_text("x"),
        lambda place: place.mkdir(),
        lambda place: place.symlink_to("/"),
        lambda place: (place.parent / "src" / "app.py").rename(place),
        lambda place: (place.parent / "src" / "app.py").unlink(),
        lambda place: os.close(os.open(place, os.O_WRONLY | os.O_CREAT)),
        lambda _: subprocess.run(["true"], check=True),
    ],
    ids=["write", "mkdir", "symlink", "rename", "unlink", "open", "program"],
)
def test_the_watch_sees(deed: Callable[[Path], object], world: World) -> None:
    with pytest.raises(AssertionError, match="outside"):
        world.watched(lambda: deed(world.repo / "owned"))


def test_the_watch_passes_what_is_allowed_and_what_only_reads(world: World) -> None:
    world.watched(lambda: (world.home / "findings" / "lists.toml").read_text())
    world.watched(lambda: (world.base / "temp" / "x").write_text("x"))
    assert WATCH.seen == []


def test_the_look_around_sees_what_the_watch_cannot(world: World) -> None:
    before = world.around()
    subprocess.run(["touch", str(world.base / "neighbour" / "owned")], check=True)
    assert set(world.around()) - set(before) == {str(world.base / "neighbour" / "owned")}


@pytest.mark.parametrize(
    "line",
    [
        b'{"result": "internal error (X)"}\n',
        b'{"error": {"code": -32603}}\n',
        b"NaN\n",
        b"two\nlines\n",
        b"no end",
        b'"Traceback"\n',
    ],
)
def test_an_answer_that_tells_of_a_bug_is_seen(line: bytes) -> None:
    with pytest.raises((AssertionError, ValueError, AttributeError)):
        calls.judge(line)
