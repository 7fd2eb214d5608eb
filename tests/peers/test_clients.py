"""SDK clients of both generations, in all their modes, list the tool and save with it."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.peers import calls
from tests.peers.conftest import HERE, Target, node, run

OLD, NEW = "2025-11-25", "2026-07-28"
# Mode, and the protocol that must come of it.
MODES = {"legacy": OLD, "auto": NEW, NEW: NEW}


def test_typescript_1(npm: Path, target: Target, listed: Path) -> None:
    _check(_talk(node(npm), npm / "client_v1.mjs", target=target, cwd=listed), OLD, listed)


@pytest.mark.parametrize("mode", MODES)
def test_typescript_2(npm: Path, target: Target, listed: Path, mode: str) -> None:
    _check(_talk(node(npm), npm / "client_v2.mjs", target=target, cwd=listed, mode=mode), MODES[mode], listed)


def test_python_1(venv: Path, target: Target, listed: Path) -> None:
    python = venv / "bin" / "python"
    _check(_talk(python, HERE / "client_v1.py", target=target, cwd=listed), OLD, listed)


@pytest.mark.parametrize("mode", MODES)
def test_python_2(target: Target, listed: Path, mode: str) -> None:
    _check(_talk(sys.executable, HERE / "client_v2.py", target=target, cwd=listed, mode=mode), MODES[mode], listed)


def _talk(*command: str | Path, target: Target, cwd: Path, mode: str = "") -> dict[str, Any]:
    given = {"target": target, "mode": mode, "calls": calls.CALLS}
    said: dict[str, Any] = calls.last_json(run(*command, given=given, cwd=cwd).stdout)
    return said


def _check(said: dict[str, Any], protocol: str, root: Path) -> None:
    # The TypeScript SDK 1.x does not tell the version on stdio.
    assert said.get("protocol", protocol) == protocol
    assert [tool["name"] for tool in said["tools"]] == ["save_finding"]
    calls.check(said["answers"], root)
