"""The MCP inspector's command line: is the tool's schema portable, do calls go through, and many at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.peers import calls
from tests.peers.conftest import KEY, Target, node, run, service

TOOL_SAYS_NO = 5  # its exit code for a result with `isError`


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_schema_is_portable_and_calls_go_through(npm: Path, target: Target, listed: Path, era: str) -> None:
    def inspect(*arguments: str, code: int = 0) -> dict[str, Any]:
        return _inspect(npm, listed, _reach(target), "--protocol-era", era, *arguments, code=code)

    (tool,) = inspect("--method", "tools/list", "--strict")["tools"]
    assert tool["name"] == "save_finding"
    codes = (0, 0, TOOL_SAYS_NO)
    answers = [inspect(*_calling(call), code=code) for call, code in zip(calls.CALLS, codes, strict=True)]
    calls.check(answers, listed)


def test_200_calls_by_eight_at_once(npm: Path, listed: Path) -> None:
    with service() as url:
        reach = [url, "--header", f"Authorization: Bearer {KEY}"]
        load = ["--load", "--load-requests", "200", "--load-concurrency", "8"]
        found = _inspect(npm, listed, reach, *_calling(calls.WHOLE), *load)
    assert (found["requests"], found["ok"], found["toolErrors"], found["errors"]) == (200, 200, 0, 0)
    path = listed / ".claudedo" / "traps" / f"{calls.WHOLE['slug']}.md"
    calls.check_file({"path": str(path)}, calls.WHOLE, listed)


def _calling(call: calls.Call) -> list[str]:
    return ["--method", "tools/call", "--tool-name", "save_finding", "--tool-args-json", json.dumps(call)]


def _reach(target: Target) -> list[str]:
    if "url" in target:
        return [
            target["url"],
            *(part for header in target["headers"].items() for part in ("--header", ": ".join(header))),
        ]
    variables = (part for variable in target["env"].items() for part in ("-e", "=".join(variable)))
    return [target["command"], *target["args"], "--cwd", target["cwd"], *variables]


def _inspect(npm: Path, cwd: Path, reach: list[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    program = npm / "node_modules" / ".bin" / "mcp-inspector"
    # The server comes before the options, or it is taken for one of their values.
    done = run(node(npm), program, "--cli", *reach, *arguments, "--format", "json", cwd=cwd, check=False)
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    result: dict[str, Any] = calls.last_json(done.stdout)["result"]
    return result
