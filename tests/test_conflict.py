"""A front matter in which git left a conflict says two things: a person chooses, no verb writes over it."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from claudedo_findings import approve, finding, git, merge, recall, renewal, retire
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.gather import candidates
from claudedo_findings.gather.draft import Draft
from claudedo_findings.store import Store

TODAY = date(2026, 6, 1)
OURS, THEIRS = "verified-against: aaaaaaa\n", "verified-against: bbbbbbb\n"
IN_A_KEY = (
    f"---\nslug: trap\nscope: src\n<<<<<<< HEAD\n{OURS}=======\n{THEIRS}>>>>>>> other\n---\n\n# The trap\n\nText.\n"
)
WITH_BASE = IN_A_KEY.replace("=======\n", "||||||| 1234567\nverified-against: 0000000\n=======\n").replace("\n", "\r\n")
WHOLE = f"<<<<<<< HEAD\n---\n{OURS}---\n\n# One\n=======\n---\n{THEIRS}---\n\n# Two\n>>>>>>> other\n"
OVER_ITS_END = "---\nslug: trap\n<<<<<<< HEAD\nscope: a\n---\n# One\n=======\nscope: b\n---\n# Two\n>>>>>>> other\n"
NEVER_CLOSED = "---\nslug: trap\n<<<<<<< HEAD\nscope: a\n=======\n\n# One\n"
CONFLICTS = [IN_A_KEY, WITH_BASE, WHOLE, OVER_ITS_END, NEVER_CLOSED]

VERBS: dict[str, tuple[str, Callable[[Store], object]]] = {
    "renew": ("traps", lambda store: renewal.renew(store, ["other", "trap"], today=TODAY)),
    "retire": ("traps", lambda store: retire.retire(store, ["other", "trap"], "gone")),
    "merge into it": ("traps", lambda store: merge.apply(store, "other", "trap")),
    "merge it": ("traps", lambda store: merge.apply(store, "trap", "other")),
    "approve": ("candidates", lambda store: approve.approve(store, ["draft", "trap"])),
    "reject": ("candidates", lambda store: retire.reject(store, ["draft", "trap"], "no")),
    "restore": ("retired", lambda store: recall.restore(store, "trap")),
}


@pytest.fixture
def store(repo: Path) -> Store:
    """A store with the finding `other` and the candidate `draft`."""
    store = Store(git.places(str(repo)))
    store.save(Finding(slug="other", title="Another trap", body="Text."), keep_scope=False)
    candidates.keep(store, [Draft(source="revert:abc", title="Draft", body="Tried.", scope="src", evidence="abc")])
    return store


def put(store: Store, text: str, kind: str = "traps") -> Path:
    path = Path(store.finding_path("trap", kind))
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def snapshot(store: Store) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path(store.folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("text", CONFLICTS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_refuses_it_by_name_and_changes_nothing(verb: str, text: str, store: Store) -> None:
    kind, run = VERBS[verb]
    path = put(store, text, kind)
    before = snapshot(store)
    with pytest.raises(FindingsError, match="git left a conflict") as caught:
        run(store)
    assert str(path) in str(caught.value)
    assert snapshot(store) == before


@pytest.mark.parametrize("text", CONFLICTS)
def test_a_finding_saved_over_it_is_whole_and_the_old_text_is_kept(text: str, store: Store) -> None:
    path = put(store, text)
    outcome = store.save(Finding(slug="trap", title="The trap", body="New."), keep_scope=True)
    assert finding.parse(path.read_text(encoding="utf-8")).complaint == ""
    assert any("git left a conflict" in warning for warning in outcome.warnings)
    assert text.encode() in snapshot(store).values()


@pytest.mark.parametrize("kind", ["candidates", "retired"])
def test_a_source_neither_withdraws_it_nor_brings_it_back(kind: str, store: Store) -> None:
    draft = Draft(source="note:a#b", title="From a note", body="Tried.", scope="src", evidence="abc")
    candidates.keep(store, [draft])
    if kind == "retired":
        candidates.keep(store, [], gone={draft.source: "it is gone"})
    path = Path(store.finding_path("from-a-note", kind))
    both = "<<<<<<< HEAD\nscope: src\n=======\nscope: lib\n>>>>>>> other\n"
    path.write_text(path.read_text(encoding="utf-8").replace("scope: src\n", both), encoding="utf-8")
    before = snapshot(store)
    gone = {draft.source: "it is gone"}
    told = candidates.keep(store, [], gone=gone) if kind == "candidates" else candidates.keep(store, [draft])
    assert [(one.status, one.slug) for one in told] == [("broken", "from-a-note")]
    assert snapshot(store) == before


@pytest.mark.parametrize("text", ["---\nslug: trap\n---\n\n# T\n\n=======\n<<<<<<< in the body\n", "# T\n\n=======\n"])
def test_below_the_front_matter_it_hinders_nobody(text: str, store: Store) -> None:
    put(store, text)
    assert renewal.renew(store, ["trap"], today=TODAY)[0].status != "unchanged"
