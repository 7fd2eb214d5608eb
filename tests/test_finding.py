"""The rules of a finding's fields, and its file as text."""

import ntpath
import posixpath
import string
import unicodedata

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from claudedo_findings import finding, hidden, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding


def make(**fields: str) -> Finding:
    return Finding(**{"slug": "clock-skew", "title": "The clock is frozen", "body": "Only in CI.", **fields})  # type: ignore[arg-type]


def refusal(rule: str, value: str) -> str:
    with pytest.raises(FindingsError) as caught:
        getattr(rules, rule)(value)
    return str(caught.value)


# --- slug


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ("clock-skew", "clock-skew"),
        ("Foo", "foo"),
        ("foo", "foo"),
        ("Clock Skew_in  CI", "clock-skew-in-ci"),
        ("clock-skew.md", "clock-skew"),
        (" Clock-Skew.MD ", "clock-skew"),
        ("7", "7"),
        ("nul-byte", "nul-byte"),
        ("com", "com"),
        ("com10", "com10"),
        ("a" * 64, "a" * 64),
    ],
)
def test_slug_is_folded(value: str, slug: str) -> None:
    assert rules.slug(value) == slug


@pytest.mark.parametrize(
    ("value", "said"),
    [
        *((name, "device name") for name in ("con", "PRN", "aux", "nul", "NUL.md", "com1", "Com9", "lpt0", "lpt5")),
        *((name, "ASCII words") for name in ("con.txt", "com¹", "conin$", "a.", "a..", "trailing dot.", "a.b")),
        *((name, "ASCII words") for name in ("", " ", "-a", "a-", "a--b", "_", ".md", ".", "..", "...")),
        *((name, "ASCII words") for name in ("../x", "..\\x", "/etc/x", "C:\\x", "C:x", "\\\\srv\\x", "a/b", "a\\b")),
        *((name, "ASCII words") for name in ("%2e%2e", "~", "a*b", "a?b", 'a"b', "a|b", "<a>", "a:b", "\u212a")),
        *((name, "hidden character") for name in ("a\0b", "a\nb", "a\n", "a\tb", "a\x7f", "a\u200bb", "a\u202eb")),
    ],
)
def test_slug_is_refused_with_the_rule(value: str, said: str) -> None:
    assert said in refusal("slug", value)


@pytest.mark.parametrize("length", [65, 200, 300, 5_000])
@pytest.mark.parametrize("char", ["a", "A", "é"])
def test_slug_that_is_too_long_is_refused_with_its_length(char: str, length: int) -> None:
    message = refusal("slug", char * length)

    assert str(length) in message
    assert "64" in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("value", "proposal"),
    [
        ("größe", "groesse"),
        (unicodedata.normalize("NFD", "größe"), "groesse"),
        ("straße", "strasse"),
        ("Café au lait", "cafe-au-lait"),
        ("a/b", "a-b"),
        ("cache: never global!", "cache-never-global"),
        ("word " * 30, "word-word-word-word-word-word-word-word-word-word-word-word-word"),
        ("x" * 70, "x" * 64),
    ],
)
def test_refused_slug_comes_with_a_proposal(value: str, proposal: str) -> None:
    assert refusal("slug", value).endswith(f"try {proposal!r}")
    assert rules.slug(proposal) == proposal


def test_sharp_s_and_double_s_never_become_one_slug_silently() -> None:
    assert rules.slug("STRASSE") == "strasse"
    assert "refused" in refusal("slug", "straße")


@pytest.mark.parametrize(
    "value", ["空闲锁 api", "ロック-api", "잠금 api", "замок api", "κλειδί api", "قفل api", "łódź api"]
)
def test_slug_of_another_script_is_refused_without_a_proposal_that_would_collide(value: str) -> None:
    message = refusal("slug", value)

    assert "ASCII words" in message
    assert "try" not in message


@pytest.mark.parametrize("value", ["con", "..", "空闲锁"])
def test_slug_without_a_derivable_proposal_gets_none(value: str) -> None:
    assert "try" not in refusal("slug", value)


