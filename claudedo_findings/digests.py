"""What is known of a transcript is kept in the state folder, so that it is read through once and not each time."""

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import pydantic

from claudedo_findings import credentials, files, folders, hidden, homes, redact, screen, transcripts
from claudedo_findings.errors import FindingsError
from claudedo_findings.transcripts.model import Digest

_KEPT = 90 * 86_400  # seconds; agents delete their transcripts after 30 days by default
_REDACTING = (redact.__file__, homes.__file__, credentials.__file__, hidden.__file__, screen.__file__)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    reader: str
    """Of the code that read the transcript: another version may see more in it."""
    size: int
    changed: int
    digest: Digest


def of(path: str) -> Digest:
    """Return what a transcript holds, from the state folder when size and time are those it was read with.

    Raises FindingsError when it cannot be read.
    """
    try:
        status = os.stat(path)
        kept = _kept(_place(path))
        if kept and (kept.reader, kept.size, kept.changed) == (_reader(), status.st_size, status.st_mtime_ns):
            return kept.digest
        with open(path, "rb", buffering=1 << 20) as file:
            digest = transcripts.read(file, path)
    except OSError as error:
        raise FindingsError(f"cannot read {path}: {files.reason(error)}") from error
    _keep(_place(path), _Entry(reader=_reader(), size=status.st_size, changed=status.st_mtime_ns, digest=digest))
    return digest


def sweep() -> None:
    """Delete what was kept of transcripts that were read more than 90 days ago."""
    with suppress(FindingsError):  # what cannot be deleted today can stay
        for name in files.names(_folder()):
            path = os.path.join(_folder(), name)
            if files.changed(path) < time.time() - _KEPT:
                files.remove(path)


def _kept(place: str) -> _Entry | None:
    try:
        return _entries().validate_json(files.read(place) or b"")
    except (FindingsError, pydantic.ValidationError):  # not there, of another version, or damaged: read again
        return None


def _keep(place: str, entry: _Entry) -> None:
    try:
        files.make_folder(_folder())
        files.write_atomic(place, _entries().dump_json(entry, exclude_defaults=True), durable=False, mode=0o600)
    except FindingsError:  # then it is read again the next time
        return


@cache
def _entries() -> pydantic.TypeAdapter[_Entry]:
    return pydantic.TypeAdapter(_Entry)


@cache
def _reader() -> str:
    """Return a digest of the code that reads transcripts, so that nobody has to remember a version number."""
    folder = os.path.dirname(transcripts.__file__)
    paths = [os.path.join(folder, name) for name in sorted(files.names(folder)) if name.endswith(".py")]
    sources = (files.read(path) or b"" for path in (*paths, *_REDACTING))
    return hashlib.sha256(b"\0".join(sources)).hexdigest()[:16]


def _folder() -> str:
    return os.path.join(folders.state(), "transcripts")


def _place(path: str) -> str:
    return os.path.join(_folder(), f"{folders.key(path)}.json")
