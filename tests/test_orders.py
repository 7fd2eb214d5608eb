"""What counts as an order to the reader, and that a quick look at the words misses none."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings import orders

EVERY = re.compile("|".join(f"(?:{order})" for order in orders._ORDERS.values()), orders._FLAGS)
WORDS = """ignore DISREGARD ignorieren vergiss instructions Prompt rules previous messages new hidden system developer
mode jailbreaks you are now as an if act behave pretend to that from now on du bist jetzt < > </ <| |> [INST] [/inst] :
## note the user: assistant human important please do don't never always run execute ai llm claude codex , needs must
should agents coding models not without telling ask anyone people following this commands code send post e-mail email
at https: a@b.c x.yz/ curl wget | sh sudo bash . ! _ai ai2 \u017fystem \u0131gnore \u0130gnore \u212a""".split()  # noqa: SIM905  # a list of words


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", "", "\n"])), max_size=8))
def test_the_quick_look_misses_no_order(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in parts)
    assert orders.given(text) is bool(EVERY.search(text))


@pytest.mark.parametrize("order", orders._ORDERS)
def test_every_kind_of_order_has_words_to_begin_with(order: tuple[str, ...]) -> None:
    assert all(word == "<|" or (word.isalpha() and word.islower()) for word in order)


def test_every_letter_that_counts_as_an_ascii_one_is_looked_at_as_such() -> None:
    others = (chr(code) for code in range(0x80, 0x110000))
    alike = {ord(char) for char in others if re.match("[a-z]", char, re.IGNORECASE)}
    assert alike == orders._ALIKE.keys()
