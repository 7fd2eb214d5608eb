"""Which findings of a store can no longer be trusted: each scope at its stamp against HEAD."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from claudedo_findings import finding, git, rules, scopes, symbols, verdict
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Stored
from claudedo_findings.git_cat import MissingError
from claudedo_findings.git_objects import Objects
from claudedo_findings.store import Store
from claudedo_findings.verdict import Verdict

Progress = Callable[[int, int], None]
"""Is told how many findings are judged, and of how many."""
OUTSIDE = "its stamp is not in the history of HEAD"


@dataclass(frozen=True, kw_only=True)
class _Case:
    """A finding that git has to be asked about; `open` is its verdict so far."""

    open: Verdict
    stored: Stored


def verdicts(
    store: Store, today: date, slugs: Iterable[str] | None = None, *, progress: Progress = lambda _done, _of: None
) -> tuple[Verdict, ...]:
    """Return the verdict on every finding of a store, or on those of `slugs`, the worst first.

    At most three git processes, four in a partial clone, however many findings there are; none where no finding has
    a scope and a stamp. Raises FindingsError when git fails.
    """
    settled, cases = [], []
    for slug in store.slugs() if slugs is None else slugs:
        case = _case(store, slug, today)
        if isinstance(case, Verdict):
            settled.append(case)
        else:
            cases.append(case)
    compared = _compared(store.places, cases, progress) if cases else ()
    return tuple(sorted([*settled, *compared], key=verdict.rank))


@dataclass(frozen=True, kw_only=True)
class Commit:
    """A commit that touched a scope."""

    id: str
    day: str
    subject: str


def commits(store: Store, judged: Verdict, limit: int) -> tuple[Commit, ...]:
    """Return the commits since its stamp that touched a finding's scope, the newest first, at most `limit`.

    `judged` is a verdict that git was asked for. Raises FindingsError when git fails.
    """
    path = scopes.path_of(store.places.prefix, rules.scope(judged.scope))
    options = [f"--max-count={limit}", "--format=%h%x00%as%x00%s", "--no-show-signature", "--no-color"]
    where = ["--", f":(top,literal){path}"] if path else []
    listed = git.run(["log", *options, f"{judged.stamp}..HEAD", *where], store.places.root)
    return tuple(
        Commit(id=commit, day=day, subject=subject)
        for commit, day, subject in (line.split("\0") for line in listed.split("\n")[:-1])
    )


def _case(store: Store, slug: str, today: date) -> Verdict | _Case:
    """Return what can be said without git, or the case that git decides."""
    unknown = Verdict(slug=slug, word=verdict.UNKNOWN, why="")
    try:
        stored = store.read(slug)
    except FindingsError as error:
        return replace(unknown, why=f"its file cannot be read: {error}")
    if stored is None:
        return replace(unknown, why="its file is gone")
    stamp = stored.keys.get("verified-against", "")
    unknown = replace(unknown, scope=stored.scope, stamp=stamp)
    if finding.expired(stored, today):
        return replace(unknown, word=verdict.EXPIRED, why=f"its expires date {stored.keys['expires']} has passed")
    try:
        scope = rules.scope(stored.scope)
    except FindingsError:
        return replace(unknown, why="its scope is no path inside the project")
    if not scope:
        return replace(unknown, why="it has no scope, so nothing can be compared")
    if not stamp:
        return replace(unknown, why="it has no stamp, so nothing can be compared")
    if not store.places.common_dir:
        return replace(unknown, why="the project is not in git")
    return _Case(open=replace(unknown, scope=scope), stored=stored)


def _compared(places: git.Places, cases: Sequence[_Case], progress: Progress) -> list[Verdict]:
    done = []
    with Objects(places.root, places.common_dir) as objects:
        stamped = []
        for case in cases:
            try:
                stamped.append((case, objects.commit(case.open.stamp)))
            except MissingError as error:
                done.append(replace(case.open, why=str(error)))
        if not objects.head:
            return [replace(case.open, why="HEAD has no commit yet") for case in cases]
        commits = {commit for _, commit in stamped}
        objects.look_for_gaps({*commits, objects.head})
        outside = objects.outside_history(commits)
        at = scopes.Scopes(objects, places.prefix)
        for done_so_far, (case, commit) in enumerate(stamped):
            progress(done_so_far, len(stamped))
            try:
                judged = at.judge(case.open, symbols.named(case.stored.title, case.stored.body), commit)
            except MissingError as error:
                judged = replace(case.open, why=str(error))
            done.append(replace(judged, notes=(OUTSIDE,)) if commit in outside else judged)
        progress(len(stamped), len(stamped))
    return done
