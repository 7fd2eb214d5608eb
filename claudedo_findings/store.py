"""A store and what is done to it: a finding is written, the index made true to the files."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from claudedo_findings import files, finding, history, index, revision
from claudedo_findings.errors import FindingsError, shown
from claudedo_findings.finding import Finding, Stored
from claudedo_findings.layout import Layout, Listing


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a write did: its status, the index after it, the hooks there, and what to tell the caller."""

    status: str
    index_bytes: int
    hooks: Mapping[str, str]
    verified_against: str
    source_task: str
    warnings: tuple[str, ...] = ()


class Store(Layout):
    """The store of one list, written under one lock per repository."""

    def save(self, new: Finding, *, keep_scope: bool) -> Outcome:
        """Write a finding and its index line; what they replace goes to the history first.

        With `keep_scope` a stored scope stays. Raises FindingsError; then nothing was acknowledged and
        every file is whole.
        """
        with self.writing() as listing:
            return self.put(new, keep_scope=keep_scope, listing=listing)

    def put(
        self, new: Finding, *, keep_scope: bool, listing: Listing | None = None, candidate: str | None = None
    ) -> Outcome:
        """Do what `save` does, under the lock that the caller holds.

        `listing` is the index when the caller has just read it. `candidate` is the text that becomes this finding:
        what else stands in its front matter comes along.
        """
        try:
            return self._put(new, keep_scope, listing or self.listing(), candidate)
        except files.ChangedError:
            return files.insist(lambda: self._put(new, keep_scope, self.listing(), candidate))

    def _put(self, new: Finding, keep_scope: bool, listing: Listing, candidate: str | None) -> Outcome:  # noqa: FBT001
        path = self.finding_path(new.slug)
        for writable in (path, os.path.join(self.history_folder(new.slug), "written")):
            self.guard(writable)
        data = files.read(path)
        old = None if data is None else finding.decode(data)
        stored = None if old is None else finding.parse(old)
        merged = revision.merge(new, stored, keep_scope=keep_scope)
        text = finding.render(merged, old or candidate or "")
        status, warnings = revision.status(merged, stored, old, text), []
        if data is not None and stored and status == "updated":
            warnings = self._replace(new.slug, data, stored, text)
        elif status != "unchanged":
            self._write(new.slug, text, files.Seen(data))
        keep = bool(stored and stored.title == new.title)
        healed = self.heal(put=new.slug, title=new.title, keep=keep, listing=listing)
        if status != "unchanged":  # last, because the two durable writes need not wait for it
            history.seal(self.history_folder(new.slug), text.encode("utf-8"))
        saved = finding.parse(old if old and status == "unchanged" else text)
        notes = self._notes(new.slug, saved, awaits_review=candidate is None)
        return Outcome(
            status=status,
            index_bytes=len(index.render(healed).encode("utf-8")),
            hooks={entry.slug: entry.hook for entry in healed.entries},
            verified_against=merged.verified_against,
            source_task=merged.source_task,
            warnings=(*warnings, *notes),
        )

    def sync(self) -> index.Index:
        """Make the index true to the folder, reading every finding; expired ones leave it, renewed ones come back.

        Creates nothing where there is no store yet.
        """
        if not self.exists():
            return index.parse("")
        with self.writing() as listing:
            for part in ("history", "candidates", "retired"):
                top = os.path.join(self.folder, part)
                for folder, _, _ in os.walk(top) if not os.path.islink(top) else ():
                    files.sweep(folder)
            return self.heal(everything=True, listing=listing)

    def heal(
        self,
        *,
        put: str = "",
        title: str = "",
        keep: bool = False,
        drop: str = "",
        everything: bool = False,
        listing: Listing | None = None,
    ) -> index.Index:
        """Make the index true to the folder, under the lock.

        `put` gets a line made from `title`; `drop` loses its line, before its file goes. `listing` is the index
        when the caller has just read it.
        """

        def once(listing: Listing) -> index.Index:
            return self._heal(listing, put, title, drop, keep=keep, everything=everything)

        try:
            return once(listing or self.listing())
        except files.ChangedError:
            return files.insist(lambda: once(self.listing()))

    def _heal(self, listing: Listing, put: str, title: str, drop: str, *, keep: bool, everything: bool) -> index.Index:
        present = self.slugs() - {drop}
        listed = {entry.slug for entry in listing.index.entries}
        unread = present - {put} - (set() if everything else listed)
        stored = {slug: text for slug in sorted(unread) if (text := self._legible(slug))}
        expired = {slug for slug, text in stored.items() if finding.expired(text, date.today())}
        hooks = {slug: index.hook((slug in stored and stored[slug].title) or slug) for slug in unread - expired}
        healed = index.heal(listing.index, present - expired, hooks)
        if put:
            healed = index.put(healed, put, index.hook(title), keep=keep)
        new = index.render(healed).encode("utf-8")
        if new != listing.data:
            files.write_atomic(self.index_path, new, seen=files.Seen(listing.data))
        return healed

    def _write(self, slug: str, text: str, seen: files.Seen) -> None:
        files.write_atomic(self.finding_path(slug), text.encode("utf-8"), seen=seen)

    def _replace(self, slug: str, old: bytes, stored: Stored, text: str) -> list[str]:
        """Put the old text into the history and write the new one; return what to warn about."""
        kept = history.keep(self.history_folder(slug), old)
        try:
            self._write(slug, text, files.Seen(old))
        except FindingsError as error:
            if isinstance(error, files.ChangedError) or files.read(self.finding_path(slug)) == old:
                files.remove(kept.path)  # nothing was replaced
            raise
        history.prune(self.history_folder(slug))
        warnings = []
        if kept.by_hand:
            warnings.append(f"the text that was replaced had been edited by hand; it is kept as {kept.path}")
        if stored.complaint:
            warnings.append(f"the old file could not be read in full ({stored.complaint}); it is kept as {kept.path}")
        return warnings

    def _legible(self, slug: str, kind: str = "traps") -> Stored | None:
        """Return a finding, None when it cannot be read: one bad file must not stop every save."""
        try:
            return self.read(slug, kind)
        except FindingsError:
            return None

    def _notes(self, slug: str, saved: Stored, *, awaits_review: bool) -> Iterator[str]:
        if os.path.lexists(self.finding_path(slug, "retired")):
            retired = self._legible(slug, "retired")
            why = retired.keys.get("retired", "") if retired else ""
            because = f" ({shown(why)})" if why else ""
            yield f"a finding of this name was retired{because}: see {self.finding_path(slug, 'retired')}"
        if awaits_review and os.path.lexists(self.finding_path(slug, "candidates")):
            yield f"a candidate of this name awaits review: see {self.finding_path(slug, 'candidates')}"
        if finding.expired(saved, date.today()):
            yield f"its expires date {saved.keys['expires']} has passed, so sync takes it out of the index: change it"
