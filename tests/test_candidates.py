"""Drafts as candidate files: a source may run again and again, and nothing that a person did is undone."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from claudedo_findings import approve, finding, git, retire
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.gather import candidates
from claudedo_findings.gather.draft import Draft, digest
from claudedo_findings.gather.plan import Kept
from claudedo_findings.store import Store
from tests.conftest import git as run_git

SHA = "revert:3f9a2c7d0b1e4f5a6978"


@pytest.fixture
def store(repo: Path) -> Store:
    """The store of `repo`, which does not exist yet."""
    return Store(git.places(str(repo)))


def draft(
    source: str = SHA,
    *,
    title: str = "Caching the parsed config breaks reload",
    body: str = "Tried and reverted.",
    scope: str = "src/app.py",
    evidence: str = "commit 3f9a2c7",
    also: tuple[str, ...] = (),
) -> Draft:
    return Draft(source=source, title=title, body=body, scope=scope, evidence=evidence, also=also)


def keep(store: Store, *drafts: Draft, gone: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """Keep drafts and return statuses and slugs; a preview must have said the same and written nothing."""
    before = snapshot(store)
    promised = candidates.preview(store, drafts, gone=gone or {})
    assert snapshot(store) == before
    kept = candidates.keep(store, drafts, gone=gone or {})
    assert kept == promised
    return [(one.status, one.slug) for one in kept]


def notes(store: Store, *drafts: Draft) -> list[str]:
    return [one.note for one in candidates.preview(store, drafts)]


def snapshot(store: Store) -> dict[str, bytes]:
    """Return every file of the store but the index's folder of history."""
    return {str(path): path.read_bytes() for path in Path(store.folder).rglob("*") if path.is_file()}


def path_of(store: Store, slug: str = "caching-the-parsed-config-breaks-reload", kind: str = "candidates") -> Path:
    return Path(store.finding_path(slug, kind))


SLUG = "caching-the-parsed-config-breaks-reload"


def edit(store: Store, old: str = "Tried and reverted.", new: str = "My own words.", slug: str = SLUG) -> bytes:
    path = path_of(store, slug)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return path.read_bytes()


def reject(store: Store, slug: str = SLUG) -> Path:
    return Path(retire.reject(store, [slug], "nobody would")[0])


def accept(store: Store, slug: str = SLUG) -> None:
    approve.approve(store, [slug])


def test_candidate_is_a_finding_with_its_source_and_evidence(store: Store) -> None:
    assert keep(store, draft()) == [("created", SLUG)]
    text = path_of(store).read_text()
    stored = finding.parse(text)
    assert (stored.title, stored.body, stored.scope) == (
        "Caching the parsed config breaks reload",
        "Tried and reverted.",
        "src/app.py",
    )
    assert stored.keys["source"] == SHA
    assert stored.keys["evidence"] == "commit 3f9a2c7"
    assert stored.keys["verified-against"] == ""
    assert text.startswith(f'---\nslug: {SLUG}\nscope: src/app.py\nsource-task: ""\nverified-against: ""\nevidence: ')


def test_store_is_made_and_hidden_like_on_the_first_save_and_the_index_is_left_alone(store: Store, repo: Path) -> None:
    keep(store, draft())
    assert run_git(repo, "status", "--porcelain") == ""
    assert not Path(store.index_path).exists()
    store.save(Finding(slug="real", title="Real", body="b"), keep_scope=True)
    index = Path(store.index_path).read_bytes()
    keep(store, draft("note:a#b", title="Another"))
    assert Path(store.index_path).read_bytes() == index


@pytest.mark.parametrize("gone", [{}, {"revert:unknown": "came back"}])
def test_nothing_to_keep_creates_nothing(gone: dict[str, str], store: Store) -> None:
    assert keep(store, gone=gone) == []
    assert not store.exists()


