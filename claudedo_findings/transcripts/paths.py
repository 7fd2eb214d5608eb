"""Paths as transcripts write them, of any system, brought to one form: `/` between parts, from the project's root."""

import posixpath
import re
from collections.abc import Iterable

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
# Where Claude Code makes worktrees inside a checkout.
_INNER = re.compile(r"\.claude/worktrees/[^/]+(?:/|\Z)")
FINDING = re.compile(r"(?:\A|/)(\.claudedo/(?:INDEX\.md|traps/[a-z0-9*-]+\.md))\Z")
_NAMED = re.compile(r"\.claudedo(?:/|\\{1,2})(?:INDEX\.md|traps(?:/|\\{1,2})[a-z0-9-]+\.md)")
_BEFORE = re.compile(r"[^\s\"'`()<>|,;]*\Z")


def absolute(path: str, cwd: str) -> str:
    """Return a path with `/` between its parts, joined to `cwd` where it is relative; without a `cwd` as it is."""
    path, cwd = _slashes(path), _slashes(cwd)
    if path.startswith(("/", "~")) or _DRIVE.match(path):
        return posixpath.normpath(path)
    return posixpath.normpath(posixpath.join(cwd, path)) if path else cwd


def relative(path: str, roots: Iterable[str]) -> str:
    """Return a path relative to the innermost of `roots` that holds it, "" when none does; "." for a root itself."""
    best = ""
    path = _slashes(path)
    key = _key(path)
    for root in roots:
        root = _slashes(root).rstrip("/")
        if root and (key == _key(root) or key.startswith(_key(root) + "/")) and len(root) > len(best):
            best = root
    if not best:
        return ""
    return _INNER.sub("", path[len(best) :].lstrip("/"), count=1) or "."


def finding(path: str) -> str:
    """Return the part of a path that names a finding or the index, from `.claudedo/` on; "" for other paths."""
    found = FINDING.search(_slashes(path))
    return found[1] if found else ""


def mentions(text: str) -> list[str]:
    """Return the paths of findings and indexes in a running text, also with the doubled backslashes of JSON."""
    found = []
    for match in _NAMED.finditer(text):
        before = _BEFORE.search(text, max(0, match.start() - 400), match.start())
        found.append((before[0] if before else "") + match[0])
    return [path.replace("\\\\", "\\") for path in found]


def _slashes(path: str) -> str:
    if "\\" in path and (_DRIVE.match(path) or "/" not in path):
        path = path.replace("\\", "/")
    return re.sub(r"/{2,}", "/", path) if not path.startswith("//") else path


def _key(path: str) -> str:
    return path.casefold() if _DRIVE.match(path) else path
