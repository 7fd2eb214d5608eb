"""The front matter, judged by PyYAML (YAML 1.1) and ruamel.yaml (YAML 1.2)."""

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from claudedo_findings import finding, frontmatter, scalar
from claudedo_findings.finding import Finding

NASTY = [
    *("0123456", "12e4567", "1e5", "3f9a2c7", "0x1f", "0xAB", "0o17", "0b101", "1_000", ".5", "-.5", "+1", "-12", "1."),
    *("on", "No", "yes", "Y", "n", "true", "FALSE", "~", "null", "NULL", "Null", ".inf", "-.Inf", ".NaN", "=", "<<"),
    *("2026-11-02", "2026-11-02T10:00:00Z", "2026-11-02 10:00:00", "12:30:45", "12:30", "1:2"),
    *("- x", "-x", "?", "? x", ":", ": x", "# x", "& x", "&x", "* x", "*x", "! x", "!x", "| x", "|", "> x", ">-"),
    *("% x", "%2e", "@x", "`x`", "{x}", "{x", "[x]", "x]", "]", "}", ",x", "x, y", "---", "...", "--- x"),
    *("a: b", "a :b", "a:b", "a:", "a: ", "a #b", "a# b", "a#b", "key: value # no", ": ", " a", "a ", "\ta", "a\tb"),
    *('"', '"a', 'a"b"', '"a" b', "'", "'a", "it's", "''", '""', "\\", "\\n", "a\\", 'C:\\dir\\"x"', "\\x41", "\\"),
    *(
        "größe",
        "ÄÖÜß",
        "空闲锁",
        "ロック",
        "잠금",
        "замок",
        "😀",
        "👨\u200d👩\u200d👧",
        "a\u00a0b",
        "\u0085",
        "a\u2028b",
    ),
    *("\ufeff", "\u3000a", "\x00", "\x1b[0m", "\x7f", "\ue000", "\ufffe", "½", "٣", "²", "_", "_1", "._5", "/x", "~/x"),
]
ONE_LINE = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=30),
    st.text("0123456789_.:-+eExXobInfaNyYtTzZ #'\"\\,", max_size=12),
    st.sampled_from(NASTY),
)


def yaml_11(text: str) -> Any:
    return yaml.safe_load(text)


def yaml_12(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


@pytest.mark.parametrize("value", NASTY)
def test_nasty_string_is_read_back_by_both_judges_and_by_us(value: str) -> None:
    text = f"key: {scalar.quote(value)}\n"

    assert [yaml_11(text), yaml_12(text), frontmatter.read(text.split("\n"))] == [{"key": value}] * 3


@settings(max_examples=400)
@given(ONE_LINE)
def test_any_one_line_string_is_read_back_by_both_judges_and_by_us(value: str) -> None:
    text = f"key: {scalar.quote(value)}\n"

    assert [yaml_11(text), yaml_12(text), frontmatter.read(text.split("\n"))] == [{"key": value}] * 3


@settings(max_examples=100)
@given(ONE_LINE, ONE_LINE, ONE_LINE)
def test_a_value_is_read_back_after_another_one_was_replaced(first: str, second: str, third: str) -> None:
    lines = frontmatter.update([], {"scope": first, "evidence": second})

    lines = frontmatter.update(lines, {"scope": third})

    text = "\n".join(lines)
    assert [yaml_11(text), yaml_12(text)] == [{"scope": third, "evidence": second}] * 2


@settings(max_examples=100)
@given(
    st.text("0123456789abcdef", min_size=7, max_size=12),
    st.sampled_from(["8c1d44e0", "12345678", "1234e567", "task-1", "on", "null", ""]),
    st.sampled_from(
        ["", ".", "0123", "2026-11-02", "@types/x", "%2e%2e/x", "-x", "ab: c", "größe/空闲锁.py", "no", "'x'"]
    ),
    st.sampled_from(["123", "null", "a-b", "2026-11-02", "1e5", "y", "0x1f", "0"]),
)
def test_every_value_of_a_finding_is_read_back_by_both_judges(head: str, task: str, scope: str, slug: str) -> None:
    new = Finding(slug=slug, title="t", body="b", scope=scope, source_task=task, verified_against=head)

    front = finding.render(new).split("---\n")[1]

    wanted = {"slug": slug, "scope": scope, "source-task": task, "verified-against": head}
    assert [yaml_11(front), yaml_12(front)] == [wanted] * 2


@pytest.mark.parametrize(
    "value", ["clock-skew", "src/billing/invoice.py", "8c1d44e0", "3f9a2c7", "größe/空闲锁.py", "./..."]
)
def test_harmless_value_is_written_without_quotes(value: str) -> None:
    assert scalar.quote(value) == value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("plain # comment", "plain"),
        ("# only a comment", ""),
        ("a#b", "a#b"),
        ('"a # b" # c', "a # b"),
        ("'it''s' # c", "it's"),
        (r'"\x41\u00e9\U0001F600\"\\\/\t"', 'Aé😀"\\/\t'),
        (r'"\N\_\L\P"', "\x85\xa0\u2028\u2029"),
        ('"never closed', '"never closed'),
        ("~", ""),
        ("null", ""),
        ("NULL", ""),
        ("", ""),
        ("0123456", "0123456"),
    ],
)
def test_scalar_of_another_writer_is_understood(raw: str, value: str) -> None:
    assert scalar.unquote(raw) == value


HUMAN = """\
# who owns this: the billing team
owner:   "Team B"   # ask first
tags:
  - ci
  - clock
"scope": 'old/path.py'  # since the move

see: &anchor
  deep: 1
slug: clock-skew
summary: |
  two

  lines
"""


