"""The store on disk: what a save changes, what it keeps, and how the index heals."""

import os
import re
import signal
import subprocess  # noqa: TID251  # a save that is killed must be a process
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claudedo_findings import files, finding, git
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Outcome, Store
from tests.conftest import git as run_git

FIRST = Finding(slug="clock-skew", title="The clock is frozen", body="Only in CI.", scope="src/app.py")


@pytest.fixture
def place(repo: Path) -> Store:
    """The store of `repo`, which does not exist yet."""
    return Store(git.places(str(repo)))


@pytest.fixture
def saved(place: Store) -> Store:
    """The store of `repo` with one finding in it."""
    put(place)
    return place


def put(
    place: Store,
    slug: str = FIRST.slug,
    *,
    keep_scope: bool = True,
    title: str = FIRST.title,
    body: str = FIRST.body,
    scope: str = FIRST.scope,
    source_task: str = "",
    verified_against: str = "",
) -> Outcome:
    """Save the first finding with changes, stamped with HEAD unless told otherwise."""
    stamp = verified_against or place.places.head
    new = Finding(slug=slug, title=title, body=body, scope=scope, source_task=source_task, verified_against=stamp)
    return place.save(new, keep_scope=keep_scope)


def text_of(place: Store, slug: str = "clock-skew") -> str:
    return Path(place.finding_path(slug)).read_bytes().decode()


def index_of(place: Store) -> list[str]:
    return [line for line in Path(place.index_path).read_bytes().decode().splitlines() if line.startswith("- ")]


def slugs_of(place: Store) -> list[str]:
    index = place.read_index()
    return [entry.slug for entry in index.entries] if index else []


def snapshot(folder: Path | str) -> dict[str, tuple[bytes, int]]:
    """Return each file's bytes and time of change, but for git's and the lock's."""
    paths = [path for path in Path(folder).rglob("*") if path.is_file() and ".git" not in path.parts]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def test_first_save_creates_finding_and_index(place: Store) -> None:
    assert put(place).status == "created"
    assert text_of(place) == finding.render(replace(FIRST, verified_against=place.places.head))
    assert Path(place.index_path).read_text() == (
        "# Findings\n\n- [clock-skew](traps/clock-skew.md) — The clock is frozen\n"
    )


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "unchanged"),
        ({"verified_against": "0000000"}, "renewed"),
        ({"body": "Everywhere."}, "updated"),
        ({"title": "The clock stands still"}, "updated"),
        ({"scope": "src"}, "updated"),
        ({"body": "Everywhere.", "verified_against": "0000000"}, "updated"),
    ],
    ids=str,
)
def test_status_says_what_a_second_save_did(changes: dict[str, str], status: str, saved: Store) -> None:
    assert put(saved, keep_scope=False, **changes).status == status


def test_unchanged_save_changes_no_byte_on_disk(saved: Store) -> None:
    before = snapshot(saved.folder)
    assert put(saved).status == "unchanged"
    assert snapshot(saved.folder) == before


def test_save_by_another_task_with_the_same_text_changes_nothing(saved: Store) -> None:
    before = snapshot(saved.folder)
    assert put(saved, source_task="another-task").status == "unchanged"
    assert snapshot(saved.folder) == before


def test_renewed_save_writes_the_new_stamp_and_keeps_no_history(saved: Store) -> None:
    put(saved, verified_against="abcdef0")
    assert "verified-against: abcdef0\n" in text_of(saved)
    assert history(saved) == []


def test_left_out_scope_keeps_the_stored_one(saved: Store) -> None:
    put(saved, body="Everywhere.", scope="")
    assert "scope: src/app.py\n" in text_of(saved)


def test_given_scope_replaces_the_stored_one(saved: Store) -> None:
    put(saved, keep_scope=False, scope="src")
    assert "scope: src\n" in text_of(saved)


