"""What counts as trouble in a run, and what only looks like it."""

import io

from claudedo_findings import runs, transcripts
from claudedo_findings.gather import struggles
from claudedo_findings.gather.hits import DENIED, SLIP, TEST, WALL, Hit
from claudedo_findings.gather.struggles import Struggle
from claudedo_findings.gather.walls import Wall, Walls
from tests.lookalikes import SAID, STOP, Log, Made, Session

OPTION = "Exit code 1\nerror: unknown option '--parent'\n(Did you mean --parentId?)"


def struggle(made: Made) -> Struggle:
    [run] = transcripts.read(io.BytesIO(made.data()), "/logs/one.jsonl").runs
    return struggles.of(runs.mapped(run, ["/srv/shop"]))


def hits(made: Made) -> list[Hit]:
    return list(struggle(made).hits)


def walls(*made: Made) -> list[Wall]:
    met = Walls()
    for at, one in enumerate(made):
        told = struggle(one)
        met.add(str(at), f"run {at}", told.hits, told.loops)
    return met.ranked()


def meets_option(seed: str) -> Session:
    session = Session(seed=seed)
    session.bash("shopctl list --parent 7", OPTION, failed=True)
    session.bash("shopctl list --parentId 7", "[]")
    return session


def test_an_error_once_in_each_of_three_runs_is_the_best_wall() -> None:
    churn = Session(seed="0009")
    for _ in range(5):
        churn.bash("make", "Exit code 2\nerror: no rule to make 'all'", failed=True)
    first, second = walls(churn, *(meets_option(f"000{n}") for n in range(3)))
    assert (first.error.text, first.count, first.runs) == (
        "error: unknown option '--parent' (Did you mean --parentId?)",
        3,
        ("run 1", "run 2", "run 3"),
    )
    assert (first.solved, first.way_out, first.told) == (3, "shopctl list --parentId 7", True)
    assert (second.attempts, second.solved, second.way_out) == (5, 0, "")


def test_an_error_once_in_one_run_is_no_wall() -> None:
    assert walls(meets_option("0001")) == []
    assert len(hits(meets_option("0001"))) == 1


def test_parallel_guesses_are_one_attempt() -> None:
    session = Session()
    message = session.ident("msg")
    for name in ("a", "b"):
        output = f"<tool_use_error>Path does not exist: /srv/shop/{name}.</tool_use_error>"
        session.call("Grep", output, failed=True, message=message, pattern="x", path=name)
    [wall] = walls(session)
    assert (wall.error.kind, wall.count, wall.attempts, wall.told) == (SLIP, 2, 1, False)


def test_the_same_command_with_another_error_is_progress() -> None:
    session = Session()
    for error in ("error: unknown key 'a'", "error: unknown key 'b'", "error: port is busy"):
        session.bash("make", f"Exit code 2\n{error}", failed=True)
    assert walls(session) == []


def test_refused_cancelled_and_denied_calls_are_never_drafted() -> None:
    session = Session()
    for output in (
        STOP,
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "This command requires approval",
    ):
        for _ in range(3):
            session.bash("make", output, failed=True)
    session.bash("make")  # denied, then approved
    [wall] = walls(session)
    assert (wall.error.kind, wall.count, wall.told) == (DENIED, 3, False)


def test_errors_that_say_nothing_are_of_one_command_and_never_drafted() -> None:
    session = Session()
    for command in ("make", "make", "npm test", "npm test"):
        session.bash(command, "Exit code 1\n", failed=True)
    found = sorted((wall.error.aim, wall.count, wall.told) for wall in walls(session))
    assert found == [("make", 2, False), ("npm test", 2, False)]


def test_a_wrong_path_is_the_same_wall_for_the_same_path_only() -> None:
    def guesses(seed: str, path: str) -> Session:
        session = Session(seed=seed, cwd=f"/srv/t{seed}")
        session.bash(
            f"cat /srv/t{seed}/{path}",
            f"Exit code 1\ncat: /srv/t{seed}/{path}: No such file or directory",
            failed=True,
        )
        return session

    assert walls(guesses("1", "src/a.py"), guesses("2", "src/b.py")) == []
    [wall] = walls(guesses("1", "src/core/a.py"), guesses("2", "src/core/a.py"))
    assert (wall.error.kind, wall.count, wall.told) == (WALL, 2, True)


