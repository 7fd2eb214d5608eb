"""Which list is meant. Never a guess: each case is one row."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from claudedo_findings import listfile, lists, nearby, resolution, save
from claudedo_findings.errors import FindingsError
from claudedo_findings.resolution import Caller
from tests.conftest import HostMaker, git, make_repo

APP = "0f8fad5b-d9cb-469f-a165-70867728950e"
SHOP = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
TASK = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
Dirs = dict[str, Path]


@pytest.fixture
def dirs(tmp_path: Path) -> Dirs:
    """Two projects, a folder beside them, and a worktree of the first."""
    made = {"app": make_repo(tmp_path / "app"), "shop": make_repo(tmp_path / "shop"), "out": tmp_path / "elsewhere"}
    made["out"].mkdir()
    git(made["app"], "worktree", "add", "-q", str(tmp_path / "wt"))
    return {**made, "wt": tmp_path / "wt"}


@pytest.fixture
def with_lists(host_database: HostMaker, dirs: Dirs) -> Callable[[int], None]:
    """Make the host know the first 0, 1 or 2 of the lists App and Shop."""

    def make(number: int) -> None:
        known = [("App", APP, str(dirs["app"])), ("Shop", SHOP, str(dirs["shop"]))]
        host_database(known[:number], [(TASK, APP)], [(TASK, str(dirs["wt"]))])

    return make


def everything(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if ".claudedo" in path.parts}


def beside_the_host(home: Path) -> set[Path]:
    """Return what lies in the home folder but the host's, where SQLite puts `-shm` beside a file in WAL mode."""
    return {path for path in home.rglob("*") if ".todo-app" not in path.parts}


REQUESTS = {
    "nothing": "",
    "name": "App",
    "other case": "aPP",
    "spaces around": " App ",
    "dashed id": APP,
    "upper case id": APP.upper(),
    "32 hex": APP.replace("-", ""),
    "unknown": "App2",
    "part of the name": "Ap",
    "base name of a folder": "app/",
    "path": "/src/app",
}
FIND_APP = {"name", "other case", "spaces around", "dashed id", "upper case id", "32 hex"}


@pytest.mark.parametrize("cwd", ["app", "out"])
@pytest.mark.parametrize("asked", REQUESTS)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_list_argument_decides_or_the_only_list_or_nobody(
    number: int, asked: str, cwd: str, with_lists: Callable[[int], None], dirs: Dirs
) -> None:
    with_lists(number)
    caller = Caller(cwd=str(dirs[cwd]))
    if number and (asked in FIND_APP or (asked == "nothing" and number == 1)):
        assert resolution.resolve(caller, REQUESTS[asked]).list == lists.TodoList(
            name="App", id=APP, working_dir=str(dirs["app"])
        )
        return
    with pytest.raises(FindingsError) as caught:
        resolution.resolve(caller, REQUESTS[asked])
    message = str(caught.value)
    assert all(f"{name!r} (id " in message for name in ("App", "Shop")[:number])
    assert number or "there are no lists; add one with 'claudedo-findings lists add NAME DIR'" in message
    hinted = "the working directory lies in 'App'" in message
    assert hinted is (asked == "nothing" and cwd == "app" and number == 2)


@pytest.mark.parametrize("cwd", ["app", "out"])
def test_refused_list_stores_nothing(cwd: str, with_lists: Callable[[int], None], dirs: Dirs, tmp_path: Path) -> None:
    with_lists(2)
    with pytest.raises(FindingsError):
        save.save_finding(slug="a", title="t", body="b", caller=Caller(cwd=str(dirs[cwd])))
    assert everything(tmp_path) == set()


def test_answer_names_the_list_and_the_absolute_path(with_lists: Callable[[int], None], dirs: Dirs) -> None:
    with_lists(2)
    answer = save.save_finding(slug="a", title="t", body="b", wanted_list="shop", caller=Caller(cwd=str(dirs["app"])))
    assert answer["list"] == "Shop"
    assert answer["path"] == str(dirs["shop"] / ".claudedo" / "traps" / "a.md")


