"""The menu as text, for `--once` and for terminals without a screen."""

from collections.abc import Iterator, Sequence

from tray.menu import SEPARATOR, Item


def lines(items: Sequence[Item], depth: int = 0) -> Iterator[str]:
    """Return a line for each item, indented by its depth; what cannot be clicked stands in parentheses."""
    for item in items:
        if item == SEPARATOR:
            continue
        check = "" if item.checked is None else "[x] " if item.checked else "[ ] "
        label = item.label if item.enabled else f"({item.label})"
        yield f"{'    ' * depth}{check}{label}"
        yield from lines(item.items, depth + 1)
