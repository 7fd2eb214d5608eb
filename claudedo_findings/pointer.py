"""The sentence that leads an agent to the index, and the daily check that what it leads to is true."""

import os
import time

from claudedo_findings import files, folders
from claudedo_findings.layout import FOLDER, Layout


def sentence(store: Layout) -> str:
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


def snippet(store: Layout, *, shared: bool) -> str:
    """Return a block for a file that agents always read, with a path that holds for everybody when it is `shared`.

    Unlike the sentence it may stand before the first finding, so it says what to do when there is none.
    """
    path = f"{FOLDER}/INDEX.md" if shared else store.index_path
    return f"""<!-- claudedo-findings -->
## Known traps

Traps of this project are listed one per line in `{path}`, if that file is there. Read it before you explore, then
open only the findings that match your task. When a trap has cost you turns, record it with `save_finding`: it will
still be true next month, a careful reader of the code would not expect it, and it changes what the next agent does.
<!-- /claudedo-findings -->"""


def sync_daily(store: Layout) -> None:
    """Run `sync` when that has not happened today, so that an expired finding does not reach an agent."""
    if not store.exists():
        return
    mark = os.path.join(folders.state(), "synced", folders.key(store.folder))
    today = time.strftime("%Y-%m-%d").encode("ascii")
    if files.read(mark) == today:
        return
    from claudedo_findings.store import Store  # once a day

    Store(store.places).sync()
    files.make_folder(os.path.dirname(mark))
    files.write_atomic(mark, today)
