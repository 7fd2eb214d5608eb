"""Writes the page where the user wants it, over an older page but over nothing else."""

import os

from claudedo_findings import files
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.report import page
from claudedo_findings.report.values import Report

_HEAD = 2_000  # bytes in which a page of ours says that it is one


def check(path: str) -> None:
    """Refuse a place that holds something else than an older page, before the work begins. Raises FindingsError."""
    if os.path.isdir(path):
        raise FindingsError(f"{shown(path, 300)} is a folder: name a file")
    if not os.path.isdir(os.path.dirname(path)):
        raise FindingsError(f"there is no folder {shown(os.path.dirname(path), 300)}: make it first")
    old = files.read(path)
    if old and page.MARK.encode() not in old[:_HEAD]:
        raise FindingsError(f"{shown(path, 300)} is no page of this verb, so it is left alone: name another file")


def write(report: Report, path: str) -> None:
    """Write the page, whole or not at all. Raises FindingsError when it cannot be written."""
    files.write_atomic(path, page.html(report).encode("utf-8", "replace"), durable=False)
