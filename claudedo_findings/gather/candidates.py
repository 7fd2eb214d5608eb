"""Drafts become candidate files, and stay true to their sources without ever undoing what a person did."""

import os
from collections.abc import Iterator, Mapping, Sequence

from claudedo_findings import files, retire
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather.candidate import Held
from claudedo_findings.gather.draft import Draft
from claudedo_findings.gather.plan import Change, Kept, plan
from claudedo_findings.store import Store

_NOTHING: Mapping[str, str] = {}


def keep(store: Store, drafts: Sequence[Draft], *, gone: Mapping[str, str] = _NOTHING) -> tuple[Kept, ...]:
    """Keep drafts as candidates and return what became of each, in their order, then what else there is to tell.

    `gone` maps the keys of sources whose ground is gone to the reason: a candidate is withdrawn, a finding flagged.
    The index is never touched. Raises FindingsError when the store cannot be read or written.
    """
    kept, changes = plan(_held(store), drafts, gone)
    if not changes:  # the common case of a repeated run needs no lock, and creates no store
        return kept
    with store.writing():
        return files.insist(lambda: _keep(store, drafts, gone))


def _keep(store: Store, drafts: Sequence[Draft], gone: Mapping[str, str]) -> tuple[Kept, ...]:
    there = _held(store)
    kept, changes = plan(there, drafts, gone)
    seen = {(file.kind, file.name): file.data for file in there}
    for change in changes:
        _apply(store, change, files.Seen(seen.get((change.kind, change.name))))
    return kept


def preview(store: Store, drafts: Sequence[Draft], *, gone: Mapping[str, str] = _NOTHING) -> tuple[Kept, ...]:
    """Return what `keep` would, and write nothing."""
    return plan(_held(store), drafts, gone)[0]


def held(store: Store, kind: str) -> Iterator[Held]:
    """Yield the Markdown files of one folder of the store, those that cannot be read with the reason."""
    folder = os.path.join(store.folder, kind)
    if os.path.islink(folder):
        store.guard(folder)
    for name, linked in sorted(files.regular(folder)):
        if name.endswith(".md") and not files.is_temp(name):
            yield one(store, kind, name[:-3], linked=linked)


def one(store: Store, kind: str, name: str, *, linked: bool = True) -> Held:
    """Return the file `name`.md of one folder of the store; one that cannot be read says why."""
    path = os.path.join(store.folder, kind, f"{name}.md")
    try:
        if linked:
            store.guard(path)
        return Held(kind=kind, name=name, data=files.read(path) or b"")
    except FindingsError as error:
        return Held(kind=kind, name=name, unreadable=str(error))


def _held(store: Store) -> list[Held]:
    return [file for kind in ("traps", "candidates", "retired") for file in held(store, kind)]


def _apply(store: Store, change: Change, seen: files.Seen) -> None:
    path = os.path.join(store.folder, change.kind, f"{change.name}.md")
    store.guard(path)
    if change.data is None:
        files.remove(path, seen)
        return
    if change.kind == "retired":
        retire.write(store, change.name, change.data)
        return
    files.make_folder(os.path.dirname(path), durable=True)
    files.sweep(os.path.dirname(path))
    files.write_atomic(path, change.data, seen=seen)
