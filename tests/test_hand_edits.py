"""People and git write without the lock: what they write while the tool works on the same file is not lost."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from claudedo_findings import (
    approve,
    exclude,
    files,
    git,
    lint_fix,
    listfile,
    lists,
    merge,
    recall,
    renewal,
    retire,
    tracking,
)
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.gather import candidates
from claudedo_findings.gather.draft import Draft
from claudedo_findings.store import Store

HAND = "The human's own words"
TODAY = date(2026, 11, 30)


@pytest.fixture
def store(listed: Path) -> Store:
    """A store with two findings, a candidate and a retired text."""
    store = Store(git.places(str(listed)))
    for slug in ("clock", "clock", "cache", "old"):
        store.save(new(slug, f"Text of {slug}, {len(store.slugs())}."), keep_scope=False)
    retire.retire(store, ["old"], "no longer holds")
    candidates.keep(store, [draft("Text.")])
    return store


def new(slug: str, body: str = "Another text.") -> Finding:
    return Finding(slug=slug, title=f"The {slug} is wrong", body=body)


def draft(body: str) -> Draft:
    return Draft(title="A draft of a trap", body=body, source="note:a.md#draft")


def mix(store: Store) -> int:
    """Give a finding line ends of two kinds, which `lint --fix` mends."""
    path = Path(store.finding_path("clock"))
    return path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n", 3))


def edit(path: Path) -> None:
    """Do what an editor does: the text gets a line more, at once."""
    path.write_bytes((path.read_bytes() if path.exists() else b"") + f"\n{HAND}\n".encode())


def meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let a human edit `path` right before the tool's last look at it, once; the list tells when it happened."""
    real, done = files._look_again, list[Path]()

    def look(place: str, seen: files.Seen | None) -> None:
        if Path(place) == path and not done:
            done.append(path)
            edit(path)
        real(place, seen)

    monkeypatch.setattr(files, "_look_again", look)
    return done


def find(folder: Path) -> list[str]:
    """Return where the human's words are now."""
    return sorted(
        path.relative_to(folder).parts[0] for path in folder.rglob("*.md") if HAND in path.read_text(encoding="utf-8")
    )


Deed = Callable[[Store], object]
DEEDS: dict[str, tuple[str, Deed, list[str]]] = {
    "save": ("traps/clock", lambda store: store.save(new("clock"), keep_scope=False), ["history"]),
    "retire": ("traps/clock", lambda store: retire.retire(store, ["clock"], "no longer holds"), ["retired"]),
    "merge, into": ("traps/clock", lambda store: merge.apply(store, "cache", "clock"), ["history"]),
    "merge, from": ("traps/cache", lambda store: merge.apply(store, "cache", "clock"), ["retired"]),
    "renew": (
        "traps/clock",
        lambda store: renewal.renew(store, ["clock"], expires="2099-01-01", today=TODAY),
        ["traps"],
    ),
    "restore a version": ("traps/clock", lambda store: recall.restore(store, "clock", 1), ["history"]),
    "retire once more": (
        "retired/old",
        lambda store: (store.save(new("old"), keep_scope=False), retire.retire(store, ["old"], "again")),
        ["history"],
    ),
    "reject": (
        "candidates/a-draft-of-a-trap",
        lambda store: retire.reject(store, ["a-draft-of-a-trap"], "no trap"),
        ["retired"],
    ),
    "lint --fix": ("traps/clock", lambda store: (mix(store), lint_fix.fix(store)), ["history", "traps"]),
    "draft again": (
        "candidates/a-draft-of-a-trap",
        lambda store: candidates.keep(store, [draft("New.")]),
        ["candidates"],
    ),
}


@pytest.mark.parametrize("name", DEEDS)
def test_an_edit_in_the_middle_of_a_deed_is_kept(name: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    place, deed, kept = DEEDS[name]
    path = Path(store.folder, f"{place}.md")
    done = meanwhile(path, monkeypatch)
    deed(store)
    assert done == [path]
    assert set(kept) <= set(find(Path(store.folder)))


def test_a_candidate_that_is_edited_while_it_is_approved_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile(Path(store.folder, "candidates/a-draft-of-a-trap.md"), monkeypatch)
    with pytest.raises(FindingsError, match="was changed by somebody else just now: look at it"):
        approve.approve(store, ["a-draft-of-a-trap"])
    assert find(Path(store.folder)) == ["candidates"]


def test_a_retired_text_that_is_edited_while_it_comes_back_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile(Path(store.folder, "retired/old.md"), monkeypatch)
    with pytest.raises(FindingsError, match="its retired text cannot come back as long as there is traps/old"):
        recall.restore(store, "old")
    assert find(Path(store.folder)) == ["retired"]
    assert "old" in store.slugs()


@pytest.mark.parametrize("deed", [DEEDS[name][1] for name in ("save", "retire", "merge, into", "restore a version")])
def test_the_humans_line_in_the_index_is_kept(deed: Deed, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    done = meanwhile(Path(store.index_path), monkeypatch)
    store.save(new("another"), keep_scope=False)
    deed(store)
    assert done
    listing = store.read_index()
    assert listing
    assert HAND in listing.lines
    assert {entry.slug for entry in listing.entries} == store.slugs()


def test_a_retry_leaves_no_text_twice_in_the_history(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(list(Path(store.history_folder("clock")).glob("*.md")))
    meanwhile(Path(store.folder, "traps/clock.md"), monkeypatch)
    store.save(new("clock"), keep_scope=False)
    assert len(list(Path(store.history_folder("clock")).glob("*.md"))) == before + 1


def test_the_users_other_files_keep_what_is_written_meanwhile(
    store: Store, listed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, deed in (
        (Path(store.places.exclude), lambda: exclude.remove(store.places, ".claudedo")),
        (Path(store.places.exclude), lambda: exclude.add(store.places, ".claudedo")),
        (Path(store.folder, ".gitignore"), lambda: tracking.track(store)),
    ):
        with monkeypatch.context() as patch:
            done = meanwhile(path, patch)
            deed()
        assert done
        assert HAND in path.read_text()
    with monkeypatch.context() as patch:
        place = Path(listfile.path())
        real, moments = files._look_again, list[str]()

        def look(path: str, seen: files.Seen | None) -> None:
            if Path(path) == place and not moments:
                moments.append(path)
                place.write_text(f"# {HAND}\n{place.read_text()}")
            real(path, seen)

        patch.setattr(files, "_look_again", look)
        lists.add("other", str(listed))
    assert HAND in place.read_text()
    assert set(listfile.read()) == {"app", "other"}


def test_who_never_stops_writing_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files._look_again

    def look(path: str, seen: files.Seen | None) -> None:
        if path == store.index_path:
            edit(Path(path))
        real(path, seen)

    monkeypatch.setattr(files, "_look_again", look)
    with pytest.raises(files.ChangedError, match=r"INDEX\.md was changed by somebody else just now"):
        store.save(new("another"), keep_scope=False)


def test_what_was_deleted_before_it_could_be_retired_leaves_no_empty_text(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = Path(store.folder, "traps/clock.md"), retire.require

    def require(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        path.unlink(missing_ok=True)

    monkeypatch.setattr(retire, "require", require)
    with pytest.raises(FindingsError, match=r"clock"):
        retire.retire(store, ["clock"], "no longer holds")
    assert not Path(store.folder, "retired/clock.md").exists()
