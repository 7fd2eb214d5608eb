"""The tray's labels in the user's language."""

import json
import locale
import os
import sys
from collections.abc import Mapping, Sequence

LANGUAGES = ("en", "de")


class Words:
    """The labels of one language, by their key."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table

    def __call__(self, key: str, **values: object) -> str:
        return self._table[key].format(**values)

    def count(self, key: str, number: int) -> str:
        """Return a number of things: the key has a form for one and a form for others."""
        return self(f"{key}.one" if number == 1 else f"{key}.other", number=number)


def load(language: str = "") -> Words:
    """Return the labels of a language of LANGUAGES, of the user's system without one."""
    name = language or choose(_system())
    path = os.path.join(os.path.dirname(__file__), "locales", f"{name}.json")
    with open(path, encoding="utf-8") as file:
        return Words(json.load(file))


def choose(wanted: Sequence[str]) -> str:
    """Return the first language that there is a table for, of names like `de_AT.UTF-8` or `de-AT`; English else."""
    for name in wanted:
        short = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
        if short in LANGUAGES:
            return short
        if short in ("c", "posix"):
            break
    return "en"


def _system() -> list[str]:
    """Return the names of the languages that the user wants, the dearest first."""
    if sys.platform == "win32":
        import ctypes

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    if sys.platform == "darwin":  # a program that was started at login has no LANG there
        try:
            from Foundation import NSLocale
        except ImportError:
            pass
        else:
            return list(NSLocale.preferredLanguages())
    # As gettext does it: a list in LANGUAGE, unless the locale is C.
    found = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    if choose([found]) == "en" and found.partition(".")[0].upper() in ("", "C", "POSIX"):
        return []
    return [*os.environ.get("LANGUAGE", "").split(":"), found]
