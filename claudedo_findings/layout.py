"""Where everything of a store lies: its paths, kept inside the project, and the lock of those who write there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from claudedo_findings import anchor, exclude, files, folders, git, index, lock
from claudedo_findings.errors import FindingsError

TYPE_CHECKING = False  # `pointer` reads no finding, and does not wait for what would take one apart: 5 ms
if TYPE_CHECKING:
    from claudedo_findings.stored import Stored

FOLDER = ".claudedo"
KINDS = ("traps", "candidates", "retired")


class Listing:
    """INDEX.md as it was read: its bytes, None when there is none, and what they say."""

    def __init__(self, data: bytes | None, index: index.Index) -> None:
        self.data = data
        self.index = index


class Layout:
    """The `.claudedo` folder of the list at `places.root`; it need not exist yet."""

    # No dataclass, here and in what this imports: their import is a fifth of what a hook may take.

    def __init__(self, places: git.Places) -> None:
        self.places = places

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.places == other.places

    def __hash__(self) -> int:
        return hash(self.places)

    @cached_property
    def folder(self) -> str:
        return os.path.join(self.places.root, FOLDER)

    @property
    def index_path(self) -> str:
        return os.path.join(self.folder, "INDEX.md")

    def finding_path(self, slug: str, kind: str = "traps") -> str:
        """Return the absolute path of a finding, or with `kind` that of a candidate or a retired one."""
        return os.path.join(self.folder, kind, f"{slug}.md")

    def history_folder(self, slug: str) -> str:
        """Return the folder of the texts of a finding that were replaced."""
        return os.path.join(self.folder, "history", slug)

    def exists(self) -> bool:
        """Return whether the store was ever created. Refuses what stands in its place and is no folder."""
        if os.path.isdir(self.folder):
            return True
        if os.path.lexists(self.folder):
            raise FindingsError(f"{self.folder} is no folder, so it holds no findings: move it out of the way")
        return False

    def slugs(self, kind: str = "traps") -> frozenset[str]:
        """Return the slugs of the files in one folder of the store; names that are no slug are passed over."""
        from claudedo_findings import rules

        folder = os.path.join(self.folder, kind)
        self.guard(folder)
        found = files.regular(folder)
        inside = (name for name, linked in found if not linked or self._inside(os.path.join(folder, name)))
        return frozenset(name[:-3] for name in inside if name.endswith(".md") and rules.is_slug(name[:-3]))

    def read(self, slug: str, kind: str = "traps") -> "Stored | None":
        """Return a finding as it stands in its file, None when there is no such file."""
        from claudedo_findings import stored

        path = self.finding_path(slug, kind)
        self.guard(path)
        data = files.read(path)
        return None if data is None else stored.parse(stored.decode(data))

    def read_all(self) -> "tuple[dict[str, Stored], list[str]]":
        """Return every finding by its slug, in order, and the names in their folder that are none or cannot be read."""
        from claudedo_findings import stored

        folder = os.path.join(self.folder, "traps")
        texts = files.read_each(folder, [f"{slug}.md" for slug in sorted(self.slugs())])
        found = {name[:-3]: stored.parse(stored.decode(data)) for name, data in texts if data is not None}
        names = (name for name in files.names(folder) if not files.is_temp(name))
        return found, sorted(name for name in names if name.removesuffix(".md") not in found)

    def read_index(self) -> index.Index | None:
        """Return the index as it stands, None when there is none."""
        listing = self.listing()
        return None if listing.data is None else listing.index

    def listing(self) -> Listing:
        """Return the index as it stands, an empty one when there is none. Raises FindingsError when it is not UTF-8."""
        self.guard(self.index_path)
        data = files.read(self.index_path)
        try:
            return Listing(data, index.parse((data or b"").decode("utf-8")))
        except UnicodeDecodeError as error:
            at = f"{error.reason} at byte {error.start}"
            raise FindingsError(f"{self.index_path} is not UTF-8 ({at}): save it as UTF-8") from error

    def last_change(self) -> float:
        """Return when a finding was last written or edited, in seconds since the epoch; 0 for none."""
        times = (files.changed(self.finding_path(slug)) for slug in self.slugs())
        return max(times, default=0.0)

    @contextmanager
    def writing(self, *, hide: bool = True) -> Iterator[Listing]:
        """Hold the store's lock, with its folders there, and give the index as it stands.

        A store that is new is excluded unless `hide` is false.
        """
        with lock.locked(self.lock_path), anchor.held(self.places.root, self.folder):
            parts = self.folder, os.path.join(self.folder, "traps")
            for folder in parts:
                self.guard(folder)
            listing = self.listing()  # what cannot be healed is refused before anything is written
            if hide and not os.path.lexists(self.folder) and self.places.exclude:
                files.sweep(os.path.dirname(os.path.realpath(self.places.exclude)))
                exclude.add(self.places, FOLDER)
            for folder in parts:
                files.make_folder(folder, durable=True)
            for folder in (self.folder, *(os.path.join(self.folder, kind) for kind in KINDS)):
                if self._inside(folder):
                    files.sweep(folder)
            yield listing

    def guard(self, path: str) -> None:
        """Refuse a path that a symlink leads out of the root, or into git's own folder."""
        if real := anchor.leads_out(self.places.root, path):
            raise FindingsError(f"{path} leads out of the project, to {real}: remove that link")

    def _inside(self, path: str) -> bool:
        return not anchor.leads_out(self.places.root, path)

    @property
    def lock_path(self) -> str:
        if self.places.common_dir:
            return os.path.join(self.places.common_dir, "claudedo-findings.lock")
        return os.path.join(folders.state(), "locks", f"{folders.key(self.folder)}.lock")
