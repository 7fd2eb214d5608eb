"""The sentence that leads an agent to the index, and the daily check that what it leads to is true."""

import os
from datetime import date

from claudedo_findings import files, folders
from claudedo_findings.store import Store


def sentence(store: Store) -> str:
    """Return the sentence for a system prompt: under 40 tokens and the index's absolute path, no finding text.

    "" when there is no index or it lists nothing.
    """
    index = store.read_index()
    if index is None or not index.entries:
        return ""
    return (
        f"Known traps of this project are listed one per line in {store.index_path}: "
        "read that file before you explore, then open only the findings that match your task."
    )


def sync_daily(store: Store) -> None:
    """Run `sync` when that has not happened today, so that an expired finding does not reach an agent."""
    if not store.exists():
        return
    mark = os.path.join(folders.state(), "synced", folders.key(store.folder))
    today = date.today().isoformat().encode("ascii")
    if files.read(mark) == today:
        return
    store.sync()
    files.make_folder(os.path.dirname(mark))
    files.write_atomic(mark, today)
