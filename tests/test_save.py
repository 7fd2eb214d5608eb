"""One save from the caller's words to the answer a checker can verify."""

import shutil
from pathlib import Path

import pytest

from claudedo_findings import lists, save
from claudedo_findings.errors import FindingsError
from claudedo_findings.resolution import Caller
from tests.conftest import HostMaker, git, make_repo

LIST = "0f8fad5b-d9cb-469f-a165-70867728950e"
TASK = "7c9e6679-7425-40de-944b-e07fc1f90ae7"


def put(
    slug: str = "clock-skew",
    *,
    title: str = "The clock is frozen",
    body: str = "Only in CI.",
    scope: str = "",
    wanted_list: str = "",
    caller: Caller | None = None,
) -> dict[str, object]:
    return save.save_finding(
        slug=slug, title=title, body=body, scope=scope, wanted_list=wanted_list, caller=caller or Caller()
    )


def warnings(answer: dict[str, object]) -> list[str]:
    found = answer["warnings"]
    assert isinstance(found, list)
    return found


def test_answer_says_what_was_written_and_where(listed: Path) -> None:
    answer = put(scope="src/app.py")
    assert answer == {
        "status": "created",
        "slug": "clock-skew",
        "list": "app",
        "path": str(listed / ".claudedo" / "traps" / "clock-skew.md"),
        "index": str(listed / ".claudedo" / "INDEX.md"),
        "sourceTask": "",
        "verifiedAgainst": git(listed, "rev-parse", "--short", "HEAD").strip(),
        "entries": 1,
        "indexBytes": (listed / ".claudedo" / "INDEX.md").stat().st_size,
        "warnings": [],
    }
    assert Path(str(answer["path"])).is_file()


def test_slug_in_the_answer_is_the_stored_one(listed: Path) -> None:
    answer = put("Clock_Skew.md")
    assert (answer["slug"], answer["path"]) == ("clock-skew", str(listed / ".claudedo" / "traps" / "clock-skew.md"))


def test_second_save_is_unchanged_and_a_new_commit_renews(listed: Path) -> None:
    put()
    assert put()["status"] == "unchanged"
    git(listed, "commit", "-q", "--allow-empty", "-m", "second")
    answer = put()
    assert answer["status"] == "renewed"
    assert answer["verifiedAgainst"] == git(listed, "rev-parse", "--short", "HEAD").strip()


def test_unborn_branch_has_an_empty_stamp(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "new")
    lists.add("new", str(tmp_path / "new"))
    assert put()["verifiedAgainst"] == ""


def test_finding_of_a_worktree_outlives_the_worktree(repo: Path, tmp_path: Path, host_database: HostMaker) -> None:
    worktree = tmp_path / "wt"
    git(repo, "worktree", "add", "-q", str(worktree))
    host_database([("App", LIST, str(repo))], [(TASK, LIST)], [(TASK, str(worktree))])
    answer = put(caller=Caller(cwd=str(worktree)))
    git(repo, "worktree", "remove", "--force", str(worktree))
    assert answer["sourceTask"] == TASK[:8]
    assert Path(str(answer["path"])).read_text().splitlines()[1] == "slug: clock-skew"
    assert Path(str(answer["path"])).is_relative_to(repo)


def test_list_on_a_worktree_saves_to_the_main_checkout(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "wt"))
    lists.add("app", str(tmp_path / "wt"))
    answer = put()
    shutil.rmtree(tmp_path / "wt")
    assert Path(str(answer["path"])) == repo / ".claudedo" / "traps" / "clock-skew.md"
    assert Path(str(answer["path"])).is_file()


def test_task_id_of_the_context_is_written(listed: Path) -> None:
    answer = put(caller=Caller(task=TASK, task_list="app"))
    assert answer["sourceTask"] == TASK[:8]
    assert f"source-task: {TASK[:8]}" in (listed / ".claudedo" / "traps" / "clock-skew.md").read_text()


def test_bare_hub_is_warned_about_on_every_save(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repo), "hub")
    git(tmp_path / "hub", "worktree", "add", "-q", str(tmp_path / "wt"))
    lists.add("hub", str(tmp_path / "wt"))
    for _ in range(2):
        assert any("removing that worktree removes them" in warning for warning in warnings(put()))


# --- size


def fill(root: Path, number: int, hook: str = "Hook") -> None:
    """Write a store of `number` findings, as another program may."""
    traps = root / ".claudedo" / "traps"
    traps.mkdir(parents=True)
    slugs = [f"filler-{at:04}" for at in range(number)]
    for slug in slugs:
        (traps / f"{slug}.md").write_text(f"---\nslug: {slug}\n---\n\n# {hook}\n\nText.\n")
    lines = [f"- [{slug}](traps/{slug}.md) — {hook}\n" for slug in slugs]
    (root / ".claudedo" / "INDEX.md").write_text("# Findings\n\n" + "".join(lines), encoding="utf-8")


@pytest.mark.parametrize(("before", "warned"), [(77, False), (78, False), (79, True), (80, True), (299, True)])
def test_index_of_80_entries_or_more_is_warned_about(before: int, warned: bool, listed: Path) -> None:
    fill(listed, before)
    answer = put()
    assert answer["entries"] == before + 1
    about = [warning for warning in warnings(answer) if warning.startswith("the index has")]
    size = (listed / ".claudedo" / "INDEX.md").stat().st_size
    expected = f"the index has {before + 1} entries and {size} bytes (about {size // 4} tokens)"
    assert len(about) == warned
    assert all(warning.startswith(expected) for warning in about)
    assert all(f"'{verb}'" in about[0] or f" {verb}'" in about[0] for verb in ("stale", "merge", "retire") if about)


