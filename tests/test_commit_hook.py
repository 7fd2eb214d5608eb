"""Git hooks that look for reverts: real commits, beside hooks of every kind, and out again without a trace."""

import json
import os
import subprocess  # noqa: TID251  # commits must run the hook as git runs it
import sys
import time
from pathlib import Path

import pytest

from claudedo_findings import cli, commit_hook
from claudedo_findings import git as door
from claudedo_findings.errors import FindingsError
from tests.conftest import git, make_repo

HERE = ["--here"]


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the hook's interpreter find the package wherever the tests run from."""
    monkeypatch.setenv("PYTHONPATH", str(Path(cli.__file__).parent.parent.parent))


def install(repo: Path, *, shared: bool = False) -> list[str]:
    """Install the hooks and return the statuses."""
    return [one.status for one in commit_hook.install(door.places(str(repo)), HERE, shared=shared)]


def remove(repo: Path) -> list[str]:
    """Remove the hooks and return the statuses."""
    return [one.status for one in commit_hook.remove(door.places(str(repo)))]


def commit(repo: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Commit something new and return how it went."""
    (repo / "src" / "new.py").write_text(f"{time.monotonic_ns()}\n")
    git(repo, "add", "-A")
    return subprocess.run(["git", "commit", "-m", *(arguments or ("c",))], cwd=repo, capture_output=True, text=True)


def revert_something(repo: Path) -> None:
    """Try an approach and take it back, with a reason."""
    (repo / "src" / "app.py").write_text("print('app')\n" + "cache the parsed config\n" * 3)
    git(repo, "commit", "-qam", "app: cache parsed config")
    git(repo, "revert", "--no-commit", "HEAD")
    sha = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "commit", "-qm", f'Revert "app: cache parsed config"\n\nThis reverts commit {sha}.\n\nIt breaks reload.')


def candidates(repo: Path, *, wait: float = 120.0) -> list[str]:
    """Return the candidates, waiting for the background run to make one."""
    end = time.monotonic() + wait
    folder = repo / ".claudedo" / "candidates"
    while time.monotonic() < end:
        found = [path.name for path in folder.glob("*.md")] if folder.is_dir() else []
        if found:
            return found
        time.sleep(0.05)
    return []


def put_hook(repo: Path, text: str | bytes, hook: str = "post-commit", mode: int = 0o755) -> Path:
    """Write a hook of the user's."""
    path = repo / ".git" / "hooks" / hook
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(mode)
    return path


def snapshot(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return mode and bytes of each file in a folder, of a link where it leads."""
    return {
        path.name: (path.lstat().st_mode, os.readlink(path) if path.is_symlink() else path.read_bytes())
        for path in folder.iterdir()
    }


def test_a_committed_revert_becomes_a_candidate(repo: Path) -> None:
    assert install(repo) == ["installed", "installed"]
    revert_something(repo)
    assert candidates(repo) == ["cache-parsed-config-reverted.md"]
    assert git(repo, "status", "--porcelain") == ""


def test_a_pulled_revert_becomes_a_candidate(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repo), "clone")
    install(tmp_path / "clone")
    revert_something(repo)
    git(tmp_path / "clone", "pull", "-q")
    assert candidates(tmp_path / "clone") == ["cache-parsed-config-reverted.md"]


def test_an_ordinary_commit_starts_nothing(repo: Path) -> None:
    revert_something(repo)
    install(repo)
    assert commit(repo, "add a file").returncode == 0
    assert candidates(repo, wait=1.5) == []


def test_a_commit_in_a_linked_worktree_runs_the_hook(repo: Path, tmp_path: Path) -> None:
    revert_something(repo)
    git(repo, "worktree", "add", "-q", str(tmp_path / "wt"))
    assert install(tmp_path / "wt") == ["installed", "installed"]
    assert commit(tmp_path / "wt", "undo nothing at all").returncode == 0
    assert candidates(repo) == ["cache-parsed-config-reverted.md"]
    assert not (tmp_path / "wt" / ".claudedo").exists()


def test_the_hook_does_not_wait_and_prints_nothing(repo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\necho loud\necho loud >&2\nsleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(slow))
    install(repo)
    done = commit(repo, "-q", "revert nothing")
    done = subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", "revert nothing"],
        cwd=repo,
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("executable", ["/does/not/exist", "/bin/false"])
def test_a_broken_installation_fails_no_commit(repo: Path, monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    install(repo)
    done = commit(repo, "revert nothing")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_of_the_repository_cannot_stand_in_for_our_modules(repo: Path) -> None:
    install(repo)
    (repo / "claudedo_findings").mkdir()
    (repo / "claudedo_findings" / "__init__.py").write_text("raise SystemExit('not ours')\n")
    (repo / "json.py").write_text("raise SystemExit('not ours')\n")
    revert_something(repo)
    assert candidates(repo) == ["cache-parsed-config-reverted.md"]


SHELLS = ["#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash", "#! /bin/sh -e", "#!/usr/bin/env -S sh -eu"]


@pytest.mark.parametrize("shebang", SHELLS)
def test_a_shell_hook_runs_on_under_its_own_name(repo: Path, shebang: str, tmp_path: Path) -> None:
    hook = put_hook(repo, f'{shebang}\necho "$0" > "{tmp_path}/ran"\nexit 3\n', "post-commit", 0o750)
    before = snapshot(hook.parent)
    install(repo)
    assert install(repo) == ["unchanged", "unchanged"]
    revert_something(repo)
    assert (tmp_path / "ran").read_text().strip().endswith("hooks/post-commit")
    assert candidates(repo)
    assert remove(repo) == ["removed", "removed"]
    assert snapshot(hook.parent) == before


def test_the_exit_code_of_a_hook_is_its_own(repo: Path) -> None:
    for text in ("#!/bin/sh\nexit 3\n", "#!/bin/sh\n", f"#!{sys.executable}\nraise SystemExit(3)\n"):
        hook = put_hook(repo, text)
        alone = subprocess.run([hook], cwd=repo, check=False).returncode
        install(repo)
        assert subprocess.run([hook], cwd=repo, check=False).returncode == alone
        remove(repo)
        assert hook.read_text() == text


@pytest.mark.parametrize(
    "text",
    [
        f"#!{sys.executable}\nimport sys\nopen(RAN, 'w').write('python')\n",
        "echo no shebang > RAN\n",
        b"#!/bin/sh\r\n# DOS line ends\r\n",
        b"\x7fELF is a program, of a kind \xff\xfe\n",
    ],
)
def test_a_hook_that_is_no_shell_script_is_kept_beside_and_run(repo: Path, text: str | bytes, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    text = text.replace("RAN", repr(str(ran)) if "python" in text else str(ran)) if isinstance(text, str) else text
    hook = put_hook(repo, text)
    before = snapshot(hook.parent)
    install(repo)
    assert hook.with_name("post-commit.before-claudedo-findings").exists()
    assert install(repo) == ["unchanged", "unchanged"]
    revert_something(repo)
    assert candidates(repo)
    assert ran.exists() == isinstance(text, str)
    remove(repo)
    assert snapshot(hook.parent) == before


def test_a_hook_that_is_a_link_stays_one_and_its_target_is_not_touched(repo: Path, tmp_path: Path) -> None:
    target = tmp_path / "shared-hook"
    target.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    target.chmod(0o755)
    hook = put_hook(repo, "")
    hook.unlink()
    hook.symlink_to(target)
    before, text = snapshot(hook.parent), target.read_text()
    install(repo)
    commit(repo)
    assert (tmp_path / "ran").exists()
    assert target.read_text() == text
    remove(repo)
    assert snapshot(hook.parent) == before


def test_a_hook_that_is_switched_off_stays_off(repo: Path, tmp_path: Path) -> None:
    hook = put_hook(repo, f"#!/bin/sh\ntouch '{tmp_path}/ran'\n", mode=0o644)
    before = snapshot(hook.parent)
    install(repo)
    revert_something(repo)
    assert candidates(repo)
    assert not (tmp_path / "ran").exists()
    remove(repo)
    assert snapshot(hook.parent) == before


def test_what_a_person_changed_since_survives_the_removal(repo: Path) -> None:
    hook = put_hook(repo, "#!/bin/sh\ntrue\n")
    install(repo)
    hook.write_text(hook.read_text() + "echo mine\n")
    remove(repo)
    assert hook.read_text() == "#!/bin/sh\ntrue\necho mine\n"
    hook.unlink()
    install(repo)
    hook.write_text(hook.read_text() + "echo mine\n")
    remove(repo)
    assert hook.read_text().endswith("echo mine\n")
    assert "claudedo_findings detect" not in hook.read_text()


def test_our_own_hooks_leave_nothing_behind(repo: Path) -> None:
    folder = repo / ".git" / "hooks"
    before = snapshot(folder) if folder.exists() else {}
    install(repo)
    assert os.access(folder / "post-commit", os.X_OK)
    assert install(repo) == ["unchanged", "unchanged"]
    remove(repo)
    assert snapshot(folder) == before
    assert remove(repo) == ["not installed", "not installed"]


def test_a_kept_hook_is_never_overwritten(repo: Path) -> None:
    hook = put_hook(repo, f"#!{sys.executable}\n")
    kept = put_hook(repo, "mine", "post-commit.before-claudedo-findings")
    with pytest.raises(FindingsError, match="is there already"):
        install(repo)
    assert (hook.read_text(), kept.read_text()) == (f"#!{sys.executable}\n", "mine")


def test_two_stores_of_one_repository_have_lines_each(repo: Path) -> None:
    (repo / "part").mkdir()
    install(repo)
    install(repo / "part")
    text = (repo / ".git" / "hooks" / "post-commit").read_text()
    assert text.count("claudedo_findings detect") == 2
    assert remove(repo / "part") == ["removed", "removed"]
    assert (repo / ".git" / "hooks" / "post-commit").read_text().count("claudedo_findings detect") == 1
    assert remove(repo) == ["removed", "removed"]
    assert not (repo / ".git" / "hooks" / "post-commit").exists()


@pytest.mark.parametrize("name", ["with space", "it's", "größe", 'quo"te', "$HOME", ">>> x >>>"])
def test_names_that_a_shell_would_read_otherwise(tmp_path: Path, name: str) -> None:
    repo = make_repo(tmp_path / name)
    install(repo)
    revert_something(repo)
    assert candidates(repo) == ["cache-parsed-config-reverted.md"]
    assert remove(repo) == ["removed", "removed"]


def test_hooks_path_in_the_repository_is_honoured(repo: Path) -> None:
    git(repo, "config", "core.hooksPath", ".husky/_")
    install(repo)
    assert (repo / ".husky" / "_" / "post-commit").is_file()
    assert not (repo / ".git" / "hooks" / "post-commit").exists()
    (repo / ".git" / "info" / "exclude").write_text("/.husky/\n")
    revert_something(repo)
    assert candidates(repo)


def test_hooks_that_are_checked_in_need_a_clear_word(repo: Path) -> None:
    (repo / "hooks").mkdir()
    (repo / "hooks" / "post-commit").write_text("#!/bin/sh\n")
    (repo / "hooks" / "post-commit").chmod(0o755)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "hooks")
    git(repo, "config", "core.hooksPath", "hooks")
    with pytest.raises(FindingsError, match="checked in"):
        install(repo)
    assert git(repo, "status", "--porcelain") == ""
    assert install(repo, shared=True) == ["installed", "installed"]


def test_a_hooks_folder_of_several_repositories_needs_a_clear_word(repo: Path, tmp_path: Path) -> None:
    shared = tmp_path / "all-hooks"
    revert_something(repo)
    git(repo, "config", "--global", "core.hooksPath", str(shared))
    with pytest.raises(FindingsError, match="other repositories too: add --shared"):
        install(repo)
    assert not shared.exists()
    assert install(repo, shared=True) == ["installed", "installed"]
    other = make_repo(tmp_path / "other")
    revert_something(other)
    assert candidates(other, wait=1.5) == candidates(repo, wait=0.1) == []
    commit(repo, "revert what is left")
    assert candidates(repo)
    assert not (other / ".claudedo").exists()


def test_hooks_that_are_switched_off_are_said(repo: Path) -> None:
    git(repo, "config", "core.hooksPath", "/dev/null")
    with pytest.raises(FindingsError, match="git runs no hooks here"):
        install(repo, shared=True)


def test_a_folder_without_git_has_no_hooks(tmp_path: Path) -> None:
    with pytest.raises(FindingsError, match="not inside a git checkout"):
        install(tmp_path)


def test_the_verb_names_the_list_and_says_what_it_did(
    listed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(listed)
    assert cli.main(["install-hook", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(hook["hook"], hook["status"]) for hook in told["hooks"]] == [
        ("post-commit", "installed"),
        ("post-merge", "installed"),
    ]
    assert "--list=app" in Path(told["hooks"][0]["path"]).read_text()
    revert_something(listed)
    assert candidates(listed)
    assert cli.main(["install-hook", "--remove"]) == 0
    assert cli.main(["install-hook", "--remove"]) == 1
