"""Texts come back from the history, and a leaked secret goes for good."""

from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import history, recall
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store


@pytest.fixture
def store(repo: Path) -> Store:
    """A store whose finding `trap` was saved as One, then Two, then Three."""
    store = Store(door.places(str(repo)))
    for title in ("One", "Two", "Three"):
        store.save(Finding(slug="trap", title=title, body=f"Text {title}."), keep_scope=True)
    return store


def text(store: Store) -> str:
    """Return the finding's file."""
    return Path(store.finding_path("trap")).read_text(encoding="utf-8")


def hook(store: Store) -> str:
    """Return the finding's hook."""
    index = store.read_index()
    assert index
    return next(entry.hook for entry in index.entries if entry.slug == "trap")


def test_restore_brings_back_the_newest_text_that_was_replaced(store: Store) -> None:
    assert recall.restore(store, "trap").number == 2
    assert "# Two\n\nText Two.\n" in text(store)
    assert hook(store) == "Two"


def test_restore_of_a_version_brings_back_that_text(store: Store) -> None:
    recall.restore(store, "trap", 1)
    assert "# One\n" in text(store)


def test_restore_keeps_what_it_replaces(store: Store) -> None:
    recall.restore(store, "trap", 1)
    newest = history.versions(store.history_folder("trap"))[-1]
    assert "# Three" in Path(newest.path).read_text(encoding="utf-8")
    assert not newest.by_hand


def test_restore_brings_back_a_finding_that_was_deleted_by_hand(store: Store) -> None:
    Path(store.finding_path("trap")).unlink()
    recall.restore(store, "trap")
    assert hook(store) == "Two"


def test_restored_text_of_the_tool_is_no_hand_edit(store: Store) -> None:
    recall.restore(store, "trap", 1)
    outcome = store.save(Finding(slug="trap", title="Four", body="b"), keep_scope=True)
    assert outcome.warnings == ()


def test_restore_of_an_unknown_version_names_those_there_are(store: Store) -> None:
    with pytest.raises(FindingsError, match="no version 7; there is 1, 2"):
        recall.restore(store, "trap", 7)


def test_restore_without_a_history_says_so(store: Store) -> None:
    with pytest.raises(FindingsError, match="there is none"):
        recall.restore(store, "unknown")
    assert not Path(store.finding_path("unknown")).exists()


def test_bytes_that_are_not_utf_8_come_back_as_they_were(store: Store) -> None:
    path = Path(store.finding_path("trap"))
    path.write_bytes(b"# Latin \xe4\n\nText.\n")
    outcome = store.save(Finding(slug="trap", title="Fixed", body="b"), keep_scope=True)
    assert any("by hand" in warning for warning in outcome.warnings)
    recall.restore(store, "trap")
    assert path.read_bytes() == b"# Latin \xe4\n\nText.\n"


def test_forget_leaves_no_trace_of_a_secret_in_the_store(store: Store) -> None:
    secret = "hunter2-of-the-human"
    path = Path(store.finding_path("trap"))
    path.write_text(f"# Leak\n\n{secret}\n")
    store.save(Finding(slug="trap", title="Clean", body="b"), keep_scope=True)
    store.save(Finding(slug="other", title="Stays", body="b"), keep_scope=True)
    for kind in ("candidates", "retired"):
        draft = Path(store.finding_path("trap", kind))
        draft.parent.mkdir()
        draft.write_text(f"# Draft\n\n{secret}\n")
    gone = recall.forget(store, "trap")
    assert str(path) in gone
    files = [file for file in Path(store.folder).rglob("*") if file.is_file()]
    assert not [file for file in files if secret in file.read_text(encoding="utf-8") or "trap" in file.name]
    assert [entry.slug for entry in store.read_index().entries] == ["other"]  # type: ignore[union-attr]


def test_forget_of_an_unknown_slug_deletes_nothing(store: Store) -> None:
    before = text(store)
    assert recall.forget(store, "unknown") == []
    assert text(store) == before


def test_forget_refuses_a_history_that_leads_out_of_the_project(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.md").write_text("mine")
    folder = Path(store.folder) / "history" / "linked"
    folder.symlink_to(outside)
    with pytest.raises(FindingsError, match="leads out of the project"):
        recall.forget(store, "linked")
    assert (outside / "precious.md").read_text() == "mine"