def test_save_reads_the_index_once(saved: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real, read = files.read, []

    def watched(path: str) -> bytes | None:
        read.append(path)
        return real(path)

    monkeypatch.setattr(files, "read", watched)
    put(saved, body="Everywhere.")
    assert read.count(saved.index_path) == 1


def test_task_id_is_shortened(place: Store) -> None:
    put(place, source_task="8c1d44e0-1111-2222-3333-444455556666")
    assert "source-task: 8c1d44e0\n" in text_of(place)


# --- what people wrote


def test_shorter_hook_of_a_human_survives_a_save_under_the_same_title(saved: Store) -> None:
    index = Path(saved.index_path)
    index.write_text(index.read_text().replace("The clock is frozen", "frozen clock"))
    put(saved, body="Everywhere.")
    assert index_of(saved) == ["- [clock-skew](traps/clock-skew.md) — frozen clock"]


def test_new_title_makes_the_hook_anew(saved: Store) -> None:
    index = Path(saved.index_path)
    index.write_text(index.read_text().replace("The clock is frozen", "frozen clock"))
    put(saved, title="The clock stands still")
    assert index_of(saved) == ["- [clock-skew](traps/clock-skew.md) — The clock stands still"]


def test_headings_and_prose_in_the_index_survive(saved: Store) -> None:
    index = Path(saved.index_path)
    index.write_text(f"# Ours\n\nRead first.\n\n## Time\n\n{index_of(saved)[0]}\n\nThe end\n")
    put(saved, slug="another", title="Another")
    assert index.read_text() == (
        "# Ours\n\nRead first.\n\n## Time\n\n- [another](traps/another.md) — Another\n"
        "- [clock-skew](traps/clock-skew.md) — The clock is frozen\n\nThe end\n"
    )


def test_line_ends_of_finding_and_index_are_kept(saved: Store) -> None:
    for path in (Path(saved.finding_path("clock-skew")), Path(saved.index_path)):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    put(saved, body="Everywhere.\nAlways.")
    put(saved, slug="another")
    for path in (Path(saved.finding_path("clock-skew")), Path(saved.index_path)):
        data = path.read_bytes()
        assert data.count(b"\r\n") == data.count(b"\n") > 3


def test_finding_with_bom_crlf_and_no_last_newline_keeps_one_front_matter(saved: Store) -> None:
    path = Path(saved.finding_path("clock-skew"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().rstrip(b"\n").replace(b"\n", b"\r\n"))
    put(saved, body="Everywhere.")
    assert text_of(saved).count("---\r\n") == 2
    assert text_of(saved).count("# The clock is frozen") == 1
    assert len(index_of(saved)) == 1


def test_checkout_with_autocrlf_is_no_hand_edit(saved: Store, repo: Path) -> None:
    run_git(repo, "config", "core.autocrlf", "true")
    run_git(repo, "add", "-f", ".claudedo/traps")
    Path(saved.finding_path("clock-skew")).unlink()
    run_git(repo, "checkout", "--", ".claudedo/traps")
    assert b"\r\n" in Path(saved.finding_path("clock-skew")).read_bytes()
    outcome = put(saved, body="Everywhere.")
    assert (outcome.status, outcome.warnings) == ("updated", ())
    assert text_of(saved).count("---\r\n") == 2


def test_unknown_keys_and_comments_survive_an_overwrite(saved: Store) -> None:
    path = Path(saved.finding_path("clock-skew"))
    path.write_text(path.read_text().replace("---\nslug", "---\n# mine\nowner: Ann  # she knows\nslug"))
    put(saved, body="Everywhere.")
    assert text_of(saved).startswith("---\n# mine\nowner: Ann  # she knows\nslug: clock-skew\n")


@pytest.mark.parametrize(
    "broken",
    [
        "---\nslug: clock-skew\nowner: Ann\n\n# The clock is frozen\n\nNever closed.\n",
        "---\nslug: clock-skew\nowner: Ann\nthis is no key\n---\n\n# The clock is frozen\n\nText.\n",
        "---\nowner: Ann\n---\nNo title at all.\n",
    ],
    ids=["not closed", "no key", "no title"],
)
def test_broken_front_matter_is_reported_and_kept(broken: str, saved: Store) -> None:
    Path(saved.finding_path("clock-skew")).write_text(broken)
    outcome = put(saved, body="Everywhere.")
    assert any("could not be read in full" in warning for warning in outcome.warnings)
    assert "owner: Ann\n" in text_of(saved)
    assert [Path(path).read_text() for path in history(saved)] == [broken]


# --- history


def history(place: Store, slug: str = "clock-skew") -> list[str]:
    return sorted(map(str, (Path(place.folder) / "history" / slug).glob("*.md")))


def test_replaced_text_goes_to_the_history(saved: Store) -> None:
    before = text_of(saved)
    assert put(saved, body="Everywhere.").warnings == ()
    assert [Path(path).read_text() for path in history(saved)] == [before]


def test_own_texts_are_kept_ten_deep(place: Store) -> None:
    for number in range(13):
        put(place, body=f"Text {number}.")
    kept = [Path(path).read_text().splitlines()[-1] for path in history(place)]
    assert kept == [f"Text {number}." for number in range(2, 12)]


def test_hand_edit_is_warned_about_and_never_pruned(saved: Store) -> None:
    path = Path(saved.finding_path("clock-skew"))
    path.write_text(path.read_text() + "\nMy own words.\n")
    outcome = put(saved, body="Text.")
    for number in range(12):
        assert put(saved, body=f"Text {number}.").warnings == ()
    by_hand = [path for path in history(saved) if "My own words." in Path(path).read_text()]
    assert len(by_hand) == 1
    assert outcome.warnings == (f"the text that was replaced had been edited by hand; it is kept as {by_hand[0]}",)
    assert len(history(saved)) == 11


def test_file_made_by_hand_counts_as_a_hand_edit(place: Store) -> None:
    put(place, slug="another")
    path = Path(place.finding_path("clock-skew"))
    path.write_text("# My own\n\nWords.\n")
    assert any("edited by hand" in warning for warning in put(place).warnings)
    assert [Path(path).read_text() for path in history(place)] == ["# My own\n\nWords.\n"]


# --- the index heals


def three(place: Store) -> None:
    for slug in ("a-first", "b-second", "c-third"):
        put(place, slug=slug, title=f"Title of {slug}")


def delete_a_finding(place: Store) -> None:
    Path(place.finding_path("b-second")).unlink()


def delete_a_line(place: Store) -> None:
    index = Path(place.index_path)
    index.write_text("".join(line for line in index.read_text().splitlines(True) if "b-second" not in line))


def rename_a_finding(place: Store) -> None:
    Path(place.finding_path("b-second")).rename(place.finding_path("bb-new"))


def double_a_line(place: Store) -> None:
    with Path(place.index_path).open("a") as index:
        index.write("- [b-second](traps/b-second.md) — again\n")


def leave_conflict_markers(place: Store) -> None:
    with Path(place.index_path).open("a") as index:
        index.write("<<<<<<< ours\n- [b-second](traps/b-second.md) — again\n=======\n>>>>>>> theirs\n")


def delete_the_index(place: Store) -> None:
    Path(place.index_path).unlink()


def empty_the_index(place: Store) -> None:
    Path(place.index_path).write_bytes(b"")


ALL = ["a-first", "b-second", "c-third", "d-new"]


@pytest.mark.parametrize(
    ("damage", "healed"),
    [
        (delete_a_finding, ["a-first", "c-third", "d-new"]),
        (delete_a_line, ALL),
        (rename_a_finding, ["a-first", "bb-new", "c-third", "d-new"]),
        (double_a_line, ALL),
        (leave_conflict_markers, ALL),
        (delete_the_index, ALL),
        (empty_the_index, ALL),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("again", ["save", "sync"])
def test_next_write_heals_the_index(
    damage: Callable[[Store], None], healed: list[str], again: str, place: Store
) -> None:
    three(place)
    if again == "sync":
        put(place, slug="d-new")
    damage(place)
    if again == "sync":
        place.sync()
    else:
        put(place, slug="d-new")
    assert slugs_of(place) == healed
    assert "<<<<<<<" not in Path(place.index_path).read_text()


def test_line_that_was_deleted_comes_back_with_the_title(place: Store) -> None:
    three(place)
    delete_a_line(place)
    place.sync()
    assert "- [b-second](traps/b-second.md) — Title of b-second" in index_of(place)


def test_unchanged_save_heals_too(place: Store) -> None:
    three(place)
    delete_a_line(place)
    assert put(place, slug="c-third", title="Title of c-third").status == "unchanged"
    assert slugs_of(place) == ["a-first", "b-second", "c-third"]


@pytest.mark.parametrize("step", ["first", "second", "third"])
def test_save_killed_between_two_writes_is_healed_by_the_next(step: str, saved: Store) -> None:
    code = (
        "import os, signal, sys\nfrom claudedo_findings import files, git\n"
        "from claudedo_findings.finding import Finding\nfrom claudedo_findings.store import Store\n"
        "real, left = files.write_atomic, [int(sys.argv[2])]\n"
        "def write(path, data, **options):\n"
        "    left[0] -= 1\n"
        "    if left[0] == 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(path, data, **options)\n"
        "files.write_atomic = write\n"
        "new = Finding(slug='killed', title='Killed', body='Killed.')\n"
        "Store(git.places(sys.argv[1])).save(new, keep_scope=True)\n"
    )
    nth = {"first": "1", "second": "2", "third": "3"}[step]
    killed = subprocess.run([sys.executable, "-c", code, saved.places.root, nth], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert slugs_of(saved) == (["clock-skew", "killed"] if step == "third" else ["clock-skew"])
    put(saved, slug="next")
    expected = ["clock-skew", "next"] if step == "first" else ["clock-skew", "killed", "next"]
    assert slugs_of(saved) == expected == sorted(saved.slugs())


def test_temp_files_of_a_killed_writer_are_swept(saved: Store) -> None:
    left = [Path(saved.folder) / ".INDEX.md.0a1b2c3d.tmp", Path(saved.folder) / "traps" / ".x.md.0a1b2c3d.tmp"]
    mine = Path(saved.folder) / ".notes.tmp"
    for path in (*left, mine):
        path.write_text("half")
    put(saved)
    assert [path for path in (*left, mine) if path.exists()] == [mine]


@pytest.mark.parametrize("kind", ["folder", "unreadable"])
def test_file_that_cannot_be_read_does_not_stop_a_save(
    kind: str, saved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "folder":
        Path(saved.finding_path("bad")).mkdir()
    else:
        Path(saved.finding_path("bad")).write_text("# Secret\n")
        real = files.read

        def refuse(path: str) -> bytes | None:
            if path.endswith("bad.md"):
                raise FindingsError("cannot read")
            return real(path)

        monkeypatch.setattr(files, "read", refuse)
    assert put(saved, slug="next").status == "created"
    assert slugs_of(saved) == [*(["bad"] if kind == "unreadable" else []), "clock-skew", "next"]


def test_index_that_is_not_utf8_stops_the_save_before_anything_is_written(saved: Store) -> None:
    Path(saved.index_path).write_bytes(b"# Fr\xfcher\n")
    before = snapshot(saved.folder)
    with pytest.raises(FindingsError, match=r"INDEX\.md is not UTF-8 .*: save it as UTF-8"):
        put(saved, slug="next")
    assert snapshot(saved.folder) == before


# --- expiry


def expire(place: Store, slug: str, on: date) -> None:
    path = Path(place.finding_path(slug))
    kept = [line for line in path.read_text().splitlines(True) if not line.startswith("expires:")]
    path.write_text("".join([kept[0], f"expires: {on.isoformat()}\n", *kept[1:]]))


def test_sync_drops_an_expired_finding_and_keeps_its_file(place: Store) -> None:
    three(place)
    expire(place, "b-second", date.today() - timedelta(days=1))
    place.sync()
    assert slugs_of(place) == ["a-first", "c-third"]
    assert Path(place.finding_path("b-second")).exists()


def test_finding_is_listed_on_its_last_day(place: Store) -> None:
    three(place)
    expire(place, "b-second", date.today())
    place.sync()
    assert slugs_of(place) == ["a-first", "b-second", "c-third"]


def test_sync_brings_a_renewed_finding_back(place: Store) -> None:
    three(place)
    expire(place, "b-second", date.today() - timedelta(days=1))
    place.sync()
    expire(place, "b-second", date.today() + timedelta(days=30))
    place.sync()
    assert slugs_of(place) == ["a-first", "b-second", "c-third"]


def test_save_of_another_finding_does_not_bring_an_expired_one_back(place: Store) -> None:
    three(place)
    expire(place, "b-second", date.today() - timedelta(days=1))
    place.sync()
    put(place, slug="d-new")
    assert slugs_of(place) == ["a-first", "c-third", "d-new"]


def test_save_of_an_expired_finding_warns(place: Store) -> None:
    three(place)
    expire(place, "b-second", date.today() - timedelta(days=1))
    outcome = put(place, slug="b-second", title="Title of b-second", body="Another.")
    assert any("expires date" in warning and "has passed" in warning for warning in outcome.warnings)


def test_temp_file_of_a_save_killed_at_the_exclude_file_is_swept(place: Store, repo: Path) -> None:
    left = repo / ".git" / "info" / ".exclude.0a1b2c3d.tmp"
    left.write_text("half")
    put(place)
    assert not left.exists()


def test_sync_sweeps_the_history_too(saved: Store) -> None:
    left = Path(saved.folder) / "history" / "clock-skew" / ".0001.md.0a1b2c3d.tmp"
    left.write_text("half")
    saved.sync()
    assert not left.exists()


def test_sync_creates_nothing_where_there_is_no_store(place: Store, repo: Path) -> None:
    exclude = (repo / ".git" / "info" / "exclude").read_bytes()
    assert place.sync().entries == ()
    assert not place.exists()
    assert (repo / ".git" / "info" / "exclude").read_bytes() == exclude


# --- nothing outside the root


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the repository, with files a link could lead to."""
    folder = tmp_path / "outside"
    (folder / "traps").mkdir(parents=True)
    for name in ("mine.md", "INDEX.md", "traps/clock-skew.md"):
        (folder / name).write_text("# Mine\n")
    return folder


LINKS = {
    ".claudedo": "",
    ".claudedo/traps": "traps",
    ".claudedo/traps/clock-skew.md": "mine.md",
    ".claudedo/traps/clock-skew.md to nowhere": "new.md",
    ".claudedo/INDEX.md": "INDEX.md",
    ".claudedo/INDEX.md to nowhere": "new.md",
    ".claudedo/history": "",
    ".claudedo/history/clock-skew": "",
    ".claudedo/history/clock-skew/written": "mine.md",
}


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("existing", [False, True], ids=["first save", "overwrite"])
def test_link_that_leads_out_is_refused_and_nothing_changes(
    link: str, existing: bool, place: Store, repo: Path, outside: Path
) -> None:
    if existing:
        put(place, body="Old.")
        put(place)
    at = repo / link.partition(" ")[0]
    at.parent.mkdir(parents=True, exist_ok=True)
    if at.exists():
        at.rename(repo.parent / "aside")
    at.symlink_to(outside / LINKS[link])
    before, names = snapshot(repo.parent), sorted(outside.rglob("*"))
    with pytest.raises(FindingsError, match=r"leads out of the project, to .*remove that link"):
        put(place, body="Everywhere.")
    assert snapshot(repo.parent) == before
    assert sorted(outside.rglob("*")) == names


def test_refused_link_leaves_the_exclude_file_alone(place: Store, repo: Path, outside: Path) -> None:
    (repo / ".claudedo").symlink_to(outside)
    before = (repo / ".git" / "info" / "exclude").read_bytes()
    with pytest.raises(FindingsError, match="leads out"):
        put(place)
    assert (repo / ".git" / "info" / "exclude").read_bytes() == before


def test_link_into_the_git_folder_is_refused(place: Store, repo: Path) -> None:
    (repo / ".claudedo").symlink_to(repo / ".git")
    with pytest.raises(FindingsError, match="leads out"):
        put(place)
    assert not (repo / ".git" / "traps").exists()


def test_link_that_stays_inside_is_followed(place: Store, repo: Path) -> None:
    (repo / "docs").mkdir()
    (repo / ".claudedo").symlink_to(repo / "docs")
    assert put(place).status == "created"
    assert (repo / "docs" / "traps" / "clock-skew.md").is_file()


def test_index_linked_inside_stays_a_link(saved: Store, repo: Path) -> None:
    index = Path(saved.index_path)
    index.rename(repo / "TRAPS.md")
    index.symlink_to(repo / "TRAPS.md")
    put(saved, slug="next")
    assert index.is_symlink()
    assert "traps/next.md" in (repo / "TRAPS.md").read_text()


STORED = re.compile(r"\.claudedo/(INDEX\.md|traps/[a-z0-9-]+\.md|history/[a-z0-9-]+/(\d{4}\.md|written))")
NASTY = st.one_of(
    st.sampled_from(
        ["../x", "..\\x", "/etc/x", "C:\\x", "\\\\srv\\x", "a/b", ".", "..", "%2e%2e", "a\0b", "a\nb", "~/x"]
    ),
    st.text(alphabet=st.sampled_from("ab./\\:~%-_ \0\nÄ"), max_size=12),
    st.text(max_size=20),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slug=NASTY, scope=NASTY)
def test_save_never_writes_outside_the_root(slug: str, scope: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir(exist_ok=True)
    before = {path for path in tmp_path.rglob("*") if root not in (path, *path.parents)}
    with suppress(FindingsError):
        Store(git.Places(root=str(root))).save(Finding(slug=slug, title="t", body="b", scope=scope), keep_scope=False)
    written = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
    assert [path for path in written if not STORED.fullmatch(path)] == []
    assert {path for path in tmp_path.rglob("*") if root not in (path, *path.parents)} == before
    assert {path.name for path in root.iterdir()} <= {".claudedo"}


def test_store_without_git_locks_in_the_state_folder(tmp_path: Path, sealed: Path) -> None:
    (tmp_path / "notes").mkdir()
    put(Store(git.places(str(tmp_path / "notes"))))
    assert sorted(os.listdir(tmp_path / "notes")) == [".claudedo"]
    assert len(list((sealed / "findings" / "state" / "locks").iterdir())) == 1