def test_second_run_changes_no_byte(store: Store) -> None:
    drafts = [draft(), draft("note:docs/a.md#x", title="Größe zählt", also=("note:old.md#x",))]
    keep(store, *drafts)
    before = snapshot(store)
    assert [status for status, _ in keep(store, *drafts)] == ["unchanged", "unchanged"]
    assert snapshot(store) == before


EDITS: dict[str, Callable[[Store], object]] = {
    "body": lambda store: edit(store),
    "title": lambda store: edit(store, "# Caching", "# Never caching"),
    "scope": lambda store: edit(store, "scope: src/app.py", "scope: src"),
    "evidence": lambda store: edit(store, "commit 3f9a2c7", "seen twice"),
}


@pytest.mark.parametrize("what", EDITS)
def test_edited_candidate_is_left_alone(what: str, store: Store) -> None:
    keep(store, draft())
    EDITS[what](store)
    before = snapshot(store)
    assert keep(store, draft()) == [("edited", SLUG)]
    assert keep(store, draft(body="The source says more now.")) == [("changed", SLUG)]
    assert snapshot(store) == before


def test_retry_when_that_a_hand_changed_is_left_alone(store: Store) -> None:
    told = Draft(source=SHA, title="Caching breaks reload", body="Tried.", retry_when="reload is gone")
    keep(store, told)
    mine = edit(store, "reload is gone", "never", slug=told.slug)
    assert keep(store, told) == [("edited", told.slug)]
    assert path_of(store, told.slug).read_bytes() == mine


@pytest.mark.parametrize(("settle", "kind", "status"), [(accept, "traps", "accepted"), (reject, "retired", "rejected")])
def test_candidate_that_a_killed_move_left_behind_goes_with_the_next_run(
    settle: Callable[[Store], object], kind: str, status: str, store: Store
) -> None:
    keep(store, draft())
    left = path_of(store).read_bytes()
    settle(store)
    path_of(store).write_bytes(left)  # the new file was written, the old one not yet removed
    assert keep(store, draft()) == [(status, SLUG)]
    assert not path_of(store).exists()
    assert path_of(store, kind=kind).exists()


def test_rejection_counts_before_a_withdrawal_of_the_same_source(store: Store) -> None:
    keep(store, draft())
    rejected = reject(store)
    text = rejected.read_text().replace("rejected: nobody would", "withdrawn: it came back")
    for name in ("a-copy", "z-copy"):
        path_of(store, name, "retired").write_text(text)
    assert keep(store, draft()) == [("rejected", SLUG)]


def test_untouched_candidate_follows_its_source_and_keeps_foreign_keys(store: Store) -> None:
    keep(store, draft())
    edit(store, "---\nslug", "---\n# mine\nowner: Ann\nslug")
    assert keep(store, draft(body="The source says more now.")) == [("updated", SLUG)]
    text = path_of(store).read_text()
    assert "The source says more now." in text
    assert text.startswith("---\n# mine\nowner: Ann\nslug: ")
    assert keep(store, draft(body="The source says more now.")) == [("unchanged", SLUG)]


def test_new_evidence_alone_is_no_change_at_the_source(store: Store) -> None:
    keep(store, draft())
    assert keep(store, draft(evidence="seen in 7 sessions")) == [("updated", SLUG)]
    edit(store)
    assert keep(store, draft(evidence="seen in 8 sessions")) == [("edited", SLUG)]


def test_change_at_the_source_can_be_settled_in_the_file(store: Store) -> None:
    keep(store, draft())
    edit(store)
    new = draft(body="The source says more now.")
    note = notes(store, new)[0]
    assert "its source says now: Caching the parsed config" in note
    old = next(line for line in path_of(store).read_text().splitlines() if line.startswith("drafted:"))
    edit(store, old, note[note.index("'") + 1 : note.rindex("'")])
    assert keep(store, new) == [("edited", SLUG)]


def test_text_that_a_hand_brought_in_line_is_no_change(store: Store) -> None:
    keep(store, draft())
    edit(store, "Tried and reverted.", "The source says more now.")
    assert keep(store, draft(body="The source says more now.")) == [("edited", SLUG)]


