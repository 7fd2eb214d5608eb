"""Credentials that only what stands around them gives away: a name before the value, an option of a command.

A save is refused for none of these (screen): what looks random may be harmless. A draft loses it, and can be mended.
"""

import re
from functools import partial
from itertools import pairwise

from claudedo_findings import screen

_NAME = (
    r"(?i:token|passw(?:or)?d|passphrase|(?<![a-z])pass|pwd|secret|credentials?"
    r"|(?:access|api|auth|private|secret|signing)[ _-]?key)"
)
# One of these stands, case folded, in each of the texts that the first two patterns look for.
_MARKS = ("token", "pass", "pwd", "secret", "credential", "key", "bearer", "basic")
# In quotes anything may stand; outside them a bracket behind it means code. A limit, or a failure costs the square.
_VALUE = r"(?P<value>(?<=[\"'])[^\s\"'`]{6,4000}+(?=[\"'])|[^\s\"'`<>(){}\[\],;&|]{6,4000}+(?![(\[]))"
# token=3e1f…, "apiToken": "3e1f…", X-Auth-Token: 3e1f…, Bearer 3e1f…
_NAMED = re.compile(
    rf"(?P<kept>(?:{_NAME}[\"']?[ \t]*(?:=>|:=|[=:])|\b(?i:bearer|basic)(?=[ \t]))[ \t]*[\"']?){_VALUE}"
)
# --password hunter2, sshpass -p hunter2
_OPTION = re.compile(
    rf"(?P<kept>(?:(?<![\w-])--(?:[a-z]{{1,20}}-){{0,3}}{_NAME}[ =]|(?<!\w)sshpass -p ?)[\"']?){_VALUE}"
)
# curl -u max:hunter2, also behind other options, in quotes and on the next line
_CURL = re.compile(
    r"(?P<kept>(?<![\w-])curl(?:\.exe)?\b(?:(?!\s(?:\||&&)\s)(?:\\\n|[^\n])){0,200}?\s"
    r"(?:-[A-Za-z]{0,8}?[uU]\s*|--(?:proxy-)?user(?:\s+|=)))"
    r"(?P<account>(?P<quote>[\"'])[^\"':\n]*:[^\"'\n]*(?P=quote)|[^\s\"'`:]*:[^\s\"'`]*)"
)
_MIXED = re.compile(r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])")
_WITH_SYMBOL = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[^!@#%^&*+~?]*[!@#%^&*+~?]")


def removed(text: str) -> str:
    """Return `text` without the values that are named as credentials and look like some."""
    folded = text.casefold()
    if any(mark in folded for mark in _MARKS):
        for pattern, also in ((_OPTION, _MIXED), (_NAMED, _WITH_SYMBOL)):
            text = pattern.sub(partial(_without, also), text)
    return _CURL.sub(_account, text) if "curl" in text else text


def random(value: str) -> bool:
    """Return whether a value has the look of chance: its letters and digits take turns, as in no word and no name.

    Commit hashes and UUIDs have it too, so it counts only where something says that the value is a credential.
    """
    turns = sum(
        _kind(one) != _kind(other) and not (one.isupper() and other.islower())  # a capital begins a word
        for one, other in pairwise(value)
        if one.isalnum() and other.isalnum()
    )
    return len(value) >= 8 and turns >= 3 and turns * 4 >= len(value)


def _kind(char: str) -> str:
    return "digit" if char.isdigit() else "capital" if char.isupper() else "letter"


def _without(also: re.Pattern[str], found: re.Match[str]) -> str:
    value = found["value"].rstrip(".:!?")
    if screen.placeholder(value) or not (random(value) or also.match(value)):
        return found[0]
    return f"{found['kept']}[secret removed]{found['value'][len(value) :]}"


def _account(found: re.Match[str]) -> str:
    quote = found["quote"] or ""
    user, _, password = found["account"].strip(quote or " ").partition(":")
    if screen.placeholder(password) if password else not random(user):
        return found[0]
    return f"{found['kept']}{quote}…{quote}"
