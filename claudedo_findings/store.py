"""The `.claudedo` folder of one list: sole owner of its paths, written under one lock per repository."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

from claudedo_findings import exclude, files, finding, folders, git, index, rules
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Finding, Stored

FOLDER = ".claudedo"
HISTORY_LIMIT = 10  # texts of the tool's own that are kept for each finding
_VERSION = re.compile(r"(\d{4,})(-hand)?\.md\Z")


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

    @property
    def folder(self) -> str:
        return os.path.join(self.places.root, FOLDER)

    @property
    def index_path(self) -> str:
        return os.path.join(self.folder, "INDEX.md")

    def finding_path(self, slug: str, kind: str = "traps") -> str:
        """Return the absolute path of a finding, or with `kind` that of a candidate or a retired one."""
        return os.path.join(self.folder, kind, f"{slug}.md")

    def slugs(self, kind: str = "traps") -> frozenset[str]:
        """Return the slugs of the files in one folder of the store; names that are no slug are passed over."""
        names = files.names(os.path.join(self.folder, kind))
        return frozenset(name[:-3] for name in names if name.endswith(".md") and rules.is_slug(name[:-3]))

    def read(self, slug: str, kind: str = "traps") -> Stored | None:
        """Return a finding as it stands in its file, None when there is no such file."""
        data = files.read(self.finding_path(slug, kind))
        return None if data is None else finding.parse(finding.decode(data))

    def read_index(self) -> index.Index | None:
        """Return the index as it stands, None when there is none."""
        data = files.read(self.index_path)
        return None if data is None else index.parse(_index_text(data, self.index_path))

    def save(self, new: Finding, *, keep_scope: bool) -> Outcome:
        """Write a finding and its index line; what they replace goes to the history first.

        With `keep_scope` a stored scope stays. Raises FindingsError; then nothing was acknowledged and
        every file is whole.
        """
        with self._writing():
            path = self.finding_path(new.slug)
            for writable in (path, self.index_path, self._history(new.slug, "written")):
                self._guard(writable)
            self.read_index()  # what cannot be healed is refused before the finding is written
            data = files.read(path)
            old = None if data is None else finding.decode(data)
            stored = None if old is None else finding.parse(old)
            merged = _merge(new, stored, keep_scope=keep_scope)
            text = finding.render(merged, old or "")
            status, warnings = _status(merged, stored, old, text), []
            if old is None or stored is None or status == "renewed":
                self._write(new.slug, text)
            elif status == "updated":
                warnings = self._replace(new.slug, old, stored, text)
            healed = self._heal(put=new.slug, title=new.title, keep=bool(stored and stored.title == new.title))
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
        with self._writing():
            for part in ("history", "candidates", "retired"):
                top = os.path.join(self.folder, part)
                for folder, _, _ in os.walk(top) if not os.path.islink(top) else ():
                    files.sweep(folder)
            return self._heal(everything=True)

    def exists(self) -> bool:
        """Return whether the store was ever created."""
        return os.path.isdir(self.folder)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with files.locked(self._lock_path()):
            parts = self.folder, os.path.join(self.folder, "traps")
            for folder in parts:
                self._guard(folder)
            if not os.path.lexists(self.folder) and self.places.exclude:
                exclude.add(self.places, FOLDER)
            for folder in parts:
                files.make_folder(folder)
                files.sweep(folder)
            yield

    def _lock_path(self) -> str:
        if self.places.common_dir:
            return os.path.join(self.places.common_dir, "claudedo-findings.lock")
        key = hashlib.sha256(os.fsencode(os.path.normcase(self.folder))).hexdigest()[:16]
        return os.path.join(folders.state(), "locks", f"{key}.lock")

    def _guard(self, path: str) -> None:
        """Refuse a path that a symlink leads out of the root, or into git's own folder."""
        real, root = os.path.realpath(path), os.path.realpath(self.places.root)
        inside = real.startswith(root.rstrip(os.sep) + os.sep)
        if not inside or ".git" in os.path.relpath(real, root).split(os.sep):
            raise FindingsError(f"{path} leads out of the project, to {real}: remove that link; nothing was saved")

    def _history(self, slug: str, name: str = "") -> str:
        return os.path.join(self.folder, "history", slug, name)

    def _write(self, slug: str, text: str) -> None:
        """Write a finding, and note which text that was, so that a later hand edit is known as one."""
        files.write_atomic(self.finding_path(slug), text.encode("utf-8"))
        files.make_folder(self._history(slug))
        files.write_atomic(self._history(slug, "written"), _digest(text), durable=False)  # losing it loses nothing

    def _replace(self, slug: str, old: str, stored: Stored, text: str) -> list[str]:
        """Put the old text into the history and write the new one; return what to warn about."""
        files.make_folder(self._history(slug))
        files.sweep(self._history(slug))
        names = files.names(self._history(slug))
        versions = sorted((int(match[1]), name) for name in names if (match := _VERSION.match(name)))
        by_hand = files.read(self._history(slug, "written")) != _digest(old)
        number = versions[-1][0] + 1 if versions else 1
        kept = self._history(slug, f"{number:04}{'-hand' if by_hand else ''}.md")
        files.write_atomic(kept, old.encode("utf-8"))
        try:
            self._write(slug, text)
        except FindingsError:
            if self.read(slug) == stored:
                files.remove(kept)  # nothing was replaced
            raise
        own = [name for _, name in versions if not name.endswith("-hand.md")]
        for name in own[: max(0, len(own) + (not by_hand) - HISTORY_LIMIT)]:
            files.remove(self._history(slug, name))
        warnings = []
        if by_hand:
            warnings.append(f"the text that was replaced had been edited by hand; it is kept as {kept}")
        if stored.complaint:
            warnings.append(f"the old file could not be read in full ({stored.complaint}); it is kept as {kept}")
        return warnings

    def _heal(self, *, put: str = "", title: str = "", keep: bool = False, everything: bool = False) -> index.Index:
        self._guard(self.index_path)
        data = files.read(self.index_path)
        before = index.parse("" if data is None else _index_text(data, self.index_path))
        present = self.slugs()
        listed = {entry.slug for entry in before.entries}
        unread = present - {put} - (set() if everything else listed)
        stored = {slug: text for slug in sorted(unread) if (text := self._legible(slug))}
        expired = {slug for slug, text in stored.items() if _expired(text)}
        hooks = {slug: index.hook(stored[slug].title if slug in stored else slug) for slug in unread - expired}
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
        if _expired(saved):
            yield f"its expires date {saved.keys['expires']} has passed, so sync takes it out of the index: change it"


