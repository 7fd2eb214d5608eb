"""What the benchmarks stand on: a home of their own, repositories, and findings that differ as real ones do."""

import json
import os
import subprocess  # noqa: TID251  # benchmarks drive real programs
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

_THINGS = """parser cache invoice clock worker socket lock token buffer queue index schema cursor thread column header
branch fixture mirror proxy session ledger bundle sandbox""".split()  # noqa: SIM905  # a list of words
_DOES = "loses drops doubles reorders freezes rounds skips hides swallows delays truncates reuses".split()  # noqa: SIM905
_WHEN = """midnight restart rebase upload retry import timeout rollback compression shutdown paging replay
deployment migration""".split()  # noqa: SIM905
_HEADS = (
    "The {0} {3} the {1}",
    "{0} looks idempotent",
    "A {4} {3} every {0}",
    "Tests of the {0} pass alone",
    "Keeping one {0} was tried",
    "{4} needs a warm {0}",
    "Two {0}s share their {1}",
    "Stale {0}s come back",
)
_TAILS = (
    " and runs twice",
    ", since {1} starts late",
    " above {5} rows",
    "; what it said was an older {1}",
    " unless {4} ends first",
    " on Windows alone",
    " under load",
    ", so never trust its {1}",
)
_BECAUSE = """It looks like a slow machine, and is not: the {0} is made before the {1}, and what comes later is read
from the {2} of the run before. Two attempts to wait longer changed nothing, since nobody wakes the {1}. Make the {0}
after the {1}, or call `{0}.{3}_{4}()` by hand; then the {2} holds what the test says. Never mock the {1}: it hides it.
"""


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


def fields(number: int) -> dict[str, str]:
    """Return what the finding of a number says; two of them share a word or two, as those of one project do."""
    first, second, third = (_THINGS[number * step % 24] for step in (1, 5, 11))
    does, when = _DOES[number // 24 % 12], _WHEN[number // 288 % 14]
    form = f"{_HEADS[number % 8]}{_TAILS[number // 8 % 8]}: `{{2}}_{{5}}`"
    title = form.format(first, second, third, does, when, number)
    body = " ".join(_BECAUSE.format(first, second, third, when, number).split())
    return {"slug": f"trap-{number:06}", "title": title, "body": body, "scope": f"src/m{number % 97}.py"}


def entity(number: int) -> dict[str, object]:
    """Return the same as an entity of server-memory."""
    made = fields(number)
    return {"name": made["slug"], "entityType": "trap", "observations": [made["title"], made["body"], made["scope"]]}


def fill(repo: Path, count: int, stamps: Sequence[str] = ("a1b2c3d",)) -> None:
    """Give a repository a store of `count` findings, written as files (the saves are not what is measured)."""
    traps = repo / ".claudedo" / "traps"
    traps.mkdir(parents=True)
    lines = ["# Findings", ""]
    for number in range(count):
        made = fields(number)
        slug, title, stamp = made["slug"], made["title"], stamps[number % len(stamps)]
        lines.append(f"- [{slug}](traps/{slug}.md) — {title}")
        front = f"slug: {slug}\nscope: {made['scope']}\nsource-task:\nverified-against: {stamp}"
        (traps / f"{slug}.md").write_text(f"---\n{front}\n---\n\n# {title}\n\n{made['body']}\n", encoding="utf-8")
    (repo / ".claudedo" / "INDEX.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def fill_epitaph(programs: Path, repo: Path, count: int) -> None:
    """Give a repository the same as epitaph's records, in its own format."""
    folder, epitaph = repo / ".tombstones", programs / "epitaph"
    for command in (["init"], ["add", "--attempt", "a", "--reason", "r", "--scope", "src/a.py"]):
        subprocess.run([epitaph, *command], cwd=repo, check=True, stdout=subprocess.DEVNULL)
    path = next(folder.glob("*.json"))
    record = json.loads(path.read_text())
    path.unlink()
    for number in range(count):
        made = fields(number)
        name = f"{record['id'][:-4]}{number:04x}"
        same = {"id": name, "attempt": made["title"], "reason": made["body"], "scope": [made["scope"]]}
        (folder / f"{name}.json").write_text(json.dumps({**record, **same}))


def fill_memory(path: Path, count: int) -> None:
    """Write the same as the file of server-memory."""
    lines = (json.dumps({"type": "entity", **entity(number)}) for number in range(count))
    path.write_text("\n".join(lines))


def status_kib(pid: int, name: str) -> int:
    """Return a figure in KiB of what Linux says about a process."""
    return int(Path(f"/proc/{pid}/status").read_text().partition(f"{name}:")[2].split()[0])