def test_update_at_79_entries_does_not_warn(listed: Path) -> None:
    fill(listed, 79)
    answer = put("filler-0001", body="Another text.")
    assert (answer["status"], answer["entries"]) == ("updated", 79)
    assert not any(warning.startswith("the index has") for warning in warnings(answer))


@pytest.mark.parametrize(("length", "warned"), [(100, False), (1000, True)])
def test_few_long_hooks_are_warned_about_by_their_bytes(length: int, warned: bool, listed: Path) -> None:
    fill(listed, 20, "h" * length)
    answer = put()
    about = [warning for warning in warnings(answer) if warning.startswith("the index has 21 entries")]
    assert len(about) == warned
    assert all(f"{answer['indexBytes']} bytes" in warning for warning in about)


@pytest.mark.parametrize(("length", "warned"), [(1200, False), (1201, True)])
def test_long_body_is_warned_about(length: int, warned: bool, listed: Path) -> None:
    assert listed
    about = [warning for warning in warnings(put(body="b" * length)) if warning.startswith(f"the body has {length}")]
    assert len(about) == warned


# --- similar, retired, candidates


def test_similar_finding_is_a_note_and_no_reason_not_to_save(listed: Path) -> None:
    put("invoice-clock", title="Invoice tests fail after midnight because the fixture freezes local time")
    answer = put("frozen-fixture", title="The fixture freezes local time, so invoice tests fail after midnight")
    assert answer["status"] == "created"
    assert any("similar to the finding 'invoice-clock'" in warning for warning in warnings(answer))
    assert (listed / ".claudedo" / "traps" / "frozen-fixture.md").is_file()


def test_finding_is_not_similar_to_itself(listed: Path) -> None:
    assert listed
    put()
    assert warnings(put(body="Everywhere.")) == []


@pytest.mark.parametrize(("kind", "word"), [("retired", "was retired ('merged into x')"), ("candidates", "candidate")])
def test_retired_finding_or_candidate_of_that_name_is_a_note(kind: str, word: str, listed: Path) -> None:
    other = listed / ".claudedo" / kind / "clock-skew.md"
    other.parent.mkdir(parents=True)
    other.write_text("---\nslug: clock-skew\nretired: merged into x\n---\n\n# The clock is frozen\n\nText.\n")
    answer = put()
    assert answer["status"] == "created"
    assert len(warnings(answer)) == 1
    assert word in warnings(answer)[0]
    assert str(other) in warnings(answer)[0]


# --- scope


@pytest.mark.parametrize(("scope", "warned"), [("src/app.py", 0), ("src", 0), ("src/new.py", 0), ("src/gone.py", 1)])
def test_scope_that_exists_neither_here_nor_in_the_worktree_is_warned_about(
    scope: str, warned: int, repo: Path, tmp_path: Path, host_database: HostMaker
) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "wt"))
    (tmp_path / "wt" / "src" / "new.py").write_text("new\n")
    host_database([("App", LIST, str(repo))], [(TASK, LIST)], [(TASK, str(tmp_path / "wt"))])
    answer = put(scope=scope, caller=Caller(cwd=str(tmp_path / "wt" / "src")))
    assert answer["status"] == "created"
    assert sum(f"the scope '{scope}' does not exist" in warning for warning in warnings(answer)) == warned


@pytest.mark.parametrize("scope", ["", "  "])
def test_left_out_scope_keeps_the_stored_one(scope: str, listed: Path) -> None:
    put(scope="src/app.py")
    put(scope=scope, body="Everywhere.")
    assert "scope: src/app.py\n" in (listed / ".claudedo" / "traps" / "clock-skew.md").read_text()


# --- refusals


@pytest.mark.parametrize(
    "slug",
    ["../x", "..\\x", "/etc/x", "C:\\x", "\\\\srv\\x", "a/b", ".", "..", "%2e%2e", "a\0b", "a\nb", "con", "", "größe"],
)
def test_name_that_is_no_slug_is_refused_and_nothing_is_created(slug: str, listed: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FindingsError, match=r"^slug "):
        put(slug)
    assert sorted(tmp_path.rglob("*")) == before
    assert not (listed / ".claudedo").exists()


@pytest.mark.parametrize("scope", ["../x", "/etc/passwd", "C:\\x", "\\\\srv\\x", "src/../../x", "~/x"])
def test_scope_outside_the_root_is_refused(scope: str, listed: Path) -> None:
    with pytest.raises(FindingsError, match=r"^scope "):
        put(scope=scope)
    assert not (listed / ".claudedo").exists()


SECRET = "ghp_" + "a1B2c3D4" * 5


@pytest.mark.parametrize("field", ["slug", "title", "body", "scope", "wanted_list"])
def test_secret_in_any_field_is_refused_and_never_repeated(field: str, listed: Path) -> None:
    fields = {"slug": "a", "title": "t", "body": "b", "scope": "", "wanted_list": ""}
    fields[field] = f"x {SECRET}"
    with pytest.raises(FindingsError) as caught:
        save.save_finding(caller=Caller(), **fields)  # type: ignore[arg-type]  # notes are not among the fields
    assert SECRET not in str(caught.value)
    assert not (listed / ".claudedo").exists()


def test_refused_field_comes_before_the_question_which_list(tmp_path: Path) -> None:
    make_repo(tmp_path / "unlisted")
    with pytest.raises(FindingsError, match=r"^title is empty"):
        put(title="  ")


def test_same_text_under_notes_is_an_update(listed: Path) -> None:
    put()
    answer = save.save_finding(
        slug="clock-skew",
        title="The clock is frozen",
        body="Only in CI.",
        caller=Caller(),
        notes={"evidence": "src/app.py"},
    )
    assert answer["status"] == "updated"
    assert "evidence: src/app.py\n" in (listed / ".claudedo" / "traps" / "clock-skew.md").read_text()
