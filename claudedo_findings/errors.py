"""The one exception with a message for people."""


class FindingsError(Exception):
    """A fault that its reader can act on: what is wrong, the value, and what to do."""


def shown(value: object, limit: int = 80) -> str:
    """Return `value` quoted for a message, cut so that bad input cannot flood an answer."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…{text[0]}"