@dataclass(frozen=True)
class Context:
    """A task context: what the host says, and whether the server runs in the task's worktree."""

    task: str = ""
    task_list: str = ""
    cwd: str = "out"


CONTEXTS = {
    "task": Context(task=TASK),
    "task in upper case hex": Context(task=TASK.replace("-", "").upper()),
    "list id": Context(task_list=APP),
    "list name": Context(task_list="app"),
    "task and list": Context(task=TASK, task_list=APP),
    "unknown task and list": Context(task="new-task", task_list=APP),
    "worktree": Context(cwd="wt"),
    "folder in the worktree": Context(cwd="wt/src"),
    "task, running elsewhere": Context(task=TASK, cwd="shop"),
}


@pytest.mark.parametrize("context", CONTEXTS.values(), ids=CONTEXTS)
@pytest.mark.parametrize(("asked", "warned"), [("", 0), ("app", 0), (APP.upper(), 0), ("Shop", 1), ("unknown", 1)])
@pytest.mark.parametrize("bound", ["", "Shop"])
def test_task_context_beats_bound_server_and_list_argument(
    context: Context, asked: str, warned: int, bound: str, with_lists: Callable[[int], None], tmp_path: Path, dirs: Dirs
) -> None:
    with_lists(2)
    assert dirs
    cwd = str(tmp_path / ("elsewhere" if context.cwd == "out" else context.cwd))
    found = resolution.resolve(Caller(task=context.task, task_list=context.task_list, bound=bound, cwd=cwd), asked)
    assert found.list.id == APP
    assert len(found.warnings) == warned
    assert all(f"the list argument {asked!r} was ignored" in warning for warning in found.warnings)


@pytest.mark.parametrize("context", [Context(task=TASK), Context(cwd="wt"), Context(cwd="wt/src")], ids=str)
def test_worktree_of_the_task_is_known(context: Context, with_lists: Callable[[int], None], dirs: Dirs) -> None:
    with_lists(2)
    cwd = str(dirs["out"] if context.cwd == "out" else dirs["wt"].parent / context.cwd)
    found = resolution.resolve(Caller(task=context.task, cwd=cwd))
    assert (found.worktree, found.task) == (str(dirs["wt"]), TASK)


def test_folder_below_a_checkout_counts_as_that_checkout(with_lists: Callable[[int], None], dirs: Dirs) -> None:
    with_lists(1)
    found = resolution.resolve(Caller(task="t", task_list=APP, cwd=str(dirs["wt"] / "src")))
    assert found.worktree == str(dirs["wt"])


@pytest.mark.parametrize(
    ("caller", "message"),
    [
        (Caller(task="unknown"), r"no database knows the task 'unknown': pass its list too"),
        (Caller(task="unknown", bound="App"), r"no database knows the task 'unknown'"),
        (Caller(task_list="unknown"), r"no list is called 'unknown': name one of 'App'"),
        (Caller(task=TASK, task_list="unknown"), r"no list is called 'unknown'"),
        (Caller(bound="unknown"), r"no list is called 'unknown'"),
    ],
    ids=["task", "task on a bound server", "list", "task and list", "bound"],
)
@pytest.mark.parametrize("asked", ["", "App"])
def test_unknown_context_is_an_error_and_no_reason_to_look_further(
    caller: Caller, message: str, asked: str, with_lists: Callable[[int], None]
) -> None:
    with_lists(1)
    with pytest.raises(FindingsError, match=message):
        resolution.resolve(caller, asked)


def test_task_without_a_host_is_an_error(dirs: Dirs) -> None:
    lists.add("app", str(dirs["app"]))
    with pytest.raises(FindingsError, match="no database knows the task"):
        resolution.resolve(Caller(task=TASK))


def test_task_and_list_need_no_readable_database(dirs: Dirs, host_database: HostMaker) -> None:
    lists.add("mine", str(dirs["shop"]))
    host_database([]).write_bytes(b"no database" * 1000)
    found = resolution.resolve(Caller(task=TASK, task_list="mine"), "other")
    assert (found.list.working_dir, found.task) == (str(dirs["shop"]), TASK)


