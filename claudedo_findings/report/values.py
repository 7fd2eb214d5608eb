"""What report says, as plain values; None stands wherever there is no data, never 0."""

from dataclasses import dataclass

from claudedo_findings.report.measures import Comparison, Figure, Group, Share


@dataclass(frozen=True, kw_only=True)
class Counted:
    """How often, in how many runs, and when for the first and the last time ("" where no time was given)."""

    times: int
    runs: int
    first: str = ""
    last: str = ""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """One run that opened a finding: what people call it, its model there, and when for the first time."""

    run: str
    model: str
    at: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """What transcripts say of one finding."""

    slug: str
    state: str
    """"listed", "unlisted" (expired or not yet in the index), or "gone" (retired, renamed, deleted)."""
    title: str
    scope: str
    saved: tuple[str, ...] | None
    offered: Counted | None
    """An index read that could name it, or a hook that showed it."""
    by_index: int | None
    by_hook: int | None
    """In how many runs it was offered so."""
    opened: Counted | None
    openings: tuple[Opening, ...]
    models: tuple[tuple[str, Share], ...]
    """Of the runs that it was offered to, those that opened it."""
    share: Share | None
    before: Counted | None
    """Errors that fit it in runs that opened it, before they did."""
    after: Counted | None
    """Errors that fit it after it was opened in the same context: opened and failed anyway."""
    unopened: Counted | None
    """Errors that fit it in runs that never opened it."""


@dataclass(frozen=True, kw_only=True)
class Lists:
    """The slugs of findings that deserve a look."""

    never_offered: tuple[str, ...]
    never_opened: tuple[str, ...]
    """Offered, and never opened."""
    opened_and_failed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Price:
    """What the index itself costs: its size now, and how often it was sent again."""

    entries: int
    bytes: int
    tokens: int
    """Estimated."""
    runs: int | None
    turns: int | None
    """Answers that were given after the index had been read, in the same context."""
    tokens_in: int | None
    """All that those runs sent, as far as it was counted."""

    @property
    def carried(self) -> int | None:
        """The tokens of the index times the turns that carried it."""
        return None if self.turns is None else self.turns * self.tokens


@dataclass(frozen=True, kw_only=True)
class Event:
    """One point of the timeline: `kind` is "saved", "index", "hook", "opened" or "failed" (after it was opened)."""

    kind: str
    at: str
    slug: str = ""


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What was looked at."""

    transcripts: int
    lines: int
    broken: int
    unknown: int
    unfinished: int
    copies: int
    runs: int
    retries: int
    """Those of them that are retries by the host's word; the figures are about the others."""
    first: str
    last: str
    host_runs: int | None
    """The runs that the host recorded of this project; None when it could not be asked."""
    matched: int | None
    """Those of them of which a transcript was there."""
    complaints: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Report:
    """All of it. `lists` is None when there are no runs: then nothing can be said."""

    list: str
    store: str
    made: str
    looked: Looked
    findings: tuple[Row, ...]
    figures: tuple[Figure, ...]
    retries: Comparison | None
    groups: tuple[Group, ...]
    withheld: tuple[tuple[str, str], ...]
    """The measures of `groups` without a figure for all models, and why."""
    lists: Lists | None
    price: Price | None
    events: tuple[Event, ...]
    not_known: tuple[str, ...]
