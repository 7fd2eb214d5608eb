"""Clients of the servers: each saves findings of its own, and now and then one that is there."""

import json
import random
import time
from pathlib import Path
from typing import Any

from tests.conftest import Server
from tests.serving import Service
from tests.soak.room import Room
from tests.test_many_writers import HELLO, call

AGAIN = 0.6  # share of saves that go to a finding that is there
LINES = 3  # calls of one client at once, sometimes


class Writer:
    """One client of one server."""

    def __init__(self, room: Room, name: str) -> None:
        self.room, self.name = room, name
        self.chance = random.Random(name)
        self._made = 0

    def _fields(self) -> dict[str, str]:
        slug = self._slug()
        token = self.room.journal.token()
        title = f"The clock of {slug} is frozen, case {self.chance.randrange(3)}"
        filler = "It looks like a race and is none. " * self.chance.randrange(1, 30)
        fields = {"slug": slug, "title": title, "body": f"Seen as {token}. {filler}"}
        return fields if self.chance.random() < 0.5 else {**fields, "scope": "src/app.py"}

    def _slug(self) -> str:
        for slug in self.room.pick(self.chance) if self.chance.random() < AGAIN else ():
            if not slug.startswith("hand-") and self.room.journal.may_replace(slug):
                return slug
        self._made += 1
        return f"{self.name}-{self._made}"

    def _hear(self, fields: dict[str, str], result: dict[str, Any], started: float) -> None:
        seconds = time.monotonic() - started
        if result.get("isError"):
            self.room.refused(f"{self.name} was refused: {result['content'][0]['text']}")
            return
        answer = result["structuredContent"]
        token = fields["body"].split()[2].rstrip(".")
        if answer["path"] != str(self.room.folder / "traps" / f"{fields['slug']}.md"):
            self.room.fault(f"{self.name} was told another place: {answer['path']}")
        self.room.journal.promise(token, fields["slug"], "saves", seconds)


class Pipe(Writer):
    """A client of a stdio server, which sends one call or several at once."""

    def __init__(self, room: Room, name: str, cwd: Path) -> None:
        super().__init__(room, name)
        self.server = Server(cwd=cwd)
        self.server.send(call(0, "initialize", HELLO))
        self.server.receive()

    @property
    def pid(self) -> int:
        return self.server.process.pid

    def write(self) -> None:
        """Save one finding, or several in one breath."""
        started = time.monotonic()
        sent = {number: self._fields() for number in range(1, self.chance.choice([1, 1, 1, LINES]) + 1)}
        self.server.send(*(_call(number, fields) for number, fields in sent.items()))
        while sent:
            line = self.server.receive()
            if not line:
                raise EOFError(f"{self.name}: the server has ended")
            answer = json.loads(line)
            self._hear(sent.pop(answer["id"]), answer["result"], started)

    def end(self) -> str:
        """Close the server's input; return what is wrong with its end."""
        rest, errors = self.server.end()
        if (self.server.process.returncode, rest, errors) == (0, b"", b""):
            return ""
        return f"{self.name} ended with {self.server.process.returncode}, {rest!r}, {errors!r}"


class Web(Writer):
    """A client of the HTTP service, on a connection that it keeps."""

    def __init__(self, room: Room, name: str, service: Service) -> None:
        super().__init__(room, name)
        self._service, self._connection = service, service.client()

    def write(self) -> None:
        """Save one finding."""
        started = time.monotonic()
        fields = self._fields()
        self._hear(fields, self._service.save(self._connection, **fields), started)

    def end(self) -> str:
        """Close the connection."""
        self._connection.close()
        return ""


def end_service(service: Service) -> str:
    """End the service as a host does; return what is wrong with its end."""
    service.process.terminate()
    _, errors = service.process.communicate(timeout=50)
    code = service.process.returncode
    return f"the service ended with {code}, {errors!r}" if code or errors else ""


def _call(number: int, fields: dict[str, str]) -> bytes:
    return call(number, "tools/call", {"name": "save_finding", "arguments": fields})
