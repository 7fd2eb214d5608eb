"""What every peer calls, and what must come of it."""

import json
from pathlib import Path
from typing import Any

TITLE = "Größe täuscht: „Straße“ wird beim Speichern um ein Zeichen länger 🧭"
BODY = """Fällt nur in CI auf:

- naïve façade, Ελλάδα, 锁 und "Zitat" \\ $HOME %PATH%
- zweite Zeile 🚀

    eingerückt"""

Call = dict[str, str | None]

WHOLE: Call = {"slug": "odd-text", "title": TITLE, "body": BODY, "scope": "src/app.py"}
NULL: Call = {"slug": "null-scope", "title": "Null is no scope", "body": BODY, "scope": None}
REFUSED: Call = {"slug": "no/slug", "title": TITLE, "body": BODY}
CALLS = [WHOLE, NULL, REFUSED]


def check(answers: list[dict[str, Any]], root: Path) -> None:
    """Hold the answers to `CALLS` against the files below `root`, character by character."""
    whole, null, refused = answers
    for answer, call in ((whole, WHOLE), (null, NULL)):
        assert not answer.get("isError"), answer
        assert answer["structuredContent"]["status"] == "created"
        check_file(json.loads(answer["content"][0]["text"]), call, root)
        assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
    assert refused["isError"] is True
    assert refused["content"][0]["text"].startswith("slug 'no/slug' is refused: ")
    assert "structuredContent" not in refused
    assert sorted(path.name for path in (root / ".claudedo" / "traps").iterdir()) == ["null-scope.md", "odd-text.md"]


def check_file(saved: dict[str, Any], call: Call, root: Path) -> None:
    """Hold the file that an answer names against what was called."""
    path = root / ".claudedo" / "traps" / f"{call['slug']}.md"
    assert saved["path"] == str(path)
    front, text = path.read_bytes().decode().split("---\n\n")
    scope = call["scope"] or '""'
    assert f"\nscope: {scope}\n" in front
    assert text == f"# {call['title']}\n\n{call['body']}\n"


def last_json(printed: str) -> Any:
    """Return the object that a peer printed on its last line."""
    return json.loads(printed.splitlines()[-1])
