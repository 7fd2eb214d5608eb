"""`save_finding`, the only tool: its description, schemas, validation and answer, for both transports.

Imports nothing at the top: the stdio front lists the tool before anything slow is loaded.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from claudedo_findings.resolution import Caller

NAME = "save_finding"
INSTRUCTIONS = "Call save_finding right after a trap has cost you turns, so that no later run pays for it again."
DESCRIPTION = """Save a trap so that later runs avoid it. \
Returns { status, slug, list, path, index, sourceTask, verifiedAgainst, entries, indexBytes, warnings }.

When: right after something that looked like X turned out to be Y \
and cost you turns, or an approach was tried and rejected.
The bar: {bar}.
Save the same slug again to correct a finding.

slug: short ASCII key of words joined by "-".
title: one line that says what looks like X and is Y; it becomes the line in the index.
body: what happens, why it does not look like it, what to do instead; a few sentences, under 1200 characters.
scope: path of the file or folder it is about, relative to the project's root; "" if none.
list: name or id of the user's list; leave "" unless an error asks for it.

Example: {"slug": "clock-skew-in-ci", \
"title": "Invoice tests fail after midnight UTC: the fixture freezes local time", \
"body": "Only CI runs in UTC, so it passes locally. Freeze with tz=UTC instead.", "scope": "tests/conftest.py"}"""

_REQUIRED = ("slug", "title", "body")
_OPTIONAL = ("scope", "list")
INPUT_SCHEMA = {
    "type": "object",
    "properties": {
        "slug": {"type": "string", "description": "ASCII words joined by '-'"},
        "title": {"type": "string", "description": "One line: what looks like X and is Y"},
        "body": {"type": "string", "description": "What happens, why, and what to do instead"},
        "scope": {"type": "string", "default": "", "description": "Relative path it is about"},
        "list": {"type": "string", "default": "", "description": "List name or id"},
    },
    "required": list(_REQUIRED),
}
_TEXTS = ("status", "slug", "list", "path", "index", "sourceTask", "verifiedAgainst")
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in _TEXTS},
        "entries": {"type": "integer"},
        "indexBytes": {"type": "integer"},
        "warnings": {"type": "array", "items": {"type": "string"}},
    },
    "required": [*_TEXTS, "entries", "indexBytes", "warnings"],
}
ANNOTATIONS = {
    "title": "Save a finding",
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": True,
    "openWorldHint": False,
}


def listing() -> dict[str, object]:
    """Return the tool as `tools/list` shows it."""
    from claudedo_findings.bar import BAR

    return {
        "name": NAME,
        "description": DESCRIPTION.replace("{bar}", BAR),
        "inputSchema": INPUT_SCHEMA,
        "outputSchema": OUTPUT_SCHEMA,
        "annotations": ANNOTATIONS,
    }


def call(arguments: object, caller: "Caller") -> dict[str, object]:
    """Save what `arguments` say and return the tool result (`content`, `structuredContent`, `isError`).

    Never raises: what the caller can mend is an error result that says how; a fault of ours is one
    that says so, with its traceback on stderr.
    """
    from claudedo_findings.errors import FindingsError

    try:
        fields = _fields(arguments)
        from claudedo_findings import save

        answer = save.save_finding(
            slug=fields["slug"],
            title=fields["title"],
            body=fields["body"],
            scope=fields["scope"],
            wanted_list=fields["list"],
            caller=caller,
        )
    except FindingsError as error:
        return _result(str(error), is_error=True)
    except Exception as error:  # noqa: BLE001  # a bug: the client must hear of it, without its innards
        import traceback

        traceback.print_exc()
        return _result(f"internal error ({type(error).__name__}), nothing was acknowledged: save again", is_error=True)
    import json

    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return {**_result(text, is_error=False), "structuredContent": answer}


def _fields(arguments: object) -> dict[str, str]:
    """Return the five fields; a missing optional one, null and "" are the same."""
    from claudedo_findings.errors import FindingsError

    if not isinstance(arguments, dict):
        raise FindingsError("the arguments must be an object with slug, title and body")
    fields, problems = {}, []
    for name in _REQUIRED + _OPTIONAL:
        value = arguments.get(name)
        fields[name] = value if isinstance(value, str) else ""
        if value is not None and not isinstance(value, str):
            problems.append(f"{name} must be a string, not {_json_type(value)}")
        elif name in _REQUIRED and not fields[name].strip():
            problems.append(f"{name} is missing")
    if problems:
        raise FindingsError("; ".join(problems) + ": call save_finding again with slug, title and body as strings")
    return fields


def _json_type(value: object) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"


def _result(text: str, *, is_error: bool) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}
