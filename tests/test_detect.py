"""The verb detect, as people and the hook call it."""

import json
from pathlib import Path

import pytest

from claudedo_findings import cli
from tests.conftest import git
from tests.test_commit_hook import revert_something


@pytest.fixture
def reverted(listed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A listed repository with one revert that gives a reason and one that does not."""
    revert_something(listed)
    (listed / "src" / "app.py").write_text("print('app')\n" + "read it lazily\n" * 3)
    git(listed, "commit", "-qam", "app: read config lazily")
    git(listed, "revert", "--no-edit", "HEAD")
    monkeypatch.chdir(listed)
    return listed


def test_it_shows_what_it_would_draft_and_writes_nothing(reverted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["detect"]) == 0
    out, err = capsys.readouterr()
    assert "draft           “app: cache parsed config” was tried and reverted: breaks reload" in out
    assert 'reason missing  Revert "app: read config lazily"' in out
    assert "1 to draft; 1 without a reason" in err
    assert "1 of them new; nothing was written" in err
    assert not (reverted / ".claudedo").exists()


def test_save_keeps_candidates_once(reverted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["detect", "--save"]) == 0
    assert "1 new candidate in" in capsys.readouterr().err
    assert [path.name for path in (reverted / ".claudedo" / "candidates").iterdir()] == [
        "cache-parsed-config-reverted.md"
    ]
    assert cli.main(["detect", "--save"]) == 0
    assert "nothing new" in capsys.readouterr().err
    assert cli.main(["detect", "--all", "--save"]) == 0
    assert len(list((reverted / ".claudedo" / "candidates").iterdir())) == 2


@pytest.mark.usefixtures("reverted")
def test_what_is_settled_is_no_longer_to_draft(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["detect", "--all", "--save"]) == 0
    assert "2 to draft; 2 new candidates" in capsys.readouterr().err
    assert cli.main(["approve", "cache-parsed-config-reverted"]) == 0
    assert cli.main(["detect"]) == 0
    assert "2 reverts: 1 to draft; 1 accepted" in capsys.readouterr().err
    assert cli.main(["reject", "read-config-lazily-reverted", "--why", "nobody knows"]) == 0
    assert cli.main(["detect", "--save"]) == 0
    told = capsys.readouterr()
    assert "2 reverts: 0 to draft; 1 accepted; 1 rejected; nothing new" in told.err
    assert "draft (accepted)" in told.out
    assert "reason missing (rejected)" in told.out


def test_a_reason_without_a_known_commit_is_counted(reverted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (reverted / "src" / "app.py").write_text("print('app')\n")
    message = "Revert D4711\n\nIt deadlocks on reload."
    git(reverted, "commit", "-q", "--allow-empty", "-m", message)
    assert cli.main(["detect"]) == 0
    assert "1 skipped (1 of them say why, but name no known commit); --all" in capsys.readouterr().err


def test_json_is_one_object_with_a_row_for_each_revert(reverted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["detect", "--all", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["list"], told["saved"], told["thorough"], told["commits"]) == ("app", False, False, 5)
    assert [row["verdict"] for row in told["reverts"]] == ["reason missing", "draft"]
    row = told["reverts"][1]
    assert next(iter(row)) == "slug"
    assert (row["slug"], row["status"], row["foundBy"]) == ("cache-parsed-config-reverted", "created", "sha")
    assert row["undoes"] == [git(reverted, "rev-parse", "HEAD~3").strip()]


def test_quiet_prints_nothing(reverted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["detect", "--save", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (reverted / ".claudedo" / "candidates").is_dir()


def test_without_reverts_the_answer_is_no(
    listed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(listed)
    assert cli.main(["detect", "--save"]) == 1
    assert "1 commit, 0 reverts: 0 to draft" in capsys.readouterr().err
    assert not (listed / ".claudedo").exists()


def test_where_there_is_no_git_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plain").mkdir()
    assert cli.main(["lists", "add", "plain", str(tmp_path / "plain")]) == 0
    assert cli.main(["detect", "--list", "plain"]) == 2
    assert "not inside a git checkout" in capsys.readouterr().err


def test_control_characters_of_a_subject_do_not_reach_the_terminal(
    reverted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(reverted, "commit", "-q", "--allow-empty", "-m", "revert \x1b[31mred\x1b[0m things")
    assert cli.main(["detect", "--all"]) == 0
    assert "\x1b" not in capsys.readouterr().out
