"""Check a store against itself and the repository. Changes nothing."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from claudedo_findings import (
    advice,
    files,
    finding,
    history,
    index,
    lint_finding,
    lint_index,
    lint_pairs,
    lint_project,
    lint_text,
    plural,
)
from claudedo_findings.errors import FindingsError
from claudedo_findings.layout import KINDS
from claudedo_findings.lint_finding import File
from claudedo_findings.problem import Problem, Report
from claudedo_findings.store import Store


@dataclass(frozen=True, kw_only=True)
class _Shelf:
    """The files of one folder of the store, and what is wrong with those that could not be taken as findings."""

    files: Mapping[str, File]
    problems: tuple[Problem, ...]


def examine(
    store: Store, *, only_changed: bool = False, worktree: str = "", progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Return what is wrong with a store, by rules that README lists; with `only_changed` of what differs from HEAD.

    `worktree` is the caller's checkout, where a scope may exist that the main checkout lacks; `progress`
    is told what is looked at. Raises FindingsError when the store cannot be looked at.
    """
    changed = lint_project.changed(store) if only_changed else None
    if not store.exists():
        return Report(not_checked=(f"anything: there is no store at {store.folder} yet",))
    store.guard(store.folder)
    progress("reading …")
    shelves = {kind: _shelf(store, kind) for kind in KINDS}
    found = shelves["traps"].files
    sharing, unknown = lint_project.sharing(store)
    told = list(_each(store, shelves, worktree, checked_in=sharing))
    focus = {slug for slug, file in found.items() if changed is None or file.path in changed}
    if len(found) <= lint_pairs.MOST:
        progress("comparing …")
        told += lint_pairs.problems(found, focus)
    else:
        unknown.append(f"near-duplicates: {len(found)} findings are more than {lint_pairs.MOST}")
    if changed is not None:
        told = [problem for problem in told if changed & {problem.path, store.finding_path(problem.slug)}]
        if len(found) > len(focus):
            unknown.append(f"what does not differ from HEAD ({plural.count(len(found) - len(focus), 'finding')})")
    counts = (_counted(len(shelf.files), kind) for kind, shelf in shelves.items())
    return Report(
        fine=(f"{', '.join(counts)} in {store.folder}",),
        problems=tuple(sorted(set(told), key=lambda problem: (problem.path, problem.line, problem.rule, problem.what))),
        not_checked=(*unknown, *_unjudged(found), "whether findings still hold: 'stale' does that"),
    )


def _each(store: Store, shelves: Mapping[str, _Shelf], worktree: str, *, checked_in: bool) -> Iterator[Problem]:
    """Yield what is wrong with each file, the index and the repository's part in them."""
    for shelf in shelves.values():
        yield from shelf.problems
        for file in shelf.files.values():
            yield from lint_finding.broken(file)
    found, weak = shelves["traps"].files, set()
    for file in found.values():
        for problem in lint_finding.wording(file):
            weak |= {problem.slug} if problem.rule == "weak-title" else set()
            yield problem
        yield from lint_text.line_ends(file.at, file.data, checked_in=checked_in)
    yield from _index(store, found, checked_in=checked_in, routed=weak)
    yield from lint_project.scopes(store, list(found.values()), worktree)
    yield from lint_project.shared(store) if checked_in else ()
    yield from _history(store)


def _shelf(store: Store, kind: str) -> _Shelf:
    """Read one folder of the store."""
    read: dict[str, File] = {}
    wrong = []
    slugs = store.slugs(kind)
    for slug in sorted(slugs):
        path = store.finding_path(slug, kind)
        try:
            read[slug] = File(path=path, slug=slug, data=files.read(path) or b"")
        except FindingsError as error:
            hint = "make it readable for you"
            wrong.append(Problem(rule="unreadable", path=path, what=str(error), hint=hint, slug=slug))
    wrong += [
        Problem(
            rule="file-name",
            path=os.path.join(store.folder, kind, name),
            what="no file inside the project whose name is a slug, so it is passed over",
            hint="name it like 'clock-skew-in-ci.md', or move it out",
        )
        for name in sorted(files.names(os.path.join(store.folder, kind)))
        if name.removesuffix(".md") not in slugs and not name.startswith(".")
    ]
    return _Shelf(files=read, problems=tuple(wrong))


def _index(store: Store, found: Mapping[str, File], *, checked_in: bool, routed: Collection[str]) -> Iterator[Problem]:
    """Yield what is wrong with the index; `routed` are the findings whose title was complained about already."""

    def at(line: int, rule: str, what: str, hint: str, slug: str = "") -> Problem:
        return Problem(rule=rule, path=store.index_path, line=line, what=what, hint=hint, slug=slug)

    store.guard(store.index_path)
    data = files.read(store.index_path) or b""
    listed = {entry.slug for entry in index.parse("\n".join(lint_text.lines_of(data))).entries}
    expired = {slug: file.stored.keys["expires"] for slug, file in found.items() if _expired(file)}
    for slug in sorted(found.keys() - listed - expired.keys()):
        hint = "run 'claudedo-findings lint --fix'"
        yield found[slug].at(1, "missing-line", f"{slug!r} has no line in the index, so no agent finds it", hint)
    told = lint_index.problems(at, data, store.slugs(), expired)
    yield from (problem for problem in told if problem.rule != "weak-title" or problem.slug not in routed)
    yield from lint_text.line_ends(at, data, checked_in=checked_in)
    for line, target in lint_index.links(data):
        if not os.path.lexists(os.path.join(store.folder, *target.split("/"))):
            yield at(line, "dead-link", f"the link leads to {target!r}, which is not there", "correct or delete it")


def _history(store: Store) -> Iterator[Problem]:
    """Yield the replaced texts that still hold a secret."""
    top = os.path.join(store.folder, "history")
    for slug in sorted(files.names(top)) if not os.path.islink(top) else ():
        for version in history.versions(store.history_folder(slug)):
            file = File(path=version.path, slug=slug, data=files.read(version.path) or b"")
            yield from lint_text.secrets(file.at, file.lines)


def _unjudged(found: Mapping[str, File]) -> Iterator[str]:
    slugs = [slug for slug, file in found.items() if not advice.judged(f"{file.stored.title}\n{file.stored.body}")]
    if slugs:
        yield f"advice in scripts whose words are not known: {', '.join(slugs)}"


def _expired(file: File) -> bool:
    return finding.expired(file.stored, date.today())


def _counted(number: int, kind: str) -> str:
    word = {"traps": "finding", "candidates": "candidate", "retired": "retired finding"}[kind]
    return plural.count(number, word)
