"""Curators at the command line: every verb that moves a text, as a process of its own."""

import json
import random
from collections.abc import Callable

from tests.soak.room import Room

# What a curator may hear because somebody else was faster; any other refusal is a fault of the run.
OVERTAKEN = ("there is no ", "has no version ", "cannot be one finding", "deleted just now", "there is a finding ")


class Curator:
    """One person at one terminal."""

    def __init__(self, room: Room, name: str) -> None:
        self.room, self.name = room, name
        self.chance = random.Random(name)
        self._notes = 0

    def curate(self) -> None:
        """Run one verb."""
        verbs: list[Callable[[], None]] = [
            *(self._retire, self._restore, self._renew, self._merge, self._sync, self._draft, self._settle),
            *(self._read, self._lint),
        ]
        self.chance.choice(verbs)()

    def _run(self, *arguments: str) -> str:
        code, out, err = self.room.verb(*arguments)
        if code == 2 and not any(words in err for words in OVERTAKEN):
            self.room.refused(f"{arguments} was refused: {err}")
        return out

    def _retire(self) -> None:
        if slugs := self.room.pick(self.chance, 3):
            self._run("retire", *slugs, "--why", "no longer holds")

    def _restore(self) -> None:
        slugs = self.room.pick(self.chance, 1, "retired") if self.chance.random() < 0.7 else self.room.pick(self.chance)
        if slugs and self.room.journal.may_replace(*slugs):
            self._run("restore", *slugs)

    def _renew(self) -> None:
        if slugs := self.room.pick(self.chance, 3):
            self._run("renew", *slugs)

    def _merge(self) -> None:
        slugs = self.room.pick(self.chance, 2)
        if len(slugs) == 2 and self.room.journal.may_replace(*slugs):
            self._run("merge", *slugs, "--apply")

    def _sync(self) -> None:
        self._run("sync")

    def _draft(self) -> None:
        """Harvest a new note, whose traps are promised once the verb has kept them as candidates."""
        self._notes += 1
        tokens = [self.room.journal.token() for _ in range(3)]
        traps = "".join(f"- **The draft {token} of {self.name} was easy to miss.** Look twice.\n" for token in tokens)
        note = self.room.trash.parent / "notes" / f"{self.name}-{self._notes}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text(f"# Notes\n\n## Gotchas\n\n{traps}", encoding="utf-8")
        answer = json.loads(self._run("harvest", "--json", "--save", str(note)) or "{}")
        for draft in answer.get("drafts", ()):
            token = next(token for token in tokens if token in draft["title"])
            if draft["status"] != "created":
                self.room.fault(f"the draft {draft['slug']} was not created: {draft}")
            self.room.journal.promise(token, draft["slug"], "drafts")

    def _settle(self) -> None:
        slugs = self.room.pick(self.chance, 2, "candidates")
        if slugs and self.chance.random() < 0.7:
            self._run("approve", *slugs)
        elif slugs:
            self._run("reject", *slugs, "--why", "not worth it")

    def _read(self) -> None:
        verb = self.chance.choice([("list",), ("check", "--file", "src/app.py"), ("stale",), ("pointer",)])
        self._run(*verb)
        for slug in self.room.pick(self.chance):
            self._run("show", slug)

    def _lint(self) -> None:
        self._run("lint", "--fix")