@pytest.mark.parametrize("caller", [Caller(), Caller(task=TASK), Caller(task=TASK, task_list="unknown")], ids=str)
def test_unreadable_database_is_an_error_and_no_guess(caller: Caller, dirs: Dirs, host_database: HostMaker) -> None:
    lists.add("mine", str(dirs["shop"]))
    host_database([]).write_bytes(b"no database" * 1000)
    with pytest.raises(FindingsError, match="cannot read the host's database"):
        resolution.resolve(caller)


@pytest.mark.parametrize("asked", ["", "App", APP])
def test_bound_server_saves_to_its_list(asked: str, with_lists: Callable[[int], None]) -> None:
    with_lists(2)
    assert resolution.resolve(Caller(bound="app"), asked).list.id == APP


@pytest.mark.parametrize("asked", ["Shop", SHOP, "unknown"])
def test_bound_server_refuses_another_list(asked: str, with_lists: Callable[[int], None]) -> None:
    with_lists(2)
    with pytest.raises(FindingsError, match=f"bound to the list 'App' .*does not save to '{asked}'"):
        resolution.resolve(Caller(bound="App"), asked)


@pytest.mark.parametrize("cwd", ["app", "app/src", "wt", "wt/src"])
def test_here_is_the_main_checkout_of_the_current_folder(cwd: str, dirs: Dirs) -> None:
    found = resolution.resolve(Caller(here=True, cwd=str(dirs["app"].parent / cwd)))
    assert found.list == lists.TodoList(name="app", working_dir=str(dirs["app"]))


def test_here_goes_by_the_name_its_folder_has_as_a_list(dirs: Dirs) -> None:
    lists.add("My project", str(dirs["app"]))
    assert resolution.resolve(Caller(here=True, cwd=str(dirs["app"])), "my project").list.name == "My project"


def test_here_refuses_a_list_that_only_sounds_like_its_folder(dirs: Dirs) -> None:
    lists.add("app", str(dirs["shop"]))
    with pytest.raises(FindingsError, match="does not save to 'app'"):
        resolution.resolve(Caller(here=True, cwd=str(dirs["app"])), "app")


def test_same_name_twice_is_an_error_that_names_ids_and_folders(dirs: Dirs, host_database: HostMaker) -> None:
    host_database([("App", APP, str(dirs["app"])), ("app", SHOP, str(dirs["shop"]))])
    with pytest.raises(FindingsError) as caught:
        resolution.resolve(Caller(), "APP")
    assert all(part in str(caught.value) for part in (APP, SHOP, str(dirs["app"]), str(dirs["shop"]), "give the id"))
    assert resolution.resolve(Caller(), SHOP).list.working_dir == str(dirs["shop"])


def test_same_list_of_host_and_user_counts_once(dirs: Dirs, host_database: HostMaker) -> None:
    lists.add("APP", str(dirs["app"]))
    host_database([("App", APP, str(dirs["app"]))])
    assert resolution.resolve(Caller()).list.id == APP


def test_umlauts_in_a_name_match_in_both_unicode_forms(dirs: Dirs) -> None:
    lists.add("Größe", str(dirs["app"]))
    assert lists.find("GRO\u0308SSE").name == "Größe"


def test_checkouts_of_one_base_name_have_their_own_stores(tmp_path: Path) -> None:
    first, second = make_repo(tmp_path / "a" / "app"), make_repo(tmp_path / "b" / "app")
    worktree = tmp_path / "c" / "app"
    git(first, "worktree", "add", "-q", "-b", "second", str(worktree))
    for slug, folder in (("one", first), ("two", second), ("three", worktree)):
        save.save_finding(slug=slug, title="t", body="b", caller=Caller(here=True, cwd=str(folder)))
    names = {path.name: path.parents[2] for path in tmp_path.rglob("traps/*.md")}
    assert names == {"one.md": first, "two.md": second, "three.md": first}


