"""The host's database: read, however it was moved or changed, and never written."""

import os
import shutil
import sqlite3  # noqa: TID251  # plays the host
from collections.abc import Iterator
from pathlib import Path

import pytest

from claudedo_findings import host, host_database, host_folder, host_runs
from claudedo_findings.errors import FindingsError
from tests.conftest import HostMaker

LIST = "0f8fad5b-d9cb-469f-a165-70867728950e"
TASK = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
APP = host.HostList(name="App", id=LIST, working_dir="/src/app")


@pytest.fixture
def database(host_database: HostMaker) -> Path:
    """A database with one list, one task and its worktree."""
    return host_database([("App", LIST, "/src/app")], [(TASK, LIST)], [(TASK, "/src/.claudedo-worktrees/app/t1")])


def change(database: Path, script: str) -> None:
    connection = sqlite3.connect(database)
    connection.executescript(script)
    connection.close()


def move(database: Path, target: Path, setting: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(database, target)
    (database.parent / "ui.config.json").write_text('{"DbPath": "%s"}' % setting.replace("\\", "\\\\"))  # noqa: UP031


def test_without_a_host_there_are_no_lists_and_no_tasks() -> None:
    assert (host_folder.database(), host.lists(), host.task(TASK), host.task_of_worktree("/src")) == (
        "",
        (),
        None,
        None,
    )


def test_lists_are_read_with_name_id_and_folder(host_database: HostMaker) -> None:
    host_database([("App", LIST, "/src/app"), ("Ideas", "1" * 32, None)])
    assert host.lists() == (APP, host.HostList(name="Ideas", id="1" * 32, working_dir=""))


def test_database_in_the_home_folder_moved_with_a_tilde(database: Path, sealed: Path) -> None:
    move(database, sealed / "data" / "my.db", "~/data/my.db")
    assert host.lists() == (APP,)


@pytest.mark.parametrize("name", ["%USERPROFILE%", "%UserProfile%"])
def test_database_moved_with_the_user_profile(name: str, database: Path, sealed: Path) -> None:
    move(database, sealed / "data" / "my.db", f"{name}/data/my.db")
    assert host.lists() == (APP,)


def test_relative_path_of_the_database_starts_at_the_data_folder(database: Path, sealed: Path) -> None:
    move(database, sealed / ".todo-app" / "data" / "my.db", "data/my.db")
    assert host.lists() == (APP,)


def test_path_with_characters_of_a_url_is_opened(database: Path, sealed: Path) -> None:
    move(database, sealed / "50% of? #1 ä" / "my.db", "~/50% of? #1 ä/my.db")
    assert host.lists() == (APP,)


def test_settings_with_bom_and_without_path_mean_the_usual_place(database: Path) -> None:
    (database.parent / "ui.config.json").write_bytes(b'\xef\xbb\xbf{"Theme": "dark"}')
    assert host.lists() == (APP,)


def test_moved_database_that_is_missing_is_an_error(database: Path) -> None:
    (database.parent / "ui.config.json").write_text('{"DbPath": "~/nowhere.db"}')
    with pytest.raises(FindingsError, match=r"database .*nowhere\.db does not exist: check DbPath"):
        host.lists()


@pytest.mark.parametrize("text", ["{", "[]", '"text"', '{"a":' * 50_000])
def test_broken_settings_are_an_error(text: str, database: Path) -> None:
    (database.parent / "ui.config.json").write_text(text)
    with pytest.raises(FindingsError, match=r"ui\.config\.json are not a JSON object"):
        host.lists()


def test_values_that_no_file_or_text_can_have_are_passed_over(database: Path) -> None:
    change(
        database,
        "UPDATE worktrees SET path = '/' || char(0) || 'x'; INSERT INTO lists (id, working_dir) VALUES (1, char(0))",
    )
    assert host.task_of_worktree("/src") is None
    assert host.task("\udcff") is None
    assert [item.working_dir for item in host.lists()] == ["/src/app", "\0"]


@pytest.mark.parametrize(
    "asked",
    [TASK, TASK.upper(), TASK.replace("-", ""), TASK.replace("-", "").upper()],
    ids=["dashed", "upper", "hex", "hex upper"],
)
@pytest.mark.parametrize("stored", [TASK, TASK.replace("-", ""), TASK.upper()], ids=["dashed", "hex", "upper"])
def test_task_is_found_by_any_spelling_of_its_id(stored: str, asked: str, host_database: HostMaker) -> None:
    host_database([("App", LIST, "/src/app")], [(stored, LIST)], [(stored, "/wt")])
    assert host.task(asked) == host.HostTask(id=stored, list_id=LIST, worktree="/wt")


def test_task_id_that_is_no_guid_is_compared_as_it_is(host_database: HostMaker) -> None:
    host_database([("App", LIST, "/src/app")], [("task-1", LIST)])
    assert (host.task("task-1"), host.task("task1")) == (host.HostTask(id="task-1", list_id=LIST), None)


def test_unknown_task_is_none(database: Path) -> None:
    assert database
    assert host.task("11111111-1111-1111-1111-111111111111") is None


@pytest.mark.parametrize("below", ["", "src/deep"])
def test_folder_in_a_worktree_leads_to_its_task(below: str, host_database: HostMaker, tmp_path: Path) -> None:
    worktree = tmp_path / "wt"
    (worktree / below).mkdir(parents=True)
    host_database([("App", LIST, "/src/app")], [(TASK, LIST)], [(TASK, str(worktree))])
    found = host.task_of_worktree(str(worktree / below))
    assert found == host.HostTask(id=TASK, list_id=LIST, worktree=str(worktree))


def test_folder_whose_name_only_starts_like_a_worktree_is_not_in_it(host_database: HostMaker, tmp_path: Path) -> None:
    host_database([("App", LIST, "/src/app")], [(TASK, LIST)], [(TASK, str(tmp_path / "wt"))])
    assert host.task_of_worktree(str(tmp_path / "wt-2")) is None


def test_deepest_worktree_counts(host_database: HostMaker, tmp_path: Path) -> None:
    worktrees = [("outer", str(tmp_path)), ("inner", str(tmp_path / "wt")), ("other", str(tmp_path / "x"))]
    host_database([("App", LIST, "/src/app")], [(task, LIST) for task, _ in worktrees], worktrees)
    found = host.task_of_worktree(str(tmp_path / "wt" / "src"))
    assert found
    assert found.id == "inner"


@pytest.mark.parametrize("path", ["", ".", "relative", None])
def test_worktree_without_an_absolute_path_holds_nothing(
    path: str | None, host_database: HostMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "relative").mkdir()
    monkeypatch.chdir(tmp_path)
    host_database([("App", LIST, "/src/app")], [(TASK, LIST)], [(TASK, path)])
    assert host.task_of_worktree(str(tmp_path / "relative")) is None


def test_worktree_of_an_unknown_task_is_an_error(host_database: HostMaker, tmp_path: Path) -> None:
    host_database([("App", LIST, "/src/app")], [], [(TASK, str(tmp_path))])
    with pytest.raises(FindingsError, match=f"belongs to the task {TASK}, which its database lacks"):
        host.task_of_worktree(str(tmp_path))


def test_without_a_name_column_the_id_is_the_name(database: Path) -> None:
    change(database, "ALTER TABLE lists DROP COLUMN name")
    assert host.lists() == (host.HostList(name=LIST, id=LIST, working_dir="/src/app"),)


def test_without_the_inferred_columns_everything_is_still_found(database: Path) -> None:
    drops = {
        "lists": ("default_commit_type", "created_at"),
        "tasks": ("title", "status"),
        "worktrees": ("branch_name", "state"),
    }
    for table, columns in drops.items():
        for column in columns:
            change(database, f"ALTER TABLE {table} DROP COLUMN {column}")
    assert host.lists() == (APP,)
    assert host.task(TASK) == host.HostTask(id=TASK, list_id=LIST, worktree="/src/.claudedo-worktrees/app/t1")


def test_without_a_worktrees_table_the_task_has_no_worktree(database: Path) -> None:
    change(database, "DROP TABLE worktrees")
    assert host.task(TASK) == host.HostTask(id=TASK, list_id=LIST)
    assert host.task_of_worktree("/src/.claudedo-worktrees/app/t1") is None


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        ("DROP TABLE lists", "lists.id"),
        ("ALTER TABLE lists DROP COLUMN working_dir", "lists.working_dir"),
    ],
)
def test_database_of_an_unknown_shape_is_an_error_that_says_what_helps(
    script: str, missing: str, database: Path
) -> None:
    change(database, script)
    with pytest.raises(FindingsError, match=f"has no column {missing}: .*until it is, use --here"):
        host.lists()


