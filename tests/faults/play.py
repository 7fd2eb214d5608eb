"""Builds the shim and plays operations under it, each in a process that starts with it preloaded."""

import json
import os
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("shim.c")


def build(folder: Path) -> Path:
    """Compile the shim and return its path."""
    library = folder / "shim.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", library, SOURCE, "-ldl"], check=True)
    return library


def play(shim: Path, operation: str, *how: str) -> dict[str, Any]:
    """Put an operation through its faults and return the driver's answer."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.driver", str(shim), operation, *how],
        env={**os.environ, "LD_PRELOAD": str(shim)},
        cwd=SOURCE.parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
