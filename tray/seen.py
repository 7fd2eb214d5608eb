"""What the tray saw when it last looked: plain data, from which the menu is made."""

from dataclasses import dataclass

from claudedo_findings import rules
from claudedo_findings.store import Store


@dataclass(frozen=True, kw_only=True)
class Newest:
    """One of the newest findings of a list."""

    title: str
    path: str


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One list; with an `error` nothing but its name and folder is certain."""

    name: str
    folder: str
    error: str = ""
    store: Store | None = None
    exists: bool = False
    in_git: bool = False
    checked_in: bool = False
    """What git says of a store that exists."""
    rule: str = ""
    """Another rule than the tool's own by which git passes over the store, as `file:line:pattern`."""
    warning: str = ""
    findings: int = 0
    stale: int = 0
    candidates: int = 0
    newest: tuple[Newest, ...] = ()

    @property
    def long(self) -> bool:
        """Whether the index is longer than agents should read."""
        return self.findings >= rules.INDEX_ENTRIES

    @property
    def needs_attention(self) -> bool:
        return bool(self.error or self.warning or self.long or self.stale or self.candidates)


@dataclass(frozen=True, kw_only=True)
class Service:
    """The HTTP service that the tray hosts: its address once it serves, or why it does not."""

    url: str = ""
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Everything the menu is made from. `problems` are sources of lists that cannot be read."""

    lists: tuple[Seen, ...] = ()
    problems: tuple[str, ...] = ()
    editor: bool = False
    service: Service | None = None

    @property
    def needs_attention(self) -> bool:
        failed = self.service is not None and bool(self.service.error)
        return bool(self.problems) or failed or any(one.needs_attention for one in self.lists)


@dataclass(frozen=True, kw_only=True)
class Saved:
    """A finding that was saved since the look before."""

    list: str
    title: str
    path: str
