"""Secrets, which may not be stored: a finding is read by every later agent and may be checked in.

The shapes of tokens follow the issuers' public documentation.
"""

import re
from collections.abc import Iterator
from functools import cache

# Shapes that need no context. Each is anchored by a prefix its issuer documents, because commit
# hashes, UUIDs and words like "risk-based" must pass.
_SECRETS: tuple[tuple[str, str], ...] = (
    # To its end; of one that was cut off, the lines that look like a key.
    (
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?s:.{0,9999}?)-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:[\s>|*\\-]*(?:\\n)?[A-Za-z0-9+/=]{16,})*+)"
        r"|AGE-SECRET-KEY-1[0-9A-Z]{20,}",
    ),
    ("AWS access key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AWS secret key", r"(?i:aws.{0,20}secret.{0,20})[=:]\s*[\"']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])"),
    ("GitHub token", r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"),
    ("GitLab token", r"(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|cbt|soat|ft)-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}"),
    ("Slack webhook", r"hooks\.slack\.com/(?:services|workflows)/T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/\w+"),
    ("Google key", r"(?<![A-Za-z0-9])(?:AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,})"),
    ("Stripe key", r"(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)|whsec)_[0-9A-Za-z]{16,}"),
    (
        "model provider key",
        r"(?<![A-Za-z0-9])sk-(?:ant|proj|svcacct|or)-[A-Za-z0-9_-]{16,}"
        r"|(?<![A-Za-z0-9])sk-(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{20,}"
        r"|(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}",
    ),
    ("npm token", r"(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}"),
    ("PyPI token", r"(?<![A-Za-z0-9])pypi-AgE[A-Za-z0-9_-]{20,}"),
    ("SendGrid key", r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("DigitalOcean token", r"(?<![A-Za-z0-9])do[por]_v1_[a-f0-9]{64}"),
    ("Telegram bot token", r"(?<![A-Za-z0-9])[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("Azure storage key", r"(?i:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}"),
    ("JSON web token", r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)

# `secret=value` and `scheme://user:value@host` are also written with placeholders; those pass.
_NAMED = (
    r"(?i:password|passwd|passphrase|(?<![A-Za-z])(?:secret|api[_-]?key|access[_-]?token|auth[_-]?token"
    r"|client[_-]?secret|secret[_-]?key))[\"']?\s*[=:]\s*"
)
_MIXED = r"(?=[^\s\"']{0,99}[0-9])(?=[^\s\"']{0,99}[A-Za-z])"
_VALUES: tuple[tuple[str, str], ...] = (
    (
        "authorization header",
        r"(?i:authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)(?P<value>[A-Za-z0-9._~+/-]{16,}={0,2})",
    ),
    (
        "credentials in a URL",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'`]*:(?P<value>[^\s/@\"'`]+)@",
    ),
    # The limit is far above any password: without one, code behind a long row of names would cost minutes.
    # In quotes anything may stand; outside them a dot, a bracket or a dollar means code, like `secret = load_v2()`.
    ("password or key", _NAMED + r"(?P<quote>[\"'])" + _MIXED + r"(?P<value>[^\s\"'`(){}\[\]<>]{8,})(?P=quote)"),
    ("password or key", _NAMED + _MIXED + r"(?P<value>[^\s\"'`(){}\[\]<>,;.$/]{8,4000}+)(?![(\[/]|\.\w)"),
)
# One of these stands, case folded, in every secret of its kind: to look for them costs a tenth of the pattern.
_MARKS = {
    "private key": "private age-secret-key-1",
    "AWS access key": "akia asia abia acca",
    "AWS secret key": "aws",
    "GitHub token": "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
    "GitLab token": "glpat- gldt- glrt- glptt- glcbt- glsoat- glft-",
    "Slack token": "xox xapp-",
    "Slack webhook": "hooks.slack.com",
    "Google key": "aiza ya29. gocspx-",
    "Stripe key": "k_live_ k_test_ whsec_",
    "model provider key": "sk- hf_",
    "npm token": "npm_",
    "PyPI token": "pypi-age",
    "SendGrid key": "sg.",
    "DigitalOcean token": "_v1_",
    "Telegram bot token": ":",
    "Azure storage key": "accountkey= sharedaccesskey=",
    "JSON web token": "eyj",
    "authorization header": "author",
    "credentials in a URL": "://",
    "password or key": "password passwd passphrase secret key token",
}
_PLACEHOLDER = re.compile(
    r"[<{$\[]|%[sA-Z({]|(?i:x+|\*+|\.+|…|pass(?:word|wd)?|pwd|secret|token|key|changeme|example|redacted|your.*)$"
)


def secret(text: str) -> str:
    """Return the kind of the first secret in `text`, or "" when there is none."""
    return next((kind for kind, _, _ in _secrets(text)), "")


def mask(text: str) -> str:
    """Return `text` with each secret replaced by `[kind removed]`."""
    while found := sorted(_secrets(text), key=lambda found: found[1]):  # again, because a secret can hide its neighbour
        spans = found[:1]
        for kind, start, end in found[1:]:
            if start < spans[-1][2]:  # two shapes of one secret: what either of them covers goes
                spans[-1] = (spans[-1][0], spans[-1][1], max(end, spans[-1][2]))
            else:
                spans.append((kind, start, end))
        ends = [0, *(end for _, _, end in spans)]
        kept = [f"{text[before:start]}[{kind} removed]" for before, (kind, start, _) in zip(ends, spans, strict=False)]
        text = "".join([*kept, text[ends[-1] :]])
    return text


def placeholder(value: str) -> bool:
    """Return whether a value only stands for a secret: `<token>`, `${TOKEN}`, `xxxx`."""
    return bool(_PLACEHOLDER.match(value))


@cache
def _compiled(shapes: tuple[tuple[str, str], ...]) -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    # 5 ms: for those who write, not for `pointer`, which imports this module without using it.
    return tuple((kind, tuple(_MARKS[kind].split()), re.compile(pattern)) for kind, pattern in shapes)


def _secrets(text: str) -> list[tuple[str, int, int]]:
    found = [(kind, *match.span()) for kind, match in _matches(_SECRETS, text)]
    values = ((kind, match) for kind, match in _matches(_VALUES, text) if not placeholder(match["value"]))
    return found + [(kind, *match.span("value")) for kind, match in values]


def _matches(shapes: tuple[tuple[str, str], ...], text: str) -> Iterator[tuple[str, re.Match[str]]]:
    folded = text.casefold()
    for kind, marks, pattern in _compiled(shapes):
        if any(mark in folded for mark in marks):
            yield from ((kind, match) for match in pattern.finditer(text))
