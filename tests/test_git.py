"""Which folder holds a store, and whether git leaves it alone, on every layout git knows. Real git, no fakes."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from claudedo_findings import exclude, git_run, git_talk
from claudedo_findings import git as door
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.conftest import git, make_repo, older_git

FINDING = Finding(slug="clock-skew", title="The clock is frozen", body="Only in CI.")


@dataclass(frozen=True)
class Layout:
    """A list's folder, and where its store must lie."""

    folder: Path
    root: Path
    prefix: str = ""
    common: Path | None = None
    head_of: Path | None = None
    processes: int = 1
    warning: str = ""


def plain(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    return Layout(repo, repo, common=repo / ".git", head_of=repo)


def sub_folder(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    return Layout(repo / "src", repo / "src", prefix="src", common=repo / ".git", head_of=repo)


def linked_worktree(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    git(repo, "worktree", "add", "-q", str(tmp / "wt"))
    git(tmp / "wt", "commit", "-q", "--allow-empty", "-m", "only in the worktree")
    return Layout(tmp / "wt", repo, common=repo / ".git", head_of=repo, processes=3)


def sub_folder_of_linked_worktree(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    git(repo, "worktree", "add", "-q", str(tmp / "wt"))
    return Layout(tmp / "wt" / "src", repo / "src", prefix="src", common=repo / ".git", head_of=repo, processes=3)


def worktree_below_the_main_checkout(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    git(repo, "worktree", "add", "-q", ".worktrees/wt")
    return Layout(repo / ".worktrees" / "wt", repo, common=repo / ".git", head_of=repo, processes=3)


def with_submodule(tmp: Path) -> tuple[Path, Path]:
    inner = make_repo(tmp / "inner")
    outer = make_repo(tmp / "outer")
    git(outer, "submodule", "--quiet", "add", str(inner), "libs/inner")
    git(outer, "commit", "-q", "-m", "submodule")
    return outer / "libs" / "inner", outer / ".git" / "modules" / "libs" / "inner"


def submodule(tmp: Path) -> Layout:
    checkout, git_dir = with_submodule(tmp)
    return Layout(checkout, checkout, common=git_dir, head_of=checkout)


def worktree_of_submodule(tmp: Path) -> Layout:
    checkout, git_dir = with_submodule(tmp)
    git(checkout, "worktree", "add", "-q", str(tmp / "wt"))
    git(tmp / "wt", "commit", "-q", "--allow-empty", "-m", "only in the worktree")
    return Layout(tmp / "wt" / "src", checkout / "src", "src", git_dir, head_of=checkout, processes=3)


def separate_git_dir(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    git(repo, "init", "-q", "--separate-git-dir", str(tmp / "store.git"))
    return Layout(repo, repo, common=tmp / "store.git", head_of=repo)


def worktree_of_bare_hub(tmp: Path) -> Layout:
    git(tmp, "clone", "-q", "--bare", str(make_repo(tmp / "repo")), "hub")
    git(tmp / "hub", "worktree", "add", "-q", str(tmp / "wt"))
    git(tmp / "wt", "commit", "-q", "--allow-empty", "-m", "only in the worktree")
    return Layout(
        tmp / "wt", tmp / "wt", common=tmp / "hub", head_of=tmp / "wt", processes=2, warning="the repository is bare"
    )


def git_symlink(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    (repo / ".git").rename(tmp / "elsewhere")
    (repo / ".git").symlink_to(tmp / "elsewhere")
    return Layout(repo, repo, common=tmp / "elsewhere", head_of=repo)


def symlink_to_a_checkout(tmp: Path) -> Layout:
    repo = make_repo(tmp / "repo")
    (tmp / "link").symlink_to(repo)
    return Layout(tmp / "link", repo, common=repo / ".git", head_of=repo)


def unborn(tmp: Path) -> Layout:
    git(tmp, "init", "-q", "repo")
    return Layout(tmp / "repo", tmp / "repo", common=tmp / "repo" / ".git")


def no_git(tmp: Path) -> Layout:
    (tmp / "notes").mkdir()
    return Layout(tmp / "notes", tmp / "notes", processes=0)


def spaces_and_umlauts(tmp: Path) -> Layout:
    repo = make_repo(tmp / "mein größtes Projekt")
    (repo / "ein Ordner").mkdir()
    return Layout(repo / "ein Ordner", repo / "ein Ordner", prefix="ein Ordner", common=repo / ".git", head_of=repo)


def worktree_with_spaces_and_umlauts(tmp: Path) -> Layout:
    repo = make_repo(tmp / "mein größtes Projekt")
    git(repo, "worktree", "add", "-q", "-b", "second", str(tmp / "zweiter Bäum"))
    return Layout(tmp / "zweiter Bäum", repo, common=repo / ".git", head_of=repo, processes=3)


LAYOUTS = [
    plain,
    sub_folder,
    linked_worktree,
    sub_folder_of_linked_worktree,
    worktree_below_the_main_checkout,
    submodule,
    worktree_of_submodule,
    separate_git_dir,
    worktree_of_bare_hub,
    git_symlink,
    symlink_to_a_checkout,
    unborn,
    no_git,
    spaces_and_umlauts,
    worktree_with_spaces_and_umlauts,
]
each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)


CHANGES = {
    "commit": ("commit", "-q", "--allow-empty", "-m", "next"),
    "switch": ("switch", "-q", "-c", "another"),
    "stage": ("add", "staged.txt"),
    "commit over packed refs": ("commit", "-q", "--allow-empty", "-m", "after packing"),
}


@each_layout
def test_watched_files_change_with_head_and_the_staging_area(layout: Callable[[Path], Layout], tmp_path: Path) -> None:
    made = layout(tmp_path)
    if made.common is None:
        assert door.watched(str(made.root)) == ()
        return
    for change, arguments in CHANGES.items():
        (made.root / "staged.txt").write_text(change)
        if "packed" in change:
            git(made.root, "pack-refs", "--all")
        watched = door.watched(str(made.root))
        before = [
            (os.stat(path).st_mtime_ns, os.stat(path).st_ino) if os.path.exists(path) else None for path in watched
        ]
        git(made.root, *arguments)
        after = [
            (os.stat(path).st_mtime_ns, os.stat(path).st_ino) if os.path.exists(path) else None for path in watched
        ]
        assert before != after, change


@each_layout
def test_store_lies_in_the_main_checkout(layout: Callable[[Path], Layout], tmp_path: Path) -> None:
    expected = layout(tmp_path)
    found = door.places(str(expected.folder))
    head = git(expected.head_of, "rev-parse", "--short", "HEAD").strip() if expected.head_of else ""
    assert (found.root, found.prefix, found.head) == (str(expected.root), expected.prefix, head)
    assert found.common_dir == (str(expected.common) if expected.common else "")
    assert found.exclude == (str(expected.common / "info" / "exclude") if expected.common else "")
    assert found.warning.startswith(expected.warning)
    assert bool(found.warning) is bool(expected.warning)


@each_layout
def test_few_git_processes_are_started(
    layout: Callable[[Path], Layout], tmp_path: Path, log_git: Callable[[], Path]
) -> None:
    expected = layout(tmp_path)
    log = log_git()
    door.places(str(expected.folder))
    assert len(log.read_text().splitlines()) == expected.processes


@each_layout
def test_save_writes_to_the_root_and_git_sees_nothing(layout: Callable[[Path], Layout], tmp_path: Path) -> None:
    expected = layout(tmp_path)
    checkouts = sorted({expected.folder, expected.root}) if expected.common else []
    before = [git(checkout, "status", "--porcelain") for checkout in checkouts]
    Store(door.places(str(expected.folder))).save(FINDING, keep_scope=True)
    assert sorted(tmp_path.rglob("clock-skew.md")) == [expected.root / ".claudedo" / "traps" / "clock-skew.md"]
    assert [git(checkout, "status", "--porcelain") for checkout in checkouts] == before


@each_layout
def test_toplevel_is_the_checkout_above_the_root(layout: Callable[[Path], Layout], tmp_path: Path) -> None:
    expected = layout(tmp_path)
    found = door.places(str(expected.folder))
    top = git(expected.root, "rev-parse", "--show-toplevel").strip() if expected.common else ""
    assert found.toplevel == top


def bare_itself(tmp: Path) -> Path:
    git(tmp, "init", "-q", "--bare", "hub")
    return tmp / "hub"


def folder_of_a_bare_repository(tmp: Path) -> Path:
    return bare_itself(tmp) / "refs"


def git_dir_itself(tmp: Path) -> Path:
    return make_repo(tmp / "repo") / ".git"


def worktree_of_separate_git_dir(tmp: Path) -> Path:
    layout = separate_git_dir(tmp)
    git(layout.folder, "worktree", "add", "-q", str(tmp / "wt"))
    return tmp / "wt"


def broken_worktree(tmp: Path) -> Path:
    broken = make_repo(tmp / "outer") / "wt"
    broken.mkdir()
    (broken / ".git").write_text("gitdir: /nowhere/.git/worktrees/wt\n")
    return broken


def worktree_whose_repository_is_gone(tmp: Path) -> Path:
    layout = linked_worktree(tmp)
    shutil.rmtree(layout.root)
    return layout.folder


def empty_git_folder(tmp: Path) -> Path:
    folder = make_repo(tmp / "outer") / "inner"
    (folder / ".git").mkdir(parents=True)
    return folder


def empty_git_file(tmp: Path) -> Path:
    folder = make_repo(tmp / "outer") / "inner"
    folder.mkdir()
    (folder / ".git").touch()
    return folder


def dangling_git_symlink(tmp: Path) -> Path:
    folder = make_repo(tmp / "outer") / "inner"
    folder.mkdir()
    (folder / ".git").symlink_to(tmp / "nowhere")
    return folder


def owned_by_another(tmp: Path) -> Path:
    repo = make_repo(tmp / "repo")
    if os.getuid():
        pytest.skip("only root can give a repository away")
    for path in (repo, repo / ".git"):
        os.chown(path, 12345, 12345)
    return repo


def missing(tmp: Path) -> Path:
    return tmp / "missing"


def a_file(tmp: Path) -> Path:
    return make_repo(tmp / "repo") / "src" / "app.py"


def line_break(tmp: Path) -> Path:
    return make_repo(tmp / "a\nb")


def worktree_of_a_path_with_line_break(tmp: Path) -> Path:
    git(make_repo(tmp / "a\nb"), "worktree", "add", "-q", str(tmp / "wt"))
    return tmp / "wt"


def folder_that_the_main_checkout_lacks(tmp: Path) -> Path:
    layout = linked_worktree(tmp)
    (layout.folder / "new").mkdir()
    return layout.folder / "new"


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (bare_itself, r"is not inside a checkout .*: point the list at a checkout"),
        (folder_of_a_bare_repository, r"is not inside a checkout .*: point the list at a checkout"),
        (git_dir_itself, r"is not inside a checkout"),
        (worktree_of_separate_git_dir, r"worktree of the separate git dir .*store\.git.*'claudedo-findings lists add"),
        (broken_worktree, r"git refuses .*/wt: fatal: not a git repository: .*/nowhere"),
        (worktree_whose_repository_is_gone, r"git refuses .*/wt: fatal: not a git repository"),
        (empty_git_folder, r"inner/\.git is broken: git answers for .*/outer instead"),
        (empty_git_file, r"git refuses .*/inner: fatal: invalid gitfile format"),
        (dangling_git_symlink, r"git refuses .*/inner: fatal|inner/\.git is broken"),
        (owned_by_another, r"git refuses .*: fatal: detected dubious ownership .*run 'git status' there"),
        (missing, r"the folder '.*/missing' does not exist: correct the list's folder"),
        (a_file, r"app\.py' is a file, not a folder"),
        (line_break, r"has a line break in its path"),
        (worktree_of_a_path_with_line_break, r"a line break in a path\?"),
        (folder_that_the_main_checkout_lacks, r"the main checkout has no folder .*/repo/new: create it there"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_layout_without_a_safe_place_is_refused(
    layout: Callable[[Path], Path], message: str, tmp_path: Path, sealed: Path
) -> None:
    folder = layout(tmp_path)
    before = sorted(map(str, [*tmp_path.rglob("*"), *sealed.rglob("*")]))
    with pytest.raises(FindingsError, match=message):
        Store(door.places(str(folder))).save(FINDING, keep_scope=True)
    assert sorted(map(str, [*tmp_path.rglob("*"), *sealed.rglob("*")])) == before


def test_missing_git_is_an_error_where_a_repository_stands(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(FindingsError, match="git was not found: install git, or put it on PATH"):
        door.places(str(repo))


def test_missing_git_does_not_matter_without_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert door.places(str(tmp_path)) == door.Places(root=str(tmp_path))


@pytest.mark.parametrize(
    "variables",
    [("GIT_DIR",), ("GIT_DIR", "GIT_WORK_TREE"), ("GIT_WORK_TREE",), ("GIT_INDEX_FILE",), ("GIT_COMMON_DIR",)],
    ids="+".join,
)
def test_environment_variables_of_git_point_nowhere_else(
    variables: tuple[str, ...], repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repo(tmp_path / "other")
    expected = door.places(str(repo))
    values = {"GIT_WORK_TREE": other, "GIT_INDEX_FILE": other / "nonsense"}
    for name in variables:
        monkeypatch.setenv(name, str(values.get(name, other / ".git")))
    assert door.places(str(repo)) == expected


def test_save_inside_a_git_hook_goes_to_the_own_repository(listed_hook: Path) -> None:
    git(listed_hook, "commit", "-q", "--allow-empty", "-m", "second")
    assert (listed_hook / ".claudedo" / "traps" / "clock-skew.md").is_file()


@pytest.fixture
def listed_hook(repo: Path) -> Path:
    """A repository whose commit hook saves a finding."""
    hook = repo / ".git" / "hooks" / "pre-commit"
    code = (
        "from claudedo_findings import git; from claudedo_findings.store import Store;"
        " from claudedo_findings.finding import Finding;"
        f' Store(git.places("{repo}")).save(Finding(slug="clock-skew", title="t t", body="b"), keep_scope=True)'
    )
    project = Path(__file__).parent.parent
    hook.write_text(f"#!/bin/sh\nPYTHONPATH='{project}' exec '{sys.executable}' -c '{code}'\n")
    hook.chmod(0o755)
    return repo


def save(folder: Path) -> None:
    Store(door.places(str(folder))).save(FINDING, keep_scope=True)


def excludes(repo: Path) -> list[str]:
    text = (repo / ".git" / "info" / "exclude").read_bytes().decode()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_first_save_excludes_the_store_once(repo: Path) -> None:
    save(repo)
    save(repo)
    assert exclude.add(door.places(str(repo)), ".claudedo") is False
    assert excludes(repo) == ["/.claudedo/"]


def test_save_from_a_linked_worktree_excludes_in_the_common_file(tmp_path: Path) -> None:
    layout = linked_worktree(tmp_path)
    save(layout.folder)
    save(layout.folder)
    assert excludes(layout.root) == ["/.claudedo/"]
    assert [str(path) for path in (layout.root / ".git" / "worktrees").rglob("exclude")] == []
    assert git(layout.root, "status", "--porcelain") == git(layout.folder, "status", "--porcelain") == ""


def test_exclude_is_written_without_an_info_folder(repo: Path) -> None:
    shutil.rmtree(repo / ".git" / "info")
    save(repo)
    assert (repo / ".git" / "info" / "exclude").read_bytes() == b"/.claudedo/\n"


def test_exclude_goes_on_a_line_of_its_own(repo: Path) -> None:
    (repo / ".git" / "info" / "exclude").write_bytes(b"*.log\n*.tmp")
    save(repo)
    assert (repo / ".git" / "info" / "exclude").read_bytes() == b"*.log\n*.tmp\n/.claudedo/\n"


def test_exclude_keeps_crlf(repo: Path) -> None:
    (repo / ".git" / "info" / "exclude").write_bytes(b"*.log\r\n*.tmp")
    save(repo)
    assert (repo / ".git" / "info" / "exclude").read_bytes() == b"*.log\r\n*.tmp\r\n/.claudedo/\r\n"


def test_exclude_line_with_crlf_counts_as_there(repo: Path) -> None:
    (repo / ".git" / "info" / "exclude").write_bytes(b"/.claudedo/\r\n")
    assert exclude.add(door.places(str(repo)), ".claudedo") is False


def test_read_only_exclude_file_is_extended(repo: Path) -> None:
    (repo / ".git" / "info" / "exclude").chmod(0o444)
    save(repo)
    assert excludes(repo) == ["/.claudedo/"]


def test_linked_exclude_file_stays_a_link(repo: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared-exclude"
    shared.write_text("*.log\n")
    (repo / ".git" / "info" / "exclude").unlink()
    (repo / ".git" / "info" / "exclude").symlink_to(shared)
    save(repo)
    assert (repo / ".git" / "info" / "exclude").is_symlink()
    assert shared.read_text() == "*.log\n/.claudedo/\n"


@pytest.mark.parametrize(
    "name", ["a b", "a[b]c", "a*b", "a?b", "!a", "#a", "größe", "a\\b", " a", "a ", "a\tb", "{a}", "a'b\"c"]
)
def test_sub_folder_with_special_characters_is_excluded_and_no_other(name: str, repo: Path) -> None:
    (repo / name).mkdir()
    neighbour = repo / "axb" / ".claudedo"
    neighbour.mkdir(parents=True)
    (neighbour / "mine.md").write_text("mine")
    save(repo / name)
    assert git(repo, "status", "--porcelain", "-z", "--untracked-files=all") == "?? axb/.claudedo/mine.md\0"


def test_add_all_after_the_first_save_stages_nothing(repo: Path) -> None:
    save(repo)
    git(repo, "add", "-A")
    assert git(repo, "diff", "--cached", "--name-only") == ""


def test_failure_of_git_is_told_with_its_first_line(repo: Path) -> None:
    with pytest.raises(FindingsError, match=r"git cat-file failed in .*: fatal: .*nonsense"):
        door.run(["cat-file", "-p", "nonsense"], str(repo))


def test_talk_that_git_ends_tells_its_complaint_and_its_exit_code(tmp_path: Path, repo: Path) -> None:
    outside = git_talk.Talk(["cat-file", "--batch"], str(tmp_path))
    with pytest.raises(git_run.EndedError, match=r"git cat-file ended in .* \(fatal: not a git repository") as caught:
        outside.line()
    assert caught.value.code == 128
    with pytest.raises(git_run.EndedError):
        outside.send("HEAD")
    outside.kill()
    unknown = git_talk.Talk(["cat-file", "--no-such-option"], str(repo))
    with pytest.raises(git_run.EndedError) as caught:
        unknown.take(1)
    assert caught.value.code == 129
    unknown.kill()


def test_talk_goes_on_until_it_is_closed(repo: Path) -> None:
    talk = git_talk.Talk(["cat-file", "--batch"], str(repo))
    head = git(repo, "rev-parse", "HEAD").strip()
    for _ in range(3):
        talk.send("HEAD")
        name, kind, size = talk.line().decode().split()
        assert (name, kind) == (head, "commit")
        assert talk.take(int(size) + 1).startswith(b"tree ")
    talk.close()
    with pytest.raises((git_run.EndedError, ValueError)):
        talk.send("HEAD")


def test_talk_that_hangs_is_ended(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_talk, "TIMEOUT", 0.2)
    talk = git_talk.Talk(["cat-file", "--batch"], str(repo))
    with pytest.raises(git_run.EndedError):
        talk.take(1)  # nothing was asked, so git waits for ever
    talk.kill()


@pytest.mark.parametrize("lacks", ["", "unset GIT_NO_LAZY_FETCH"], ids=["this git", "an older one"])
def test_what_a_partial_clone_lacks_is_not_fetched(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    old = git(repo, "rev-parse", "HEAD:src/app.py").strip()
    (repo / "src" / "app.py").write_text("another text\n")
    git(repo, "commit", "-q", "-a", "-m", "second")
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(repo, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{repo}", "part")
    older_git(tmp_path / "older", monkeypatch, lacks)
    with pytest.raises(FindingsError, match="git cat-file failed in"):
        door.run(["cat-file", "-p", old], str(tmp_path / "part"))
    lacking = git(tmp_path / "part", "rev-list", "--objects", "--missing=print", "HEAD")
    assert f"?{old}" in lacking


def test_a_stream_that_ends_early_is_an_error_that_names_the_verb(repo: Path) -> None:
    with pytest.raises(git_run.EndedError, match=r"git log ended early in .*bad revision") as caught:
        list(door.stream(["-c", "core.quotePath=true", "log", "no-such-branch", "--"], str(repo)))
    assert caught.value.code == 128


def test_a_stream_may_be_left_before_its_end(repo: Path) -> None:
    (repo / "big.txt").write_text("a line\n" * 1_000_000)
    git(repo, "add", "-A")
    pieces = door.stream(["cat-file", "blob", ":big.txt"], str(repo))
    assert next(pieces).startswith(b"a line\n")
    pieces.close()  # type: ignore[attr-defined]  # it is a generator


def test_a_stream_reads_what_it_is_asked(repo: Path) -> None:
    asked = b"HEAD\n" * 100_000  # more than a pipe holds
    answers = b"".join(door.stream(["cat-file", "--batch-check=%(objecttype)"], str(repo), stdin=asked))
    assert answers == b"commit\n" * 100_000