def test_editor_that_changes_line_ends_is_no_edit(store: Store) -> None:
    keep(store, draft(body="Two\nlines."))
    path_of(store).write_bytes(b"\xef\xbb\xbf" + path_of(store).read_bytes().replace(b"\n", b"\r\n"))
    assert keep(store, draft(body="Three\nmore\nlines.")) == [("updated", SLUG)]
    assert b"more\r\nlines.\r\n" in path_of(store).read_bytes()


def test_renamed_candidate_is_known_by_its_source(store: Store) -> None:
    keep(store, draft())
    path_of(store).rename(path_of(store, "config-cache"))
    assert keep(store, draft()) == [("updated", "config-cache")]
    assert "slug: config-cache\n" in path_of(store, "config-cache").read_text()
    assert not path_of(store).exists()


def test_candidate_renamed_to_something_that_is_no_slug_is_known_and_reported(store: Store) -> None:
    keep(store, draft())
    path_of(store).rename(path_of(store, "My Notes"))
    assert keep(store, draft()) == [("edited", "My Notes")]
    assert "its name is no slug" in notes(store, draft())[0]
    assert keep(store) == [("broken", "My Notes")]


def test_rejected_candidate_never_comes_back(store: Store) -> None:
    keep(store, draft())
    target = reject(store)
    before = snapshot(store)
    assert keep(store, draft()) == [("rejected", SLUG)]
    assert notes(store, draft()) == ["rejected: nobody would"]
    assert keep(store, draft(title="Another title", body="And another text.")) == [("rejected", SLUG)]
    assert keep(store, draft("note:copy.md#x")) == [("duplicate", SLUG)]
    target.rename(path_of(store, "under-another-name", "retired"))
    assert keep(store, draft()) == [("rejected", "under-another-name")]
    assert sorted(before.values()) == sorted(snapshot(store).values())


def test_accepted_finding_is_left_alone_and_a_change_is_told(store: Store) -> None:
    keep(store, draft())
    accept(store)
    before = snapshot(store)
    assert keep(store, draft()) == [("accepted", SLUG)]
    assert keep(store, draft(body="The source says more now.")) == [("changed", SLUG)]
    assert "it is a finding by now" in notes(store, draft(body="The source says more now."))[0]
    assert snapshot(store) == before


def test_candidate_whose_ground_is_gone_is_withdrawn_with_the_reason(store: Store) -> None:
    keep(store, draft())
    assert keep(store, gone={SHA: "the approach came back in 1234567"}) == [("withdrawn", SLUG)]
    assert not path_of(store).exists()
    stored = finding.parse(path_of(store, kind="retired").read_text())
    assert stored.keys["retired"] == "withdrawn: the approach came back in 1234567"
    assert stored.body == "Tried and reverted."
    assert keep(store, gone={SHA: "the approach came back in 1234567"}) == []


def test_withdrawn_candidate_comes_back_with_its_ground(store: Store) -> None:
    keep(store, draft())
    keep(store, gone={SHA: "came back"})
    assert keep(store, draft(body="Reverted again.")) == [("created", SLUG)]
    text = path_of(store).read_text()
    assert "Reverted again." in text
    assert "retired:" not in text
    assert not path_of(store, kind="retired").exists()
    assert keep(store, draft(body="Reverted again.")) == [("unchanged", SLUG)]


def test_withdrawn_candidate_comes_back_as_a_hand_left_it(store: Store) -> None:
    keep(store, draft())
    mine = edit(store)
    keep(store, gone={SHA: "came back"})
    keep(store, draft(body="Reverted again."))
    assert path_of(store).read_bytes() == mine


def test_withdrawn_text_is_no_reason_against_another_source(store: Store) -> None:
    keep(store, draft())
    keep(store, gone={SHA: "came back"})
    assert keep(store, draft("note:a.md#x")) == [("created", f"{SLUG}-2")]


