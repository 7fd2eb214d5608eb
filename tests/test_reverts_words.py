"""Subjects and bodies of reverts as they are written in public histories, in words of our own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings.gather.reverts import clause, reasons, words

SHA = "1234567890abcdef1234567890abcdef12345678"


@pytest.mark.parametrize(
    "subject",
    [
        'Revert "cache: keep parsed config"',
        'Revert "cache: keep parsed config" (#31)',
        'Revert "Revert "cache: keep parsed config""',
        'Revert "Merge pull request #7 from fork/branch"',
        "Revert cache of parsed config",
        "Reverted the cache",
        "Reverts the cache",
        "Reverting cache",
        "revert: cache: keep parsed config",
        "revert(cache): keep parsed config",
        "cache: revert keeping parsed config",
        'pkg/cache: revert "keep parsed config"',
        "fix: revert cache of parsed config",
        "fix(cache)!: revert keeping parsed config",
        "a, b/c: revert the cache",
        "[stable] Revert cache of parsed config",
        "Partially revert the cache",
        "Temporarily revert the cache",
        "Back out the cache",
        "Backed out changeset 1234567890ab",
        "Rollback of changelist 12345",
        "Rolled back the cache",
        "cache: roll back the cache",
        "undo cache of parsed config",
        "回退：缓存配置",
        "回滚 缓存",
        "还原 缓存",
        'Revert "Änderung der Größe"',
    ],
)
def test_a_subject_that_takes_something_back_is_a_candidate(subject: str) -> None:
    assert words.is_candidate(subject, "")


@pytest.mark.parametrize(
    "subject",
    [
        "Rückgabewert korrigiert",
        "Add a revert command",
        "cache: fix revert of a revert",
        "Revert to the old cache",
        "reverts back to the old cache",
        "rollback to version 3",
        "revertible transactions",
        "Reapply the cache",
        "docs: how to undo",
    ],
)
def test_a_subject_that_only_holds_the_word_is_none(subject: str) -> None:
    assert not words.is_candidate(subject, "")


def test_a_body_that_says_so_makes_a_candidate_unless_a_squash_swallowed_it() -> None:
    assert words.is_candidate("cache: unskip tests", f"This reverts commit {SHA}.")
    assert words.is_candidate("cache: other way", "This change effectively reverts CL 202039.")
    assert not words.is_candidate("Big feature (#9)", f'* Add\n\n* Revert "Add"\n\nThis reverts commit {SHA}.')


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ('Revert "a: b"', "a: b"),
        ('Revert "a: b" (#12)', "a: b"),
        ('Revert "a: b (#11)" (#12)', "a: b (#11)"),
        ('Revert "Revert "a: b""', 'Revert "a: b"'),
        ('Revert "Revert "a: b', 'Revert "a: b'),
        ('Revert "drop "x" setting"', 'drop "x" setting'),
        ('area: revert "a: b"', "a: b"),
        ("revert: a: b", "a: b"),
        ("Revert the cache", "cache"),
        ("Nothing here", ""),
    ],
)
def test_a_subject_names_a_title(subject: str, title: str) -> None:
    named = words.quoted(subject)
    assert words.title_key(named) == words.title_key(title)


@pytest.mark.parametrize(
    "again",
    [
        "Cache parsed config",
        "cache parsed config (#41)",
        "Reapply: cache parsed config",
        'Reland "Cache parsed config" (#42)',
        "feat: cache parsed config",
        "fix(app): Cache parsed config (take 2)",
        "Cache parsed config (again)",
        "Cache parsed config, 2nd attempt",
        "[main] Cache  parsed config.",
    ],
)
def test_a_second_try_has_the_same_title(again: str) -> None:
    assert words.title_key(again.replace(",", "")) == words.title_key("Cache parsed config (#3)")


@pytest.mark.parametrize(
    ("one", "other"), [("Fixed the cache", "Fix the cache"), ("Adds a cache", "Add a cache"), ("Using X", "use X")]
)
def test_tenses_of_a_title_are_one(one: str, other: str) -> None:
    assert words.title_key(one) == words.title_key(other)


def test_an_area_is_part_of_a_title() -> None:
    assert words.title_key("a: tidy") != words.title_key("b: tidy")


@given(st.text(max_size=200))
def test_any_text_can_be_asked(text: str) -> None:
    words.is_candidate(text, text)
    words.is_nested(text)
    assert words.title_key(words.title_key(text)) == words.title_key(text)
    clause.of(reasons.of(text, ""), 80)
    assert len(clause.of(text, 80)) <= 80


@pytest.mark.parametrize(
    "body",
    [
        "",
        f"This reverts commit {SHA}.",
        f"This reverts commit {SHA}, reversing\nchanges made to {SHA}.",
        f"This reverts commits {SHA[:10]}, {SHA[:9]} and\n{SHA}.",
        f"This reverts commit {SHA[:10]} (cache: keep parsed config, 2026-01-02).",
        "This reverts CL 12345.",
        "Reverts owner/repo#12",
        "Reverts #12",
        f"This reverts commit {SHA}.\n\nChange-Id: I1\nReviewed-on: https://review.example/+/12\nReviewed-by: A",
        f"This reverts commit {SHA}.\n\nFixes #12\nUpdates owner/repo#3.",
        f"This reverts commit {SHA}.\n\nConflicts:\n\tsrc/app.py\n\tsrc/other.py\n",
        f"This reverts commit {SHA}.\n\nhttps://bugs.example/12",
        f"This reverts commit {SHA}.\n\n* add changeset\n\n---------\n\nCo-authored-by: A <a@b.c>",
        f"This reverts commit {SHA}.\n\n(cherry picked from commit {SHA})",
        "Original change's description:\n> cache: keep parsed config\n>\n> It is faster by far.",
        "<!-- Say why this change is needed. -->\n\n## What does this do?\n\n- [x] I tested it",
        "Per discussion.",
        "See also <https://forge.example/owner/repo/pull/12>",
        f"This reverts the main part of commit {SHA}, but keeping the formatting fix.",
        f"This reverts commit {SHA} (May 2014, shipped in 7.37) and the\nfollow-up changes done afterward.",
    ],
)
def test_boilerplate_is_no_reason(body: str) -> None:
    assert reasons.of(body) == ""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f"This reverts commit {SHA}.\n\nReason for revert: breaks hot reload", "breaks hot reload"),
        (f"It breaks hot reload.\n\nThis reverts commit {SHA}.", "It breaks hot reload."),
        (f"This reverts commit {SHA} because it breaks\nhot reload.", "because it breaks hot reload."),
        (f"This reverts commit {SHA}, CL 12, which broke reload.", "which broke reload."),
        (f"This reverts commit {SHA}.\n\nGrund: die Größe stimmt nicht", "die Größe stimmt nicht"),
        (f"This reverts commit {SHA}.\n\n原因：导致热重载失败", "导致热重载失败"),
        (
            "One\ntwo three.\n\n- four five six seven eight\n- nine ten eleven twelve more",
            "One two three.\n\n- four five",
        ),
    ],
)
def test_the_reason_is_what_boilerplate_leaves(body: str, reason: str) -> None:
    assert reasons.of(body).startswith(reason)


def test_lines_of_the_reverted_commit_are_no_reason() -> None:
    text = "Parsing takes a second each time."
    assert reasons.of(f'Revert "cache"\n\n{text}', text) == ""


def test_a_changeset_gives_a_reason_without_its_head() -> None:
    lines = ["---", '"@scope/app": patch', "---", 'Revert "cache"', "The cache broke hot reload for everybody."]
    assert reasons.of_changeset(lines) == "The cache broke hot reload for everybody."


@pytest.mark.parametrize(
    ("reason", "start"),
    [
        ("It breaks hot reload. See #12 for the rest.", "breaks hot reload"),
        ("because it leaks memory; more later", "leaks memory"),
        ("which removed the setting. Users relied on it.", "users relied on it"),
        ("- Go back to no cache.\n- The cache crashed on reload.", "the cache crashed on reload"),
        ("- For the backend, revert back to one thread.\n\nThe pool has a bug there.", "the pool has a bug there"),
        (
            "This is effectively a revert of x 3.5+. Sadly it is only a stub that does nothing wrong.",
            "sadly it is only a",
        ),
        ("Note the options. It leaks, e.g. on reload.", "leaks, e.g. on reload"),
        ("API users fail to build.", "API users fail to build"),
        ("PowerPC has two byte orders", "PowerPC has two byte orders"),
        ("导致热重载失败。以后再说。", "导致热重载失败"),
        ("", ""),
    ],
)
def test_a_title_gets_the_clause_that_says_what_was_wrong(reason: str, start: str) -> None:
    told = clause.of(reason, 80)
    assert told.startswith(start)
    assert bool(told) == bool(start)


def test_a_long_clause_is_cut_at_a_word() -> None:
    assert clause.of("the cache " + "very " * 30 + "slow", 30) == "the cache very very very…"