def test_update_changes_only_the_lines_of_its_keys() -> None:
    lines = HUMAN.splitlines()

    updated = frontmatter.update(lines, {"slug": "clock-skew", "scope": "new/path.py"})

    wanted = HUMAN.replace("\"scope\": 'old/path.py'", "scope: new/path.py")
    assert updated == wanted.splitlines()


def test_update_with_the_same_values_changes_nothing() -> None:
    lines = HUMAN.splitlines()

    assert frontmatter.update(lines, {"scope": "old/path.py", "slug": "clock-skew"}) == lines


def test_trailing_comment_of_a_replaced_value_stays() -> None:
    assert frontmatter.update(["scope: a  # moved twice"], {"scope": "b"}) == ["scope: b  # moved twice"]


def test_hash_inside_a_quoted_value_is_not_taken_for_a_comment() -> None:
    assert frontmatter.update(['scope: "a #b"'], {"scope": "c"}) == ["scope: c"]


def test_hash_inside_a_quoted_value_of_two_lines_is_not_taken_for_a_comment() -> None:
    assert frontmatter.update(['scope: "a #b', '  c"'], {"scope": "d"}) == ["scope: d"]


@pytest.mark.parametrize(
    "value",
    [
        ["scope: |", "  a", "", "  b"],
        ["scope: >-  # folded", "  a", "# between", "  b"],
        ["scope:", "- a", "- b"],
        ["scope:", "  - a", "", "  - b"],
        ["scope: a", "  b"],
    ],
)
def test_value_of_several_lines_is_replaced_whole(value: list[str]) -> None:
    updated = frontmatter.update([*value, "owner: me"], {"scope": "new"})

    assert yaml_11("\n".join(updated)) == {"scope": "new", "owner": "me"}


@pytest.mark.parametrize(
    ("lines", "value"),
    [(["scope: |", "  a", "", "  b"], "a\n\nb"), (["scope: >", "  a", "  b"], "a b"), (["scope: a", "  b"], "a b")],
)
def test_value_of_several_lines_is_read(lines: list[str], value: str) -> None:
    assert frontmatter.read(lines)["scope"] == value


def test_double_key_reads_as_the_last() -> None:
    assert frontmatter.read(["scope: a", "owner: me", "scope: b"])["scope"] == "b"


def test_double_key_becomes_one() -> None:
    assert frontmatter.update(["scope: a", "owner: me", "scope: b"], {"scope": "b"}) == ["scope: b", "owner: me"]


def test_value_that_yaml_reads_as_a_number_does_not_stay_bare() -> None:
    assert frontmatter.update(["verified-against: 0123456"], {"verified-against": "0123456"}) == [
        'verified-against: "0123456"'
    ]


def test_missing_key_is_put_behind_the_key_before_it() -> None:
    lines = frontmatter.update(["slug: a", "owner: me"], {"slug": "a", "scope": "b"})

    assert lines == ["slug: a", "scope: b", "owner: me"]


def test_unclosed_front_matter_keeps_its_keys_and_is_reported() -> None:
    lines, rest, complaint = frontmatter.split("---\nslug: a\nowner: me\n\n# Title\n\nBody\n")

    assert (lines, rest) == (["slug: a", "owner: me"], "\n# Title\n\nBody\n")
    assert "not closed" in complaint


def test_rule_above_prose_is_no_front_matter() -> None:
    text = "---\nJust prose, no key.\n\n# Title\n"

    assert frontmatter.split(text)[:2] == ([], text)


def test_line_that_is_no_key_is_reported_with_its_number() -> None:
    assert "line 3 " in frontmatter.split("---\nslug: a\nwhat is this\nscope: b\n---\n")[2]


def test_line_that_is_no_key_survives_an_update() -> None:
    lines = frontmatter.update(["slug: a", "what is this", "scope: b"], {"slug": "c", "scope": "d"})

    assert lines == ["slug: c", "what is this", "scope: d"]


@pytest.mark.parametrize("line", ["# comment", "", "größe: 3", '"owner": me', "1st: x", "a.b-c: x", "- item", "  more"])
def test_valid_line_is_not_complained_about(line: str) -> None:
    assert frontmatter.split(f"---\nslug: a\n{line}\n---\n")[2] == ""


@pytest.mark.parametrize(
    "text", ["---\nslug: a\n---", "---\nslug: a\n---  \n", "\n\n---\nslug: a\n---\n", "---\nslug: a\n...\n"]
)
def test_end_and_start_of_the_front_matter_are_found(text: str) -> None:
    assert frontmatter.split(text)[0] == ["slug: a"]


@settings(max_examples=200)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=12), max_size=8))
def test_updating_twice_is_updating_once(lines: list[str]) -> None:
    values = {"slug": "a", "scope": "b: c"}
    once = frontmatter.update(lines, values)

    assert frontmatter.update(once, values) == once
    assert values.items() <= frontmatter.read(once).items()


@settings(max_examples=200)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                ["slug: a", "scope: | # c", "  more", "- item", "owner: 'x", "# c", "", "prose", "scope: 'b'"]
            ),
            st.text("ab: #'\"|-", max_size=8),
        ),
        max_size=8,
    )
)
def test_update_keeps_every_line_that_belongs_to_no_key_of_its_own(lines: list[str]) -> None:
    foreign = frontmatter.update([*lines, "other: 1"], {"unheard-of": "x"})

    assert [line for line in foreign if not line.startswith("unheard-of")] == [*lines, "other: 1"]
