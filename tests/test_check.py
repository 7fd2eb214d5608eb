"""`check` as a user meets it: what is known, why, and what could not be looked at."""

import json
import os
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.conftest import git
from tests.test_cli import run

FINDINGS = [
    ("clock-skew", "The invoice tests fail after midnight UTC", "src/billing/invoice.py", "`freeze_time` takes UTC."),
    ("config-cache", "Caching the parsed config breaks hot reload", "src/config", "It was tried. Leave it."),
    ("whole-project", "Never commit generated files", ".", "The build makes them."),
    ("queue-size", "Die Größe der Warteschlange wird erst nach dem Neustart gelesen", "", "Dienst neu starten."),
    ("idle-lock", "空闲锁在重启后不会自动释放", "src/lock.py", "启动时清理。"),
]


@pytest.fixture
def filled(listed: Path) -> Path:
    """The only list, with five findings."""
    store = Store(door.places(str(listed)))
    for slug, title, scope, body in FINDINGS:
        store.save(Finding(slug=slug, title=title, scope=scope, body=body), keep_scope=False)
    return listed


def slugs(*arguments: str, cwd: Path) -> list[str]:
    """Return the slugs that `check --json` prints, the best first."""
    code, out, _ = run("check", "--json", *arguments, cwd=cwd)
    found = [row["slug"] for row in json.loads(out)["findings"]]
    assert code == (0 if found else 1)
    return found


def test_a_hit_is_shown_with_its_strength_and_its_reasons(filled: Path) -> None:
    code, out, err = run("check", "invoice", "tests", "after", "midnight", cwd=filled)
    assert (code, err) == (0, "")
    first, second, last = out.splitlines()
    assert first.startswith("strong 0.75  clock-skew  The invoice tests fail")
    assert second == "    title: invoice, tests, midnight"
    assert last == f"1 of 5 findings; each is a file in {filled}/.claudedo/traps"


def test_text_may_be_quoted_or_not(filled: Path) -> None:
    assert slugs("invoice tests", cwd=filled) == slugs("invoice", "tests", cwd=filled) == ["clock-skew"]


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("GRÖSSE der Warteschlange", "queue-size"),
        ("groesse warteschlangen", "queue-size"),
        ("空闲锁", "idle-lock"),
        ("重启", "idle-lock"),
        ("freezeTime", "clock-skew"),
        ("invoice", "clock-skew"),
    ],
)
def test_every_script_and_spelling_is_found(filled: Path, question: str, slug: str) -> None:
    assert slugs(question, cwd=filled) == [slug]


def test_nothing_found_says_among_how_many_and_exits_1(filled: Path) -> None:
    code, out, err = run("check", "wombat", cwd=filled)
    assert (code, out, err) == (1, f"none of 5 findings in {filled}/.claudedo fits\n", "")


@pytest.mark.parametrize("question", ["", "  ", "the of and", "???", "und die"])
def test_question_without_usable_words_is_no_answer(filled: Path, question: str) -> None:
    code, out, err = run("check", question, cwd=filled)
    assert (code, out) == (2, "")
    assert "has no word to look for" in err


def test_question_of_words_that_most_findings_have_is_no_answer(listed: Path) -> None:
    store = Store(door.places(str(listed)))
    for name in "abcdefghijkl":
        store.save(Finding(slug=f"trap-{name}", title=f"The module {name * 3} fails", body="b"), keep_scope=False)
    code, out, err = run("check", "module fails", cwd=listed)
    assert (code, out) == (2, "")
    assert "stands in most of the 12 findings" in err
    assert slugs("module bbb fails", cwd=listed) == ["trap-b"]


@pytest.mark.parametrize("arguments", [(), ("invoice",), ("--file", "src")])
def test_missing_store_is_no_answer(listed: Path, arguments: tuple[str, ...]) -> None:
    code, out, err = run("check", *arguments, cwd=listed)
    assert (code, out) == (2, "")
    assert f"there is no store at {listed}/.claudedo, so nothing could be looked up" in err


