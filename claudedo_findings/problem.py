"""What an examination of a store or of the machine found."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One complaint: its rule, where it is, what is wrong, and what to do.

    `line` counts from 1; 0 stands for a place that has no lines, as a folder or a program.
    """

    rule: str
    path: str
    line: int = 0
    what: str
    hint: str
    slug: str = ""

    @property
    def where(self) -> str:
        """Return `file:line`, which editors and terminals turn into a link."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was looked at and is fine, what is not, and what could not be looked at, a sentence each."""

    fine: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    not_checked: tuple[str, ...] = ()
