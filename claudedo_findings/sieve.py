"""A look that costs little, and tells of most texts and words that they have none of the forms that are looked for."""

from collections.abc import Sequence

_MANY = 50  # forms; to look for more of them takes longer than to take the text apart


class Sieve:
    """The forms that are looked for. Lets through whatever has one of them, and little else."""

    def __init__(self, forms: Sequence[str]) -> None:
        self._forms = forms
        self._numbers = frozenset(form for form in forms if form.isdigit())
        self._words = tuple(form for form in forms if not form.isdigit())

    def text(self, text: str) -> bool:
        """Return whether a text may have one of the forms."""
        if not text.isascii() or len(self._forms) > _MANY:
            return True
        plain = text.lower().replace("_", "")
        for form in self._forms:  # noqa: SIM110  # any() takes twice as long, and this runs for every finding
            if form in plain:
                return True
        return False

    def word(self, raw: str) -> bool:
        """Return whether a word of `words.raw` may have one: a form is what a word begins with, a number is whole."""
        low = raw.lower()
        if not raw.isascii() or raw[1:] != low[1:]:  # with humps, it has several beginnings
            return self.text(raw)
        if "_" not in low:
            return low in self._numbers or low.startswith(self._words)
        parts = low.split("_")
        return any(part in self._numbers or part.startswith(self._words) for part in (*parts, "".join(parts)))
