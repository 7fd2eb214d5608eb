"""Which code a finding names, and whether it still stands in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings import symbols


@pytest.mark.parametrize(
    ("span", "forms"),
    [
        ("frozen_clock", ("frozen_clock",)),
        ("Invoice.total", ("Invoice.total", "total")),
        ("Invoice.total(tax, *args)", ("Invoice.total", "total")),
        ("std::fs::read_dir", ("std::fs::read_dir", "read_dir")),
        ("$this->save", ("$this->save", "save")),
        ("größe", ("größe",)),
        ("--no-verify", ("--no-verify",)),
        ("max-age", ("max-age",)),
        ("pyproject.toml", ("pyproject.toml", "toml")),
        ("os.at", ("os.at",)),
        ("@property", ("@property",)),
    ],
)
def test_code_span_names_a_symbol(span: str, forms: tuple[str, ...]) -> None:
    assert symbols.named(f"Never `{span}` there", "Text.") == (forms,)
    assert symbols.named("Title", f"Text with `{span}`.") == (forms,)


@pytest.mark.parametrize(
    "span", ["git reset --hard", "src/app.py", "503", "id", "a" * 81, "a = b", "()", "...", "C:\\x", "", "größe?"]
)
def test_code_span_that_is_no_name_names_nothing(span: str) -> None:
    assert symbols.named("Title", f"Text with `{span}`.") == ()


def test_a_name_twice_is_one_and_double_backticks_are_a_span_too() -> None:
    assert symbols.named("`parse`", "`parse` and ``render`` and `parse`") == (("parse",), ("render",))


def test_fenced_blocks_are_examples_not_names() -> None:
    assert symbols.named("T", "```\nsee `inside`\n```\nbut `outside`") == (("outside",),)


@pytest.mark.parametrize(
    ("form", "text", "stands"),
    [
        ("total", "def total(self):", True),
        ("total", "subtotal = totals", False),
        ("total", "größentotal", False),
        ("total", "self.total+1", True),
        ("--no-verify", "git commit --no-verify", True),
        ("Invoice.total", "InvoiceXtotal", False),
        ("Total", "total", False),
    ],
)
def test_symbol_stands_in_a_text_as_a_whole_word(form: str, text: str, *, stands: bool) -> None:
    assert symbols.standing([form], text) == (frozenset({form}) if stands else frozenset())


@given(st.text(), st.text())
def test_any_text_is_taken(title: str, body: str) -> None:
    for forms in symbols.named(title, body):
        assert symbols.standing(forms, " ".join(forms)) == set(forms)
