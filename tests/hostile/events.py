"""Hook events on stdin, and transcripts of agents' runs."""

import json
import subprocess  # noqa: TID251  # some run as real processes
import sys
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st

from claudedo_findings.errors import FindingsError
from claudedo_findings.hook import event, front
from tests.hostile.corpus import data, json_value, text
from tests.hostile.tried import each
from tests.hostile.watch import GUARD
from tests.hostile.world import World

_names = st.sampled_from(
    ["SessionStart", "SubagentStart", "PreToolUse", "PostToolUse", "PostToolUseFailure", "AfterTool", "Stop"]
)
_tools = st.sampled_from(["Read", "Edit", "Grep", "apply_patch", "read_file", "Bash", "NotebookEdit"])
_status = st.builds(
    lambda words, number: f"{words}{number}\nerror: the clock is frozen",
    st.sampled_from(["Exit code: ", "Exit Code: ", "Exit code ", "Process exited with code "]),
    st.sampled_from(["0", "1", "-1", "9" * 5_000, "0" * 5_000, "٣", "1e999"]),
)
_path = st.one_of(
    text, st.sampled_from(["src/app.py", ".claudedo/traps/clock-skew.md", "/etc/passwd", "..", "a\0b", "x" * 5_000])
)
_handed = st.one_of(
    json_value,
    st.dictionaries(st.sampled_from(["file_path", "path", "command", "input", "notebook_path"]), _path, max_size=3),
    text.map(lambda path: {"command": f"*** Update File: {path}\n"}),
)
_event = st.fixed_dictionaries(
    {
        "hook_event_name": st.one_of(_names, text),
        "cwd": st.one_of(st.just("."), text),
        "session_id": st.one_of(st.just("s1"), text),
    },
    optional={
        "tool_name": st.one_of(_tools, json_value),
        "tool_input": _handed,
        "tool_response": st.one_of(
            json_value,
            _status,
            st.fixed_dictionaries({"output": _status, "exit_code": json_value}),
            st.fixed_dictionaries({"llmContent": _status, "error": json_value}),
            st.fixed_dictionaries({"filenames": st.lists(_path, max_size=4)}),
        ),
        "error": st.one_of(json_value, text, st.just("The clock is frozen in CI, exit code 1")),
        "source": st.sampled_from(["startup", "compact", "clear", "resume"]),
        "agent_id": json_value,
        "turn_id": json_value,
        "is_interrupt": json_value,
    },
)
# What an agent really sends, with one path that is none.
_fitting = st.builds(
    lambda pair, path: {
        "hook_event_name": pair[0],
        "cwd": ".",
        "session_id": "s1",
        "tool_name": pair[1],
        "tool_input": {"file_path": path, "command": f"*** Update File: {path}\n"},
    },
    st.sampled_from(
        [("PreToolUse", "Edit"), ("PostToolUse", "Read"), ("AfterTool", "read_file"), ("PreToolUse", "apply_patch")]
    ),
    _path,
)
events = st.one_of(
    _fitting.map(lambda value: json.dumps(value).encode()),
    _event.map(lambda value: json.dumps(value).encode()),
    _event.map(lambda value: json.dumps(value).encode()),
    data,
    st.builds(lambda part, number: part * number, st.sampled_from([b"[", b'{"a":']), st.integers(1, 50_000)),
)

_block = st.one_of(
    json_value,
    st.fixed_dictionaries(
        {"type": st.sampled_from(["tool_use", "tool_result", "text", "thinking"])},
        optional={
            "id": st.one_of(st.just("c1"), json_value),
            "tool_use_id": st.one_of(st.just("c1"), json_value),
            "name": st.one_of(_tools, json_value),
            "input": _handed,
            "content": st.one_of(json_value, text, _status),
            "is_error": json_value,
            "text": st.one_of(text, json_value),
        },
    ),
)
_record = st.fixed_dictionaries(
    {
        "type": st.one_of(
            st.sampled_from(
                ["assistant", "user", "system", "result", "response_item", "event_msg", "session_meta", "turn_context"]
            ),
            json_value,
        )
    },
    optional={
        "message": st.one_of(
            json_value,
            st.fixed_dictionaries(
                {
                    "role": st.sampled_from(["assistant", "user"]),
                    "content": st.one_of(text, st.lists(_block, max_size=4)),
                },
                optional={"model": json_value, "usage": json_value, "id": json_value},
            ),
        ),
        "payload": st.one_of(
            json_value,
            st.fixed_dictionaries(
                {"type": st.sampled_from(["function_call", "function_call_output", "message", "custom_tool_call"])},
                optional={
                    "name": json_value,
                    "arguments": st.one_of(text, json_value),
                    "call_id": st.just("c1"),
                    "output": st.one_of(json_value, _status),
                    "content": json_value,
                },
            ),
        ),
        "timestamp": st.one_of(st.just("2026-11-30T10:00:00Z"), json_value),
        "cwd": st.one_of(text, json_value),
        "sessionId": json_value,
        "version": st.sampled_from(["2.1.40", "9" * 5_000, "٣.٣"]),
        "uuid": json_value,
        "toolUseResult": json_value,
        "isMeta": json_value,
        "subtype": json_value,
        "usage": json_value,
    },
)
transcripts = st.lists(
    st.one_of(
        _record.map(lambda value: json.dumps(value).encode()),
        _record.map(lambda value: json.dumps(value).encode()),
        data,
    ),
    min_size=1,
    max_size=12,
).map(b"\n".join)


def hooks(world: World, examples: int) -> int:
    """Answer events in this process, where only a FindingsError may come of them."""

    def check(value: bytes) -> None:
        world.watched(lambda: _answer(value))

    return each(world, events, check, examples)


def _answer(value: bytes) -> None:
    for dialect in ("", *event.DIALECTS):
        with suppress(FindingsError):
            text_ = front._answer(value, dialect, front._Answer())
            if text_:
                json.loads(text_.encode("utf-8"))


def hook_processes(world: World, examples: int) -> int:
    """Answer events as real processes: exit code 0, one line of JSON or nothing, at most one line of complaint."""

    def check(value: bytes) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "claudedo_findings", "hook"],
            input=value,
            capture_output=True,
            timeout=GUARD,
            check=False,
        )
        assert done.returncode == 0, done
        assert b"Traceback" not in done.stderr, done
        assert done.stderr.count(b"\n") <= 1, done
        if done.stdout:
            json.loads(done.stdout.decode("utf-8"))

    return each(world, events, check, examples)


def runs(world: World, examples: int) -> int:
    """Read transcripts, with drafts kept and without."""
    place = world.base / "temp" / "run.jsonl"
    number = 0

    def check(value: Any) -> None:
        nonlocal number
        number += 1
        place.write_bytes(value)
        world.reset()
        line = ["distill", "--json", str(place), *(["--save"] if number % 2 else [])]
        code, out = world.verb(*line)
        if code in (0, 1):
            json.loads(out)

    return each(world, transcripts, check, examples)
