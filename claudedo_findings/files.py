"""The door to the file system: whole files or none."""

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple, TypeVar

from claudedo_findings import anchor
from claudedo_findings.errors import FindingsError

RETRY_SECONDS = 2.5
# Windows: access denied, sharing violation, lock violation. A scanner, an indexer or an editor holds the file.
_BUSY_WINERRORS = frozenset({5, 32, 33})
_CHUNK = 16_384  # bytes; nearly every finding is smaller
_LOOKS = 10  # times that a deed looks anew because somebody without the lock, an editor for one, writes too
_TEMP = re.compile(r"\..+\.[0-9a-f]{8}\.tmp\Z", re.DOTALL)
_Result = TypeVar("_Result")


class Seen(NamedTuple):
    """What a file held when its writer looked: None when it was not there."""

    data: bytes | None


class ChangedError(FindingsError):
    """A file is no longer what its writer saw: people and git write without the lock."""


def insist(deed: Callable[[], _Result]) -> _Result:
    """Do a deed that looks before it writes, again from its look on when a file changed in between."""
    for _ in range(_LOOKS - 1):
        with suppress(ChangedError):
            return deed()
    return deed()


def read(path: str) -> bytes | None:
    """Return the file's bytes, or None when there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FindingsError(f"cannot read {path}: {reason(error)}") from error


def read_each(folder: str, names: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """Yield the bytes of each file in a folder, None for one that cannot be read; one that has gone is left out.

    For 10,000 files: four system calls each, where `open` takes twice as many.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    for name in names:
        try:
            handle = os.open(f"{folder}{os.sep}{name}", flags)
        except FileNotFoundError:
            continue
        except OSError:
            yield name, None
            continue
        try:
            data = os.read(handle, _CHUNK)
            if len(data) == _CHUNK:  # there may be more
                with open(handle, "rb", closefd=False) as rest:
                    data += rest.read()
            yield name, data
        except OSError:
            yield name, None
        finally:
            os.close(handle)


def write_atomic(path: str, data: bytes, *, durable: bool = True, mode: int = 0o666, seen: Seen | None = None) -> None:
    """Put `data` in the file at `path`: readers see the old file or the new one, whole; `durable` outlives a power cut.

    `mode` is that of the new file, less the umask. A link at `path` stays one: the file that it leads to is written.
    With `seen` only what the writer saw is replaced.

    Raises ChangedError when that is no longer there, and FindingsError when the system refuses; then the old file is
    whole and no temp file remains.
    """
    meant, path = path, os.path.realpath(path) if os.path.islink(path) else path
    folder, name = os.path.split(path)
    temp = f".{name}.{os.urandom(4).hex()}.tmp"
    try:
        with anchor.opened(folder, meant) as place:
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
                handle = os.open(place.name(temp), flags, mode, dir_fd=place.handle)
                with open(handle, "wb") as file:
                    file.write(data)
                    if durable:
                        file.flush()
                        os.fsync(file.fileno())
                _look_again(path, seen)
                _replace(place, temp, place, name)
            except BaseException:
                with suppress(OSError):
                    os.unlink(place.name(temp), dir_fd=place.handle)
                raise
            if durable:
                _sync(place)
    except OSError as error:
        raise FindingsError(f"cannot write {path}: {reason(error)}; nothing was changed") from error


