"""The room that hostile input gets: one project with a store, and everything around it that must stay as it is."""

import io
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from claudedo_findings import cli, git, lists
from claudedo_findings.store import Store
from tests.conftest import make_repo
from tests.hostile.watch import Watch, snapshot

WATCH = Watch()


@dataclass(frozen=True)
class World:
    """One repository, the only list `app`, in a sealed home."""

    base: Path
    home: Path

    @property
    def repo(self) -> Path:
        return self.base / "repo"

    @property
    def folder(self) -> Path:
        return self.repo / ".claudedo"

    @property
    def allowed(self) -> tuple[Path, ...]:
        """The places that the tool may change, by name."""
        inside = self.repo / ".git"
        return (
            *(self.folder, inside / "claudedo-findings.lock", inside / "info", inside / "hooks"),
            *(self.home / "findings", self.base / "temp"),
        )

    def store(self) -> Store:
        """Return the store."""
        return Store(git.places(str(self.repo)))

    def watched(self, deed: Callable[[], object]) -> None:
        """Do something under watch. Raises AssertionError for a change outside, Hang for what takes too long."""
        with WATCH.over(*self.allowed):
            deed()

    def around(self) -> dict[str, tuple[int, int]]:
        """Return the state of all that must not change."""
        return snapshot(self.base, *self.allowed) | snapshot(self.home, *self.allowed)

    def reset(self) -> None:
        """Put lists.toml back as it was made."""
        (self.home / "findings" / "lists.toml").write_text(f"[lists]\napp = {json.dumps(str(self.repo))}\n")

    def verb(self, *arguments: str, stdin: bytes = b"") -> tuple[int, str]:
        """Run a verb in this process, under watch; return its exit code and stdout, which is UTF-8.

        Raises AssertionError when it ends as a bug does.
        """
        out, err, given = _stream(), _stream(), sys.stdin
        code: list[int] = []

        def run() -> None:
            try:
                code.append(cli.main(arguments))
            except SystemExit as end:  # --help and --version
                code.append(int(end.code or 0))

        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        try:
            with redirect_stdout(out), redirect_stderr(err):
                self.watched(run)
        finally:
            sys.stdin = given
        told = _text(err)
        assert code[0] in (0, 1, 2), f"{arguments!r}: {told}"
        assert "Traceback" not in told, f"{arguments!r}: {told}"
        assert code[0] != 2 or told.startswith("error: ") or "\nerror: " in told, f"{arguments!r}: {told!r}"
        return code[0], _text(out)


def furnish(base: Path, home: Path, patch: pytest.MonkeyPatch) -> World:
    """Make the world: the project, a neighbour that must not change, and a folder for temp files."""
    world = World(base, home)
    make_repo(world.repo)
    neighbour = make_repo(base / "neighbour")
    (neighbour / ".claudedo").mkdir()
    (neighbour / ".claudedo" / "INDEX.md").write_text("# Findings\n")
    (base / "temp").mkdir()
    patch.setattr(tempfile, "tempdir", str(base / "temp"))
    patch.setattr(sys, "dont_write_bytecode", True)  # a late import is no change of the code under test
    patch.chdir(world.repo)
    lists.add("app", str(world.repo))
    return world


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
