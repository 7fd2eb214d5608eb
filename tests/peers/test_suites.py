"""Test suites of others, which speak HTTP alone and send no key: the official conformance suite, pytest-mcp-tools."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.peers.conftest import node, run, service

# What fails, and must go on failing: the reason, what the suite has to say, the checks.
EXPECTED: list[tuple[str, str, set[str]]] = [
    (
        "there are no resources, prompts, completions and log levels, as the capabilities say",
        r"Method not found",
        {
            *("completion-complete", "logging-set-level", "tools-call-with-logging", "sep-2322-non-tool-incomplete"),
            *("prompts-list", "prompts-get-simple", "prompts-get-with-args"),
            *("prompts-get-embedded-resource", "prompts-get-with-image"),
            *("resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read"),
            *("resources-subscribe", "resources-unsubscribe"),
            *("sep-2549-prompts-list-caching-hints", "sep-2549-resources-list-caching-hints"),
            "sep-2549-resources-templates-list-caching-hints",
        },
    ),
    (
        "for the same reason an unknown resource is an unknown method",
        r"got -32601|data\.uri is undefined",
        {"sep-2164-error-code", "sep-2164-data-uri"},
    ),
    (
        "the suite calls tools of its own, which a server of one tool does not have",
        r"Unknown tool: 'test_",
        {
            *("tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"),
            *("tools-call-mixed-content", "tools-call-error", "tools-call-with-progress"),
            *("tools-call-sampling", "tools-call-elicitation"),
            *("elicitation-sep1034-general", "elicitation-sep1330-general"),
            *("sep-2322-elicitation-incomplete", "sep-2322-list-roots-incomplete", "sep-2322-sampling-incomplete"),
            *("sep-2322-respect-client-capabilities", "sep-2322-ignore-unexpected-params"),
            *("sep-2322-multiple-inputs-incomplete", "sep-2322-request-state-incomplete"),
            "sep-2322-result-type-included",
        },
    ),
    (
        "these need the answers of such a tool",
        r"InputRequiredResult",
        {"sep-2322-multi-round-r1", "sep-2322-reject-tampered-state", "sep-2322-missing-response-rerequests"},
    ),
    (
        "these look for such a tool in the list first",
        r"Not testable: server (exposes no|does not list)|Available tools: save_finding",
        {
            *("json-schema-2020-12-tool-found", "sep-2243-server-no-xmcp-tool", "sep-2243-server-decode-base64"),
            *("sep-2243-server-validate-param-match", "sep-2243-server-reject-invalid-param-chars"),
            *("sep-2243-server-reject-param-mismatch", "sep-2575-server-rejects-undeclared-capability"),
            *("sep-2575-missing-capability-http-400", "sep-2575-http-server-no-independent-requests-on-stream"),
            "sep-2575-server-no-log-without-loglevel",
        },
    ),
    (
        "the service is stateless: there is no session whose streams could be tried",
        r"^$",
        {"server-sse-multiple-streams-session", "server-sse-polling-session"},
    ),
    (
        "an Origin is what browsers send, and no page has any business here, not even one from this address",
        r"got 403",
        {"localhost-host-valid-accepted"},
    ),
]
# The scenarios in which one tool can succeed; a check of theirs must have.
FIT = {
    *("server-initialize", "ping", "tools-list", "dns-rebinding-protection", "http-header-validation", "caching"),
    *("server-stateless", "input-required-result-unsupported-methods", "sep-2164-resource-not-found"),
}


def test_conformance(npm: Path, listed: Path, tmp_path: Path) -> None:
    program = npm / "node_modules" / ".bin" / "conformance"
    with service("--no-key") as url:
        for version in ("2025-11-25", "2026-07-28"):
            asked = ["--url", url, "--suite", "all", "--spec-version", version, "-o", tmp_path / version]
            run(node(npm), program, "server", *asked, cwd=listed, check=False)  # 1: something failed
    failed, succeeded = {}, []
    for path in tmp_path.glob("*/*/checks.json"):
        for check in json.loads(path.read_text(encoding="utf-8")):
            if check["status"] in ("FAILURE", "WARNING"):
                failed[check["id"]] = check.get("errorMessage", "")
            elif check["status"] == "SUCCESS":
                succeeded.append(path.parent.name)
    assert failed.keys() == {check for _reason, _said, checks in EXPECTED for check in checks}
    for _reason, said, checks in EXPECTED:
        assert not {check: failed[check] for check in checks if not re.search(said, failed[check])}
    for scenario in FIT:
        assert any(name.startswith(f"server-{scenario}-") for name in succeeded), scenario
    print(f"{len(succeeded)} checks succeeded, {len(failed)} fail as expected")


def test_pytest_mcp_tools(venv: Path, listed: Path, tmp_path: Path) -> None:
    with service("--no-key") as url:
        options = ["-p", "no:cacheprovider", f"--mcp-tools={url.removesuffix('/mcp')}"]
        done = run(venv / "bin" / "python", "-m", "pytest", *options, cwd=tmp_path)
    assert "33 passed" in done.stdout.splitlines()[-1]
    # It calls the tool with arguments of its own making.
    assert [path.name for path in (listed / ".claudedo" / "traps").iterdir()] == ["hello.md"]


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process runs everything")
def test_peers_are_one_group(request: pytest.FixtureRequest) -> None:
    # Else every worker would wait for the installation.
    assert request.node.nodeid.endswith("@peers")
