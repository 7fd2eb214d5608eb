"""Counts as people write them."""


def count(number: int, noun: str) -> str:
    """Return "1 run", "2 runs", "10,000 runs"; `noun` is one that takes an s."""
    return f"{number:,} {word(number, noun)}"


def word(number: int, noun: str) -> str:
    """Return the noun as it stands behind that number."""
    return noun if number == 1 else f"{noun}s"
