"""What becomes of a finding that is saved again."""

from collections.abc import Callable

from claudedo_findings import rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding, Stored


def merge(new: Finding, stored: Stored | None, *, keep_scope: bool) -> Finding:
    """Return the finding to write over a stored one.

    A left-out scope and the task that first told the same text are kept; what a hand made unusable there is not.
    """
    if stored is None:
        return new
    scope = _usable(rules.scope, stored.scope) if keep_scope else new.scope
    told_before = (stored.title, stored.body, stored.scope) == (new.title, new.body, scope)
    return Finding(
        slug=new.slug,
        title=new.title,
        body=new.body,
        scope=scope,
        source_task=_usable(rules.source_task, stored.keys.get("source-task", "")) if told_before else new.source_task,
        verified_against=new.verified_against,
        notes=new.notes,
    )


def status(new: Finding, stored: Stored | None, old: str | None, text: str) -> str:
    """Return created, updated, renewed (same text, new stamp) or unchanged; `text` is what would be written."""
    if stored is None:
        return "created"
    if text == old:
        return "unchanged"
    same = (stored.title, stored.body, stored.scope) == (new.title, new.body, new.scope)
    kept = all(stored.keys.get(name, "") == value for name, value in new.notes.items())
    if same and kept and not stored.complaint:
        return "unchanged" if stored.keys.get("verified-against", "") == new.verified_against else "renewed"
    return "updated"


def _usable(rule: Callable[[str], str], value: str) -> str:
    try:
        return rule(value)
    except FindingsError:
        return ""
