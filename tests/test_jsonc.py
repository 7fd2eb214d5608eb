"""JSON with comments: what editors write is read, what is broken is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings import jsonc

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('{"a": 1, // one\n"b": [1, 2,],}', {"a": 1, "b": [1, 2]}),
        ('/* head\n */ {"a": /* in */ 1 /* behind */, /* last */ }', {"a": 1}),
        (
            '{"a": "// no comment", "b": "/* nor this */", "c": ",}"}',
            {"a": "// no comment", "b": "/* nor this */", "c": ",}"},
        ),
        (r'{"a": "\"// quoted"}', {"a": '"// quoted'}),
        ('{"url": "http://127.0.0.1:1/mcp"} // end', {"url": "http://127.0.0.1:1/mcp"}),
    ],
)
def test_comments_and_trailing_commas_are_passed_over(text: str, value: object) -> None:
    assert jsonc.loads(text) == value


@pytest.mark.parametrize("text", ["", "{", '{"a" 1}', "// only", '{"a": "x\n"}', "[,,]"])
def test_what_is_broken_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"line \d"):
        jsonc.loads(text)


@pytest.mark.parametrize("piece", ['\\"', '"', "/* ", "// ", ", ", "[", '{"a":', '"\n'])
def test_long_settings_take_no_time(piece: str) -> None:
    # What is looked for anew from every quote would take minutes here and run into the hang guard.
    with pytest.raises((ValueError, RecursionError)):
        jsonc.loads(piece * 50_000)


def test_an_error_names_the_line_of_the_file() -> None:
    with pytest.raises(ValueError, match="line 4"):
        jsonc.loads('{ // one\n/* two\nthree */\n"a" 1}')


@given(VALUES)
def test_plain_json_means_the_same(value: object) -> None:
    assert jsonc.loads(json.dumps(value)) == value
    assert jsonc.loads(json.dumps(value, ensure_ascii=False, indent=2)) == value
