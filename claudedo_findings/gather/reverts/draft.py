"""A revert as a draft: a text that a person would approve as it stands."""

import hashlib
import re
from datetime import UTC, datetime

from claudedo_findings import redact, rules
from claudedo_findings.gather.draft import Draft
from claudedo_findings.gather.reverts import clause
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.verdict import Judged

LOOK_ALIKE = "revert-like:"
_APPROACH = 80  # characters of a title's 160: the index shows a hundred, so the approach comes first and short
_REASON = 75
_NAME = 50  # characters of a slug's 64
_QUOTED = 900  # characters; what is longer is in git
_NUMBER = re.compile(r"\s*\(#\d+\)\s*$")
_KIND = re.compile(r"^(?:fix|feat|feature|chore|refactor|perf|style|build)(?:\(([^)]*)\))?!?:\s*", re.IGNORECASE)
_AREA = re.compile(r"^(?:[\w.@-]+/)+([\w.@-]+: )")  # `go/analysis/passes/printf: `: the scope has the rest
_ANY_AREA = re.compile(r"^[\w.,/@ -]{1,60}: ")
_UNTIL = re.compile(r"\b(?:until|as soon as) ([^.;\n]{8,120})", re.IGNORECASE)


def keys(item: Judged) -> tuple[str, str]:
    """Return the keys under which the draft of a revert is kept: its sha, and what outlives a rebase."""
    return _key(item.revert.commit), _look_alike(item)


def of(item: Judged) -> Draft:
    """Return what to propose for a revert."""
    revert = item.revert.commit
    approach = _plain(_clean(item.targets[-1].title))
    why = clause.of(redact.text(item.reason), _REASON)
    title = f"“{_cut(approach, _APPROACH)}” was tried and reverted"
    words = rules.propose_slug(_ANY_AREA.sub("", approach)) or rules.propose_slug(approach)
    return Draft(
        source=_key(revert),
        also=(_look_alike(item), *map(_key, item.others)),
        title=f"{title}: {why}" if why else title,
        body=_body(item),
        scope=item.scope,
        evidence=f"git show {revert.short}",
        retry_when=_until(redact.text(item.reason)),
        name=f"{_cut(words.replace('-', ' '), _NAME)} reverted" if words else f"revert {revert.short}",
    )


def _body(item: Judged) -> str:
    revert = item.revert.commit
    tried = item.targets
    first = f"Tried in {_named(tried[-1])}"
    if len(tried) > 1:
        first += f" and {len(tried) - 1} more commit{'s' if len(tried) > 2 else ''}"
    parts = [f"{first}, taken back by {revert.short} on {_date(revert)}."]
    if item.others:
        parts[0] += f" Reverted too: {', '.join(f'{other.short} ({_date(other)})' for other in item.others)}."
    if item.reason:
        quoted = "\n".join(f"> {line}".rstrip() for line in _cut(redact.text(item.reason), _QUOTED).split("\n"))
        parts.append(f"The revert says why:\n\n{quoted}")
        parts.append(
            f"Do not try it again in that form: answer this first. `git show {tried[-1].short}` is what was tried."
        )
    else:
        parts.append("The revert does not say why: write the reason here before you approve this, or reject it.")
    if item.maybe:
        parts.append(f"Look first whether it was undone: {item.maybe}.")
    return "\n\n".join(parts)


def _named(commit: Commit) -> str:
    return f"{commit.short} ({_date(commit)}, “{_cut(_clean(commit.title), 100)}”)"


def _clean(title: str) -> str:
    """Return a title as it may be kept: what is cut from it, or made a slug of, no longer looks like a secret."""
    return redact.text(title, "")


def _date(commit: Commit) -> str:
    return datetime.fromtimestamp(commit.authored, UTC).date().isoformat()


def _plain(subject: str) -> str:
    """Return a subject without its number and its kind, but with the area that a kind names."""
    plain = _KIND.sub(lambda found: f"{found[1]}: " if found[1] else "", _NUMBER.sub("", subject)).strip()
    return _AREA.sub(r"\1", plain)


def _until(reason: str) -> str:
    found = _UNTIL.search(" ".join(reason.split()))
    return found[1].strip() if found else ""


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rsplit(maxsplit=1)[0].rstrip(" ,;:") + "…"


def _key(revert: Commit) -> str:
    return f"revert:{revert.sha}"


def _look_alike(item: Judged) -> str:
    """Return a key made of author time, subject and files, which a rebase keeps; two of them alone are not unique."""
    revert = item.revert.commit
    parts = "\0".join([str(revert.authored), revert.subject, *item.touched])
    return f"{LOOK_ALIKE}{hashlib.sha256(parts.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"
