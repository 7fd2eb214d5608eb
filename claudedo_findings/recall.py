"""Bringing back a text that was replaced, and removing a finding for good."""

import os

from claudedo_findings import files, finding, history
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store

KINDS = ("traps", "candidates", "retired")


def restore(store: Store, slug: str, number: int | None = None) -> history.Version:
    """Put a version of the history in the finding's place, the newest without `number`; return that version.

    What it replaces goes to the history in turn. Raises FindingsError when there is no such version.
    """
    if not store.exists():
        raise FindingsError(f"there is no store at {store.folder}, so nothing can be restored")
    with store.writing():
        path, folder = store.finding_path(slug), store.history_folder(slug)
        for writable in (path, folder):
            store.guard(writable)
        version = _version(slug, folder, number)
        data = files.read(version.path) or b""
        before = files.read(path)
        if before == data:
            return version
        if before is not None:
            history.keep(folder, before)
        files.write_atomic(os.path.realpath(path), data)
        if not version.by_hand:
            history.seal(folder, data)
        history.prune(folder)
        title = finding.parse(finding.decode(data)).title or slug
        old_title = finding.parse(finding.decode(before)).title if before is not None else ""
        store.heal(put=slug, title=title, keep=title == old_title)
    return version


def forget(store: Store, slug: str) -> list[str]:
    """Delete a finding, its history, its candidate and its retired text for good; return the deleted paths."""
    if not store.exists():
        return []
    with store.writing():
        paths = [store.finding_path(slug, kind) for kind in KINDS]
        folder = store.history_folder(slug)
        for path in (*paths, folder):
            store.guard(path)
        found = [path for path in paths if os.path.lexists(path)]
        found += [os.path.join(folder, name) for name in files.names(folder)]
        store.heal(drop=slug)  # the index first, so that no line ever points to nothing
        for path in found:
            files.remove(path)
        if os.path.isdir(folder):
            files.remove_folder(folder)
    return found


def _version(slug: str, folder: str, number: int | None) -> history.Version:
    versions = history.versions(folder)
    wanted = [version for version in versions if number in (None, version.number)]
    if not wanted:
        known = ", ".join(str(version.number) for version in versions) or "none"
        raise FindingsError(f"{slug!r} has no version {'to restore' if number is None else number}; there is {known}")
    return wanted[-1]
