"""What the benchmarks stand on: installed programs in environments of their own, stores of a size, a clock."""

import json
import os
import statistics
import subprocess  # noqa: TID251  # benchmarks drive real programs
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
EPITAPH = "epitaph==0.3.0"
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def install(folder: Path, requirement: str) -> Path:
    """Install a requirement into a new environment and return the folder of its programs."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    quiet = ["-q", "--disable-pip-version-check"]
    # Compiled, as pip leaves it, whatever the surroundings say about bytecode.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([python, "-m", "pip", "install", *quiet, requirement], check=True, env=environment)
    return folder / "bin"


def seal(home: Path) -> None:
    """Point this process and its children at a home of their own."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "CLAUDE", "PYTHON"))]:
        del os.environ[name]
    home.mkdir()
    (home / "gitconfig").write_text("[user]\n\tname = Bench\n\temail = bench@example.invalid\n")
    os.environ |= {
        "HOME": str(home),
        "CLAUDEDO_FINDINGS_HOME": str(home / "findings"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
    }


def repository(path: Path) -> Path:
    """Create a repository with one commit."""
    path.mkdir()
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *arguments], cwd=path, check=True)
    return path


def fill(repo: Path, count: int) -> None:
    """Give a repository a store of `count` findings, written as files (the saves are not what is measured)."""
    traps = repo / ".claudedo" / "traps"
    traps.mkdir(parents=True)
    lines = ["# Findings", ""]
    for number in range(count):
        slug, title = f"trap-{number:05}", f"Module {number} looks idempotent and is not, call {number * 7} twice fails"
        lines.append(f"- [{slug}](traps/{slug}.md) — {title}")
        front = f"slug: {slug}\nscope: src/m{number % 97}.py\nsource-task:\nverified-against: a1b2c3d"
        (traps / f"{slug}.md").write_text(f"---\n{front}\n---\n\n# {title}\n\nWhat happens, and why, and what to do.\n")
    (repo / ".claudedo" / "INDEX.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def fill_epitaph(programs: Path, repo: Path, count: int) -> None:
    """Give a repository the same number of epitaph's records, in its own format."""
    folder = repo / ".tombstones"
    process([programs / "epitaph", "init"], repo)()
    process([programs / "epitaph", "add", "--attempt", "a", "--reason", "r", "--scope", "src/a.py"], repo)()
    path = next(folder.glob("*.json"))
    record = json.loads(path.read_text())
    path.unlink()
    for number in range(count):
        name = f"{record['id'][:-4]}{number:04x}"
        attempt = f"Module {number} looks idempotent and is not, call {number * 7} twice fails"
        (folder / f"{name}.json").write_text(json.dumps({**record, "id": name, "attempt": attempt}))


def medians_ms(runs: int, *actions: Callable[[], object]) -> list[float]:
    """Return the median time of each action in milliseconds, taken in turn so that all meet the same machine.

    One round before that does not count.
    """
    times: list[list[float]] = [[] for _ in actions]
    for number in range(runs + 1):
        for action, taken in zip(actions, times, strict=True):
            started = time.perf_counter()
            action()
            if number:
                taken.append((time.perf_counter() - started) * 1000)
    return [statistics.median(taken) for taken in times]


def process(command: Sequence[object], cwd: Path) -> Callable[[], None]:
    """Return an action that runs a program to its end."""

    def run() -> None:
        subprocess.run([str(part) for part in command], cwd=cwd, check=True, stdout=subprocess.DEVNULL)

    return run


class Client:
    """A line-by-line client of a stdio server."""

    def __init__(self, command: Sequence[object], cwd: Path) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([str(part) for part in command], cwd=cwd, stdin=pipe, stdout=pipe)
        self._number = 0
        self.request("initialize", HELLO)

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result; an error fails the benchmark."""
        assert self._process.stdin
        assert self._process.stdout
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        result: dict[str, Any] = json.loads(self._process.stdout.readline())["result"]
        assert not result.get("isError"), result
        return result

    def save(self, slug: str, body: str = "What happens, and why, and what to do instead.") -> dict[str, Any]:
        """Save a finding."""
        fields = {"slug": slug, "title": f"The trap {slug} looks fine and is not", "body": body}
        return self.request("tools/call", {"name": "save_finding", "arguments": fields})

    def resident_mib(self) -> float:
        """Return the server's resident memory in MiB (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def end(self) -> None:
        """Close the server's input and wait for its end."""
        self._process.communicate(timeout=60)
