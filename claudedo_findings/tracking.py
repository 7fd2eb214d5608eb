"""Checked in or not. Git's own rules say it and nothing else keeps it; the tool never commits."""

import os
from dataclasses import dataclass
from functools import partial

from claudedo_findings import exclude, files, plural
from claudedo_findings.layout import FOLDER
from claudedo_findings.store import Store

# What teams that check a store in need beside it: lines that merge, and no drafts or old texts (design §7).
_SHARED = {
    ".gitattributes": (b"*.md text eol=lf", b"INDEX.md merge=union"),
    ".gitignore": (b"/history/", b"/candidates/", b".*.tmp"),
}


@dataclass(frozen=True, kw_only=True)
class Tracking:
    """What git thinks of a store: the rule that ignores it ("" for none), and how many of its files are tracked."""

    rule: str
    files: int
    warnings: tuple[str, ...] = ()

    @property
    def checked_in(self) -> bool:
        return not self.rule


def state(store: Store) -> Tracking:
    """Return what git thinks of the store (two processes). Refuses a store outside git."""
    exclude.check_git(store.places)
    rule = exclude.rule(store.places, f"{FOLDER}/INDEX.md")
    return Tracking(rule=rule, files=len(exclude.tracked(store.places, FOLDER)))


def track(store: Store) -> Tracking:
    """Let git see the store, creating it if need be; warns when another rule still hides it."""
    exclude.check_git(store.places)
    with store.writing(hide=False):
        exclude.remove(store.places, FOLDER)
        for name, lines in _SHARED.items():
            files.insist(partial(_add_lines, store, name, lines))
        store.heal()
    now = state(store)
    if now.checked_in:
        return now
    why = f"{FOLDER} is still ignored by {now.rule}: take that rule out, or git will not see the findings"
    return Tracking(rule=now.rule, files=now.files, warnings=(why,))


def untrack(store: Store) -> Tracking:
    """Hide the store from git again; warns when its files are tracked, which no rule changes."""
    exclude.check_git(store.places)
    if store.exists():
        with store.writing():
            exclude.add(store.places, FOLDER)
    else:
        exclude.add(store.places, FOLDER)
    now = state(store)
    warnings = []
    if now.files:
        warnings.append(
            f"git tracks {plural.count(now.files, 'file')} of {FOLDER} already, and goes on to do so:"
            f" 'git rm -r --cached -- {FOLDER}' and a commit end that, and leave the files where they are"
        )
    if now.checked_in:
        warnings.append(f"another rule brings {FOLDER} back: look for a line that starts with '!' in .gitignore")
    return Tracking(rule=now.rule, files=now.files, warnings=tuple(warnings))


def lacking(store: Store) -> dict[str, list[str]]:
    """Return the lines that the files beside a shared store lack, by their absolute paths; {} when all are there."""
    missing = {os.path.join(store.folder, name): _missing(store, name, lines)[1] for name, lines in _SHARED.items()}
    return {path: [os.fsdecode(line) for line in lines] for path, lines in missing.items() if lines}


def _missing(store: Store, name: str, lines: tuple[bytes, ...]) -> tuple[bytes, list[bytes]]:
    """Return what a file beside the store holds, and which lines it lacks."""
    path = os.path.join(store.folder, name)
    store.guard(path)
    data = files.read(path) or b""
    present = {line.strip() for line in data.split(b"\n")}
    return data, [line for line in lines if line not in present]


def _add_lines(store: Store, name: str, lines: tuple[bytes, ...]) -> None:
    """Add the lines that a file lacks; the user's own stay."""
    data, missing = _missing(store, name, lines)
    if missing:
        path = os.path.join(store.folder, name)
        gap = b"\n" if data and not data.endswith(b"\n") else b""
        files.write_atomic(path, data + gap + b"\n".join(missing) + b"\n", seen=files.Seen(data))
