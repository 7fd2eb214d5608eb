"""The one tool as clients see it, and its validation."""

import json
from pathlib import Path

import pytest

from claudedo_findings.bar import BAR
from claudedo_findings.resolution import Caller
from claudedo_findings.server import tool

FIELDS = {"slug": "clock-skew", "title": "The clock is frozen", "body": "Only in CI."}


def test_description_stays_under_400_tokens_and_quotes_the_bar() -> None:
    description = str(tool.listing()["description"])
    assert len(description) <= 400 * 4
    assert BAR in description
    assert all(f"\n{name}: " in description for name in ("slug", "title", "body", "scope", "list"))


def test_input_schema_is_plain_strings_with_defaults_on_the_optional_two() -> None:
    properties = tool.INPUT_SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["slug", "title", "body", "scope", "list"]
    assert {name: field["type"] for name, field in properties.items()} == dict.fromkeys(properties, "string")
    assert {name: field["default"] for name, field in properties.items() if "default" in field} == {
        "scope": "",
        "list": "",
    }
    assert tool.INPUT_SCHEMA["required"] == ["slug", "title", "body"]
    assert not any(word in json.dumps(tool.listing()) for word in ("$ref", "anyOf", "oneOf"))


def test_hints_say_a_write_that_overwrites_and_can_be_repeated() -> None:
    hints = {name: value for name, value in tool.ANNOTATIONS.items() if name.endswith("Hint")}
    assert hints == {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}


def test_instructions_are_one_short_sentence() -> None:
    assert tool.INSTRUCTIONS.count(".") == 1
    assert len(tool.INSTRUCTIONS) < 120


def test_answer_has_every_field_of_the_output_schema_and_no_null(listed: Path) -> None:
    result = tool.call(FIELDS, Caller(cwd=str(listed)))
    answer = result["structuredContent"]
    assert isinstance(answer, dict)
    assert sorted(answer) == sorted(tool.OUTPUT_SCHEMA["required"])
    assert None not in answer.values()
    content = result["content"]
    assert isinstance(content, list)
    assert json.loads(content[0]["text"]) == answer
    assert ", " not in content[0]["text"].replace(answer["path"], "")
    assert Path(answer["path"]).read_text(encoding="utf-8").endswith("# The clock is frozen\n\nOnly in CI.\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "slug is missing; title is missing; body is missing"),
        ({**FIELDS, "body": ["x"]}, "body must be a string, not a list"),
        ({**FIELDS, "scope": 7}, "scope must be a string, not a number"),
        ({**FIELDS, "title": True}, "title must be a string, not a boolean"),
        ({**FIELDS, "slug": " "}, "slug is missing"),
        ("text", "must be an object"),
    ],
)
@pytest.mark.usefixtures("listed")
def test_bad_arguments_are_an_error_result_that_says_what_to_do(arguments: object, says: str) -> None:
    result = tool.call(arguments, Caller())
    assert result["isError"] is True
    assert says in str(result["content"])
    assert "structuredContent" not in result
