"""The telling line of an output, and the key that it shares with the same fault elsewhere."""

import pytest

from claudedo_findings.transcripts import fingerprint

TRACE = """Traceback (most recent call last):
  File "a.py", line 3, in <module>
    run()
shop.errors.StockError: no such item 4711"""
TELLING = [
    (
        "Exit code 1\nerror: unknown option '--parent'\n(Did you mean --parentId?)",
        "error: unknown option '--parent' (Did you mean --parentId?)",
    ),
    (f"Exit code 1\n{TRACE}", "shop.errors.StockError: no such item 4711"),
    ("Error:\n  cannot reach the registry", "cannot reach the registry"),
    ("<tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
    (
        "Exit code 1\n.F.\nE   ModuleNotFoundError: No module named 'shop'\nFAILED (1)",
        "ModuleNotFoundError: No module named 'shop'",
    ),
    (
        "Exit code 1\n..F\nE   assert 1 == 2\nFAILED tests/test_a.py::test_b - assert 1 == 2",
        "FAILED tests/test_a.py::test_b - assert 1 == 2",
    ),
    (
        "Exit code 1\nerror: expect(received).toBe(expected)\n(fail) cart > adds [9.76ms]\n 3 fail",
        "(fail) cart > adds [9.76ms]",
    ),
    (
        "Exit code 127\n\x1b[31mbash: line 1: shopctl: command not found\x1b[0m",
        "bash: line 1: shopctl: command not found",
    ),
    ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nmake: no rule", "make: no rule"),
    ("x is odd\n<system-reminder>Error: not this</system-reminder>", "x is odd"),
    (
        "<persisted-output>\nOutput too large (35KB). Full output saved to: /x/y.txt\n\nPreview (first 2KB):\nld: bad",
        "ld: bad",
    ),
    ("# example.com/shop\ncart.go:12:3: undefined: Total\nFAIL\tshop [build failed]", "cart.go:12:3: undefined: Total"),
    ("..\n  1) test adds (Shop.CartTest)\n     assert 1 == 2\n2 tests, 1 failure", "1) test adds (Shop.CartTest)"),
    ("Exit code 1\n", ""),
]


@pytest.mark.parametrize(("output", "line"), TELLING)
def test_the_telling_line_is_found(output: str, line: str) -> None:
    assert fingerprint.telling(output)[0] == line


def test_a_hook_s_message_is_its_first_lines() -> None:
    output = "Pre-commit validation failed:\\n\\n[LINT]\\nChecking\\nTotal errors: 2"
    assert fingerprint.telling(output, first=True)[0] == "Pre-commit validation failed: [LINT]"


SAME = [
    ("error: /home/ann/shop/src/a.py:12:3: bad token", "error: /Users/bob/trees/t1/src/b.py:9:1: bad token"),
    ("fatal: bad object 3f9a2c7d1", "fatal: bad object 8c1d44e02"),
    ("bash: line 1: shopctl: command not found", "/bin/sh: 3: shopctl: command not found"),
    ("timed out after 12.5s at 2026-03-01T10:00:00Z", "timed out after 3s at 2026-04-02T11:12:13.456Z"),
    ("connect to 127.0.0.1 port 5432 failed", "connect to 127.0.0.1 port 5433 failed"),
    ("\x1b[31merror: no\x1b[0m", "error: no"),
    (
        "error: token ghp_abcdefghijklmnopqrstuvwxyz012345 is bad",
        "error: token ghp_zyxwvutsrqponmlkjihgfedcba543210 is bad",
    ),
]
OTHER = [
    ("error: unknown option '--parent'", "error: unknown option '--child'"),
    ("Cannot find module 'left-pad'", "Cannot find module 'right-pad'"),
    ("exited with code 127 at start", "exited with code 2 at start"),
    ("error TS2345: bad", "error TS2322: bad"),
    ("HTTP 404 from the registry", "HTTP 500 from the registry"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_differs_between_runs_does_not_count(one: str, other: str) -> None:
    assert fingerprint.normalised(one) == fingerprint.normalised(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_makes_an_error_another_counts(one: str, other: str) -> None:
    assert fingerprint.normalised(one) != fingerprint.normalised(other)


@pytest.mark.parametrize(
    "line", ["", "Error:", "Traceback (most recent call last):", "exit code 1", "FAILED", "3 failed", "Usage: x"]
)
def test_generic_lines_are_weak(line: str) -> None:
    assert fingerprint.weak(fingerprint.normalised(line))


def test_a_long_output_without_an_error_says_little() -> None:
    assert fingerprint.telling("the cart is odd\nlook at it") == ("the cart is odd", True)
    assert fingerprint.telling("starting\none\ntwo\nthree") == ("starting", False)
    assert fingerprint.telling("starting\none\ntwo\nerror: three") == ("error: three", True)


def test_a_line_of_many_megabytes_is_quick() -> None:
    assert fingerprint.telling("a" * 15_000_000)[0] != ""