def test_a_wrong_path_met_twice_in_a_run_is_told_once_and_two_paths_are_told_together() -> None:
    def guess(session: Session, path: str) -> None:
        session.bash(f"cat {path}", f"Exit code 1\ncat: {path}: No such file or directory", failed=True)

    one, two = Session(), Session()
    guess(one, "src/a.py")
    guess(one, "src/a.py")
    [wall] = walls(one)
    assert (wall.error.kind, wall.count, wall.told) == (WALL, 2, True)
    for path in ("src/a.py", "src/a.py", "src/b.py"):
        guess(two, path)
    assert [(wall.error.kind, wall.count) for wall in walls(two)] == [(WALL, 2), (SLIP, 3)]


def test_a_failing_test_is_told_by_its_name() -> None:
    def runs_tests(seed: str, *tests: str) -> Session:
        session = Session(seed=seed)
        for test in tests:
            session.bash(
                "bun test", f"Exit code 1\nerror: expect(a).toBe(b)\n(fail) {test} [9.1ms]\n 1 fail", failed=True
            )
        return session

    assert walls(runs_tests("1", "cart > adds", "cart > drops")) == []
    [wall] = walls(runs_tests("1", "cart > adds", "cart > adds"))
    assert (wall.error.kind, wall.told) == (TEST, False)
    [wall] = walls(runs_tests("1", "cart > adds"), runs_tests("2", "cart > adds"))
    assert wall.told


def test_an_error_that_came_back_after_edits_is_a_loop_and_edits_alone_are_none() -> None:
    session = Session()
    for _ in range(12):
        session.call("Edit", "updated", file_path="/srv/shop/src/churn.py", old_string="a", new_string="b")
    assert struggle(session).loops == ()
    for _ in range(3):
        session.bash("make", "Exit code 2\nerror: cannot link against libshop", failed=True)
        session.call("Edit", "updated", file_path="/srv/shop/src/a.py", old_string="a", new_string="b")
    [loop] = struggle(session).loops
    assert (loop.file, loop.rounds, loop.error) == ("src/a.py", 2, "error: cannot link against libshop")


def test_what_was_edited_before_the_same_command_worked_is_told() -> None:
    session = Session()
    for _ in range(2):
        session.bash("make", "Exit code 2\nerror: cannot link against libshop", failed=True)
    session.call("Edit", "updated", file_path="/elsewhere/notes", old_string="a", new_string="b")
    session.call("Edit", "updated", file_path="/srv/shop/Makefile", old_string="a", new_string="b")
    session.bash("make -j2")
    [wall] = walls(session)
    assert (wall.solved, wall.repaired, wall.way_out, wall.edited) == (1, 1, "", ("Makefile",))


def test_the_same_command_that_worked_later_is_no_way_out() -> None:
    session = Session()
    for _ in range(2):
        session.bash("make", "Exit code 2\nerror: the server did not answer", failed=True)
    session.bash("make")
    [wall] = walls(session)
    assert (wall.solved, wall.repaired, wall.way_out) == (1, 0, "")


def test_a_way_out_is_told_with_a_call_that_it_followed() -> None:
    def meets(seed: str, call: str, way: str) -> Session:
        session = Session(seed=seed)
        session.bash(call, "Exit code 1\nunknown flag: --stat", failed=True)
        session.bash(way)
        return session

    diff = [meets(str(n), "gh pr diff 8 --stat", "gh pr diff 8 --name-only") for n in (2, 3)]
    [wall] = walls(meets("1", "shopctl list --stat", "shopctl list"), *diff)
    assert (wall.error.call, wall.way_out) == ("gh pr diff 8 --stat", "gh pr diff 8 --name-only")


