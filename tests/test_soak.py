"""Everybody at one store for a minute, and bookkeeping that can fail. `python -m tests.soak` takes ten."""

import os
import sys
from pathlib import Path

import pytest

from claudedo_findings import save
from claudedo_findings.resolution import Caller
from tests.conftest import FIELDS
from tests.soak import verdict
from tests.soak.human import Human
from tests.soak.journal import REPLACEMENTS, Promise, lost, tokens
from tests.soak.measure import MEMORY, Held, grown, quantile
from tests.soak.room import Room, furnish
from tests.soak.run import soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="renameat2 and /proc")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A room with one finding that was promised."""
    room = furnish(tmp_path)
    token = room.journal.token()
    save.save_finding(slug=FIELDS["slug"], title=FIELDS["title"], body=f"Seen as {token}.", caller=Caller())
    room.journal.promise(token, FIELDS["slug"], "saves")
    return room


def test_nothing_is_lost_while_everybody_works_for_a_minute(tmp_path: Path) -> None:
    report = soak(tmp_path, float(os.environ.get("SOAK_SECONDS", "60")))
    print(report.text())
    assert report.complaints == []
    assert report.counts["saves"] > 100
    assert report.counts["edits by hand"] > 20


def test_a_whole_store_has_no_complaints(room: Room) -> None:
    assert list(verdict.complaints(room, [])) == []


def test_a_text_that_is_gone_is_missed(room: Room) -> None:
    (room.folder / "traps" / "clock-skew.md").write_text("---\n---\n\n# Another\n\nText.\n")
    assert list(verdict.complaints(room, [])) == ["lost: tk00000000 of clock-skew (saves)"]


def test_a_text_in_the_humans_basket_is_not_missed_but_its_line_is_seen(room: Room) -> None:
    (room.folder / "traps" / "clock-skew.md").rename(room.trash / "0")
    assert list(verdict.complaints(room, [])) == ["the index lists ['clock-skew'], which are not there"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("- [clock-skew]", "- [clock-skew](traps/clock-skew.md) — Twice\n- [clock-skew]", "more than once"),
        ("- [clock-skew]", "Not an entry: ", "does not list ['clock-skew']"),
        ("# Findings", "# Findings\n<<<<<<< ours", "not healed"),
    ],
)
def test_an_index_that_is_wrong_is_seen(old: str, new: str, complaint: str, room: Room) -> None:
    room.index.write_text(room.index.read_text().replace(old, new))
    assert complaint in "\n".join(verdict.complaints(room, []))


def test_what_hands_lose_is_seen(room: Room) -> None:
    for number in range(4):
        room.journal.promise(f"tk1000000{number}", "clock-skew", verdict.HAND)
    found = "\n".join(verdict.complaints(room, ["tk20000000", "tk20000001"]))
    assert "4 of 4 edits by hand were lost" in found
    assert "tk20000001'] are not in the index" in found


def test_a_temp_file_is_seen(room: Room) -> None:
    (room.folder / "traps" / ".clock-skew.md.0123abcd.tmp").write_text("half")
    assert "a temp file remains" in "\n".join(verdict.complaints(room, []))


def test_the_humans_hand_takes_exactly_what_is_there(room: Room) -> None:
    human = Human(room)
    for _ in range(200):
        human.work()
    kept, deleted = tokens(room.folder.rglob("*.md")), tokens(room.trash.iterdir())
    assert lost(room.journal.promises, kept, deleted) == []
    assert deleted


def test_no_finding_is_replaced_so_often_that_its_history_forgets(room: Room) -> None:
    assert [room.journal.may_replace("one") for _ in range(REPLACEMENTS + 1)] == [True] * REPLACEMENTS + [False]
    assert not room.journal.may_replace("one", "other")
    assert lost([Promise(token="tk00000001", slug="one", by="saves")], {}, {}) != []


def test_growth_is_seen() -> None:
    before = {"pipe": Held(memory=20_000, files=4)}
    assert grown(before, {"pipe": Held(memory=20_000 + MEMORY, files=4)}) == []
    assert len(grown(before, {"pipe": Held(memory=20_001 + MEMORY, files=5)})) == 2
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