def test_accepted_finding_whose_ground_is_gone_is_flagged_each_time(store: Store) -> None:
    keep(store, draft())
    accept(store)
    before = snapshot(store)
    for _ in range(2):
        assert keep(store, gone={SHA: "came back"}) == [("flagged", SLUG)]
    assert snapshot(store) == before


def test_rejected_candidate_is_not_withdrawn(store: Store) -> None:
    keep(store, draft())
    reject(store)
    assert keep(store, gone={SHA: "came back"}) == []


def test_draft_whose_ground_is_gone_is_not_kept(store: Store) -> None:
    assert keep(store, draft(), gone={SHA: "came back"}) == [("refused", "")]
    assert not store.exists()


def test_fallback_key_recognises_a_source_whose_key_changed(store: Store) -> None:
    twin = "revert-at:1700000000 src/app.py"
    keep(store, draft(also=(twin,)))
    assert keep(store, draft("revert:after-a-rebase", also=(twin,))) == [("updated", SLUG)]
    assert keep(store, draft("revert:after-a-rebase", also=(twin,))) == [("unchanged", SLUG)]
    reject(store)
    assert keep(store, draft("revert:once-more", also=(twin,))) == [("rejected", SLUG)]


def test_gone_is_found_by_a_fallback_key(store: Store) -> None:
    keep(store, draft(also=("revert-at:1",)))
    assert keep(store, gone={"revert-at:1": "came back"}) == [("withdrawn", SLUG)]


@pytest.mark.parametrize("kind", ["traps", "candidates", "retired"])
def test_taken_slug_is_numbered_and_nothing_is_overwritten(kind: str, store: Store) -> None:
    with store.writing():
        path_of(store, kind=kind).parent.mkdir(exist_ok=True)
    path_of(store, kind=kind).write_text("# Mine\n\nMy own words.\n")
    before = snapshot(store)
    assert keep(store, draft()) == [("created", f"{SLUG}-2")]
    assert keep(store, draft(), draft("note:b#c", body="Other.")) == [
        ("unchanged", f"{SLUG}-2"),
        ("created", f"{SLUG}-3"),
    ]
    assert before.items() <= snapshot(store).items()


def test_two_sources_with_one_slug_are_two_candidates(store: Store) -> None:
    two = draft("note:a#x", body="One."), draft("note:b#x", body="Two.")
    assert keep(store, *two) == [("created", SLUG), ("created", f"{SLUG}-2")]
    assert keep(store, *reversed(two)) == [("unchanged", f"{SLUG}-2"), ("unchanged", SLUG)]


def test_numbered_slug_keeps_the_limit(store: Store) -> None:
    long = "word " * 40
    kept = keep(store, draft("note:a#x", title=long, body="One."), draft("note:b#x", title=long, body="Two."))
    assert [len(slug) <= 64 for _, slug in kept] == [True, True]
    assert kept[1][1].endswith("-2")


def test_copy_of_a_note_is_a_duplicate(store: Store) -> None:
    assert keep(store, draft("note:a#x"), draft("note:b#x")) == [("created", SLUG), ("duplicate", SLUG)]
    assert keep(store, draft("note:b#x")) == [("duplicate", SLUG)]


def test_text_that_an_agent_saved_already_is_a_duplicate(store: Store) -> None:
    store.save(
        Finding(slug="config-cache", title=draft().title, body=draft().body, scope=draft().scope), keep_scope=True
    )
    assert keep(store, draft()) == [("duplicate", "config-cache")]


def test_draft_without_any_text_is_refused_and_the_others_are_kept(store: Store) -> None:
    kept = candidates.keep(store, [draft(title="", body=""), draft()])
    assert [one.status for one in kept] == ["refused", "created"]
    assert "body is empty" in kept[0].note


def test_source_that_says_nothing_any_more_is_refused_and_its_candidate_stays(store: Store) -> None:
    keep(store, draft())
    before = snapshot(store)
    assert keep(store, draft(title="", body=""), draft("note:a#x", title="Another")) == [
        ("refused", ""),
        ("created", "another"),
    ]
    assert before.items() <= snapshot(store).items()


