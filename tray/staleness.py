"""How many findings of a store can no longer be trusted; asked again for those alone that may have changed."""

from collections.abc import Hashable, Mapping
from datetime import date

from claudedo_findings import stale, verdict
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store
from tray.watch import Stamp

_TRUSTED = (verdict.FRESH, verdict.UNKNOWN)  # of the unknown nothing is known, so nothing can be told


class Staleness:
    """The verdicts of one store."""

    def __init__(self) -> None:
        self._ground: Hashable = None
        self._stamps: Mapping[str, Stamp] = {}
        self._words: dict[str, str] = {}
        self.problem = ""

    def forget_problem(self) -> None:
        """Ask again the next time if the last answer was an error."""
        if self.problem:
            self._ground = None

    def count(self, store: Store, head: Hashable, stamps: Mapping[str, Stamp]) -> int:
        """Return how many findings are stale; all are asked about when HEAD or the day is another one.

        Where that cannot be told, `problem` says why, and the number is that of those about which something is known.
        """
        ground = head, date.today()
        known = self._stamps if ground == self._ground else {}
        changed = [slug for slug in stamps if stamps[slug] != known.get(slug)]
        try:
            if changed:
                self._words |= {found.slug: found.word for found in stale.verdicts(store, date.today(), changed)}
                self.problem = ""
        except FindingsError as error:
            self.problem = str(error)
        self._ground, self._stamps = ground, stamps
        return sum(self._words.get(slug, verdict.UNKNOWN) not in _TRUSTED for slug in stamps)
