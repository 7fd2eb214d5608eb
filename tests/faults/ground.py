"""A store with everything in it, and the operations that are put through every fault."""

import os
import subprocess  # noqa: TID251  # tests drive real programs
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claudedo_findings import approve, git, merge, recall, retire, save, tracking
from claudedo_findings.finding import Finding
from claudedo_findings.gather import candidates
from claudedo_findings.gather.draft import Draft
from claudedo_findings.resolution import Caller
from claudedo_findings.store import Store

Content = dict[str, bytes]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What is done to the store at a root."""

    run: Callable[[str], object]
    fresh: bool = False
    """Whether it starts in a repository without a store."""


@cache  # every point is played in the same folder
def store_at(root: str) -> Store:
    """Return the store of a checkout."""
    return Store(git.places(root))


def make(root: Path) -> None:
    """Make a repository with one commit."""
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_text("print('app')\n")
    for arguments in (["init", "-q", "--template="], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)


def fill(root: Path) -> None:
    """Fill a store: plain, overwritten, hand-edited, expired and retired findings, and a candidate."""
    store = store_at(str(root))
    for slug in ("anchor", "clock", "drift", "edited", "old", "worn"):
        store.save(finding(slug), keep_scope=False)
    store.save(finding("clock", body="The second text."), keep_scope=False)
    edited = Path(store.finding_path("edited"))
    edited.write_text(edited.read_text() + "\nA line by hand.\n")
    store.save(finding("old", notes={"expires": "2020-01-01"}), keep_scope=False)
    retire.retire(store, ["worn"], "no longer true")
    draft = Draft(source="note:NOTES.md#fence", title="The fence is open", body="Close it.")
    candidates.keep(store, [draft])


def finding(slug: str, body: str = "The first text.", notes: dict[str, str] | None = None) -> Finding:
    """Return a finding whose text names its slug."""
    return Finding(slug=slug, title=f"The {slug} looks whole and is not", body=body, notes=notes or {})


def _save(slug: str, body: str) -> Callable[[str], object]:
    def run(root: str) -> object:
        return save.save_finding(slug=slug, title=f"The {slug} is new", body=body, caller=Caller(cwd=root, here=True))

    return run


OPERATIONS = {
    "first save": Operation(run=_save("newcomer", "Its text."), fresh=True),
    "save": Operation(run=_save("newcomer", "Its text.")),
    "overwrite": Operation(run=_save("clock", "The third text.")),
    "overwrite of a hand edit": Operation(run=_save("edited", "Written over.")),
    "sync": Operation(run=lambda root: store_at(root).sync()),
    "retire": Operation(run=lambda root: retire.retire(store_at(root), ["clock"], "it is not so")),
    "merge": Operation(run=lambda root: merge.apply(store_at(root), "drift", "anchor")),
    "restore": Operation(run=lambda root: recall.restore(store_at(root), "worn")),
    "restore a version": Operation(run=lambda root: recall.restore(store_at(root), "clock", 1)),
    "approve": Operation(run=lambda root: approve.approve(store_at(root), ["the-fence-is-open"])),
    "reject": Operation(run=lambda root: retire.reject(store_at(root), ["the-fence-is-open"], "it is closed")),
    "track": Operation(run=lambda root: tracking.track(store_at(root))),
}


def content(root: str) -> Content:
    """Return every file of the store and git's exclude file, by its path below the root."""
    found = {}
    for folder, _, names in os.walk(os.path.join(root, ".claudedo")):
        for name in names:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, root)] = Path(path).read_bytes()
    exclude = Path(root, ".git", "info", "exclude")
    if exclude.exists():
        found[".git/info/exclude"] = exclude.read_bytes()
    return found
