"""Scopes: a trap is about a path only where its text names exactly one."""

import pytest

from claudedo_findings.gather import scopes
from claudedo_findings.gather.scopes import Tracked

TRACKED = Tracked(
    [
        "src/billing/invoice.py",
        "src/billing/tax.py",
        "src/shop/tax.py",
        "tools/deploy/run.sh",
        "docs/gotchas.md",
        "docs/diagram.svg",
        "Makefile",
        "poetry.lock",
        "package-lock.json",
        ".gitignore",
        "größe/maß.py",
    ]
)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("src/billing/invoice.py", "src/billing/invoice.py"),
        ("./src/billing/invoice.py", "src/billing/invoice.py"),
        ("src\\billing\\invoice.py", "src/billing/invoice.py"),
        ("src/billing/invoice.py:42", "src/billing/invoice.py"),
        ("src/billing/invoice.py:42-50", "src/billing/invoice.py"),
        ("src/billing/invoice.py#L42", "src/billing/invoice.py"),
        ("invoice.py::total()", "src/billing/invoice.py"),
        ("billing/invoice.py", "src/billing/invoice.py"),
        ("invoice.py", "src/billing/invoice.py"),
        ("../src/billing/invoice.py", "src/billing/invoice.py"),
        ("diagram.svg", "docs/diagram.svg"),
        ("src/billing/", "src/billing"),
        ("src/billing", "src/billing"),
        ("Makefile", "Makefile"),
        ("größe/maß.py", "größe/maß.py"),
        # several, or none
        ("tax.py", ""),
        ("billing", ""),
        ("voice.py", ""),
        ("../../src/billing/invoice.py", ""),
        ("/src/billing/invoice.py", ""),
        ("src/*.py", ""),
        ("python src/billing/invoice.py", ""),
        ("https://example.org/invoice.py", ""),
        ("docs/gotchas.md", ""),
        ("poetry.lock", ""),
        ("package-lock.json", ""),
        (".gitignore", ""),
        ("", ""),
    ],
)
def test_name_means_one_tracked_path_or_none(name: str, path: str) -> None:
    assert TRACKED.find(name, "docs") == path


@pytest.mark.parametrize(
    ("title", "body", "path"),
    [
        ("`invoice.py` rounds twice", "See `run.sh` and `billing/tax.py`.", "src/billing/invoice.py"),
        ("It rounds twice", "See `invoice.py`, or `src/billing/invoice.py:7`.", "src/billing/invoice.py"),
        ("It rounds twice", "See [the script](../tools/deploy/run.sh).", "tools/deploy/run.sh"),
        ("It rounds twice", "See `invoice.py` and `run.sh`.", ""),
        ("It rounds twice", "See invoice.py.", ""),
        ("It rounds twice", "See `round()`.", ""),
    ],
)
def test_scope_is_what_the_title_names_else_what_the_body_names(title: str, body: str, path: str) -> None:
    assert scopes.scope(title, body, TRACKED, "docs") == path
