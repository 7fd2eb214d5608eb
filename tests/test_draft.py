"""Whatever a source says becomes a text that can be stored, read back as the same, and told from another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claudedo_findings import finding, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import candidate
from claudedo_findings.gather.candidate import Held
from claudedo_findings.gather.draft import Draft, key
from tests.test_redact import PIECES

MARKS = ("# ", "---\n", "```\n", "word ", "字", "\r\n", "\u2028", "\ufeff")
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from([*PIECES, "# ", "---\n", "```\n", "word ", "字", "\r\n", "\u2028", "\ufeff"]), max_size=12
    ).map("".join),
    st.text(alphabet="ab \n#-`…", max_size=5).map(lambda text: text * 500),
)


@settings(max_examples=400, deadline=None)
@given(title=TEXTS, body=TEXTS, scope=TEXTS, evidence=TEXTS, source=TEXTS, also=st.lists(TEXTS, max_size=2))
def test_any_text_becomes_a_candidate_that_reads_back_as_drafted(
    title: str, body: str, scope: str, evidence: str, source: str, also: list[str]
) -> None:
    draft = Draft(source=source, title=title, body=body, scope=scope, evidence=evidence, also=tuple(also))
    assert rules.is_slug(draft.slug)
    if not draft.body:
        with pytest.raises(FindingsError, match="body is empty"):
            candidate.render(draft, draft.slug)
        return
    data = candidate.render(draft, draft.slug)
    rules.visible("file", data.decode(), "\n\t")
    held = Held(kind="candidates", name=draft.slug, data=data)
    assert not held.touched
    assert not held.complaint
    assert (held.digest, held.drafted) == (draft.digest, draft.digest)
    assert held.source == draft.source
    assert candidate.render(draft, draft.slug, data) == data
    assert Held(kind="candidates", name="x", data=data.replace(b"\n# ", b"\n# changed ", 1)).touched


@settings(max_examples=200, deadline=None)
@given(one=TEXTS, other=TEXTS)
def test_keys_of_two_sources_stay_two(one: str, other: str) -> None:
    assert (key(one) == key(other)) == (" ".join(one.split()) == " ".join(other.split()))
    assert key(key(one)) == key(one)


def test_hash_of_a_key_makes_no_secret_of_what_stands_before_it() -> None:
    source = "note:/home/max/notes.md#never raise max_token=4096"
    assert key(source).startswith("note:~/notes.md#never raise max_token=4096 ~")
    assert key(key(source)) == key(source)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Caching breaks reload", "caching-breaks-reload"),
        ("Größe zählt", "groesse-zaehlt"),
        ("坑", "note-1a2b3c4d"),
        ("", "note-1a2b3c4d"),
        ("con", "note-1a2b3c4d"),
    ],
)
def test_slug_is_never_empty(title: str, slug: str) -> None:
    found = Draft(source="note:x", title=title, body="b").slug
    assert found == slug or (slug.startswith("note-") and found.startswith("note-") and rules.is_slug(found))


@pytest.mark.parametrize("scope", ["/etc/passwd", "../x", "C:\\x", "a\0b", "x" * 500])
def test_scope_that_leads_nowhere_is_left_out(scope: str) -> None:
    assert Draft(source="note:x", title="t", body="b", scope=scope).scope == ""


def test_long_texts_are_cut_at_a_word() -> None:
    draft = Draft(source="note:x", title="word " * 100, body="word " * 1000, evidence="word " * 200)
    assert draft.title.endswith("word…")
    assert len(draft.title) <= rules.TITLE_LIMIT
    assert len(draft.body) <= 2000
    assert len(draft.evidence) <= rules.NOTE_LIMIT


def test_reason_to_retry_is_a_key_of_its_own() -> None:
    data = candidate.render(Draft(source="note:x", title="t", body="b", retry_when="v2 is out"), "t")
    assert finding.parse(data.decode()).keys["retry-when"] == "v2 is out"
