"""Which findings of a store can no longer be trusted: each scope at its stamp against HEAD."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from claudedo_findings import drift, finding, git, relocation, rules, symbols, verdict
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Stored
from claudedo_findings.git_objects import Entry, MissingError, Objects
from claudedo_findings.store import Store
from claudedo_findings.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class _Case:
    """A finding that git has to be asked about; `open` is its verdict so far."""

    open: Verdict
    stored: Stored


def verdicts(store: Store, today: date, slugs: Iterable[str] | None = None) -> tuple[Verdict, ...]:
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
    return tuple(sorted([*settled, *(_compared(store.places, cases) if cases else ())], key=verdict.rank))


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
    path = _path(store.places.prefix, rules.scope(judged.scope))
    options = [f"--max-count={limit}", "--format=%h%x00%as%x00%s", "--no-show-signature", "--no-color"]
    where = ["--", f":(top,literal){path}"] if path else []
    listed = git.run(["log", *options, f"{judged.stamp}..HEAD", *where], store.places.root)
    return tuple(
        Commit(id=commit, day=day, subject=subject)
        for commit, day, subject in (line.split("\0") for line in listed.split("\n")[:-1])
    )


def _path(prefix: str, scope: str) -> str:
    """Return a scope's path in the repository, "" for the whole of it."""
    return "/".join(part for part in (prefix, scope) if part not in ("", "."))


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


def _compared(places: git.Places, cases: Iterable[_Case]) -> list[Verdict]:
    done = []
    with Objects(places.root, places.common_dir) as objects:
        stamped = []
        for case in cases:
            try:
                stamped.append((case, objects.commit(case.open.stamp)))
            except MissingError as error:
                done.append(replace(case.open, why=str(error)))
        if not stamped:
            return done
        commits = {commit for _, commit in stamped}
        objects.look_for_gaps({*commits, objects.head})
        outside = objects.outside_history(commits)
        scopes = _Scopes(objects, places.prefix)
        for case, commit in stamped:
            try:
                judged = scopes.judge(case, commit)
            except MissingError as error:
                judged = replace(case.open, why=str(error))
            notes = ("its stamp is not in the history of HEAD",) if commit in outside else ()
            done.append(replace(judged, notes=notes))
    return done


class _Scopes:
    """The scopes of one store, read at their stamps and at HEAD."""

    def __init__(self, objects: Objects, prefix: str) -> None:
        self._objects = objects
        self._prefix = prefix
        self._known: dict[str, int] = {}
        self._heaps: dict[str, Counter[int]] = {}

    @cached_property
    def _head(self) -> str:
        return self._objects.tree_of(self._objects.head)

    @cached_property
    def _ground(self) -> relocation.Ground:
        return relocation.Ground(_blobs("", self._objects.listing))

    def judge(self, case: _Case, commit: str) -> Verdict:
        """Return the verdict on one finding. Raises MissingError when an object that it needs is not there."""
        path = _path(self._prefix, case.open.scope)
        tree = self._objects.tree_of(commit)
        then, at = self._objects.find(tree, path)
        now, _ = self._objects.find(self._head, path)
        if then is None:
            return replace(case.open, why="its scope was not there at its stamp" + (", but is now" if now else ""))
        if now == then:
            return replace(case.open, word=verdict.FRESH, why=verdict.UNTOUCHED)
        if then.kind == "commit":
            return replace(
                case.open, why=f"the submodule {self._shown(at)} has changed, and its files are not in git here"
            )
        if now is None or now.kind == "commit" or (now.kind == "tree") != (then.kind == "tree"):
            return self._elsewhere(case, path, tree, then)
        return self._drifted(case, self._measure(case, self._files(path, then), self._files(path, now)), then)

    def _drifted(self, case: _Case, found: drift.Drift, then: Entry) -> Verdict:
        word, why = verdict.of_drift(found, folder=then.kind == "tree")
        percent = verdict.percent(found)
        return replace(case.open, word=word, why=why, percent=percent, symbols_gone=found.symbols_gone)

    def _elsewhere(self, case: _Case, path: str, tree: str, then: Entry) -> Verdict:
        old = self._files(path, then)
        folder = then.kind == "tree"
        places = self._places(path, old, tree, folder=folder)
        kind = "folder" if folder else "file"
        word, why = verdict.of_places([self._shown(place) for place in places], kind)
        judged = replace(case.open, word=word, why=why, places=tuple(map(self._shown, places)))
        if not places:
            return judged
        new = self._taken(path, places, old) if folder else {path: self._ground.files[places[0]]}
        found = self._measure(case, old, new)
        if len(places) > 1 and folder and found.share > 0.5:  # what remains of it is scattered
            word, why = verdict.of_places((), kind)
            return replace(case.open, word=word, why=why)
        complaint = verdict.complaint_of(found, folder=folder)
        return replace(
            judged,
            why=f"{why}; changed too: {complaint}" if complaint else why,
            percent=verdict.percent(found),
            symbols_gone=found.symbols_gone,
        )

    def _places(self, path: str, old: Mapping[str, str], tree: str, *, folder: bool) -> tuple[str, ...]:
        def is_new(place: str) -> bool:
            return self._objects.find(tree, place)[0] is None

        def kept(file: str, place: str) -> float:
            return drift.kept(self._heap(file, old[file]), self._heap(place, self._ground.files[place]))

        if folder:
            inner = {file.removeprefix(f"{path}/"): blob for file, blob in old.items()}
            return relocation.of_folder(path, inner, self._ground, is_new=is_new, kept=kept)
        data = self._objects.blob(old[path])
        telling = data is None or len(data.split()) > 1  # an empty file is like every other empty file
        return relocation.of_file(path, old[path] if telling else "", self._ground, is_new=is_new, kept=kept)

    def _heap(self, path: str, blob: str) -> Counter[int]:
        if blob not in self._heaps:
            self._heaps[blob] = drift.heap(path, self._objects.blob(blob))
        return self._heaps[blob]

    def _taken(self, path: str, places: tuple[str, ...], old: Mapping[str, str]) -> dict[str, str]:
        """Return the files of the places that a folder went to, under their old paths where those are the same."""
        taken = {}
        for place in places:
            inside = "" if place == "." else f"{place}/"
            for file, blob in self._ground.files.items():
                if file.startswith(inside):
                    before = f"{path}/{file.removeprefix(inside)}"
                    taken[before if before in old and before not in taken else file] = blob
        return taken

    def _measure(self, case: _Case, old: Mapping[str, str], new: Mapping[str, str]) -> drift.Drift:
        named = symbols.named(case.stored.title, case.stored.body)
        return drift.measure(old, new, self._objects.blob, named, self._known)

    def _files(self, path: str, entry: Entry) -> dict[str, str]:
        return _blobs(path, self._objects.files(entry))

    def _shown(self, path: str) -> str:
        """Return a path of the repository relative to the store's root."""
        return posixpath.relpath(path, self._prefix or ".") if self._prefix else path


def _blobs(path: str, files: Mapping[str, Entry]) -> dict[str, str]:
    """Return the files without the submodules, by their paths in the repository."""
    return {f"{path}/{inner}".strip("/"): entry.id for inner, entry in files.items() if entry.kind != "commit"}
