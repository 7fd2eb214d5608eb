"""Two findings become one text: the same one each time, and nothing of either is lost."""

from pathlib import Path

import pytest

from claudedo_findings import finding, git, history, merge
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store


def stored(title: str = "One", body: str = "Text.", **keys: str) -> finding.Stored:
    return finding.parse(finding.render(Finding(slug="x", title=title, body=body, notes=keys)))


def scoped(scope: str) -> finding.Stored:
    return finding.parse(finding.render(Finding(slug="x", title=f"In {scope}", body="b", scope=scope)))


def propose(source: finding.Stored, target: finding.Stored) -> merge.Proposal:
    return merge.propose(source, target, "source", "target")


@pytest.mark.parametrize(
    ("source", "target", "body"),
    [
        ("A.\n\nB.", "B.\n\nC.", "B.\n\nC.\n\nSource\n\nA."),
        ("same  text", "Same text.", "Same text.\n\nSource"),
        ("```\na\n\nb\n```", "C.", "C.\n\nSource\n\n```\na\n\nb\n```"),
        ("- a\n- b\n\n- c", "- a\n- b", "- a\n- b\n\nSource\n\n- c"),
        ("A.\n\nA.", "B.", "B.\n\nSource\n\nA."),
        ("A.", "~~~\nB\n\n```\n\n~~~\n\nA.", "~~~\nB\n\n```\n\n~~~\n\nA.\n\nSource"),
    ],
)
def test_each_paragraph_stands_once_the_targets_first(source: str, target: str, body: str) -> None:
    proposal = propose(stored("Source", source), stored("Target", target))
    assert (proposal.merged.title, proposal.merged.body) == ("Target", body)
    assert propose(stored("Source", source), stored("Target", target)) == proposal


def test_title_that_says_the_same_is_not_repeated() -> None:
    assert propose(stored("The  TRAP.", "A."), stored("The trap", "B.")).merged.body == "B.\n\nA."


@pytest.mark.parametrize(
    ("source", "target", "scope", "warned"),
    [
        ("src/a.py", "src/a.py", "src/a.py", False),
        ("", "src/a.py", "src/a.py", False),
        ("src/a.py", "", "src/a.py", False),
        ("src/a.py", "src/b.py", "src", False),
        ("src/app.py", "src/application.py", "src", False),
        ("src/a/b.py", "src/a", "src/a", False),
        (".", "src", ".", False),
        ("docs/a.md", "src/b.py", "src/b.py", True),
    ],
)
def test_scope_is_the_folder_that_holds_both(source: str, target: str, scope: str, warned: bool) -> None:
    proposal = propose(scoped(source), scoped(target))
    assert proposal.merged.scope == scope
    assert bool(proposal.warnings) == warned


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ({"evidence": "commit a"}, {"evidence": "commit b"}, {"evidence": "commit b; commit a"}),
        ({"evidence": "commit a"}, {}, {"evidence": "commit a"}),
        ({"evidence": "commit a"}, {"evidence": "seen in commit a"}, {"evidence": "seen in commit a"}),
        ({"retry-when": "v2"}, {}, {"retry-when": "v2"}),
        ({"expires": "2030-01-01"}, {"expires": "2031-01-01"}, {"expires": "2031-01-01"}),
        ({"expires": "2030-01-01"}, {}, {"expires": ""}),
        ({}, {}, {}),
    ],
)
def test_notes_of_both_are_kept(source: dict[str, str], target: dict[str, str], expected: dict[str, str]) -> None:
    assert dict(propose(stored(**source), stored(**target)).merged.notes) == expected


def test_notes_that_are_too_long_together_are_named() -> None:
    proposal = propose(stored(evidence="a" * 300), stored(evidence="b" * 300))
    assert proposal.merged.notes["evidence"] == "b" * 300
    assert "evidence of both is too long for one: that of 'source' is left out" in proposal.warnings


def test_bodies_over_the_limit_are_an_error_that_names_the_length() -> None:
    with pytest.raises(FindingsError, match=r"'source' and 'target' cannot be one finding: body has 10\d+ characters"):
        propose(stored(body="a" * 5000), stored("Two", body="b" * 5000))


def test_finding_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(FindingsError, match="the finding 'source' cannot be read in full"):
        propose(finding.parse("no title"), stored())


@pytest.fixture
def store(repo: Path) -> Store:
    store = Store(git.places(str(repo)))
    for slug in ("one", "two"):
        new = Finding(slug=slug, title=f"Title {slug}", body=f"Text {slug}.", verified_against="abcdef0")
        store.save(new, keep_scope=True)
    return store


def test_proposal_writes_nothing(store: Store) -> None:
    before = {path: path.read_bytes() for path in Path(store.folder).rglob("*") if path.is_file()}
    merge.proposal(store, "one", "two")
    assert {path: path.read_bytes() for path in Path(store.folder).rglob("*") if path.is_file()} == before


def test_applied_merge_is_one_finding_and_the_other_is_retired(store: Store) -> None:
    path = Path(store.finding_path("two"))
    path.write_text(path.read_text().replace("---\nslug", "---\nowner: Ann\nslug"))
    old = path.read_text()
    done = merge.apply(store, "one", "two")
    text = path.read_text()
    assert finding.parse(text).body == "Text two.\n\nTitle one\n\nText one."
    assert "owner: Ann\n" in text
    assert "verified-against: abcdef0\n" in text
    assert store.slugs() == {"two"}
    index = store.read_index()
    assert index
    assert [(entry.slug, entry.hook) for entry in index.entries] == [("two", "Title two")]
    retired = finding.parse(Path(done.retired).read_text())
    assert (retired.keys["retired"], retired.body) == ("merged into two", "Text one.")
    assert [Path(one.path).read_text() for one in history.versions(store.history_folder("two"))] == [old]


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [("one", "one", "merged into itself"), ("nine", "two", "no finding 'nine'"), ("one", "nine", "no finding 'nine'")],
)
def test_merge_of_what_is_not_two_findings_is_refused(source: str, target: str, message: str, store: Store) -> None:
    with pytest.raises(FindingsError, match=message):
        merge.apply(store, source, target)
    assert store.slugs() == {"one", "two"}