@pytest.mark.parametrize("cwd", ["home", "/", "${workspaceFolder}"])
@pytest.mark.parametrize("here", [False, True])
def test_call_from_no_project_is_refused_with_the_lists_and_creates_nothing(
    cwd: str,
    here: bool,
    with_lists: Callable[[int], None],
    sealed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_lists(2)
    monkeypatch.chdir(tmp_path)
    before = beside_the_host(sealed)
    with pytest.raises(FindingsError, match=r"name one of 'App' .*'Shop'"):
        save.save_finding(
            slug="a", title="t", body="b", caller=Caller(cwd=str(sealed) if cwd == "home" else cwd, here=here)
        )
    assert everything(tmp_path) == set()
    assert beside_the_host(sealed) == before


@pytest.mark.parametrize("folder", ["~", "/", "${workspaceFolder}", "${workspaceFolder}/app", "relative", "C:\\app"])
def test_list_that_points_at_no_project_is_refused_and_creates_nothing(
    folder: str, host_database: HostMaker, sealed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    host_database([("App", APP, folder)])
    before = beside_the_host(sealed)
    with pytest.raises(FindingsError, match=r"the list 'App' points at .*no project|of the list 'App' is not absolute"):
        save.save_finding(slug="a", title="t", body="b", caller=Caller())
    assert everything(tmp_path) == set()
    assert beside_the_host(sealed) == before


def test_worktree_of_a_home_folder_under_git_is_refused(sealed: Path, tmp_path: Path, host_database: HostMaker) -> None:
    git(sealed, "init", "-q")
    git(sealed, "commit", "-q", "--allow-empty", "-m", "dotfiles")
    git(sealed, "worktree", "add", "-q", str(tmp_path / "wt"))
    host_database([("App", APP, str(tmp_path / "wt"))])
    with pytest.raises(FindingsError, match="no project"):
        save.save_finding(slug="a", title="t", body="b", caller=Caller())
    assert not (sealed / ".claudedo").exists()


def test_list_without_a_folder_is_refused(host_database: HostMaker) -> None:
    host_database([("Ideas", APP, None)])
    with pytest.raises(FindingsError, match="the list 'Ideas' has no working directory: give it one in the host"):
        save.save_finding(slug="a", title="t", body="b", caller=Caller())


@pytest.mark.parametrize("cwd", ["app", "app/src", "wt", "wt/src"])
def test_folder_of_a_person_finds_its_list(cwd: str, with_lists: Callable[[int], None], dirs: Dirs) -> None:
    with_lists(2)
    assert nearby.of_folder(str(dirs["app"].parent / cwd)).id == APP


def test_folder_in_a_worktree_finds_the_list_on_the_sub_folder(dirs: Dirs) -> None:
    lists.add("source", str(dirs["app"] / "src"))
    lists.add("shop", str(dirs["shop"]))
    assert nearby.of_folder(str(dirs["wt"] / "src")).name == "source"


def test_deepest_list_around_a_folder_counts(dirs: Dirs) -> None:
    lists.add("all", str(dirs["app"]))
    lists.add("source", str(dirs["app"] / "src"))
    assert nearby.of_folder(str(dirs["app"] / "src")).name == "source"


def test_folder_in_no_list_of_several_is_an_error(with_lists: Callable[[int], None], dirs: Dirs) -> None:
    with_lists(2)
    with pytest.raises(FindingsError, match="which list is meant"):
        nearby.of_folder(str(dirs["out"]))


@pytest.mark.parametrize("count", [0, 2])
def test_error_in_a_checkout_of_no_list_names_here(
    with_lists: Callable[[int], None], tmp_path: Path, count: int
) -> None:
    with_lists(count)
    other = make_repo(tmp_path / "other")
    with pytest.raises(FindingsError, match=r"which list is meant.*, or say --here for the checkout you are in"):
        nearby.of_folder(str(other / "src"))


def write_lists(text: str) -> Path:
    path = Path(listfile.path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_comments_and_order_survive_adding_and_removing(dirs: Dirs) -> None:
    path = write_lists(f"# my lists\n[lists]\nold = '{dirs['shop']}'  # the shop\n\n# others\n[other]\nkey = 1\n")
    lists.add("app", str(dirs["app"]))
    lists.remove("app")
    text = path.read_text()
    assert "app =" not in text
    kept = ["# my lists", "[lists]", f"old = '{dirs['shop']}'  # the shop", "# others", "[other]", "key = 1"]
    assert [line for line in text.splitlines() if line] == kept


def test_added_list_of_a_known_name_gets_the_new_folder(dirs: Dirs) -> None:
    lists.add("app", str(dirs["app"]))
    lists.add("App", str(dirs["shop"]))
    assert lists.known() == (lists.TodoList(name="App", working_dir=str(dirs["shop"])),)


def test_changed_folder_keeps_the_comment_beside_it(dirs: Dirs) -> None:
    path = write_lists(f"[lists]\napp = '{dirs['shop']}'  # mine\n")
    lists.add("app", str(dirs["app"]))
    assert "# mine" in path.read_text()
    assert lists.find("app").working_dir == str(dirs["app"])


def test_linked_lists_file_stays_a_link(dirs: Dirs, tmp_path: Path) -> None:
    dotfile = tmp_path / "lists.toml"
    dotfile.write_text("")
    path = write_lists("")
    path.unlink()
    path.symlink_to(dotfile)
    lists.add("app", str(dirs["app"]))
    assert path.is_symlink()
    assert "app" in dotfile.read_text()


@pytest.mark.parametrize(
    "text", ["[lists\n", "lists = 1\n", "[lists]\napp = 1\n", "[lists.app]\ndir = '/x'\n", "\x00", "a = " + "[" * 2_000]
)
def test_broken_lists_file_is_an_error_and_stays_as_it_is(text: str, dirs: Dirs) -> None:
    path = write_lists(text)
    for use in (lists.known, lambda: lists.add("app", str(dirs["app"])), lambda: lists.remove("app")):
        with pytest.raises(FindingsError, match=r"lists\.toml (is not valid TOML|needs a table \[lists\])"):
            use()
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("start", "end"), [("[", "]"), ("{a = ", "}")])
def test_lists_file_that_is_read_but_cannot_be_edited_is_an_error(start: str, end: str, dirs: Dirs) -> None:
    path = write_lists(text := f"a = {start * 150}{'1' if end == '}' else ''}{end * 150}\n[lists]\napp = '/x'\n")
    assert lists.find("app").working_dir == "/x"
    said = r"lists\.toml cannot be edited: .* nested more than 100"
    with pytest.raises(FindingsError, match=said):
        lists.add("other", str(dirs["app"]))
    with pytest.raises(FindingsError, match=said):
        lists.remove("app")
    assert path.read_text(encoding="utf-8") == text


def test_folder_that_no_file_can_have_is_refused_by_name(dirs: Dirs) -> None:
    write_lists(f'[lists]\napp = "{dirs["app"]}"\nodd = "/\\u0000/x"\n')
    with pytest.raises(FindingsError, match=r"the folder '/\\x00/x' does not exist"):
        lists.root(lists.find("odd"))
    assert nearby.of_folder(str(dirs["app"])).name == "app"


def test_folder_whose_name_is_not_utf_8_cannot_be_listed(dirs: Dirs) -> None:
    folder = os.fsdecode(os.fsencode(dirs["app"]) + b"-\xff")
    os.mkdir(folder)
    with pytest.raises(FindingsError, match=r"cannot hold a name that is not UTF-8 \(it has '\\udcff'\)"):
        lists.add("odd", folder)
    assert "odd" not in listfile.read()


def test_host_list_of_that_name_stops_adding_another_folder(with_lists: Callable[[int], None], dirs: Dirs) -> None:
    with_lists(1)
    with pytest.raises(FindingsError, match="the host has a list 'app' with another folder: choose another name"):
        lists.add("app", str(dirs["shop"]))


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\u202eb"])
def test_name_that_cannot_be_shown_is_refused(name: str, dirs: Dirs) -> None:
    with pytest.raises(FindingsError, match="empty or holds control characters"):
        lists.add(name, str(dirs["app"]))


def test_adding_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FindingsError, match="does not exist"):
        lists.add("app", str(tmp_path / "missing"))
    assert not Path(listfile.path()).exists()


def test_removing_an_unknown_list_names_the_known_ones(dirs: Dirs) -> None:
    lists.add("app", str(dirs["app"]))
    with pytest.raises(FindingsError, match="no list is called 'shop': name one of 'app'"):
        lists.remove("shop")
