"""Bringing a text back, from the history or from the retired ones, and removing a finding for good."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from claudedo_findings import files, finding, history
from claudedo_findings.errors import FindingsError
from claudedo_findings.layout import KINDS
from claudedo_findings.store import Store


@dataclass(frozen=True, kw_only=True)
class Restored:
    """What came back: the folder and path where it lies now, and its number in the history, 0 for a retired text."""

    kind: str
    path: str
    number: int


def restore(store: Store, slug: str, number: int | None = None) -> Restored:
    """Bring a text back and return what it was. With `number` that version of the history takes the finding's place.

    Without one it is what lies in `retired/` under that name, if its place is free: a rejected or withdrawn
    candidate comes back as a candidate, every other as a finding. Otherwise it is the newest version of the history.
    What it replaces goes to the history in turn. Raises FindingsError when there is nothing to bring back.
    """
    if not store.exists():
        raise FindingsError(f"there is no store at {store.folder}, so nothing can be restored")
    with store.writing():
        return files.insist(lambda: _restore(store, slug, number))


def _restore(store: Store, slug: str, number: int | None) -> Restored:
    retired = files.read(_guarded(store, slug, "retired")) if number is None else None
    if retired is not None:
        path = _guarded(store, slug, _place(retired))
        # The same text there is this very return, which was killed before the retired file went.
        if not os.path.lexists(path) or files.read(path) == _revived(retired, slug):
            return _return(store, slug, _place(retired), retired)
    return _rewind(store, slug, number, retired)


def forget(store: Store, slug: str) -> list[str]:
    """Delete a finding, its history, its candidate and its retired text for good; return the deleted paths."""
    if not store.exists():
        return []
    with store.writing():
        paths = [store.finding_path(slug, kind) for kind in KINDS]
        paths += [store.finding_path(name, "retired") for name in sorted(_beside(store, slug))]
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


def _return(store: Store, slug: str, kind: str, retired: bytes) -> Restored:
    """Put a retired text back where it came from; the new file first, the retired one goes last."""
    path = _guarded(store, slug, kind)
    finding.require_settled(finding.parse(finding.decode(retired)), store.finding_path(slug, "retired"))
    data = _revived(retired, slug)
    files.make_folder(os.path.dirname(path), durable=True)
    files.write_atomic(path, data, seen=files.Seen(data))  # the place is free, or this very text stands there
    if kind == "traps":
        store.heal(put=slug, title=_title(data) or slug)
    files.remove(store.finding_path(slug, "retired"), files.Seen(retired))
    return Restored(kind=kind, path=path, number=0)


def _rewind(store: Store, slug: str, number: int | None, retired: bytes | None) -> Restored:
    """Put a version of the history in the finding's place."""
    path, folder = _guarded(store, slug, "traps"), store.history_folder(slug)
    store.guard(folder)
    version = _version(store, slug, number, retired)
    restored = Restored(kind="traps", path=path, number=version.number)
    data = files.read(version.path) or b""
    if finding.parse(finding.decode(data)).keys.get("retired"):  # it had been retired before its text came here
        data = _revived(data, slug)
    before = files.read(path)
    if before == data:
        return restored
    if before is not None:
        history.keep(folder, before)
    files.write_atomic(path, data, seen=files.Seen(before))
    if not version.by_hand:
        history.seal(folder, data)
    history.prune(folder)
    title = _title(data) or slug
    store.heal(put=slug, title=title, keep=before is not None and title == _title(before))
    return restored


def _version(store: Store, slug: str, number: int | None, retired: bytes | None) -> history.Version:
    versions = history.versions(store.history_folder(slug))
    wanted = [version for version in versions if number in (None, version.number)]
    if wanted:
        return wanted[-1]
    known = ", ".join(str(version.number) for version in versions) or "none"
    what = "to restore" if number is None else number
    taken = ""
    if retired is not None:
        place = os.path.relpath(store.finding_path(slug, _place(retired)), store.folder)
        taken = f"; its retired text cannot come back as long as there is {place}"
    raise FindingsError(f"{slug!r} has no version {what}; there is {known}{taken}")


def _revived(retired: bytes, slug: str) -> bytes:
    """Return a retired text as it was, under the name that it has now."""
    named = finding.parse(finding.decode(retired)).keys.get("slug", slug)
    return finding.rekey(retired, {} if named == slug else {"slug": slug}, ("retired",))


def _beside(store: Store, slug: str) -> Iterator[str]:
    """Yield the names of retired texts of that slug which made room for a later one."""
    for name in store.slugs("retired"):
        stored = store.read(name, "retired") if name.startswith(f"{slug}-") else None
        if stored and stored.keys.get("slug") == slug:
            yield name


def _place(retired: bytes) -> str:
    """Return the folder that a retired text came from."""
    reason = finding.parse(finding.decode(retired)).keys.get("retired", "")
    return "candidates" if reason.startswith((finding.REJECTED, finding.WITHDRAWN)) else "traps"


def _guarded(store: Store, slug: str, kind: str) -> str:
    path = store.finding_path(slug, kind)
    store.guard(path)
    return path


def _title(data: bytes) -> str:
    return finding.parse(finding.decode(data)).title
