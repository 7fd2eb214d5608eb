"""The service's one log file: what happened when, never what was in it."""

import logging
import logging.handlers
import os
import traceback
from types import TracebackType

from claudedo_findings import files, folders
from claudedo_findings.errors import FindingsError

_BYTES, _OLD = 1024 * 1024, 3  # per file; how many are kept beside the current one

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def path() -> str:
    """Return the absolute path of the log file; it may not exist yet."""
    return os.path.join(folders.state(), "service.log")


def start(level: str) -> logging.Handler:
    """Let this package and uvicorn log to the file at `level` and up; return the handler.

    Of the SDK only warnings pass: its debug lines hold whole messages.
    """
    files.make_folder(folders.state())
    try:
        handler = logging.handlers.RotatingFileHandler(path(), maxBytes=_BYTES, backupCount=_OLD, encoding="utf-8")
    except OSError as error:
        raise FindingsError(f"cannot write the log file {path()}: {files.reason(error)}") from error
    handler.setFormatter(_Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    logging.raiseExceptions = False  # a full disk must not fill stderr, which a host may not read
    wanted = getattr(logging, level.upper())
    for name, lowest in (("claudedo_findings", wanted), ("uvicorn", wanted), ("mcp", max(wanted, logging.WARNING))):
        logger = logging.getLogger(name)
        logger.setLevel(lowest)
        logger.addHandler(handler)
        logger.propagate = False
    return handler


class _Formatter(logging.Formatter):
    """Writes where something failed, but not the error's own words: they may quote what a client sent."""

    def format(self, record: logging.LogRecord) -> str:
        if record.name.startswith("mcp."):  # its messages may quote a client too: the line in its source says enough
            record.msg, record.args = f"{record.funcName}, line {record.lineno}", None
        return super().format(record)

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802  # logging's name
        kind, _, trace = ei
        return "".join(traceback.format_tb(trace)) + (kind.__name__ if kind else "")