def test_files_that_could_not_be_looked_at_are_named(filled: Path) -> None:
    traps = filled / ".claudedo" / "traps"
    (traps / "Not A Slug.md").write_text("# Invoice\n")
    (traps / "dangling.md").symlink_to("nowhere")
    for question in ("invoice", "wombat"):
        _, out, err = run("check", question, cwd=filled)
        assert "Not A Slug.md" in err
        assert "dangling.md" in err
        assert "Not A Slug" not in out
    code, out, _ = run("check", "--json", "wombat", cwd=filled)
    assert code == 1
    assert json.loads(out)["skipped"] == ["Not A Slug.md", "dangling.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_file_that_cannot_be_read_is_named(filled: Path) -> None:
    (filled / ".claudedo" / "traps" / "clock-skew.md").chmod(0)
    code, _, err = run("check", "wombat", cwd=filled)
    assert code == 1
    assert "clock-skew.md" in err


def test_expired_finding_is_left_out_and_named(filled: Path) -> None:
    path = filled / ".claudedo" / "traps" / "clock-skew.md"
    path.write_text(path.read_text().replace("---\n\n", "expires: 2020-01-01\n---\n\n", 1))
    code, out, err = run("check", "invoice tests", cwd=filled)
    assert (code, out) == (1, f"none of 4 findings in {filled}/.claudedo fits\n")
    assert "left out as expired: clock-skew" in err


def test_file_finds_what_is_about_it_both_ways(filled: Path) -> None:
    assert slugs("--file", "src/billing/invoice.py", cwd=filled) == ["clock-skew", "whole-project"]
    assert slugs("--file", "src/config/loader.py", cwd=filled) == ["config-cache", "whole-project"]
    assert slugs("--file", "src", cwd=filled) == ["clock-skew", "config-cache", "idle-lock", "whole-project"]
    assert slugs("--file", "docs/a.md", cwd=filled) == ["whole-project"]
    assert slugs("--file", "src/lock.py", "--file", "src/config", cwd=filled) == [
        "config-cache",
        "idle-lock",
        "whole-project",
    ]


def test_file_is_the_same_from_every_folder_and_worktree(filled: Path, tmp_path: Path) -> None:
    git(filled, "worktree", "add", "-q", str(tmp_path / "linked"))
    lock = "src/lock.py"
    for cwd in (filled, filled / "src", tmp_path / "linked", tmp_path / "linked" / "src", tmp_path):
        for path in (lock, str(filled / lock), str(tmp_path / "linked" / lock)):
            assert slugs("--file", path, cwd=cwd)[0] == "idle-lock", (cwd, path)


def test_file_outside_the_project_is_no_answer(filled: Path) -> None:
    code, out, err = run("check", "--file", "/etc/hosts", cwd=filled)
    assert (code, out) == (2, "")
    assert "lies outside the project" in err


def test_text_and_file_add_up(filled: Path) -> None:
    _, out, _ = run("check", "--json", "hot reload", "--file", "src/config/a.py", cwd=filled)
    first = json.loads(out)["findings"][0]
    assert first["slug"] == "config-cache"
    assert first["reasons"] == ["title: hot, reload", "scope: src/config/a.py lies in src/config"]
    assert first["score"] > 0.8


def test_without_text_the_index_is_printed(filled: Path) -> None:
    index = filled / ".claudedo" / "INDEX.md"
    index.write_text(index.read_text().replace("Never commit generated files", "Mine"))
    code, out, _ = run("check", cwd=filled)
    assert code == 0
    assert "whole-project — Mine\n" in out
    assert len(out.splitlines()) == 5
    _, out, _ = run("check", "--json", cwd=filled)
    assert [row["slug"] for row in json.loads(out)["findings"]] == sorted(slug for slug, *_ in FINDINGS)


def test_index_without_findings_exits_1(filled: Path) -> None:
    for path in (filled / ".claudedo" / "traps").iterdir():
        path.unlink()
    assert run("check", cwd=filled) == (1, f"no findings in {filled}/.claudedo\n", "")


def test_error_text_comes_from_stdin(filled: Path) -> None:
    code, out, _ = run("check", "-", cwd=filled, stdin=b"Traceback\nTypeError: freeze_time() takes UTC\n")
    assert code == 0
    assert "clock-skew" in out


def test_json_has_the_documented_keys(filled: Path) -> None:
    _, out, _ = run("check", "--json", "invoice tests", cwd=filled)
    answer = json.loads(out)
    assert list(answer) == ["list", "store", "findings", "looked", "skipped", "expired"]
    keys = ["slug", "fit", "score", "reasons", "title", "hook", "scope", "path"]
    assert list(answer["findings"][0]) == keys
    assert answer["findings"][0]["fit"] == "strong"


def test_control_characters_never_reach_the_terminal(filled: Path) -> None:
    path = filled / ".claudedo" / "traps" / "clock-skew.md"
    path.write_text(path.read_text().replace("invoice tests", "invoice\x1b[31m tests"))
    index = filled / ".claudedo" / "INDEX.md"
    index.write_text(index.read_text().replace("invoice tests", "invoice\x1b[31m tests"))
    for arguments in (("invoice",), ("invoice\x1b[31m",), ()):
        _, out, _ = run("check", *arguments, cwd=filled)
        assert "\x1b" not in out
        assert "clock-skew" in out