NAMES = st.one_of(
    st.text(max_size=20),
    st.text(string.ascii_letters + "0-_ ./\\:~%.\n", max_size=12),
    st.lists(st.sampled_from(["..", ".", "a", "/", "\\", "C:", "~", " ", "", "%2e", "\0"]), max_size=6).map("".join),
)


@settings(max_examples=400)
@given(NAMES)
def test_slug_never_leaves_the_folder(value: str) -> None:
    try:
        slug = rules.slug(value)
    except FindingsError:
        return
    for path in (posixpath, ntpath):
        folder = path.join(path.sep + "root", "traps")
        assert path.dirname(path.normpath(path.join(folder, slug + ".md"))) == folder
    assert rules.slug(slug) == slug


@given(st.text())
def test_proposal_is_a_slug_or_nothing(value: str) -> None:
    proposal = rules.propose_slug(value)

    assert proposal == "" or rules.slug(proposal) == proposal


# --- scope


@pytest.mark.parametrize(
    ("value", "scope"),
    [
        ("", ""),
        ("  ", ""),
        (".", "."),
        ("./", "."),
        ("src/billing/invoice.py", "src/billing/invoice.py"),
        ("./src//billing/", "src/billing"),
        ("src\\billing\\invoice.py", "src/billing/invoice.py"),
        (" src / a.py ", "src/a.py"),
        ("%2e%2e/x", "%2e%2e/x"),
        ("a..b/...", "a..b/..."),
        ("größe/空闲锁.py", "größe/空闲锁.py"),
        ("@types/x", "@types/x"),
        ("a~/b", "a~/b"),
    ],
)
def test_scope_is_folded(value: str, scope: str) -> None:
    assert rules.scope(value) == scope


@pytest.mark.parametrize(
    "value",
    [
        *("..", "../x", "a/../../x", "..\\x", "a\\..\\x", " ../x", "./ ../x", "a/.. /b"),
        *("/etc/passwd", "/", "//srv/x", "\\\\srv\\x", " /x", "\\x", "~", "~/x", "~root", "./~/x"),
        *("C:", "C:\\x", "c:/x", "C:x", "./C:/x", " ./ D:x", "0:x"),
    ],
)
def test_scope_outside_the_root_is_refused(value: str) -> None:
    assert "relative to the project's folder" in refusal("scope", value)


@pytest.mark.parametrize("value", ["a\0b", "a\nb", "a\n", "a\tb", "a\u202eb", "a\u200b"])
def test_scope_with_a_hidden_character_is_refused(value: str) -> None:
    assert "scope holds a hidden character" in refusal("scope", value)


@settings(max_examples=400)
@given(NAMES)
@example("./C:/x")
@example("0:")
@example("./ ../x")
def test_scope_never_leaves_the_root(value: str) -> None:
    try:
        scope = rules.scope(value)
    except FindingsError:
        return
    for path in (posixpath, ntpath):
        root = path.normpath(path.join(path.sep, "root"))
        joined = path.normpath(path.join(root, scope))
        assert joined == root or joined.startswith(root + path.sep)
    assert rules.scope(scope) == scope


# --- title, body, notes, task


def test_title_becomes_one_line() -> None:
    assert (
        rules.title(" The clock\n- [evil](traps/evil.md)\t is  frozen ")
        == "The clock - [evil](traps/evil.md) is frozen"
    )


@pytest.mark.parametrize("field", ["title", "body"])
@pytest.mark.parametrize("value", ["", " ", "\n\n", " \n \n"])
def test_empty_text_is_refused(field: str, value: str) -> None:
    assert f"{field} is empty" in refusal(field, value)


@pytest.mark.parametrize(("rule", "limit"), [("title", 160), ("body", 8_000), ("scope", 400), ("source_task", 100)])
def test_text_at_the_limit_passes_and_beyond_it_names_its_length(rule: str, limit: int) -> None:
    assert getattr(rules, rule)("w" * limit) == "w" * limit
    assert f"{limit + 1} characters, the limit is {limit}" in refusal(rule, "w" * (limit + 1))


def test_title_is_measured_after_white_space_was_folded() -> None:
    assert len(rules.title("a  " * 80)) == 159


def test_body_keeps_its_indentation_and_inner_blank_lines() -> None:
    assert rules.body("\n \n    code\r\n\r\n\ttab\rend \n\n") == "    code\n\n\ttab\nend"