def test_reason_of_a_withdrawal_passes_the_gate(store: Store) -> None:
    keep(store, draft())
    reason = "ghp_abcdefghijklmnopqrstuvwxyz0123456789 of max@firma.de\u200b\nin /home/max " + "word " * 200
    keep(store, gone={SHA: reason})
    retired = finding.parse(path_of(store, kind="retired").read_text()).keys["retired"]
    assert retired.startswith("withdrawn: [GitHub token removed] of [mail address removed] in ~ word")
    assert len(retired) <= 500


def test_broken_candidate_is_reported_and_never_lost(store: Store) -> None:
    keep(store, draft())
    path_of(store).write_bytes(b"---\nowner: Ann\n\nno title, \xe4 and no key\n")
    before = snapshot(store)
    assert keep(store, draft()) == [("edited", SLUG)]
    assert keep(store) == [("broken", SLUG)]
    assert keep(store, draft("note:a#x", title="Another")) == [("created", "another"), ("broken", SLUG)]
    assert before.items() <= snapshot(store).items()


def test_broken_candidate_with_a_legible_key_is_known_by_it(store: Store) -> None:
    keep(store, draft())
    path_of(store).rename(path_of(store, "renamed"))
    edit(store, "# Caching", "Caching", slug="renamed")
    assert keep(store, draft()) == [("edited", "renamed")]


def test_candidates_folder_that_leads_out_is_refused(store: Store, tmp_path: Path) -> None:
    with store.writing():
        pass
    (tmp_path / "outside").mkdir()
    (Path(store.folder) / "candidates").symlink_to(tmp_path / "outside")
    with pytest.raises(FindingsError, match="leads out of the project"):
        candidates.keep(store, [draft()])
    assert list((tmp_path / "outside").iterdir()) == []


def test_candidate_linked_out_of_the_project_is_reported_and_not_read(store: Store, tmp_path: Path) -> None:
    keep(store, draft("note:a#x", title="Another"))
    (tmp_path / "secret.md").write_text(f"---\nsource: {SHA}\n---\n# x\n\ny\n")
    path_of(store, "linked").symlink_to(tmp_path / "secret.md")
    assert keep(store, draft()) == [("created", SLUG), ("broken", "linked")]


def test_three_runs_with_an_edit_a_rejection_and_a_change_between(store: Store) -> None:
    sources = {name: f"note:notes.md#{name}" for name in ("edited", "rejected", "moving", "still", "accepted")}
    first = [draft(source, title=f"Trap {name}", body=f"Text of {name}.") for name, source in sources.items()]
    assert [status for status, _ in keep(store, *first)] == ["created"] * 5
    mine = edit(store, "Text of edited.", "Corrected.", slug="trap-edited")
    reject(store, "trap-rejected")
    accept(store, "trap-accepted")
    second = [draft(one.source, title=one.title, body=one.body + " And more.") for one in first]
    second[3] = first[3]
    expected = ["changed", "rejected", "updated", "unchanged", "changed"]
    assert [status for status, _ in keep(store, *second)] == expected
    after = snapshot(store)
    expected[2] = "unchanged"
    assert [status for status, _ in keep(store, *second)] == expected
    assert snapshot(store) == after
    assert path_of(store, "trap-edited").read_bytes() == mine
    assert store.slugs("candidates") == {"trap-edited", "trap-moving", "trap-still"}


def test_broken_draft_text_round_trips(store: Store) -> None:
    odd = draft(title="# Hash: 'quotes' — \"both\"", body="# Heading\n\n---\n\n```\ncode\n```\n  indented  \n")
    keep(store, odd)
    [slug] = store.slugs("candidates")
    stored = store.read(slug, "candidates")
    assert stored
    assert digest(stored.title, stored.body, stored.scope) == odd.digest


def test_kept_says_what_a_reader_needs(store: Store) -> None:
    assert candidates.keep(store, [draft()]) == (Kept(status="created", slug=SLUG, source=SHA),)
