"""What lint may mend by itself: the index where it differs from the files, and line ends."""

from functools import partial

from claudedo_findings import files, finding, history, lint_project, lint_text, screen
from claudedo_findings.store import Store


def fix(store: Store) -> tuple[str, ...]:
    """Mend what loses nobody's text and return what was done, a sentence each. Creates no store.

    Raises FindingsError when the store cannot be written.
    """
    if not store.exists():
        return ()
    before = files.read(store.index_path)
    store.sync()
    done = [] if files.read(store.index_path) == before else [f"{store.index_path}: made true to the files"]
    checked_in = lint_project.sharing(store)[0]
    with store.writing():
        for slug in ("", *sorted(store.slugs())):
            path = store.finding_path(slug) if slug else store.index_path
            if files.insist(partial(_mend, store, slug, path, checked_in=checked_in)):
                done.append(f"{path}: line ends of one kind")
    return tuple(done)


def _mend(store: Store, slug: str, path: str, *, checked_in: bool) -> bool:
    """Give a finding, or with "" the index, line ends of one kind; return whether it had others."""
    store.guard(path)
    old = files.read(path)
    new = lint_text.with_ends(old, checked_in=checked_in) if old is not None else None
    if old is None or new is None or old == new:
        return False
    if screen.secret(finding.decode(old)):  # the history would keep another copy of it
        return False
    if slug:
        store.guard(store.history_folder(slug))
        history.keep(store.history_folder(slug), old)
        history.prune(store.history_folder(slug))
    files.write_atomic(path, new, seen=files.Seen(old))
    return True
