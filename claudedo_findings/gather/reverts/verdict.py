"""What becomes of a revert: a draft, a line in the list because its reason is missing, or a skip with its kind."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from claudedo_findings.gather.reverts import words
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.returned import Revert

DRAFT, NO_REASON = "draft", "reason missing"
PROPOSED = (DRAFT, NO_REASON)
# Kinds of skip.
BACK = "came back"
REAPPLY = "reapplies"
AGAIN = "reverted again later"
UNKNOWN = "target unknown"
RELEASE = "release"
WORKAROUND = "end of a workaround"
ACCIDENT = "accident"
SIDE = "docs, tests or CI only"
GONE = "files gone"
ELSEWHERE = "other folder"
TOGETHER = "told with another"

IN_A_PATCH = "brought again"  # how a return is told that only a thorough run sees

_RELEASE = re.compile(
    r"^(?:\w+(?:\([^)]*\))?!?: )?"
    r"(?:releas(?:e|ing) |bump\b|prepare (?:for )?(?:release|v?\d)|v?\d+\.\d+(?:\.\d+)?\b|version packages)"
    r"|\bversion v?\d|\bbump(?:s|ed|ing)? .*\bto v?\d|^\[test\]|\btest (?:pr|commit)\b|\bbenchmark test\b",
    re.IGNORECASE,
)
_WORKAROUND = re.compile(
    r"\btemporar|\bdisabl|\bwork-?around|\bhide\b.*\bconstraint|\b(?:skip|xfail|mute|quarantine)(?:s|ped|ping|d)?\b.*\btests?\b"
    r"|\btests?\b.*\bskip|临时|vorübergehend",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\bno longer (?:needed|necessary|required)|\bnot (?:needed|necessary|required) any ?more"
    r"|\b(?:has|have) (?:now |since )?been fixed|\b(?:is|are) (?:now )?fixed\b|\bunskip",
    re.IGNORECASE,
)
_ACCIDENT = re.compile(
    r"\baccident|\bby mistake\b|\bmistakenly\b|\bmis-?commit|\bwrong branch\b|\bunwanted\b"
    r"|\bunintended (?:commit|push|change)"
    r"|\bnot (?:meant|intended) (?:to be|for) (?:merg|commit|push)"
    r"|\bshould not have been (?:merged|committed|pushed)|\bversehentlich|误提交|误操作",
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"(?:^|/)(?:docs?|documentation|tests?|testing|testdata|__tests__|fixtures|e2e|\.github|\.circleci|\.gitlab|\.changeset"
    r"|news(?:fragments)?|changelog\.d)/"
    r"|\.(?:md|mdx|rst|adoc|txt)$|(?:^|/)(?:test_[^/]*|[^/]*_tests?\.\w+|[^/]*\.(?:test|spec)\.\w+|conftest\.py"
    r"|\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines[^/]*|jenkinsfile|authors|changes|changelog[^/]*|tox\.ini|codecov\.yml"
    r"|\.pre-commit-config\.yaml)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A revert with what became of it. `why` explains a skip; `targets` are the approach in the end."""

    revert: Revert
    kind: str
    why: str = ""
    targets: tuple[Commit, ...] = ()
    reason: str = ""
    paths: tuple[str, ...] = ()
    """Files that revert and target share, where they lie now; of the past where they are gone."""
    touched: tuple[str, ...] = ()
    """Every file that the revert changed."""
    scope: str = ""
    """The path that `paths` share below the store's folder, "" when that says too little."""
    maybe: str = ""
    """What the reader should look at before believing it."""
    others: tuple[Commit, ...] = field(default=())
    """Reverts that belong to the same story."""


def noise(subject: str, approach: Sequence[Commit], reason: str) -> tuple[str, str] | None:
    """Return the kind of a revert that rolls back no approach, and why; None for one that may."""
    titles = [target.title for target in approach] or [words.quoted(subject)]
    said = f"{subject}\n{reason}"
    if any(_RELEASE.search(title) for title in titles):
        return RELEASE, f"takes back {titles[0]!r}"
    if found := _ACCIDENT.search(said):
        return ACCIDENT, f"the message says {found[0]!r}"
    if all(_WORKAROUND.search(title) for title in titles):
        return WORKAROUND, f"takes back {titles[0]!r}"
    if found := _ENDED.search(said):
        return WORKAROUND, f"the message says {found[0]!r}"
    return None


def side_only(paths: Sequence[str]) -> bool:
    """Return whether these files are documentation, tests or the set-up of CI alone."""
    return bool(paths) and all(_SIDE.search(path) for path in paths)


def scope(paths: Sequence[str], prefix: str) -> str:
    """Return the path that all files share below `prefix`, as the store writes it; "" when that says too little."""
    below = [
        path[len(prefix) + 1 :] if prefix else path for path in paths if not prefix or path.startswith(prefix + "/")
    ]
    telling = [path for path in below if not _SIDE.search(path)] or below
    if not telling:
        return ""
    levels = zip(*(path.split("/") for path in telling), strict=False)
    return "/".join(level[0] for level in itertools.takewhile(lambda level: len(set(level)) == 1, levels))
