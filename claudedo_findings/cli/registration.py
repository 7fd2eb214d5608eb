"""How a client is told of this program: which text goes where, and the command line that starts it."""

import json
import os
import shlex
import sys
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Registration:
    """What to do with which text: `action` is "run", "paste" or "compile", `place` says where."""

    action: str
    place: str
    text: str
    notes: tuple[str, ...] = ()


def command() -> list[str]:
    """Return the absolute command line that starts this program."""
    folder = os.path.dirname(os.path.abspath(sys.executable))
    script = os.path.join(folder, "claudedo-findings" + (".exe" if sys.platform == "win32" else ""))
    return [script] if os.path.isfile(script) else [os.path.abspath(sys.executable), "-m", "claudedo_findings"]


def shell(words: list[str]) -> str:
    """Return a command line for the shell of this system."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)


def as_json(value: object) -> str:
    """Return settings as people paste them."""
    return json.dumps(value, ensure_ascii=False, indent=2)