def _status(new: Finding, stored: Stored | None, old: str | None, text: str) -> str:
    if stored is None:
        return "created"
    if text == old:
        return "unchanged"
    same = (stored.title, stored.body, stored.scope) == (new.title, new.body, new.scope)
    kept = all(stored.keys.get(name, "") == value for name, value in new.notes.items())
    if same and kept and not stored.complaint:
        return "unchanged" if stored.keys.get("verified-against", "") == new.verified_against else "renewed"
    return "updated"


def _merge(new: Finding, stored: Stored | None, *, keep_scope: bool) -> Finding:
    """Return the finding to write: a left-out scope and the first task that told the same text are kept."""
    if stored is None:
        return new
    scope = stored.scope if keep_scope else new.scope
    told_before = (stored.title, stored.body, stored.scope) == (new.title, new.body, scope)
    return Finding(
        slug=new.slug,
        title=new.title,
        body=new.body,
        scope=scope,
        source_task=stored.keys.get("source-task", "") if told_before else new.source_task,
        verified_against=new.verified_against,
        notes=new.notes,
    )


def _expired(stored: Stored) -> bool:
    try:
        return date.fromisoformat(stored.keys.get("expires", "")) < date.today()
    except ValueError:
        return False


def _digest(text: str) -> bytes:
    same_lines = text.replace("\r\n", "\n")  # git may have changed the line ends, which is no hand edit
    return hashlib.sha256(same_lines.encode("utf-8")).hexdigest().encode("ascii")


def _index_text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FindingsError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from error
