"""The `.claudedo` folder of one list: sole owner of its paths, written under one lock per repository."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from claudedo_findings import exclude, files, finding, folders, git, history, index, revision, rules
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Finding, Stored

FOLDER = ".claudedo"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a write did: its status, the index after it, the hooks there, and what to tell the caller."""

    status: str
    index_bytes: int
    hooks: Mapping[str, str]
    verified_against: str
    source_task: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Store:
    """The store at `places.root`; it need not exist yet."""

    places: git.Places

    @cached_property
    def folder(self) -> str:
        return os.path.join(self.places.root, FOLDER)

    @property
    def index_path(self) -> str:
        return os.path.join(self.folder, "INDEX.md")

    def finding_path(self, slug: str, kind: str = "traps") -> str:
        """Return the absolute path of a finding, or with `kind` that of a candidate or a retired one."""
        return self._path(kind, f"{slug}.md")

    def slugs(self, kind: str = "traps") -> frozenset[str]:
        """Return the slugs of the files in one folder of the store; names that are no slug are passed over."""
        found = files.regular(os.path.join(self.folder, kind))
        inside = (name for name, linked in found if not linked or self._inside(self._path(kind, name)))
        return frozenset(name[:-3] for name in inside if name.endswith(".md") and rules.is_slug(name[:-3]))

    def read(self, slug: str, kind: str = "traps") -> Stored | None:
        """Return a finding as it stands in its file, None when there is no such file."""
        path = self.finding_path(slug, kind)
        if os.path.islink(path):
            self.guard(path)
        data = files.read(path)
        return None if data is None else finding.parse(finding.decode(data))

    def read_index(self) -> index.Index | None:
        """Return the index as it stands, None when there is none."""
        self.guard(self.index_path)
        data = files.read(self.index_path)
        return None if data is None else index.parse(_index_text(data, self.index_path))

    def save(self, new: Finding, *, keep_scope: bool) -> Outcome:
        """Write a finding and its index line; what they replace goes to the history first.

        With `keep_scope` a stored scope stays. Raises FindingsError; then nothing was acknowledged and
        every file is whole.
        """
        with self.writing():
            path = self.finding_path(new.slug)
            for writable in (path, os.path.join(self.history_folder(new.slug), "written")):
                self.guard(writable)
            data = files.read(path)
            old = None if data is None else finding.decode(data)
            stored = None if old is None else finding.parse(old)
            merged = revision.merge(new, stored, keep_scope=keep_scope)
            text = finding.render(merged, old or "")
            status, warnings = revision.status(merged, stored, old, text), []
            if data is not None and stored and status == "updated":
                warnings = self._replace(new.slug, data, stored, text)
            elif status != "unchanged":
                self._write(new.slug, text)
            healed = self.heal(put=new.slug, title=new.title, keep=bool(stored and stored.title == new.title))
            if status != "unchanged":  # last, because the two durable writes need not wait for it
                history.seal(self.history_folder(new.slug), text.encode("utf-8"))
            return Outcome(
                status=status,
                index_bytes=len(index.render(healed).encode("utf-8")),
                hooks={entry.slug: entry.hook for entry in healed.entries},
                verified_against=merged.verified_against,
                source_task=merged.source_task,
                warnings=(
                    *warnings,
                    *self._notes(new.slug, finding.parse(old if old and status == "unchanged" else text)),
                ),
            )

    def sync(self) -> index.Index:
        """Make the index true to the folder, reading every finding; expired ones leave it, renewed ones come back.

        Creates nothing where there is no store yet.
        """
        if not self.exists():
            return index.parse("")
        with self.writing():
            for part in ("history", "candidates", "retired"):
                top = os.path.join(self.folder, part)
                for folder, _, _ in os.walk(top) if not os.path.islink(top) else ():
                    files.sweep(folder)
            return self.heal(everything=True)

    def exists(self) -> bool:
        """Return whether the store was ever created."""
        return os.path.isdir(self.folder)

    def last_change(self) -> float:
        """Return when a finding was last written or edited, in seconds since the epoch; 0 for none."""
        times = (files.changed(self.finding_path(slug)) for slug in self.slugs())
        return max(times, default=0.0)

    @contextmanager
    def writing(self, *, hide: bool = True) -> Iterator[None]:
        """Hold the store's lock, with its folders there; a store that is new is excluded unless `hide` is false."""
        with files.locked(self._lock_path()):
            parts = self.folder, os.path.join(self.folder, "traps")
            for folder in parts:
                self.guard(folder)
            self.read_index()  # what cannot be healed is refused before anything is written
            if hide and not os.path.lexists(self.folder) and self.places.exclude:
                files.sweep(os.path.dirname(os.path.realpath(self.places.exclude)))
                exclude.add(self.places, FOLDER)
            for folder in parts:
                files.make_folder(folder, durable=True)
                files.sweep(folder)
            yield

    def _lock_path(self) -> str:
        if self.places.common_dir:
            return os.path.join(self.places.common_dir, "claudedo-findings.lock")
        return os.path.join(folders.state(), "locks", f"{folders.key(self.folder)}.lock")

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self.places.root)

    def guard(self, path: str) -> None:
        """Refuse a path that a symlink leads out of the root, or into git's own folder."""
        if not self._inside(path):
            raise FindingsError(f"{path} leads out of the project, to {os.path.realpath(path)}: remove that link")

    def _inside(self, path: str) -> bool:
        real, root = os.path.realpath(path), self._real_root
        return real.startswith(root.rstrip(os.sep) + os.sep) and ".git" not in os.path.relpath(real, root).split(os.sep)

    def _path(self, *parts: str) -> str:
        return os.path.join(self.folder, *parts)

    def history_folder(self, slug: str) -> str:
        """Return the folder of the texts of a finding that were replaced."""
        return os.path.join(self.folder, "history", slug)

    def _write(self, slug: str, text: str) -> None:
        files.write_atomic(os.path.realpath(self.finding_path(slug)), text.encode("utf-8"))

    def _replace(self, slug: str, old: bytes, stored: Stored, text: str) -> list[str]:
        """Put the old text into the history and write the new one; return what to warn about."""
        kept = history.keep(self.history_folder(slug), old)
        try:
            self._write(slug, text)
        except FindingsError:
            if files.read(self.finding_path(slug)) == old:
                files.remove(kept.path)  # nothing was replaced
            raise
        history.prune(self.history_folder(slug))
        warnings = []
        if kept.by_hand:
            warnings.append(f"the text that was replaced had been edited by hand; it is kept as {kept.path}")
        if stored.complaint:
            warnings.append(f"the old file could not be read in full ({stored.complaint}); it is kept as {kept.path}")
        return warnings

    def heal(
        self, *, put: str = "", title: str = "", keep: bool = False, drop: str = "", everything: bool = False
    ) -> index.Index:
        """Make the index true to the folder, under the lock.

        `put` gets a line made from `title`; `drop` loses its line, before its file goes.
        """
        data = files.read(self.index_path)
        before = index.parse("" if data is None else _index_text(data, self.index_path))
        present = self.slugs() - {drop}
        listed = {entry.slug for entry in before.entries}
        unread = present - {put} - (set() if everything else listed)
        stored = {slug: text for slug in sorted(unread) if (text := self._legible(slug))}
        expired = {slug for slug, text in stored.items() if finding.expired(text, date.today())}
        hooks = {slug: index.hook((slug in stored and stored[slug].title) or slug) for slug in unread - expired}
        healed = index.heal(before, present - expired, hooks)
        if put:
            healed = index.put(healed, put, index.hook(title), keep=keep)
        new = index.render(healed).encode("utf-8")
        if new != data:
            files.write_atomic(os.path.realpath(self.index_path), new)
        return healed

    def _legible(self, slug: str, kind: str = "traps") -> Stored | None:
        """Return a finding, None when it cannot be read: one bad file must not stop every save."""
        try:
            return self.read(slug, kind)
        except FindingsError:
            return None

    def _notes(self, slug: str, saved: Stored) -> Iterator[str]:
        if os.path.lexists(self.finding_path(slug, "retired")):
            retired = self._legible(slug, "retired")
            why = retired.keys.get("retired", "") if retired else ""
            because = f" ({shown(why)})" if why else ""
            yield f"a finding of this name was retired{because}: see {self.finding_path(slug, 'retired')}"
        if os.path.lexists(self.finding_path(slug, "candidates")):
            yield f"a candidate of this name awaits review: see {self.finding_path(slug, 'candidates')}"
        if finding.expired(saved, date.today()):
            yield f"its expires date {saved.keys['expires']} has passed, so sync takes it out of the index: change it"


def _index_text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FindingsError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from error
