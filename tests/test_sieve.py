"""The sieve lets every text and word through that has one of the forms, and stops the rest."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claudedo_findings import words
from claudedo_findings.sieve import Sieve


@pytest.mark.parametrize(
    ("form", "word", "through"),
    [
        ("token", "token", True),
        ("token", "Tokens", True),
        ("token", "retoken", False),
        ("token", "the_tokens", True),
        ("token", "the_retoken", False),
        ("token", "refreshToken", True),
        ("token77", "token_77", True),
        ("77", "token_77", True),
        ("77", "token_177", False),
        ("1", "1234", False),
        ("1", "1", True),
        ("1", "naïve", True),
    ],
)
def test_a_word_passes_where_it_may_have_the_form(form: str, word: str, through: bool) -> None:
    assert Sieve([form]).word(word) is through


def test_of_many_forms_every_text_may_have_one() -> None:
    assert Sieve([f"word{number}" for number in range(51)]).text("nothing")
    assert not Sieve(["word"]).text("nothing")
    assert not Sieve([]).text("nothing")


@settings(deadline=None, max_examples=400)
@given(st.text("aAbBst12_- é空", max_size=20), st.text("aAbBst12_- é空", max_size=30))
def test_what_has_a_form_always_passes(question: str, text: str) -> None:
    forms = [form for word in words.asked(question) for form in word.forms]
    sieve = Sieve(forms)
    for raw in words.raw(text):
        if words.of_word(raw) & set(forms):
            assert sieve.word(raw)
            assert sieve.text(text)
