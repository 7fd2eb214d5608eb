"""The verdict on one finding: whether what it says about its scope can still be true."""

from collections.abc import Sequence
from dataclasses import dataclass

from claudedo_findings.drift import Drift

FRESH, CHANGED, MOVED, GONE, EXPIRED, UNKNOWN = "fresh", "changed", "moved", "gone", "expired", "unknown"
UNTOUCHED = "untouched"
# What misleads an agent most comes first. An expired finding no agent reads any more.
WORST_FIRST = (GONE, CHANGED, MOVED, EXPIRED, UNKNOWN, FRESH)
# Measured on seven public repositories, 24 stamps each, files touched in the 30 days before: after 180 days 78 % of
# such files have changed, and 17 % lost a fifth of their lines. A given symbol of a file is gone in 6 % of the files
# that lost 10 to 20 % of their lines, in 13 % at 20 to 30 %, in 47 % at half and more.
FILE_SHARE = 0.20
FOLDER_SHARE = 0.30  # after 180 days 95 % of such folders have changed, and 31 % lost this share


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A verdict in one of six words, why, and what a reader needs to check it."""

    slug: str
    word: str
    why: str
    scope: str = ""
    stamp: str = ""
    percent: int = 0
    """How much of the scope's stamped lines is gone, rounded down, 0 to 100."""
    symbols_gone: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Where a moved scope lies now, relative to the store's root."""
    notes: tuple[str, ...] = ()

    @property
    def fresh(self) -> bool:
        return self.word == FRESH

    @property
    def touched(self) -> bool:
        """Whether git found something else at HEAD than at the stamp."""
        return self.word in (CHANGED, MOVED, GONE) or (self.fresh and self.why != UNTOUCHED)

    def as_json(self) -> dict[str, object]:
        """Return the verdict with the keys that `--json` gives it."""
        return {
            "slug": self.slug,
            "verdict": self.word,
            "why": self.why,
            "scope": self.scope,
            "verifiedAgainst": self.stamp,
            "linesGonePercent": self.percent,
            "symbolsGone": list(self.symbols_gone),
            "places": list(self.places),
            "notes": list(self.notes),
        }


def rank(verdict: Verdict) -> tuple[int, int, str]:
    """Return the key that sorts verdicts, the worst first."""
    return WORST_FIRST.index(verdict.word), -verdict.percent, verdict.slug


def of_drift(drift: Drift, *, folder: bool) -> tuple[str, str]:
    """Return the word and the reason for a scope whose path is still there but whose object is another one."""
    complaint = complaint_of(drift, folder=folder)
    if complaint:
        return CHANGED, complaint
    return (
        FRESH,
        f"touched, {_percent(drift)} of its lines are gone" if drift.gone else "touched, none of its lines is gone",
    )


def complaint_of(drift: Drift, *, folder: bool) -> str:
    """Return what makes a scope changed, "" when it is touched below the thresholds."""
    if drift.opaque:
        return "it is another file now, and its lines cannot be compared"
    reasons = []
    if drift.symbols_gone:
        names = ", ".join(f"`{name}`" for name in drift.symbols_gone)
        reasons.append(f"{names} stood there and {'is' if len(drift.symbols_gone) == 1 else 'are'} gone")
    if drift.lines and drift.share >= (FOLDER_SHARE if folder else FILE_SHARE):
        reasons.append(f"{_percent(drift)} of its lines are gone")
    return "; ".join(reasons)


def of_places(places: Sequence[str], kind: str) -> tuple[str, str]:
    """Return the word and the reason for a scope whose path is gone, by where its content lies now."""
    if not places:
        return GONE, f"the {kind} is gone, and nothing like it remains"
    shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
    if len(places) == 1:
        return MOVED, f"the {kind} is now {shown}"
    return MOVED, f"its files are now in {shown}" if kind == "folder" else f"it may now be any of {shown}"


def percent(drift: Drift) -> int:
    """Return the share of lines that are gone in percent, rounded down, so that no fresh scope shows a threshold."""
    return 100 * drift.gone // drift.lines if drift.lines else 0


def _percent(drift: Drift) -> str:
    return f"{percent(drift) or 'under 1'} %"
