"""The verdict on one finding: whether what it says about its scope can still be true."""

from dataclasses import dataclass, replace

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
SCATTERED = 0.50  # of a folder's lines: where more are gone, the files that went several ways are not the folder


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


def drifted(so_far: Verdict, found: Drift, *, folder: bool) -> Verdict:
    """Return the verdict on a scope whose path is still there, but with another object."""
    complaint = _complaint(found, folder=folder)
    gone = f"{_percent(found)} of its lines are gone" if found.gone else "none of its lines is gone"
    return replace(
        so_far,
        word=CHANGED if complaint else FRESH,
        why=complaint or f"touched, {gone}",
        percent=_whole_percent(found),
        symbols_gone=found.symbols_gone,
    )


def elsewhere(so_far: Verdict, places: tuple[str, ...], found: Drift, *, folder: bool) -> Verdict:
    """Return the verdict on a scope whose path is gone, by the places that may have its content now."""
    kind = "folder" if folder else "file"
    if not places or (folder and len(places) > 1 and found.share > SCATTERED):
        return replace(so_far, word=GONE, why=f"the {kind} is gone, and nothing like it remains")
    shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
    why = f"the {kind} is now {shown}"
    if len(places) > 1:
        why = f"its files are now in {shown}" if folder else f"it may now be any of {shown}"
    complaint = _complaint(found, folder=folder)
    return replace(
        so_far,
        word=MOVED,
        why=f"{why}; changed too: {complaint}" if complaint else why,
        places=places,
        percent=_whole_percent(found),
        symbols_gone=found.symbols_gone,
    )


def _complaint(found: Drift, *, folder: bool) -> str:
    """Return what makes a scope changed, "" when it is touched below the thresholds."""
    if found.opaque:
        return "it is another file now, and its lines cannot be compared"
    reasons = []
    if found.symbols_gone:
        names = ", ".join(f"`{name}`" for name in found.symbols_gone)
        reasons.append(f"{names} stood there and {'is' if len(found.symbols_gone) == 1 else 'are'} gone")
    if found.lines and found.share >= (FOLDER_SHARE if folder else FILE_SHARE):
        reasons.append(f"{_percent(found)} of its lines are gone")
    return "; ".join(reasons)


def _whole_percent(found: Drift) -> int:
    """Return the share of lines that are gone, rounded down, so that no fresh scope shows the threshold."""
    return 100 * found.gone // found.lines if found.lines else 0


def _percent(found: Drift) -> str:
    return f"{_whole_percent(found) or 'under 1'} %"
