"""Save one finding: from what the caller says to the main checkout, and an answer a checker can verify."""

import os
from collections.abc import Mapping

from claudedo_findings import git, hidden, lists, match, resolution, rules, screen
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Finding
from claudedo_findings.store import Outcome, Store


def save_finding(
    *,
    slug: str,
    title: str,
    body: str,
    scope: str = "",
    wanted_list: str = "",
    caller: resolution.Caller,
    notes: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Write a finding into the store of the list that is meant and return the answer of design §5.

    Raises FindingsError when a field is refused, no list is meant, or the store cannot be written;
    then nothing of this finding was stored.
    """
    _check_list(wanted_list)
    # Refused before git is asked.
    checked = Finding(slug=slug, title=title, body=body, scope=scope, notes=notes or {})
    target = resolution.resolve(caller, wanted_list)
    places = lists.root(target.list)
    new = checked.stamped(source_task=target.task, verified_against=places.head)
    store = Store(places)
    outcome = store.save(new, keep_scope=not scope.strip())
    warnings = [*target.warnings, *outcome.warnings, *advice(places, new, outcome, target.worktree)]
    return {
        "status": outcome.status,
        "slug": new.slug,
        "list": target.list.name,
        "path": store.finding_path(new.slug),
        "index": store.index_path,
        "sourceTask": outcome.source_task,
        "verifiedAgainst": outcome.verified_against,
        "entries": len(outcome.hooks),
        "indexBytes": outcome.index_bytes,
        "warnings": warnings,
    }


def advice(places: git.Places, new: Finding, outcome: Outcome, worktree: str = "") -> tuple[str, ...]:
    """Return what to tell whoever saved: where the store lies, the scope, the sizes, and what is similar."""
    hooks = {name: hook for name, hook in outcome.hooks.items() if name != new.slug}
    return (
        *filter(None, [places.warning, _missing_scope(new.scope, places.root, places.prefix, worktree)]),
        *_size_warnings(new, len(outcome.hooks), outcome.index_bytes),
        *(
            f"similar to the finding {name!r} ({shown(hooks[name], 120)}): if it is the same trap, save that slug again"
            for name in match.similar(new.title, hooks)
        ),
    )


def _check_list(wanted: str) -> None:
    if wanted and (hidden.kind(wanted) or screen.secret(wanted)):
        raise FindingsError("list holds a hidden character or what looks like a secret: give the list's name or id")


def _missing_scope(scope: str, root: str, prefix: str, worktree: str) -> str:
    if not scope or os.path.lexists(os.path.join(root, scope)):
        return ""
    if worktree and os.path.lexists(os.path.join(worktree, prefix, scope)):
        return ""
    return f"the scope {shown(scope)} does not exist in {root}: correct it by saving this slug again, or leave it"


def _size_warnings(new: Finding, entries: int, index_bytes: int) -> list[str]:
    warnings = []
    if entries >= rules.INDEX_ENTRIES or index_bytes > rules.INDEX_BYTES:
        warnings.append(
            f"the index has {entries} entries and {index_bytes} bytes (about {index_bytes // 4} tokens), and every run"
            " reads it: tell the user to clean up with 'claudedo-findings stale', 'merge' and 'retire'"
        )
    if len(new.body) > rules.LONG_BODY:
        warnings.append(
            f"the body has {len(new.body)} characters (about {len(new.body) // 4} tokens):"
            f" a finding should stay under {rules.LONG_BODY}; say what happens, why, and what to do instead"
        )
    return warnings
