"""Texts of thirty thousand characters, one piece over and over: what is looked for anew from each would never end."""

import json

from hypothesis import strategies as st

from tests.hostile.tried import each
from tests.hostile.world import World

_LENGTH = 30_000
_MARKS = [
    *(
        "`",
        "``",
        "*",
        "**",
        "_",
        "~~",
        "[",
        "](",
        ")",
        "(",
        "<",
        "<b>",
        "<!--",
        "-->",
        ">",
        "> ",
        "- ",
        "+ ",
        "1. ",
        "#",
    ),
    *(
        "---\n",
        "```\n",
        "\n",
        "\n\n",
        "\r",
        " ",
        "\t",
        "\\",
        '"',
        '\\"',
        "'",
        "'s ",
        "|",
        "—",
        "：",
        "を",
        "应",
        "空",
        "é",
        "a",
    ),
    *(
        "a.",
        "a/",
        "/a",
        "a_",
        "aB",
        "A",
        "1",
        "0x1",
        "~",
        "~a",
        "./",
        "@",
        "a@",
        "a@b.",
        "%40",
        "://",
        "http://",
        "C:\\",
        ":",
    ),
    *(
        "token=a1",
        "password=",
        "curl -u ",
        "/home/",
        "never ",
        "not ",
        "because ",
        "update ",
        "Fixes #1 ",
        "(#",
        "error: ",
    ),
    *(
        "exit code ",
        "Traceback\n",
        "⚠ ",
        "Gotcha: ",
        "SUPERSEDED ",
        "for example ",
        "how to ",
        "e.g. ",
        "x = ",
        "=",
        "&amp;",
    ),
    *(
        "\x1b[",
        "\u200b",
        "\ufeff",
        "{{",
        "…",
        "...",
        "[x] ",
        "* * ",
        "!!! ",
        ":::",
        "a b ",
        "ab,",
        "a: b\n",
        "- [x](traps/x.md)",
    ),
]
texts = st.lists(st.sampled_from(_MARKS), min_size=1, max_size=3).map(
    lambda parts: ("".join(parts) * _LENGTH)[:_LENGTH]
)


def read(world: World, examples: int) -> int:
    """Let every verb that reads texts of others meet one."""
    note, run = world.base / "temp" / "NOTES.md", world.base / "temp" / "run.jsonl"
    (world.folder / "traps").mkdir(parents=True)

    def check(text: str) -> None:
        note.write_text(f"# Gotchas\n\n{text}\n\n- Never do it, because {text}\n\n## {text}\n\nText.\n", newline="")
        (world.folder / "traps" / "clock-skew.md").write_text(
            f"---\nscope: {text}\n{text}\n---\n\n# {text[:150]}\n\n{text}\n", newline=""
        )
        (world.folder / "INDEX.md").write_text(
            f"# Findings\n\n- [clock-skew](traps/clock-skew.md) — {text}\n{text}\n", newline=""
        )
        run.write_text("\n".join(map(json.dumps, _records(text))))
        for line in (
            *(
                ("harvest", "--json", "--weak", str(note)),
                ("distill", "--json", str(run)),
                ("report", "--json", str(run)),
            ),
            *(
                ("lint", "--json"),
                ("list", "--json"),
                ("check", "--json", text[:8_000]),
                ("stale", "--json"),
                ("sync",),
            ),
        ):
            world.verb(*line)

    return each(world, texts, check, examples)


def _records(text: str) -> list[object]:
    asked = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": text}}
    result = {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": f"Exit code 1\n{text}"}
    return [
        {"type": kind, "sessionId": "s1", "cwd": "/x", "message": {"role": kind, "id": kind, "content": [content]}}
        for kind, content in (("assistant", asked), ("user", result), ("user", {"type": "text", "text": text}))
    ]
