"""Scopes at their stamps and at HEAD: what git has there, for the verdict to decide on."""

import posixpath
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from claudedo_findings import drift, relocation, symbols, verdict
from claudedo_findings.git_cat import MissingError
from claudedo_findings.git_objects import Entry, Objects
from claudedo_findings.verdict import Verdict


def path_of(prefix: str, scope: str) -> str:
    """Return a scope's path in the repository, "" for the whole of it."""
    return "/".join(part for part in (prefix, scope) if part not in ("", "."))


class Scopes:
    """The scopes of one store, whose folder in the repository is `prefix`."""

    def __init__(self, objects: Objects, prefix: str) -> None:
        self._objects = objects
        self._prefix = prefix
        self._known: dict[str, int] = {}
        self._heaps: dict[str, Counter[int]] = {}

    def judge(self, so_far: Verdict, named: symbols.Named, commit: str) -> Verdict:
        """Return the verdict on one finding by its scope, the symbols that it names and its stamp.

        Raises MissingError when an object that it needs is not there.
        """
        path = path_of(self._prefix, so_far.scope)
        tree = self._objects.tree_of(commit)
        then, at = self._objects.find(tree, path)
        now, _ = self._objects.find(self._head, path)
        if then is None:
            return replace(so_far, why="its scope was not there at its stamp" + (", but is now" if now else ""))
        if now == then:
            return replace(so_far, word=verdict.FRESH, why=verdict.UNTOUCHED)
        if then.kind == "commit":
            why = f"the submodule {self._shown(at)} has changed, and its files are not in git here"
            return replace(so_far, why=why)
        folder = then.kind == "tree"
        old = self._files(path, then)
        if now is not None and now.kind != "commit" and (now.kind == "tree") == folder:
            return verdict.drifted(so_far, self._measure(named, old, self._files(path, now)), folder=folder)
        try:
            if folder:
                places = self._places_of_folder(path, old, tree)
                new = self._taken(path, places, old)
            else:
                places = self._places_of_file(path, old[path], tree)
                new = {path: self._ground.files[places[0]]} if places else {}
            found = self._measure(named, old, new) if places else drift.Drift()
        except MissingError as error:
            raise MissingError(f"its path is gone, and {error}") from error
        return verdict.elsewhere(so_far, tuple(map(self._shown, places)), found, folder=folder)

    @cached_property
    def _head(self) -> str:
        return self._objects.tree_of(self._objects.head)

    @cached_property
    def _ground(self) -> relocation.Ground:
        return relocation.Ground(_blobs("", self._objects.listing))

    def _places_of_file(self, path: str, blob: str, tree: str) -> tuple[str, ...]:
        # An empty file is like every other empty file.
        content = "" if blob in self._ground.by_id and self._empty(blob) else blob
        kept = self._kept({path: blob})
        return relocation.of_file(path, content, self._ground, is_new=self._is_new(tree), kept=kept)

    def _places_of_folder(self, path: str, old: Mapping[str, str], tree: str) -> tuple[str, ...]:
        inner = {file.removeprefix(f"{path}/"): blob for file, blob in old.items()}
        return relocation.of_folder(path, inner, self._ground, is_new=self._is_new(tree), kept=self._kept(old))

    def _is_new(self, tree: str) -> relocation.IsNew:
        return lambda place: self._objects.find(tree, place)[0] is None

    def _kept(self, old: Mapping[str, str]) -> relocation.Kept:
        def kept(file: str, place: str) -> float:
            return drift.kept(self._heap(file, old[file]), self._heap(place, self._ground.files[place]))

        return kept

    def _heap(self, path: str, blob: str) -> Counter[int]:
        if blob not in self._heaps:
            self._heaps[blob] = drift.heap(path, next(self._objects.blobs([blob])))
        return self._heaps[blob]

    def _empty(self, blob: str) -> bool:
        data = next(self._objects.blobs([blob]))
        return data is not None and not data.strip()

    def _taken(self, path: str, places: tuple[str, ...], old: Mapping[str, str]) -> dict[str, str]:
        """Return the files of the places that a folder went to, under their old paths where those are the same."""
        taken: dict[str, str] = {}
        for place in places:
            inside = "" if place == "." else f"{place}/"
            for file, blob in self._ground.files.items():
                if file.startswith(inside):
                    before = f"{path}/{file.removeprefix(inside)}"
                    taken[before if before in old and before not in taken else file] = blob
        return taken

    def _measure(self, named: symbols.Named, old: Mapping[str, str], new: Mapping[str, str]) -> drift.Drift:
        return drift.measure(old, new, self._objects.blobs, named, self._known)

    def _files(self, path: str, entry: Entry) -> dict[str, str]:
        return _blobs(path, self._objects.files(entry))

    def _shown(self, path: str) -> str:
        """Return a path of the repository relative to the store's root."""
        return posixpath.relpath(path, self._prefix) if self._prefix else path


def _blobs(path: str, files: Mapping[str, Entry]) -> dict[str, str]:
    """Return the files without the submodules, by their paths in the repository."""
    return {f"{path}/{inner}".strip("/"): entry.id for inner, entry in files.items() if entry.kind != "commit"}
