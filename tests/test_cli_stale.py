"""The verbs about staleness as a user meets them: real processes, exit codes, both streams."""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import git
from tests.test_cli import run

CHANGED = "SLUG   VERDICT  SCOPE       WHY\nclock  changed  src/app.py  100 % of its lines are gone\n"


@pytest.fixture
def saved(listed: Path) -> Path:
    """The list `app` with the finding `clock` about `src/app.py`."""
    code, _, err = run("save", "clock", "--title", "T", "--body", "B", "--scope", "src/app.py", cwd=listed)
    assert (code, err) == (0, "")
    return listed


def rewrite(repo: Path) -> None:
    """Commit another text of `src/app.py`."""
    (repo / "src" / "app.py").write_text("a wholly different text\n")
    git(repo, "commit", "-q", "-a", "-m", "rewrite\x1b[31m it")


def test_stale_says_no_with_exit_1_until_a_human_renews(saved: Path) -> None:
    assert run("stale", cwd=saved) == (
        0,
        "SLUG   VERDICT  SCOPE       WHY\nclock  fresh    src/app.py  untouched\n",
        "",
    )
    rewrite(saved)
    assert run("stale", cwd=saved) == (1, CHANGED, "")
    head = git(saved, "rev-parse", "--short", "HEAD").strip()
    path = saved / ".claudedo" / "traps" / "clock.md"
    assert run("renew", "clock", cwd=saved) == (0, f"renewed: {path} (stamp {head})\n", "")
    assert run("stale", cwd=saved)[0] == 0


def test_json_of_stale_holds_the_verdict_in_its_words(saved: Path) -> None:
    stamp = git(saved, "rev-parse", "--short", "HEAD").strip()
    rewrite(saved)
    code, out, _ = run("stale", "--json", cwd=saved)
    assert code == 1
    assert json.loads(out) == {
        "list": "app",
        "store": str(saved / ".claudedo"),
        "findings": [
            {
                "slug": "clock",
                "verdict": "changed",
                "why": "100 % of its lines are gone",
                "scope": "src/app.py",
                "verifiedAgainst": stamp,
                "linesGonePercent": 100,
                "symbolsGone": [],
                "places": [],
                "notes": [],
            }
        ],
    }


def test_list_stale_shows_only_what_is_not_fresh(saved: Path) -> None:
    run("save", "loose", "--title", "No scope", "--body", "B", cwd=saved)
    run("save", "ok", "--title", "Fine", "--body", "B", "--scope", "src", cwd=saved)
    assert run("list", "--stale", cwd=saved)[:2] == (
        0,
        "SLUG   VERDICT  SCOPE  HOOK\nloose  unknown  -      No scope\n",
    )
    rows = json.loads(run("list", "--stale", "--json", cwd=saved)[1])["findings"]
    assert [(row["slug"], row["verdict"], row["hook"]) for row in rows] == [("loose", "unknown", "No scope")]
    run("renew", "loose", "--scope", "src/app.py", cwd=saved)
    assert run("list", "--stale", cwd=saved) == (1, f"no finding in {saved / '.claudedo'} is stale\n", "")


def test_list_stale_names_what_it_skipped(saved: Path) -> None:
    (saved / ".claudedo" / "traps" / "My Notes.md").write_text("# Mine\n")
    code, _, err = run("list", "--stale", cwd=saved)
    assert (code, err.count("\n")) == (1, 1)
    assert "My Notes.md" in err
    assert json.loads(run("list", "--stale", "--json", cwd=saved)[1])["skipped"] == ["My Notes.md"]


def test_show_keeps_the_verdict_where_git_cannot_tell_the_commits(saved: Path, tmp_path: Path) -> None:
    for number in range(3):
        with (saved / "src" / "app.py").open("a") as file:
            file.write(f"and line {number} more\n")
        git(saved, "commit", "-q", "-a", "-m", "more")
    stamp = git(saved, "rev-parse", "HEAD~3").strip()
    git(saved, "config", "uploadpack.allowFilter", "true")
    git(saved, "config", "uploadpack.allowAnySHA1InWant", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=tree:0", saved.as_uri(), str(clone))
    git(clone, "show", f"{stamp}:src/app.py")  # what the verdict needs, and no more
    (clone / ".claudedo" / "traps").mkdir(parents=True)
    (clone / ".claudedo" / "traps" / "clock.md").write_bytes((saved / ".claudedo" / "traps" / "clock.md").read_bytes())
    assert "fresh" in run("stale", "--here", cwd=clone)[1]
    _, out, _ = run("show", "clock", "--here", cwd=clone)
    assert (
        "verdict: fresh (touched, none of its lines is gone; which commits did it is not known: git log failed" in out
    )
    assert "changed by" not in out


def test_show_tells_the_verdict_and_which_commits_changed_the_scope(saved: Path) -> None:
    rewrite(saved)
    git(saved, "commit", "-q", "--allow-empty", "-m", "elsewhere")
    _, out, _ = run("show", "clock", cwd=saved)
    assert "verdict: changed (100 % of its lines are gone)\n" in out
    assert re.search(r"^changed by: [0-9a-f]{7,} \d{4}-\d\d-\d\d rewrite\\x1b\[31m it$", out, re.MULTILINE)
    assert "elsewhere" not in out
    shown = json.loads(run("show", "clock", "--json", cwd=saved)[1])
    assert (shown["slug"], shown["verdict"], len(shown["commits"])) == ("clock", "changed", 1)
    assert shown["commits"][0]["subject"] == "rewrite\x1b[31m it"


def test_stale_of_an_empty_store_has_nothing_to_complain_about(listed: Path) -> None:
    code, out, _ = run("stale", cwd=listed)
    assert (code, out) == (0, f"no findings in {listed / '.claudedo'} (there is no such folder yet)\n")


def test_renew_of_what_is_not_there_is_an_error(saved: Path) -> None:
    code, out, err = run("renew", "clock", "nowhere", cwd=saved)
    assert (code, out) == (2, "")
    assert err.startswith("error: there is no finding nowhere in ")


def test_renew_tells_its_warnings_and_its_json(saved: Path) -> None:
    code, _, err = run("renew", "clock", "--scope", "lib", "--expires", "never", cwd=saved)
    assert code == 0
    assert err == "warning: clock: its scope 'lib' does not exist: say with --scope where that is now\n"
    row = json.loads(run("renew", "clock", "--expires", "2999-01-01", "--json", cwd=saved)[1])["findings"][0]
    assert (row["slug"], row["status"], row["scope"], row["expires"]) == ("clock", "updated", "lib", "2999-01-01")
