"""Which tracked path a trap is about, as far as its text says so without doubt."""

import re
from collections import defaultdict
from collections.abc import Iterable

from claudedo_findings import codespans

_LINK = re.compile(r"\]\(<?([^()<>\s]+)>?(?:\s[^()]*)?\)")
_PLACE = re.compile(r"(?:::?[\w:.,()-]*|#[\w:,-]*|\(\))\Z")
_PATH = re.compile(r"[^\s*?<>|\"'`{}$~=;,]{3,200}\Z")
# Notes and lists of versions say nothing of where a trap lies.
_DROPPED = re.compile(
    r"(?i)\.(?:md|mdx|markdown)\Z"
    r"|(?:\A|/)(?:\.gitignore|\.gitattributes|[\w.-]*\.lock|[\w-]+-lock\.(?:json|ya?ml)|go\.sum)\Z"
)


class Tracked:
    """The tracked paths below a root, looked up by what texts call them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.files = frozenset(path for path in paths if not _DROPPED.search(path))
        self.folders: set[str] = set()
        self.by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in self.files:
            parts = path.split("/")
            self.by_name[parts[-1]].append(path)
            self.folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))

    def find(self, name: str, folder: str = "") -> str:
        """Return the one tracked path that `name` can mean in a note in `folder`, "" for none or several."""
        text = _PLACE.sub("", name.replace("\\", "/"))
        if not _PATH.match(text) or "//" in text or text.startswith(("/", "-", "@")):
            return ""
        is_folder, text = text.endswith("/"), text.rstrip("/")
        for path in (_joined("", text), _joined(folder, text)):
            if path in self.files and not is_folder:
                return path
            if path in self.folders and (is_folder or "/" in text):
                return path
        ending = _joined("", text)
        if not ending or not re.search(r"[./]", ending):
            return ""
        found = [path for path in self.by_name[ending.rpartition("/")[2]] if f"/{path}".endswith(f"/{ending}")]
        return found[0] if len(found) == 1 and not is_folder else ""


def scope(title: str, body: str, tracked: Tracked, folder: str = "") -> str:
    """Return the one tracked path that a trap names as code or link, in its title or else its body; "" when unclear."""
    for text in (title, body):
        named = [text[start + ticks : end - ticks].strip() for start, end, ticks in codespans.spans(text)]
        named += _LINK.findall(text)
        paths = {path for name in named if (path := tracked.find(name, folder))}
        if paths:
            return paths.pop() if len(paths) == 1 else ""
    return ""


def _joined(folder: str, name: str) -> str:
    """Return the path of `name` in `folder`, "" when it leads out of the root."""
    parts: list[str] = []
    for part in f"{folder}/{name}".split("/"):
        if part == ".." and not parts:
            return ""
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
