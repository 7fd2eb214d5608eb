"""Verdicts on histories that a test builds: real git, no network, whatever the clone."""

import hashlib
import os
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings import git_talk, stale
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from claudedo_findings.verdict import Verdict
from tests.conftest import git, make_repo, older_git

TODAY = date(2026, 6, 1)
ODD = 'lib/über uns/it\'s "quoted" & $odd -> [x].py'


def lines(count: int, of: str = "code") -> str:
    """Return a file of so many lines, each unlike every other."""
    return "".join(f"{of} in line {number}\n" for number in range(count))


class Project:
    """A repository with a store; `sub` is the store's folder in it."""

    def __init__(self, root: Path, sub: str = "") -> None:
        self.root = root
        self.folder = root / sub

    def write(self, path: str, text: str) -> None:
        """Write a file of the store's folder."""
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def commit(self) -> None:
        """Commit whatever changed."""
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "work")

    @property
    def store(self) -> Store:
        """The store, opened anew."""
        return Store(door.places(str(self.folder)))

    def note(self, slug: str, scope: str, body: str = "Text.", **keys: str) -> None:
        """Save a finding with HEAD as its stamp."""
        stamp = keys.pop("stamp", None)
        store = self.store
        store.save(
            Finding(
                slug=slug,
                title="A trap",
                body=body,
                scope=scope,
                verified_against=store.places.head if stamp is None else stamp,
                notes=keys,
            ),
            keep_scope=False,
        )

    def verdicts(self) -> dict[str, Verdict]:
        """Return every verdict by its slug."""
        return {verdict.slug: verdict for verdict in stale.verdicts(self.store, TODAY)}

    def verdict(self) -> Verdict:
        """Return the verdict on the only finding."""
        (only,) = self.verdicts().values()
        return only

    def said(self) -> tuple[str, str]:
        """Return word and reason of the only finding's verdict."""
        return self.verdict().word, self.verdict().why


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with a file and a folder of code."""
    made = Project(make_repo(tmp_path / "repo"))
    made.write("src/app.py", lines(100))
    made.write("src/other.py", lines(100, "other"))
    made.commit()
    return made


def test_untouched_file_is_fresh_whatever_else_changed(project: Project) -> None:
    project.note("a", "src/app.py")
    project.write("src/other.py", lines(3))
    project.commit()
    assert project.said() == ("fresh", "untouched")


def test_file_touched_by_five_percent_is_fresh_and_says_so(project: Project) -> None:
    project.note("a", "src/app.py")
    project.write("src/app.py", lines(95) + lines(5, "new"))
    project.commit()
    assert project.said() == ("fresh", "touched, 5 % of its lines are gone")


@pytest.mark.parametrize(("kept", "word", "percent"), [(81, "fresh", 19), (80, "changed", 20), (60, "changed", 40)])
def test_file_is_changed_from_a_fifth_of_its_lines_on(project: Project, kept: int, word: str, percent: int) -> None:
    project.note("a", "src/app.py")
    project.write("src/app.py", lines(kept) + lines(50, "new"))
    project.commit()
    found = project.verdict()
    assert (found.word, found.percent) == (word, percent)
    assert f"{percent} % of its lines are gone" in found.why


@pytest.mark.parametrize(("kept", "word", "percent"), [(42, "fresh", 29), (40, "changed", 30)])
def test_folder_is_changed_from_three_tenths_of_its_lines_on(
    project: Project, kept: int, word: str, percent: int
) -> None:
    project.note("a", "src")
    project.write("src/app.py", lines(kept))
    project.commit()
    found = project.verdict()
    assert (found.word, found.percent) == (word, percent)


def test_lines_that_move_or_are_indented_anew_are_not_gone(project: Project) -> None:
    project.note("a", "src/app.py")
    turned = reversed(lines(100).splitlines())
    project.write("src/app.py", "".join(f"\t\t{line}\r\n" for line in turned))
    project.commit()
    assert project.said() == ("fresh", "touched, none of its lines is gone")


def test_named_symbol_that_left_the_scope_makes_it_changed(project: Project) -> None:
    project.write("src/app.py", f"{lines(100)}def frozen_clock(): ...\n")
    project.commit()
    project.note("a", "src/app.py", "Never call `Clock.frozen_clock()` there, nor `unknown_name`.")
    project.write("src/app.py", f"{lines(100)}def thawed_clock(): ...\n")
    project.commit()
    found = project.verdict()
    assert (found.word, found.why) == ("changed", "`frozen_clock` stood there and is gone")
    assert found.symbols_gone == ("frozen_clock",)


def test_symbol_that_moved_inside_the_scope_is_not_gone(project: Project) -> None:
    project.write("src/app.py", f"{lines(100)}def frozen_clock(): ...\n")
    project.commit()
    project.note("folder", "src", "See `frozen_clock`.")
    project.write("src/app.py", lines(100))
    project.write("src/other.py", f"{lines(100, 'other')}def frozen_clock(): ...\n")
    project.commit()
    assert project.verdict().word == "fresh"


def test_symbol_that_still_stands_in_an_untouched_file_is_not_gone(project: Project) -> None:
    project.write("src/app.py", f"{lines(100)}frozen_clock()\n")
    project.write("src/other.py", f"{lines(100, 'other')}def frozen_clock(): ...\n")
    project.commit()
    project.note("folder", "src", "See `frozen_clock`.")
    project.write("src/app.py", lines(100))
    project.commit()
    assert project.verdict().word == "fresh"


def test_renamed_file_is_moved_and_names_the_place(project: Project) -> None:
    project.note("a", "src/app.py")
    (project.folder / "lib").mkdir()
    git(project.root, "mv", "src/app.py", "lib/start.py")
    project.commit()
    found = project.verdict()
    assert (found.word, found.why, found.places) == ("moved", "the file is now lib/start.py", ("lib/start.py",))


def test_file_that_moved_and_changed_says_both(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("lib/app.py", lines(60))
    project.commit()
    found = project.verdict()
    assert (found.word, found.percent, found.places) == ("moved", 40, ("lib/app.py",))
    assert found.why == "the file is now lib/app.py; changed too: 40 % of its lines are gone"


def test_new_file_of_the_same_name_with_less_than_half_of_the_lines_is_another_file(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("lib/app.py", lines(49) + lines(51, "new"))
    project.commit()
    assert project.said() == ("gone", "the file is gone, and nothing like it remains")


def test_old_file_of_the_same_name_is_not_where_a_file_moved(project: Project) -> None:
    project.write("lib/app.py", lines(99))
    project.commit()
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.commit()
    assert project.verdict().word == "gone"


def test_several_equal_places_are_all_named(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("one/app.py", lines(100))
    project.write("two/app.py", lines(100))
    project.commit()
    assert project.said() == ("moved", "it may now be any of one/app.py, two/app.py")


def test_renamed_folder_is_moved(project: Project) -> None:
    project.note("a", "src")
    git(project.root, "mv", "src", "lib")
    project.commit()
    assert project.said() == ("moved", "the folder is now lib")


def test_split_folder_names_the_parts(project: Project) -> None:
    project.note("a", "src")
    for name in ("front", "back"):
        (project.folder / name).mkdir()
    git(project.root, "mv", "src/app.py", "front/app.py")
    git(project.root, "mv", "src/other.py", "back/other.py")
    project.commit()
    found = project.verdict()
    assert (found.word, sorted(found.places)) == ("moved", ["back", "front"])


def test_deleted_file_and_folder_are_gone(project: Project) -> None:
    project.note("file", "src/app.py")
    project.note("folder", "src")
    git(project.root, "rm", "-q", "-r", "src")
    project.commit()
    assert {slug: found.word for slug, found in project.verdicts().items()} == {"file": "gone", "folder": "gone"}


def test_emptied_init_file_is_gone_not_any_other_empty_file(project: Project) -> None:
    project.write("src/__init__.py", "")
    project.write("lib/__init__.py", "")
    project.commit()
    project.note("a", "src/__init__.py")
    git(project.root, "rm", "-q", "src/__init__.py")
    project.write("new/__init__.py", "")
    project.commit()
    assert project.verdict().word == "gone"


def test_file_times_never_count(project: Project, tmp_path: Path) -> None:
    project.note("a", "src/app.py")
    project.note("b", "src")
    before = project.verdicts()
    for path in project.folder.rglob("*.py"):
        os.utime(path, (4e9, 4e9))
    assert project.verdicts() == before
    git(project.root, "checkout", "-q", "-b", "side")
    git(project.root, "checkout", "-q", "main")
    git(tmp_path, "clone", "-q", str(project.root), "clone")
    shutil.copytree(project.folder / ".claudedo", tmp_path / "clone" / ".claudedo")
    assert Project(tmp_path / "clone").verdicts() == before
    assert {found.word for found in before.values()} == {"fresh"}
    project.write("src/app.py", "rewritten\n")
    assert project.verdicts() == before  # not committed, so HEAD still holds what was confirmed
    project.commit()
    assert {found.word for found in project.verdicts().values()} == {"changed"}


def test_commit_rewritten_away_is_compared_and_noted_while_git_has_it(project: Project) -> None:
    project.write("new.txt", "soon amended\n")
    project.commit()
    project.note("a", "src/app.py")
    git(project.root, "commit", "-q", "--amend", "-m", "another commit")
    found = project.verdict()
    assert (found.word, found.why) == ("fresh", "untouched")
    assert found.notes == ("its stamp is not in the history of HEAD",)


def test_commit_rewritten_away_and_collected_is_unknown(project: Project) -> None:
    project.write("new.txt", "soon amended\n")
    project.commit()
    project.note("a", "src/app.py")
    stamp = project.store.places.head
    git(project.root, "commit", "-q", "--amend", "-m", "another commit")
    git(project.root, "reflog", "expire", "--expire=now", "--all")
    git(project.root, "gc", "-q", "--prune=now")
    cause = f"its stamp {stamp} is not in this repository (rebased away, or of another repository)"
    assert project.said() == ("unknown", cause)


def cloned(project: Project, to: Path, *options: str) -> Project:
    """Return a clone, over a pretended network, that got the store handed over."""
    git(to, "clone", "-q", *options, f"file://{project.root}", "clone")
    shutil.copytree(project.folder / ".claudedo", to / "clone" / ".claudedo")
    return Project(to / "clone")


def test_shallow_clone_says_that_it_is_shallow(project: Project, tmp_path: Path) -> None:
    project.note("old", "src/app.py")
    stamp = project.store.places.head
    project.write("src/app.py", lines(10))
    project.commit()
    project.note("new", "src/app.py")
    found = cloned(project, tmp_path, "--depth=1").verdicts()
    assert found["old"].word == "unknown"
    assert found["old"].why == f"its stamp {stamp} is not in this repository (the clone is shallow)"
    assert found["new"].word == "fresh"


def trace(to: Path) -> Path:
    """Make git write down every process that it starts itself, and return where."""
    git(to, "config", "--global", "trace2.normalTarget", str(to / "trace"))
    return to / "trace"


def partial(project: Project, to: Path, kind: str) -> Project:
    """Return a partial clone of a history in which one finding's old text is not in HEAD any more."""
    project.write("lib/kept.py", lines(100, "kept"))
    project.commit()
    for slug, scope in (
        ("changed", "src/app.py"),
        ("folder", "src"),
        ("same", "lib/kept.py"),
        ("moved", "src/other.py"),
    ):
        project.note(slug, scope)
    project.note("whole-id", "src/app.py", stamp="1234567890" * 4)
    project.write("src/app.py", lines(10))
    git(project.root, "mv", "src/other.py", "lib/other.py")
    project.commit()
    git(project.root, "config", "uploadpack.allowFilter", "true")
    git(project.root, "config", "uploadpack.allowAnySHA1InWant", "true")
    return cloned(project, to, f"--filter={kind}")