def test_errors_of_the_client_s_own_tools_are_slips_and_those_of_servers_are_not() -> None:
    for tool, kind in (("WebFetch", SLIP), ("Skill", SLIP), ("mcp__db__query", WALL), ("Bash", WALL)):
        session = Session()
        for _ in range(2):
            session.call(tool, "Exit code 1\nthe index is locked", failed=True, command="x", query="x")
        assert [wall.error.kind for wall in walls(session)] == [kind]


def test_what_another_call_got_past_ranks_before_what_was_mended_in_the_code() -> None:
    def mends(seed: str) -> Session:
        session = Session(seed=seed)
        session.bash("make", "Exit code 2\ncart.go:3:1: undefined: Total", failed=True)
        session.call("Edit", "updated", file_path="/srv/shop/cart.go", old_string="a", new_string="b")
        session.bash("make")
        return session

    found = walls(*(mends(f"1{n}") for n in range(5)), *(meets_option(f"000{n}") for n in range(2)))
    assert [(len(wall.runs), wall.repaired) for wall in found] == [(2, 0), (5, 5)]


def test_an_unknown_outcome_is_no_way_out() -> None:
    session = Session()
    for _ in range(2):
        session.bash("make", "Exit code 2\nerror: cannot link against libshop", failed=True)
    session.asks("Bash", command="make")
    [wall] = walls(session)
    assert wall.solved == 0


def test_a_hook_that_refuses_a_commit_is_a_wall() -> None:
    session = Session()
    for command in ("git add -A && git commit -m x", "git commit --no-verify -m x"):
        session.bash(command, "Pre-commit validation failed:\\n\\n[LINT]\\nunused", failed=True)
    session.bash("git add -A && git status")
    [wall] = walls(session)
    assert (wall.error.text, wall.error.aim, wall.solved, wall.told) == (
        "Pre-commit validation failed: [LINT]",
        "git commit",
        0,
        True,
    )


def test_only_real_words_of_the_user_are_corrections() -> None:
    session = Session()
    session.user("add a cart")
    session.text("You're right, a cart is needed.")  # nothing was done yet that could be wrong
    session.bash("make")
    session.user("<system-reminder>You are wrong</system-reminder>")
    session.user("Stop hook feedback:\nThat is wrong")
    session.text("You're right, I apologize.")
    session.call("Edit", SAID + "call it tap", failed=True, file_path="a")
    session.call("Edit", STOP, failed=True, file_path="a")
    session.user("what does it cost?")
    session.text("Nothing.")
    session.user("that option does not exist")
    session.bash("shopctl --help")
    session.text("You're right, I made that up.")
    found = struggle(session).corrections
    assert [(words.text, words.refusal) for words in found] == [
        ("call it tap", True),
        ("that option does not exist", False),
    ]
    assert found[1].admitted == "You're right, I made that up."


def test_an_admission_long_after_the_words_does_not_answer_them() -> None:
    session = Session()
    session.user("add a cart")
    for _ in range(5):
        session.bash("make")
    session.text("I was wrong about the port.")
    assert struggle(session).corrections == ()


def test_giving_up_needs_something_that_failed_just_before() -> None:
    session = Session()
    session.bash("make")
    session.text("Given the time constraints, I leave it.")
    session.bash("make", "Exit code 2\nerror: cannot link", failed=True)
    session.text("I can't access the sources directly. Let me try make again.")
    session.text("The linker is odd. Let me skip this test for now. Then go on.")
    [gave_up] = struggle(session).gave_up
    assert (gave_up.text, gave_up.error) == ("Let me skip this test for now.", "error: cannot link")


def test_walls_of_a_log_with_denials_are_not_the_code_s() -> None:
    log = Log()
    log.init()
    idents = [log.call("Read", "agent 'cto' may not access that", failed=True, file_path="/x/y") for _ in range(2)]
    log.end(permission_denials=[{"tool_use_id": ident} for ident in idents])
    [wall] = walls(log)
    assert wall.error.kind == DENIED