def create(path: str) -> bool:
    """Create an empty file and return whether it is new; of several processes exactly one is told so."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        return False
    except OSError as error:
        raise FindingsError(f"cannot create {path}: {reason(error)}") from error
    return True


def make_folder(path: str, *, durable: bool = False) -> None:
    """Create the folder and its parents where they are missing; with `durable`, so that it outlives a power cut."""
    try:
        missing = []
        while path and not os.path.isdir(path):
            path, name = os.path.split(path)
            missing.append(name)
        for name in reversed(missing):
            with anchor.opened(path) as place:
                with suppress(FileExistsError):  # of another process, or a file, which the next step or user meets
                    os.mkdir(place.name(name), dir_fd=place.handle)
                if durable:
                    _sync(place)
            path = os.path.join(path, name)
            if not os.path.isdir(path):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except OSError as error:
        raise FindingsError(f"cannot create the folder {path}: {reason(error)}") from error


def remove(path: str, seen: Seen | None = None) -> None:
    """Delete a file if it is there; with `seen` only what was seen, else ChangedError is raised."""
    folder, name = os.path.split(path)
    _look_again(path, seen)
    try:
        with anchor.opened(folder) as place:
            os.unlink(place.name(name), dir_fd=place.handle)
    except FileNotFoundError:
        return
    except OSError as error:
        raise FindingsError(f"cannot delete {path}: {reason(error)}") from error


def move(source: str, target: str) -> None:
    """Rename a file, which keeps its mode; a link stays a link. Refuses to overwrite."""
    if os.path.lexists(target):
        raise FindingsError(f"cannot move {source}: {target} is there already; move that away first")
    (folder, name), (other, new) = os.path.split(source), os.path.split(target)
    try:
        with anchor.opened(folder) as place, anchor.opened(other) as there:
            _replace(place, name, there, new)
    except OSError as error:
        raise FindingsError(f"cannot move {source} to {target}: {reason(error)}") from error


def remove_folder(path: str) -> None:
    """Delete an empty folder."""
    folder, name = os.path.split(path)
    try:
        with anchor.opened(folder) as place:
            os.rmdir(place.name(name), dir_fd=place.handle)
    except OSError as error:
        raise FindingsError(f"cannot delete the folder {path}: {reason(error)}") from error


def changed(path: str) -> float:
    """Return when a file was last changed, in seconds since the epoch; 0 when it is not there."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def regular(folder: str) -> list[tuple[str, bool]]:
    """Return the names of the files in a folder, each with whether it is a symlink; [] when there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return [(entry.name, entry.is_symlink()) for entry in entries if entry.is_file()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FindingsError(f"cannot read the folder {folder}: {reason(error)}") from error


def names(folder: str) -> list[str]:
    """Return the names in a folder, [] when there is no such folder."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FindingsError(f"cannot read the folder {folder}: {reason(error)}") from error


def sweep(folder: str) -> None:
    """Delete the temp files in a folder. Every writer holds the lock, so what is here now was left by a killed one."""
    for name in names(folder):
        if is_temp(name):
            remove(os.path.join(folder, name))


def is_temp(name: str) -> bool:
    """Return whether a name is that of a temp file of `write_atomic`."""
    return bool(_TEMP.match(name))


def real(path: str) -> str:
    """Return a path without its links; one that no file can have, with a NUL in it, stays as it is."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return path


def reason(error: OSError) -> str:
    """Return the system's words for an error, without the path that the message names anyway."""
    return error.strerror or str(error)


def _look_again(path: str, seen: Seen | None) -> None:
    """Refuse to go on when a file is no longer what was seen."""
    # What comes between this look and the next step is lost: some microseconds, where it was two durable writes.
    if seen and read(path) not in (seen.data, None):
        raise ChangedError(f"{path} was changed by somebody else just now: look at it and try again")


def _replace(place: anchor.Folder, source: str, there: anchor.Folder, target: str) -> None:
    pause, deadline = 0.01, time.monotonic() + RETRY_SECONDS
    while True:
        try:
            os.replace(place.name(source), there.name(target), src_dir_fd=place.handle, dst_dir_fd=there.handle)
            return
        except OSError as error:
            if getattr(error, "winerror", None) not in _BUSY_WINERRORS or time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)
        pause = min(pause * 2, 0.2)


def _sync(place: anchor.Folder) -> None:
    """Make what was done in a folder outlive a power cut, where the system can."""
    if sys.platform == "win32":  # a folder cannot be opened there; NTFS journals the rename
        return
    try:
        handle = os.open(place.path or ".", os.O_RDONLY) if place.handle is None else place.handle
        try:
            os.fsync(handle)
        finally:
            if place.handle is None:
                os.close(handle)
    except OSError as error:
        # Some file systems cannot sync a folder, and one that may only be written to cannot be opened.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):
            raise FindingsError(f"{place.path} was written but may not outlive a power cut: {reason(error)}") from error
