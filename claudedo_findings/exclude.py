"""Whether git passes over a store: the repository's own exclude file, and what git says of it."""

import os
import re

from claudedo_findings import files, git
from claudedo_findings.errors import FindingsError
from claudedo_findings.git import Places


def add(places: Places, name: str) -> bool:
    """Add the pattern of `<root>/<name>/` to the exclude file, keeping its line ends; return whether it was missing."""
    return files.insist(lambda: _add(places, name))


def _add(places: Places, name: str) -> bool:
    found = files.read(places.exclude)
    data = found or b""
    if _at(data, pattern(places, name)):
        return False
    eol = b"\r\n" if data.partition(b"\n")[0].endswith(b"\r") else b"\n"
    gap = eol if data and not data.endswith(b"\n") else b""
    files.make_folder(os.path.dirname(places.exclude))
    files.write_atomic(places.exclude, data + gap + pattern(places, name) + eol, seen=files.Seen(found))
    return True


def remove(places: Places, name: str) -> bool:
    """Take exactly that pattern's lines out of the exclude file; return whether there were any."""
    return files.insist(lambda: _remove(places, name))


def _remove(places: Places, name: str) -> bool:
    data = files.read(places.exclude) or b""
    lines = data.split(b"\n")
    found = _at(data, pattern(places, name))
    if found:
        kept = [line for number, line in enumerate(lines) if number not in found]
        files.write_atomic(places.exclude, b"\n".join(kept), seen=files.Seen(data))
    return bool(found)


def pattern(places: Places, name: str) -> bytes:
    """Return the line of the exclude file: anchored, with git's special characters escaped."""
    folder = f"/{places.prefix}/{name}/" if places.prefix else f"/{name}/"
    return re.sub(rb"([\\*?\[ ])", rb"\\\1", os.fsencode(folder))


def rule(places: Places, path: str) -> str:
    """Return the rule by which git ignores `path`, as `file:line:pattern`, "" when it does not (one process)."""
    code, output = git.answer(
        ["check-ignore", "--no-index", "-v", "-z", "--stdin"], places.root, stdin=path, codes=(0, 1)
    )
    if code:
        return ""
    source, line, text, _ = output.split("\0")[:4]
    return "" if text.startswith("!") else f"{source}:{line}:{text}"


def tracked(places: Places, path: str) -> list[str]:
    """Return the files at or below `path` that git tracks, relative to the root (one process)."""
    return [name for name in git.run(["ls-files", "-z", "--", path], places.root).split("\0") if name]


def watched(places: Places, name: str) -> tuple[str, ...]:
    """Return the files whose rules may decide whether git passes over `<root>/<name>`; they need not exist.

    One process, which says where the user's own rules lie.
    """
    _, chosen = git.answer(["config", "--get", "--type=path", "core.excludesFile"], places.root, codes=(0, 1))
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    settings = os.environ.get("GIT_CONFIG_GLOBAL") or os.path.join(os.path.expanduser("~"), ".gitconfig")
    folders = [places.toplevel]
    for part in [*filter(None, places.prefix.split("/")), name]:
        folders.append(os.path.join(folders[-1], part))
    return (
        places.exclude,
        *(os.path.join(folder, ".gitignore") for folder in folders),
        os.path.join(places.root, chosen.rstrip("\n")) if chosen.strip() else os.path.join(config, "git", "ignore"),
        os.path.join(places.common_dir, "config"),
        os.path.join(config, "git", "config"),
        settings,
    )


def check_git(places: Places) -> None:
    """Refuse a store outside git: there is nothing to check in to."""
    if not places.common_dir:
        raise FindingsError(
            f"{places.root} is in no git repository, so there is nothing to check in: run 'git init' there"
        )


def _at(data: bytes, wanted: bytes) -> set[int]:
    return {number for number, line in enumerate(data.split(b"\n")) if line.rstrip(b"\r") == wanted}
