"""Scopes and paths meet both ways: the path in the scope, the scope in the path."""

import pytest

from claudedo_findings import scope
from claudedo_findings.scope import HOLDS, INSIDE, PROJECT, SAME


@pytest.mark.parametrize(
    ("stored", "path", "score"),
    [
        ("src/app.py", "src/app.py", SAME),
        ("src", "src", SAME),
        ("src/", "src/app.py", INSIDE),
        ("src", "src/billing/invoice.py", INSIDE),
        ("src/billing/invoice.py", "src", HOLDS),
        ("src/app.py", ".", HOLDS),
        (".", "src/app.py", PROJECT),
        (".", ".", SAME),
        ("größe/ä.py", "größe", HOLDS),
    ],
)
def test_scope_fits_a_path(stored: str, path: str, score: float) -> None:
    fit = scope.fit(stored, path)
    assert fit
    assert fit.score == score
    assert fit.reason.startswith("scope: ")


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        ("", "src/app.py"),
        ("", "."),
        ("src/app.py", "src/app.pyi"),
        ("src/app", "src/app.py"),
        ("src", "source/app.py"),
        ("app.py", "src/app.py"),
        ("src/a", "src/b"),
    ],
)
def test_scope_does_not_fit_another_path(stored: str, path: str) -> None:
    assert scope.fit(stored, path) is None