def test_note_is_one_line_of_at_most_500_characters() -> None:
    assert rules.note("evidence", " a\nb ") == "a b"
    with pytest.raises(FindingsError, match="evidence has 501 characters"):
        rules.note("evidence", "w" * 501)


@pytest.mark.parametrize(
    ("task", "stored"),
    [
        ("8C1D44E0-1111-4222-8333-444455556666", "8c1d44e0"),
        ("8c1d44e0111142228333444455556666", "8c1d44e0"),
        ("8c1d44e0-1111-4222-8333-44445555666", "8c1d44e0-1111-4222-8333-44445555666"),
        (" task-17 ", "task-17"),
        ("", ""),
    ],
)
def test_task_id_is_cut_when_it_is_a_guid(task: str, stored: str) -> None:
    assert rules.source_task(task) == stored


# --- the file


def test_file_of_a_finding_looks_as_specified() -> None:
    new = make(scope="src/a.py", source_task="8c1d44e0", verified_against="3f9a2c7")

    assert finding.render(new) == (
        "---\nslug: clock-skew\nscope: src/a.py\nsource-task: 8c1d44e0\nverified-against: 3f9a2c7\n---\n"
        "\n# The clock is frozen\n\nOnly in CI.\n"
    )


def test_all_four_keys_are_present_when_their_values_are_empty() -> None:
    assert list(finding.parse(finding.render(make())).keys) == list(finding.KEYS)


def _visible(limit: int) -> st.SearchStrategy[str]:
    chars = st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Co", "Cn"])
    return st.text(st.one_of(st.sampled_from(["#", "-", "`", "~", ">", " ", ":", '"', "\\"]), chars), max_size=limit)


TEXTS = st.builds(
    "\n".join, st.lists(st.one_of(_visible(12), st.sampled_from(["---", "# x", "```", "", "slug: z"])), max_size=6)
)
OLD = st.sampled_from(
    [
        "",
        "---\nslug: clock-skew\nowner: me\n---\n\n# Old\n\nOld body\n",
        "---\r\nowner: me\r\nscope: 'old' # why\r\n---\r\n# Old\r\n\r\nOld body",
        "\ufeff---\nowner: me\n---",
        "---\nowner: me\n\n# Never closed\n",
        "No front matter, no title",
        "---\nwhat is this\n---\n# Old\n",
        "```\n# not a title\n```\n",
    ]
)


@settings(max_examples=300)
@given(_visible(30), TEXTS, _visible(12), OLD)
def test_what_is_written_is_read_back(title: str, body: str, scope: str, old: str) -> None:
    try:
        new = make(title=title, body=body, scope=scope)
    except FindingsError:
        return
    text = finding.render(new, old)

    stored = finding.parse(text)

    assert (stored.title, stored.body, stored.scope, stored.keys["slug"]) == (new.title, new.body, new.scope, new.slug)
    assert finding.render(new, text) == text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@settings(max_examples=100)
@given(TEXTS, OLD)
def test_a_rewrite_never_adds_a_second_block(body: str, old: str) -> None:
    try:
        new = make(body=body)
    except FindingsError:
        return
    text = finding.render(new, old).replace("\r\n", "\n")

    front, _, rest = text.removeprefix("---\n").partition("\n---\n")
    assert rest == f"\n# {new.title}\n\n{new.body}\n"
    assert sum(line.startswith("slug:") for line in front.split("\n")) == 1


@pytest.mark.parametrize("title", ["# x", "## x", "---", "```", "- x", "> x", "x #", "#", "\\# x", "slug: x", "~~~"])
def test_title_that_looks_like_markup_is_read_back(title: str) -> None:
    assert finding.parse(finding.render(make(title=title))).title == title


@pytest.mark.parametrize(
    "body", ["# Heading\n\ntext", "---\nslug: forged\n---\n", "```\n# x\n```", "    code", "---", "~~~\n"]
)
def test_body_that_looks_like_markup_is_read_back(body: str) -> None:
    stored = finding.parse(finding.render(make(body=body)))

    assert (stored.title, stored.body, stored.keys["slug"]) == ("The clock is frozen", body.rstrip(), "clock-skew")


