"""What a shell command touches and is for, read from its text alone."""

import pytest

from claudedo_findings.transcripts import commands

READS = [
    ("cat a.py", ["/r/a.py"]),
    ("cat a.py && sed -n '1,20p' b.py | head -5", ["/r/a.py", "/r/b.py"]),
    ("cd /x && cat .claudedo/INDEX.md", ["/x/.claudedo/INDEX.md"]),
    ("head -n 20 src/a.py", ["/r/src/a.py"]),
    ("tail -20 log 2>/dev/null", ["/r/log"]),
    ("nl -ba a.py | sed -n 1,5p", ["/r/a.py"]),
    ("sed -n -e 1p -e 5p a.py", ["/r/a.py"]),
    ("awk -F: '{print $1}' /etc/passwd", ["/etc/passwd"]),
    ("cat < a.py", ["/r/a.py"]),
    ("cat 'a b.txt' \"c d.txt\" e\\ f.txt", ["/r/a b.txt", "/r/c d.txt", "/r/e f.txt"]),
    ("FOO=1 timeout 5 cat a.py; sudo less b.py", ["/r/a.py", "/r/b.py"]),
    ("bash -lc 'cat q.md; cd sub; head -n 3 r.md'", ["/r/q.md", "/r/sub/r.md"]),
    ("for f in a b; do cat x.md; done", ["/r/x.md"]),
    ("cat .claudedo/traps/*.md", ["/r/.claudedo/traps/*.md"]),
    ("type C:\\work\\a.md", ["C:/work/a.md"]),
    ("Get-Content -Path docs\\a.md", ["/r/docs/a.md"]),
    # Nothing is read by these.
    ("cat > out.txt <<'EOF'\ncat hidden.md\nEOF\nls", []),
    ('cat "$FILE" $(ls)', []),
    ("echo cat a.py", []),
    ("sed -i s/a/b/ f.py", []),
    ("ls .claudedo/traps", []),
    ("grep -rn foo src", []),
    ("git commit -m 'cat a.py'", []),
    ("make 'unbalanced", []),
]


@pytest.mark.parametrize(("command", "files"), READS)
def test_readers_name_what_they_read(command: str, files: list[str]) -> None:
    assert commands.touched(command, "/r").reads == files


SEARCHES = [
    ("rg -n clock .claudedo/traps", ["/r/.claudedo/traps"]),
    ("grep -rn -e clock -e time .claudedo", ["/r/.claudedo"]),
    ("cat a | grep x", []),
    ("grep -l clock .claudedo/traps/a.md", []),
    ("rg --files .claudedo", []),
]


@pytest.mark.parametrize(("command", "files"), SEARCHES)
def test_searches_are_told_from_listings(command: str, files: list[str]) -> None:
    assert commands.touched(command, "/r").searches == files


def test_what_is_written_is_an_edit() -> None:
    touched = commands.touched(
        "echo x > a.txt; make 2>&1 | tee build.log; sed -i s/a/b/ f.py; ls 2> err.txt >/dev/null", "/r"
    )
    assert touched.edits == ["/r/a.txt", "/r/build.log", "/r/f.py", "/r/err.txt"]


AIMS = [
    ("shopctl list --parent 1", "shopctl list"),
    ("cd /a && bun test 2>&1 | tail -20", "bun test"),
    ("git add -A && git commit -m 'x y'", "git commit"),
    ("python -m pytest -q tests", "pytest"),
    ("/usr/bin/python3 tool.py", "python3"),
    ("npm run build", "npm run build"),
    ("FOO=1 uv run pytest -x", "uv run pytest"),
    ("cat f | grep x", "cat"),
    ("export A=1", ""),
    ("", ""),
]


@pytest.mark.parametrize(("command", "aim"), AIMS)
def test_an_aim_is_the_program_that_matters(command: str, aim: str) -> None:
    assert commands.aim(command) == aim


@pytest.mark.parametrize(
    ("command", "fine"),
    [
        ("rg x src", True),
        ("git diff --exit-code", True),
        ("cat a | grep x", True),
        ("test -f a", True),
        ("make", False),
        ("", False),
    ],
)
def test_exit_code_one_of_a_search_is_no_failure(command: str, fine: bool) -> None:
    assert commands.one_is_fine(command) == fine
