"""What a text loses before it becomes a candidate: secrets, home folders, mail addresses, hidden characters."""

import re

from claudedo_findings import screen

# A user's name stands in these folders on Linux, macOS and Windows (also as a drive below WSL and Git Bash).
_HOME = re.compile(
    r"(?<![\w.-])(?:/home/[^/\s\"'`:]+|/Users/[^/\s\"'`:]+|/root(?=/|\b)"
    r"|(?:[A-Za-z]:|/mnt/[a-z]|/[a-z])?[\\/]{1,2}Users[\\/]{1,2}[^\\/\s\"'`:]+)"
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")


def text(value: str, allowed: str = "\n\t") -> str:
    """Return `value` as it may be kept: what is personal or secret is replaced, what is hidden is gone.

    `allowed` holds the control characters that may stay.
    """
    shown = screen.mask(value)
    shown = _MAIL.sub("[mail address removed]", _HOME.sub("~", shown))
    while found := screen.hidden(shown, allowed):
        shown = shown.replace(chr(int(found.rpartition("U+")[2], 16)), "")
    return shown
