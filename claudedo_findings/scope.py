"""Which findings are about a path: their scope is that path, holds it, or lies in it."""

from typing import NamedTuple

# How well, on the scale of the word score.
SAME, INSIDE, HOLDS, PROJECT = 1.0, 0.8, 0.6, 0.2


class Fit(NamedTuple):
    """How well a scope fits a path (0 to 1), and why."""

    score: float
    reason: str


def fit(scope: str, path: str) -> Fit | None:
    """Return how a scope fits a path, None when it does not. Both are relative to the store's root, "." for that."""
    place = scope.strip("/")
    if not place:
        return None
    if place == path:
        return Fit(SAME, f"scope: {path} itself")
    if place == ".":
        return Fit(PROJECT, "scope: the whole project")
    if path.startswith(f"{place}/"):
        return Fit(INSIDE, f"scope: {path} lies in {place}")
    if path == "." or place.startswith(f"{path}/"):
        return Fit(HOLDS, f"scope: {place} lies in {'the project' if path == '.' else path}")
    return None