def test_file_with_crlf_keeps_it_on_every_line() -> None:
    old = finding.render(make()).replace("\n", "\r\n")

    text = finding.render(make(body="one\ntwo"), old)

    assert text.count("\r\n") == text.count("\n") == text.count("\r")


def test_bom_is_read_over_and_not_written_again() -> None:
    data = b"\xef\xbb\xbf" + finding.render(make(scope="a")).replace("\n", "\r\n").encode()

    old = finding.decode(data)

    assert finding.parse(old).scope == "a"
    assert finding.render(make(scope="b"), old).startswith("---\r\n")


def test_file_that_ends_with_the_closing_line_keeps_its_keys() -> None:
    old = "---\nslug: clock-skew\nowner: me\n---"

    assert yaml.safe_load(finding.render(make(), old).split("---\n")[1])["owner"] == "me"


def test_file_without_a_last_newline_is_read_whole() -> None:
    assert finding.parse(finding.render(make()).rstrip("\n")).body == "Only in CI."


def test_unknown_keys_comments_and_order_survive_a_rewrite() -> None:
    old = "---\n# mine\nverified-against: 1111111 # old\nowner: me\nslug: clock-skew\n---\n\n# T\n\nB\n"

    text = finding.render(make(verified_against="3f9a2c7"), old)

    assert text.startswith(
        '---\n# mine\nverified-against: 3f9a2c7  # old\nowner: me\nslug: clock-skew\nscope: ""\nsource-task: ""\n---\n'
    )


def test_optional_keys_follow_the_four() -> None:
    new = Finding(slug="a", title="t", body="b", notes={"expires": "2027-01-01", "evidence": "on"})

    assert finding.render(new).split("---\n")[1].endswith('expires: "2027-01-01"\nevidence: "on"\n')


def test_text_above_the_title_belongs_to_the_body() -> None:
    stored = finding.parse("---\nslug: a\n---\nA preface.\n\n# Title\n\nBody\n")

    assert (stored.title, stored.body) == ("Title", "A preface.\n\n\nBody")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("---\nslug: a\n---\n\n# T\n\nB\n", ""),
        ("# T\n\nB\n", ""),
        ("---\nslug: a\n---\n\nB\n", "no line '# title'"),
        ("---\nslug: a\n---\n```\n# T\n```\n", "no line '# title'"),
        ("---\nslug: a\n\n# T\n", "not closed"),
        ("---\nslug: a\nprose\n---\n# T\n", "line 3"),
        ("", "no line '# title'"),
    ],
)
def test_what_cannot_be_read_is_reported(text: str, complaint: str) -> None:
    said = finding.parse(text).complaint

    assert complaint in said
    assert bool(said) == bool(complaint)


def test_bytes_that_are_not_utf8_do_not_stop_the_reader() -> None:
    assert finding.parse(finding.decode(b"---\nslug: a\n---\n# Gr\xf6\xdfe\n\nB\n")).title == "Gr\ufffd\ufffde"


@settings(max_examples=200)
@given(st.one_of(st.text(), TEXTS, st.text("-\n# :ab\r\ufeff", max_size=30)))
def test_any_text_can_be_read_and_overwritten(old: str) -> None:
    text = finding.render(make(), old)

    stored = finding.parse(text)
    assert (stored.title, stored.body, stored.keys["slug"]) == ("The clock is frozen", "Only in CI.", "clock-skew")
    assert finding.render(make(), text) == text


@given(st.text(), st.text(), st.text())
def test_a_finding_that_can_be_made_hides_nothing(title: str, body: str, scope: str) -> None:
    try:
        new = make(title=title, body=body, scope=scope)
    except FindingsError:
        return
    assert hidden.kind(new.title) == hidden.kind(new.scope) == hidden.kind(new.body, "\n\t") == ""


KEY_LINES = st.sampled_from(
    [
        *(
            "slug: trap",
            "slug: Trap",
            "scope:",
            "scope: src/a.py",
            "scope: src/a.py ",
            "scope: null",
            "scope: ~",
            "scope: 'x'",
        ),
        *(
            "scope: a # b",
            "scope: |",
            "  more",
            "source-task: t",
            "verified-against:",
            "expires: 2020-01-01",
            "---",
            "--- ",
        ),
        *("...", "", "# comment", "odd line", "scopes: x", "Scope: y", "- item"),
    ]
)