@pytest.mark.parametrize("lacks", ["", "unset GIT_NO_LAZY_FETCH"], ids=["this git", "an older one"])
def test_partial_clone_fetches_nothing_and_names_what_it_lacks(
    project: Project, tmp_path: Path, log_git: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    clone = partial(project, tmp_path, "blob:none")
    store, children, log = clone.store, trace(tmp_path), log_git()
    older_git(tmp_path / "older", monkeypatch, lacks)
    found = {verdict.slug: verdict for verdict in stale.verdicts(store, TODAY)}
    words = {slug: verdict.word for slug, verdict in found.items()}
    assert words == {
        "changed": "unknown",
        "folder": "unknown",
        "same": "fresh",
        "moved": "moved",
        "whole-id": "unknown",
    }
    assert found["changed"].why.endswith("is not in this partial clone")
    assert found["moved"].places == ("lib/other.py",)
    started = [line.split()[0] for line in log.read_text().splitlines()]
    assert sorted(started) == ["cat-file", "ls-tree", "rev-list", "rev-list"]
    assert "start" in children.read_text()
    assert "child_start" not in children.read_text()


def test_partial_clone_without_trees_fetches_nothing_either(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, children = partial(project, tmp_path, "tree:0").store, trace(tmp_path)
    older_git(tmp_path / "older", monkeypatch, "unset GIT_NO_LAZY_FETCH")
    assert {verdict.word for verdict in stale.verdicts(store, TODAY)} == {"unknown"}
    assert "child_start" not in children.read_text()


@pytest.mark.parametrize("modern", [True, False], ids=["batch-command", "a git before 2.36"])
def test_three_processes_judge_many_findings(
    project: Project, modern: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, log_git: Callable[[], Path]
) -> None:
    for number in range(30):
        project.write(f"many/{number}.py", lines(50, f"of {number}"))
    project.commit()
    for number in range(30):
        project.note(f"f-{number}", f"many/{number}.py")
        project.write(f"many/{number}.py", lines(20, f"of {number}"))
        project.commit()
    project.note("folder", "many")
    project.note("gone", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.write("many/1.py", "")
    project.commit()
    expected = project.verdicts()
    log = log_git()
    if not modern:
        older_git(tmp_path / "older", monkeypatch, '[ "$2" = --batch-command ] && exit 129')
    store = project.store
    log.write_text("")
    assert {verdict.slug: verdict for verdict in stale.verdicts(store, TODAY)} == expected
    started = [" ".join(line.split()[:2]) for line in log.read_text().splitlines()]
    reading = ["cat-file --batch-command"] if modern else ["cat-file --batch", "cat-file --batch-check"]
    assert sorted(started) == [*reading, "ls-tree -r", "rev-list --stdin"]
    words = [verdict.word for verdict in expected.values()]
    assert (words.count("changed"), words.count("gone"), words.count("fresh")) == (30, 1, 1)


def test_paths_with_spaces_umlauts_and_quotes(project: Project) -> None:
    project.write(ODD, lines(100))
    project.write("ein paar/a b.py", lines(100, "b"))
    project.commit()
    for slug, scope in (("odd", ODD), ("folder", str(Path(ODD).parent)), ("moved", "ein paar/a b.py")):
        project.note(slug, scope)
    project.write(ODD, lines(50))
    git(project.root, "mv", "ein paar", "größer \"als\" 'zuvor'")
    project.commit()
    found = project.verdicts()
    assert {slug: verdict.word for slug, verdict in found.items()} == {
        "odd": "changed",
        "folder": "changed",
        "moved": "moved",
    }
    assert found["moved"].places == ("größer \"als\" 'zuvor'/a b.py",)


def test_store_in_a_sub_folder_has_its_scopes_there(tmp_path: Path) -> None:
    project = Project(make_repo(tmp_path / "repo"), "part/of it")
    project.write("src/app.py", lines(100))
    project.write("src/other.py", lines(100, "other"))
    project.commit()
    for slug, scope in (("file", "src/app.py"), ("all", "."), ("out", "src/other.py")):
        project.note(slug, scope)
    git(project.root, "mv", "part/of it/src/other.py", "src/other.py")
    project.write("src/app.py", lines(30))
    project.commit()
    found = project.verdicts()
    assert (found["file"].word, found["file"].percent) == ("changed", 70)
    assert found["all"].word == "changed"
    assert (found["out"].word, found["out"].places) == ("moved", ("../../src/other.py",))


def test_scope_of_the_whole_project_is_its_root(project: Project) -> None:
    project.note("all", ".")
    assert project.said() == ("fresh", "untouched")
    project.write("src/app.py", lines(99))
    project.commit()
    assert project.verdict().word == "fresh"
    assert project.verdict().why.startswith("touched, under 1 %")


def test_scope_in_a_submodule_that_changed_cannot_be_checked(project: Project, tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner")
    git(project.root, "submodule", "--quiet", "add", str(inner), "libs/inner")
    project.commit()
    project.note("inside", "libs/inner/src/app.py")
    assert project.said() == ("fresh", "untouched")
    git(project.root / "libs" / "inner", "commit", "-q", "--allow-empty", "-m", "more")
    project.commit()
    assert project.said() == ("unknown", "the submodule libs/inner has changed, and its files are not in git here")


def test_store_of_a_submodule_is_judged_by_its_own_history(project: Project, tmp_path: Path) -> None:
    git(project.root, "submodule", "--quiet", "add", str(make_repo(tmp_path / "inner")), "libs/inner")
    inner = Project(project.root / "libs" / "inner")
    inner.write("src/app.py", lines(100))
    inner.commit()
    inner.note("a", "src/app.py")
    inner.write("src/app.py", lines(10))
    inner.commit()
    assert (inner.verdict().word, inner.verdict().percent) == ("changed", 90)


@pytest.mark.parametrize(
    ("front", "word", "why"),
    [
        ({"scope": ""}, "unknown", "it has no scope, so nothing can be compared"),
        ({"stamp": ""}, "unknown", "it has no stamp, so nothing can be compared"),
        ({"scope": "src/new.py"}, "unknown", "its scope was not there at its stamp"),
        ({"stamp": "HEAD"}, "unknown", "its stamp 'HEAD' is no commit id"),
        ({"expires": "2026-05-31"}, "expired", "its expires date 2026-05-31 has passed"),
        ({"expires": "2026-06-01"}, "fresh", "untouched"),
    ],
)
def test_what_cannot_be_compared_names_the_cause(project: Project, front: dict[str, str], word: str, why: str) -> None:
    project.note("a", **{"scope": "src/app.py", **front})
    assert project.said() == (word, why)


def test_scope_that_a_hand_led_out_of_the_project_is_unknown(project: Project) -> None:
    project.note("a", "src/app.py")
    path = Path(project.store.finding_path("a"))
    path.write_text(path.read_text().replace("src/app.py", "../secret"))
    assert project.said() == ("unknown", "its scope is no path inside the project")


def test_scope_that_came_after_the_stamp_says_so(project: Project) -> None:
    project.note("a", "src/new.py")
    project.write("src/new.py", lines(3))
    project.commit()
    assert project.said() == ("unknown", "its scope was not there at its stamp, but is now")


def test_short_stamp_that_fits_several_commits_is_unknown(project: Project, tmp_path: Path) -> None:
    tree = git(project.root, "rev-parse", "HEAD^{tree}").strip()
    front = f"tree {tree}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000"
    texts: dict[str, str] = {}
    for number in range(70_000):  # more than there are beginnings of four digits
        text = f"{front}\n\n{number}\n"
        beginning = hashlib.sha1(f"commit {len(text)}\0{text}".encode()).hexdigest()[:4]
        if beginning in texts:
            break
        texts[beginning] = text
    for one in (text, texts[beginning]):
        (tmp_path / "commit").write_text(one)
        git(project.root, "hash-object", "-t", "commit", "-w", str(tmp_path / "commit"))
    project.note("a", "src/app.py", stamp=beginning)
    assert project.said() == ("unknown", f"its stamp {beginning} fits several commits")


def test_lock_binary_and_generated_files_are_compared_by_id_alone(project: Project) -> None:
    project.write("Cargo.lock", lines(100))
    project.write("made.py", "# Code generated by x. DO NOT EDIT.\n" + lines(100))
    (project.folder / "logo.bin").write_bytes(b"\0" + b"line of it\n" * 100)
    project.commit()
    names = ("Cargo.lock", "made.py", "logo.bin")
    for number, name in enumerate(names):
        project.note(f"f-{number}", name)
    assert {found.word for found in project.verdicts().values()} == {"fresh"}
    for name in names:
        with (project.folder / name).open("ab") as file:
            file.write(b"one more line\n")
    project.commit()
    why = "it is another file now, and its lines cannot be compared"
    assert {(found.word, found.why) for found in project.verdicts().values()} == {("changed", why)}


def test_project_without_git_or_without_a_commit_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    plain = Project(tmp_path / "plain")
    plain.note("a", "src/app.py", stamp="1234567")
    assert plain.said() == ("unknown", "the project is not in git")
    git(tmp_path, "init", "-q", "unborn")
    unborn = Project(tmp_path / "unborn")
    unborn.note("a", "src/app.py", stamp="1234567")
    assert unborn.verdict().word == "unknown"


def test_worst_comes_first(project: Project) -> None:
    project.note("fresh", "src/other.py")
    project.note("changed", "src/app.py")
    project.note("unknown", "")
    project.note("gone", "gone.py")
    project.write("gone.py", lines(100, "gone"))
    project.commit()
    project.note("gone", "gone.py")
    git(project.root, "rm", "-q", "gone.py")
    project.write("src/app.py", lines(10))
    project.commit()
    assert [found.slug for found in stale.verdicts(project.store, TODAY)] == ["gone", "changed", "unknown", "fresh"]


def test_a_broken_object_leaves_the_other_findings_their_verdicts(project: Project) -> None:
    project.note("broken", "src/app.py")
    project.note("whole", "src/other.py")
    blob = git(project.root, "rev-parse", "HEAD:src/app.py").strip()
    project.write("src/app.py", lines(10))
    project.commit()
    loose = project.root / ".git" / "objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"rubbish")
    found = project.verdicts()
    assert (found["whole"].word, found["broken"].word) == ("fresh", "unknown")
    assert found["broken"].why == f"the blob {blob[:12]} is not in this repository (missing)"


def test_repository_with_longer_object_ids(tmp_path: Path) -> None:
    project = Project(tmp_path / "repo")
    git(tmp_path, "init", "-q", "--object-format=sha256", "repo")
    project.write("src/app.py", lines(100))
    project.write("src/other.py", lines(100, "other"))
    project.commit()
    project.note("changed", "src/app.py", stamp=git(project.root, "rev-parse", "HEAD").strip())
    project.note("moved", "src/other.py")
    project.note("fresh", "src")
    project.write("src/app.py", lines(60))
    git(project.root, "mv", "src/other.py", "src/named.py")
    project.commit()
    assert {slug: found.word for slug, found in project.verdicts().items()} == {
        "changed": "changed",
        "moved": "moved",
        "fresh": "fresh",
    }


def test_worktree_of_a_bare_repository_has_a_head_of_its_own(project: Project, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(project.root), "hub")
    git(tmp_path / "hub", "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Project(tmp_path / "side")
    side.note("a", "src/app.py")
    side.write("src/app.py", lines(10))
    side.commit()
    assert (side.verdict().word, side.verdict().percent) == ("changed", 90)


def test_file_that_is_not_in_a_partial_clone_and_gone_from_head_is_gone(project: Project, tmp_path: Path) -> None:
    project.note("file", "src/app.py")
    git(project.root, "rm", "-q", "src/app.py")
    project.commit()
    git(project.root, "config", "uploadpack.allowFilter", "true")
    assert cloned(project, tmp_path, "--filter=blob:none").verdict().word == "gone"


def test_file_that_became_a_folder_is_not_compared_with_it(project: Project) -> None:
    project.note("a", "src/app.py")
    git(project.root, "mv", "src/app.py", "src/moved.py")
    project.write("src/app.py/inner.py", lines(100, "inner"))
    project.commit()
    assert project.said() == ("moved", "the file is now src/moved.py")


def test_judging_one_finding_leaves_the_others_alone(project: Project) -> None:
    for slug in ("a", "b", "c"):
        project.note(slug, "src/app.py")
    assert [found.slug for found in stale.verdicts(project.store, TODAY, ["b"])] == ["b"]


def test_progress_is_told_to_the_end(project: Project) -> None:
    told: list[tuple[int, int]] = []
    for slug in ("a", "b"):
        project.note(slug, "src/app.py")
    stale.verdicts(project.store, TODAY, progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_commits_that_touched_a_scope_are_listed_newest_first(project: Project) -> None:
    project.note("a", "src/app.py")
    project.note("all", ".")
    for number in range(3):
        project.write("src/app.py", lines(number))
        project.commit()
        project.write("elsewhere.txt", lines(number))
        project.commit()
    found = project.verdicts()
    mine = stale.commits(project.store, found["a"], 2)
    assert [commit.id for commit in mine] == git(project.root, "log", "--format=%h", "-2", "--", "src/app.py").split()
    assert {commit.subject for commit in mine} == {"work"}
    assert len(stale.commits(project.store, found["all"], 50)) == 6


def test_folder_of_very_many_files_does_not_jam_the_pipes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_talk, "TIMEOUT", 60.0)
    for number in range(3_000):
        project.write(f"many/{number}.py", f"{number} of very many\n" * 9)
    project.commit()
    project.note("a", "many")
    for number in range(3_000):
        project.write(f"many/{number}.py", f"{number} of very many\n" * 8)
    project.commit()
    assert project.said() == ("fresh", "touched, 11 % of its lines are gone")
