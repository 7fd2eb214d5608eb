"""Paths of any system become relative to the project's root."""

import pytest

from claudedo_findings.transcripts import paths

ROOTS = ("/srv/shop", "/srv/trees/t1", "C:\\work\\shop")


@pytest.mark.parametrize(
    ("path", "cwd", "relative"),
    [
        ("/srv/shop/src/a.py", "", "src/a.py"),
        ("src/../lib/b.py", "/srv/shop", "lib/b.py"),
        ("/srv/trees/t1/.claudedo/INDEX.md", "", ".claudedo/INDEX.md"),
        ("/srv/shop/.claude/worktrees/fix-1/src/a.py", "", "src/a.py"),
        ("C:\\Work\\shop\\src\\a.py", "", "src/a.py"),
        ("src\\a.py", "C:\\work\\shop", "src/a.py"),
        ("/srv/shop", "", "."),
        ("/srv/shopping/a.py", "", ""),
        ("../other/a.py", "/srv/shop", ""),
        ("a.py", "", ""),
    ],
)
def test_a_path_is_told_from_the_project_s_root(path: str, cwd: str, relative: str) -> None:
    assert paths.relative(paths.absolute(path, cwd), ROOTS) == relative


@pytest.mark.parametrize(
    ("path", "finding"),
    [
        ("/srv/shop/.claudedo/traps/clock-skew.md", ".claudedo/traps/clock-skew.md"),
        ("C:\\shop\\.claudedo\\INDEX.md", ".claudedo/INDEX.md"),
        (".claudedo/INDEX.md", ".claudedo/INDEX.md"),
        ("/srv/shop/.claudedo/candidates/x.md", ""),
        ("/srv/shop/my.claudedo/INDEX.md", ""),
    ],
)
def test_findings_are_known_by_their_place(path: str, finding: str) -> None:
    assert paths.finding(path) == finding


def test_findings_are_seen_in_running_text() -> None:
    text = 'see "/w/.claudedo/traps/a-b.md", (.claudedo/INDEX.md) and C:\\\\w\\\\.claudedo\\\\traps\\\\c.md:3: x'
    assert paths.mentions(text) == ["/w/.claudedo/traps/a-b.md", ".claudedo/INDEX.md", "C:\\w\\.claudedo\\traps\\c.md"]