@given(
    st.lists(KEY_LINES, max_size=7),
    st.sampled_from(["---\n", "--- \n", "\n---\n", ""]),
    st.text(alphabet="\n# `a-é", max_size=20),
)
def test_what_is_read_in_one_step_is_what_the_lenient_way_reads(front: list[str], end: str, rest: str) -> None:
    text = "---\n" + "".join(f"{line}\n" for line in front) + end + rest
    stored = finding.parse(text)
    # A blank line before changes nothing but that the text is not in the tool's own form any more.
    lenient = finding.parse("\n" + text)
    assert (stored.scope, stored.title, stored.body) == (lenient.scope, lenient.title, lenient.body)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"---\nslug: x\n---\n\n# T\n\nb\n", b"---\nslug: x\nretired: why\n---\n\n# T\n\nb\n"),
        (b"---\nslug: x  # mine\nold: |\n  a\n  b\n---\n\n# T\n", b"---\nslug: x  # mine\nretired: why\n---\n\n# T\n"),
        (b"---\nretired: before\nslug: x\n---\n# T\n", b"---\nretired: why\nslug: x\n---\n\n# T\n"),
        (b"# T\n\nb", b"---\nretired: why\n---\n\n# T\n\nb"),
        (b"", b"---\nretired: why\n---\n\n"),
        (b"---\r\nslug: x\r\n---\r\n\r\n# T\r\n", b"---\r\nslug: x\r\nretired: why\r\n---\r\n\r\n# T\r\n"),
        (b"---\nslug: x\n\n# never closed \xe4\n", b"---\nslug: x\nretired: why\n---\n\n# never closed \xe4\n"),
        (b"\xef\xbb\xbf---\nslug: x\n---\n", b"---\nslug: x\nretired: why\n---\n\n"),
    ],
)
def test_single_keys_change_and_everything_else_stays(data: bytes, expected: bytes) -> None:
    assert finding.rekey(data, {"retired": "why"}, ("old",)) == expected


@given(st.text(max_size=80), st.sampled_from(["", "---\nslug: x\nowner: 'A # B'\n---\n\n"]))
def test_key_that_is_set_and_taken_out_again_leaves_the_text(rest: str, front: str) -> None:
    data = (front + rest.replace("\r", "").lstrip("\n-\ufeff")).encode()
    marked = finding.rekey(data, {"retired": "why"})
    assert finding.parse(finding.decode(marked)).keys["retired"] == "why"
    assert finding.rekey(marked, {}, ("retired",)).rstrip(b"\n") == data.rstrip(b"\n")


@pytest.mark.parametrize(
    ("slug", "taken", "free"),
    [
        ("a", (), "a"),
        ("a", ("a",), "a-2"),
        ("a", ("a", "a-2", "a-3"), "a-4"),
        ("a" * 64, ("a" * 64,), "a" * 62 + "-2"),
        ("a" * 61 + "-bc", ("a" * 61 + "-bc",), "a" * 61 + "-2"),
    ],
)
def test_taken_slug_gets_the_first_free_number(slug: str, taken: tuple[str, ...], free: str) -> None:
    assert rules.free_slug(slug, taken.__contains__) == free
    assert rules.is_slug(free)


def test_a_finding_that_is_stamped_is_the_one_made_with_its_stamp() -> None:
    task = "8c1d44e0-1111-2222-3333-444444444444"

    def made(task: str = "", head: str = "") -> Finding:
        title, scope = " The clock  is frozen ", "./src"
        body = "Thaw it."
        return Finding(slug="Clock Skew", title=title, body=body, scope=scope, source_task=task, verified_against=head)

    plain = made()
    assert plain.stamped(source_task=task, verified_against="3f9a2c7") == made(task, "3f9a2c7")
    assert plain == made(), "it stays as it is"
    with pytest.raises(FindingsError):
        plain.stamped(source_task="a\nb", verified_against="")
