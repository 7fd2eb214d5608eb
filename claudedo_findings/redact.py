"""What a text loses before it becomes a candidate: secrets, home folders, mail addresses, hidden characters.

It errs on the side of removing: a candidate that reads a little worse can be mended, a leaked name cannot.
"""

import re

from claudedo_findings import credentials, hidden, homes, screen

# What a terminal does with these is gone in a file; what is left of one that is cut in half is harmless text.
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]")
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_SERVICE = r"(?:git|hg|svn)"  # accounts that are nobody: git@github.com:owner/repo
_PLACEHOLDER = r"(?:[$<{\[%][^:@\s]*|user(?:name)?|pass(?:word|wd)?|pwd|token|key|secret|xxx+|\*+|\.+|…)"
_ACCOUNT = re.compile(
    # the account in a URL, up to the last @ before the host's end
    rf"(?P<scheme>(?<![\w+.-])[A-Za-z][\w+.-]*://)(?P<kept>{_SERVICE}(?::{_PLACEHOLDER})?@"
    rf"|(?:(?i:{_PLACEHOLDER}):?)+@(?![^\s/\"'`,;()|?#]*@))?(?P<user>[^\s/\"'`,;()|?#]*@)?"
    # a mail address, also as a URL writes it
    r"|(?<![\w.+%-])(?P<local>[\w.+-]+)(?:@|%40)(?P<domain>[\w-]+(?:\.[\w-]+)*\.(?P<top>[^\W\d_]{2,}))(?![\w-])(?!\.\w)"
    # the account in a prompt, a command or a complaint of ssh: max@laptop:~/src, ssh max@10.0.0.3
    r"|(?<![\w.+%/-])(?P<login>[\w.+-]+)@"
    r"(?P<host>[\w.-]+(?=:[~/]|: Permission denied)|\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w))"
)
_EXAMPLE = re.compile(r"(?i)(?:.*\.)?(?:example\.(?:com|net|org)|example|invalid|test|localhost)\Z")
# icon@2x.png and left-pad@1.3.0.tgz have the shape of an address
_FILE_END = re.compile(
    r"(?i)png|jpe?g|gif|svg|webp|avif|ico|pdf|[mc]?js|[jt]sx?|s?css|json|rb|php|java|kt|html|xml|ya?ml|toml|lock"
    r"|txt|zip|t?gz|tar|bz2|whl|jar|exe|dll"
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+|v?\d+x\b")


def text(value: str, allowed: str = "\n\t") -> str:
    r"""Return `value` as it may be kept: what is personal or secret is replaced, what is hidden is gone.

    `allowed` holds the control characters that may stay; line ends become `\n`. Redacting again changes nothing.
    """
    while (cleaner := _once(value, allowed)) != value:  # again: what stood between two halves may be gone now
        value = cleaner
    return value


def _once(value: str, allowed: str) -> str:
    shown = _LINE_END.sub("\n", _ANSI.sub("", value))
    shown = "".join(" " if char in "\n\t" and char not in allowed else char for char in shown)
    shown = hidden.without(shown, allowed)
    return credentials.removed(screen.mask(_ACCOUNT.sub(_account, homes.removed(shown))))


def _account(found: re.Match[str]) -> str:
    if found["scheme"]:
        return f"{found['scheme']}{found['kept'] or ''}" + ("…@" if found["user"] else "")
    if found["login"]:
        return found[0] if re.fullmatch(_SERVICE, found["login"]) else "…@" + found["host"]
    spared = (
        re.fullmatch(_SERVICE, found["local"])
        or _EXAMPLE.match(found["domain"])
        or _FILE_END.fullmatch(found["top"])
        or (_VERSION.match(found["domain"]) and found["domain"].count(".") > 1)
    )
    return found[0] if spared else "[mail address removed]"
