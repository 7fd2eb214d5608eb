"""An agent that reads while everybody writes: what it sees is whole."""

import random

from claudedo_findings import finding
from tests.soak.room import Room


class Reader:
    """Reads the index and some findings, as agents do, with plain file tools."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.chance = random.Random("reader")

    def read(self) -> None:
        """Look at the index and at one finding."""
        if self.room.index.exists():
            text = self.room.index.read_bytes().decode("utf-8")
            if not (text.startswith("# Findings\n") and text.endswith("\n")):
                self.room.fault(f"a reader saw half an index: {text[:80]!r} … {text[-80:]!r}")
        for slug in self.room.pick(self.chance):
            try:
                data = (self.room.folder / "traps" / f"{slug}.md").read_bytes()
            except FileNotFoundError:
                continue
            stored = finding.parse(data.decode("utf-8"))
            if stored.complaint or not data.endswith(b"\n"):
                self.room.fault(f"a reader saw half a finding: {stored.complaint} in {data!r}")
        self.room.journal.count("looks of the reader")