def test_task_without_a_list_column_is_an_error(database: Path) -> None:
    change(database, "ALTER TABLE tasks DROP COLUMN list_id")
    with pytest.raises(FindingsError, match=r"has no column tasks\.list_id"):
        host.task(TASK)


def test_corrupt_file_is_an_error_that_names_it(database: Path) -> None:
    database.write_bytes(b"not a database at all, but long enough to be looked at by SQLite" * 50)
    with pytest.raises(FindingsError, match=f"cannot read the host's database {database}: file is not a database"):
        host.lists()


def test_damaged_schema_is_an_error_though_sqlite_cannot_quote_it(database: Path) -> None:
    data = database.read_bytes()
    assert data.count(b"CREATE TABLE lists") == 1
    database.write_bytes(data.replace(b"CREATE TABLE lists", b"CREATE \xc4ABLE lists"))
    with pytest.raises(FindingsError, match="cannot read the host's database"):
        host.lists()


def test_damaged_page_is_an_error_and_no_shorter_list(database: Path) -> None:
    change(database, "PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(database.read_bytes())
    data[4096 : 4096 * 4] = b"\xff" * 4096 * 3
    database.write_bytes(bytes(data))
    with pytest.raises(FindingsError, match="cannot read the host's database"):
        host.lists()


def test_writer_that_locks_everything_is_an_error_after_a_wait(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_database, "BUSY_TIMEOUT", 0.1)
    writer = sqlite3.connect(database, isolation_level=None)
    try:
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(FindingsError, match="database is locked"):
            host.lists()
    finally:
        writer.close()


@pytest.fixture
def writing(database: Path) -> Iterator[sqlite3.Connection]:
    """The host at work: its last change stands in the write-ahead log alone."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("INSERT INTO lists (name, id, working_dir) VALUES ('New', 'new', '/new')")
    yield connection
    connection.close()


def test_change_in_the_write_ahead_log_is_seen(writing: sqlite3.Connection) -> None:
    assert writing
    assert [item.name for item in host.lists()] == ["App", "New"]


def test_open_transaction_of_the_host_does_not_stop_a_read(writing: sqlite3.Connection) -> None:
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("INSERT INTO lists (name, id) VALUES ('Unfinished', 'x')")
    assert [item.name for item in host.lists()] == ["App", "New"]


def test_reading_changes_no_byte_of_the_database(writing: sqlite3.Connection, database: Path) -> None:
    assert writing
    log = Path(f"{database}-wal")
    before = (database.read_bytes(), log.read_bytes(), os.stat(database).st_mtime_ns)
    host.lists()
    host.task(TASK)
    host.task_of_worktree("/src/.claudedo-worktrees/app/t1")
    assert log.stat().st_size
    assert (database.read_bytes(), log.read_bytes(), os.stat(database).st_mtime_ns) == before


def test_reading_a_database_at_rest_changes_no_byte_and_leaves_nothing_beside_it(database: Path) -> None:
    before, beside = database.read_bytes(), sorted(os.listdir(database.parent))
    assert beside == ["todo.db"]
    assert host.lists()
    assert host.task(TASK)
    assert database.read_bytes() == before
    assert sorted(os.listdir(database.parent)) == beside


def test_a_database_that_was_written_to_meanwhile_is_an_error_and_no_mixture(database: Path) -> None:
    def read() -> None:
        with host_database.opened() as connection:
            assert connection
            change(database, "INSERT INTO lists (name, id) VALUES ('New', 'new')")

    with pytest.raises(FindingsError, match=f"wrote to its database {database} while it was read: try again"):
        read()
    assert [item.name for item in host.lists()] == ["App", "New"]


def test_reading_what_a_killed_host_left_does_not_fold_its_log_into_the_database(
    writing: sqlite3.Connection, database: Path, sealed: Path
) -> None:
    assert writing
    (sealed / "killed").mkdir()
    copies = [sealed / "killed" / name for name in ("todo.db", "todo.db-wal")]
    for copy in copies:
        shutil.copy(database.parent / copy.name, copy)
    (database.parent / "ui.config.json").write_text('{"DbPath": "~/killed/todo.db"}')
    before = [copy.read_bytes() for copy in copies]
    assert [item.name for item in host.lists()] == ["App", "New"]
    assert [copy.read_bytes() for copy in copies] == before


def test_the_tasks_of_lists_come_with_their_worktrees(host_database: HostMaker) -> None:
    dashed = "1b4e28ba-2fa1-41d2-883f-0016d3cca427"
    host_database(
        [("App", dashed, "/app"), ("Other", "o", "/other")],
        [("t1", dashed.replace("-", "").upper()), ("t2", dashed), ("t3", "o")],
        [("t1", "/trees/t1"), ("t3", "/trees/t3"), ("gone", "/trees/gone")],
    )
    assert host.tasks([dashed]) == {"t1": "/trees/t1", "t2": ""}
    assert host.tasks([]) == {}


def test_without_a_host_there_are_no_tasks() -> None:
    assert host.tasks(["o"]) == {}


def test_runs_of_the_tasks_asked_for_are_read_in_their_order(database: Path) -> None:
    change(
        database,
        f"""
        INSERT INTO task_runs (id, task_id, run_number, session_id, is_retry, turn_count, tokens_in, tokens_out,
            log_path, started_at, finished_at)
        VALUES ('b', '{TASK.upper()}', 2, 's2', 1, NULL, NULL, NULL, NULL, '2026-03-01 09:00:00', NULL),
               ('a', '{TASK}', 1, 's1', 0, 12, 3000, 400, 'x_run1.ndjson', '2026-03-01 08:00:00', '2026-03-01'),
               ('c', 'another', 1, 's3', 0, 1, 1, 1, '', '', '');
        """,
    )
    assert host_runs.of([TASK]) == (
        host_runs.HostRun(
            task_id=TASK,
            number=1,
            session_id="s1",
            is_retry=False,
            turns=12,
            tokens_in=3000,
            tokens_out=400,
            log="x_run1.ndjson",
            started_at="2026-03-01 08:00:00",
        ),
        host_runs.HostRun(
            task_id=TASK.upper(),
            number=2,
            session_id="s2",
            is_retry=True,
            started_at="2026-03-01 09:00:00",
            ended=False,
        ),
    )


def test_a_host_that_records_less_of_its_runs_says_less(database: Path) -> None:
    change(database, "DROP TABLE task_runs; CREATE TABLE task_runs (id TEXT, task_id TEXT)")
    change(database, f"INSERT INTO task_runs VALUES ('a', '{TASK}')")
    assert host_runs.of([TASK]) == (host_runs.HostRun(task_id=TASK),)
    change(database, "DROP TABLE task_runs; CREATE TABLE task_runs (id TEXT)")
    assert host_runs.of([TASK]) is None
    change(database, "DROP TABLE task_runs")
    assert host_runs.of([TASK]) is None


def test_without_a_host_no_runs_are_known() -> None:
    assert host_runs.of([TASK]) is None
