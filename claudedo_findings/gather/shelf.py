"""The notes of a harvest: each is read once, and what could not be read is said with the reason."""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from claudedo_findings.errors import FindingsError
from claudedo_findings.files import reason

SIZE_LIMIT = 1 << 20  # bytes; no note that people keep is longer, and parsing one takes about half a minute


@dataclass(frozen=True, kw_only=True)
class Source:
    """A note as it was read. `path` is its name in keys: relative to the root with `/`, absolute for one outside."""

    path: str
    text: str

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]


@dataclass(kw_only=True)
class Shelf:
    """The notes of one run. `complaints` say what could not be read, `copies` which note repeats which to the byte."""

    root: str
    complaints: list[str] = field(default_factory=list)
    copies: dict[str, str] = field(default_factory=dict)
    paths: list[tuple[str, str]] = field(default_factory=list)
    """Of each note to read: its name in keys and where it lies."""
    worktrees: dict[str, str] = field(default_factory=dict)

    def lacks(self, path: str) -> bool:
        """Return whether no note of this name in keys is there any more; one that cannot be looked at still counts."""
        try:
            os.lstat(os.path.join(self.root, path))
        except (FileNotFoundError, NotADirectoryError):
            return not path.startswith("~")  # a home folder that was replaced in the key
        except OSError:
            return False
        return False

    def read(self) -> Iterator[Source]:
        """Yield each note's text once."""
        seen: dict[str, str] = {}
        for path, place in self.paths:
            try:
                data = _bytes(place)
                text = _text(data)
            except FindingsError as error:
                self.complaints.append(f"{path} {error}")
                continue
            first = seen.setdefault(hashlib.sha256(data).hexdigest(), path)
            if first == path:
                yield Source(path=path, text=text)
            elif data.strip():
                self.copies[path] = first


def _bytes(place: str) -> bytes:
    try:
        status = os.stat(place)
        if not stat.S_ISREG(status.st_mode):
            raise FindingsError("is no ordinary file")
        if status.st_size > SIZE_LIMIT:
            raise FindingsError(f"has {status.st_size:,} bytes, the limit is {SIZE_LIMIT:,}: split it")
        with open(place, "rb") as file:
            return file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise FindingsError(f"cannot be read: {reason(error)}") from error


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in data:
        raise FindingsError("is no text: it holds NUL bytes")
    else:
        encoding = "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        complaint = f"is not {encoding.upper()} ({error.reason} at byte {error.start}): save it as UTF-8"
        raise FindingsError(complaint) from error
