"""Notifications as plain text: what was saved, folded when several come at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from tray.menu import cut
from tray.seen import Saved
from tray.words import Words

TITLE, TEXT = 60, 250  # characters; Windows has room for 63 and 255, and pystray fails beyond
_LINES = 3


@dataclass(frozen=True, kw_only=True)
class Told:
    """What to notify; `clipboard` is text to be put there first."""

    title: str
    text: str
    clipboard: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", cut(self.title, TITLE))
        shown = "\n".join(cut(line, TEXT) for line in self.text.splitlines())
        object.__setattr__(self, "text", shown if len(shown) <= TEXT else f"{shown[: TEXT - 1]}…")


def saved(found: Sequence[Saved], words: Words) -> Told | None:
    """Return the one notification of all findings that were saved since the look before; None for none."""
    if not found:
        return None
    if len(found) == 1:
        return Told(title=words("saved", list=found[0].list), text=found[0].title)
    one_list = len({one.list for one in found}) == 1
    told = [cut(one.title if one_list else f"{one.list}: {one.title}") for one in found[:_LINES]]
    rest = len(found) - _LINES
    more = [words("more", number=rest)] if rest > 0 else []
    title = words("saved.other", number=len(found))
    return Told(title=f"{cut(found[0].list, 30)}: {title}" if one_list else title, text="\n".join([*told, *more]))
