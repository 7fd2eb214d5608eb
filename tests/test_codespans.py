"""Code spans: what CommonMark calls one, and no text that takes long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from claudedo_findings import codespans


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("`a`", ["`a`"]),
        ("a `b` c ``d`` e", ["`b`", "``d``"]),
        ("`` a ` b ``", ["`` a ` b ``"]),
        ("`a", []),
        ("``a`", []),
        ("`a``", []),
        ("``", []),
        ("`a`` b`", ["`a`` b`"]),
        ("``a` b` c", ["` b`"]),
        ("`a` `b", ["`a`"]),
        ("`a\nb`", ["`a\nb`"]),
        ("空`闲`锁", ["`闲`"]),
    ],
)
def test_a_row_of_backticks_is_closed_by_the_next_as_long(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end, _ in codespans.spans(text)] == found


@given(st.text("`ab ", max_size=30))
def test_spans_are_those_of_a_reader_of_markdown(text: str) -> None:
    tokens = MarkdownIt().parseInline(text)[0].children or []
    theirs = [token.content for token in tokens if token.type == "code_inline"]
    ours = [text[start + ticks : end - ticks] for start, end, ticks in codespans.spans(text)]
    assert [_stripped(inner) for inner in ours] == theirs


@given(st.text("`ab \n", max_size=30))
def test_what_is_replaced_by_itself_stays(text: str) -> None:
    assert codespans.replaced(text, lambda span: span) == text


@pytest.mark.parametrize("text", ["`" * 200_000, "` `` " * 40_000, "".join("`" * n + " " for n in range(800))])
def test_no_text_takes_long(text: str) -> None:
    codespans.replaced(text, lambda _: "")  # the square of it would run into the hang guard


def _stripped(inner: str) -> str:
    """Return the content of a span as CommonMark strips it."""
    return inner[1:-1] if inner.strip() and inner[0] == inner[-1] == " " else inner
