"""A trial as its user meets it: real processes for agent, judge and the command line itself."""

import itertools
import json
import os
import random
import signal
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from claudedo_findings.trial import summary
from tests.conftest import git
from tests.test_stats import coverage

PLAN = """
name = "test"
fixture = "fixture"
code = ["src"]
prompt = "What now?"
models = {models}
n = {n}
parallel = 4
conditions = {conditions}

[agent]
command = ["sh", "-c", {agent}, "agent", "{{pointer}}", "{{model}}", "{{seed}}"]
timeout = {timeout}

[judge]
command = ["sh", "-c", {judge}, "judge", "{{question}}"]
timeout = {timeout}

[finding]
slug = "frozen-clock"
title = "The clock is frozen"
body = "Use UTC."

[irrelevant]
slug = "icons"
title = "Icons need two sizes"
body = "Export both."

[control]
slug = "sign"
title = "Answers end with HELIOTROPE"
body = "Always."

[metrics.follows]
{metric}

[metrics.control]
contains = "HELIOTROPE"
"""
ALL = ["none", "finding", "none-without-code", "finding-without-code", "irrelevant", "control", "stale"]
# Says which findings it was led to, and whether it saw the code.
READER = 'for f in $(echo "$1" | grep -o "/[^ :]*INDEX.md"); do cat "$f"; done; ls; echo "$1"'


def write(
    folder: Path,
    *,
    agent: str = READER,
    judge: str = "cat >/dev/null; echo yes",
    models: tuple[str, ...] = ("m1",),
    conditions: list[str] = ALL,
    n: int = 1,
    timeout: float = 60,
    metric: str = 'contains = "frozen-clock"',
) -> Path:
    """Write a plan with its fixture, and return the plan's path."""
    (folder / "fixture" / "src").mkdir(parents=True, exist_ok=True)
    (folder / "fixture" / "src" / "app.py").write_text("print('app')\n")
    path = folder / "plan.toml"
    path.write_text(
        PLAN.format(
            agent=json.dumps(agent),
            judge=json.dumps(judge),
            models=json.dumps(models),
            conditions=json.dumps(conditions),
            n=n,
            timeout=timeout,
            metric=metric,
        )
    )
    return path


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start the verb in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "claudedo_findings", "trial", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def trial(*arguments: str | Path, code: int = 0) -> str:
    """Run the verb and return its output."""
    process = start(*arguments)
    out, err = process.communicate(timeout=250)
    assert process.returncode == code, err.decode()
    return (out if code in (0, 1) else err).decode()


def counts(plan: Path, metric: str = "follows", code: int = 0) -> dict[tuple[str, str], dict[str, Any]]:
    """Run a plan and return the rows of a metric by model and condition."""
    answer = json.loads(trial(plan, "--json", code=code))
    table = next(table for table in answer["metrics"] if table["metric"] == metric)
    return {(row["model"], row["condition"]): row for row in table["rows"]}


def kept(plan: Path, condition: str, name: str, model: str = "m1", number: int = 1) -> str:
    """Return a file that a run left in the results."""
    folder = plan.with_suffix(".results")
    return (folder / "runs" / model / condition / f"{number:04}" / name).read_text()


def test_each_condition_shows_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    plan = write(tmp_path)
    trial(plan)
    seen = {condition: kept(plan, condition, "answer.txt") for condition in ALL}
    assert {name for name in ALL if "frozen-clock" in seen[name]} == {"finding", "finding-without-code"}
    assert {name for name in ALL if "icons" in seen[name]} == {"irrelevant"}
    assert {name for name in ALL if "HELIOTROPE" in seen[name]} == {"control"}
    assert {name for name in ALL if "INDEX.md" in seen[name]} == {
        "finding",
        "finding-without-code",
        "irrelevant",
        "control",
    }
    assert {name for name in ALL if "src" in seen[name]} == {name for name in ALL if "without-code" not in name}


def test_example_runs_from_the_first_command_to_the_table(tmp_path: Path) -> None:
    first = trial("--example", tmp_path / "try")
    plan = tmp_path / "try" / "trial.toml"
    assert f"claudedo-findings trial {plan}" in first
    plan.write_text(plan.read_text().replace("n = 12", "n = 4"))
    table = trial(plan)
    assert "metric utc (pattern, " in table
    assert "metric retry (judge, " in table
    control = [line.split() for line in table.partition("metric control")[2].splitlines() if " control " in line]
    assert [row[:5] for row in control[:2]] == [
        ["small", "control", "4", "4", "100%"],
        ["large", "control", "4", "4", "100%"],
    ]
    assert trial(plan) == table
    assert "is there already" in trial("--example", tmp_path / "try", code=2)


def test_ten_interruptions_change_no_number(tmp_path: Path, sealed: Path) -> None:
    agent = 'sleep 0.0$((1 + $3 % 9)); [ $(($3 % 10)) -lt 4 ] && echo frozen-clock; echo x >> src/app.py; echo "$1"'
    options = {"models": ("m1", "m2"), "conditions": ["none", "finding", "stale"], "n": 8, "agent": agent}
    (tmp_path / "one").mkdir()
    (tmp_path / "ten").mkdir()
    whole = trial(write(tmp_path / "one", **options))  # type: ignore[arg-type]
    plan = write(tmp_path / "ten", **options)  # type: ignore[arg-type]
    dice = random.Random(7)
    done = [0]
    for _ in range(10):
        process = start(plan)
        deadline = time.monotonic() + 120
        while process.poll() is None and runs_kept(tmp_path / "ten") == done[-1]:
            assert time.monotonic() < deadline, "not one more run was made"
            time.sleep(0.005)
        time.sleep(dice.random() * 0.05)
        process.send_signal(dice.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
        process.communicate(timeout=60)
        done.append(runs_kept(tmp_path / "ten"))
    hit = sum(before < after < 48 for before, after in itertools.pairwise(done))
    assert hit > 4, f"too few interruptions came in the middle: {done}"
    assert trial(plan).partition("\n")[2] == whole.partition("\n")[2]
    assert not list((sealed / "findings" / "state" / "trials").iterdir()), "copies were left behind"


def runs_kept(folder: Path) -> int:
    """Return how many runs are whole."""
    return len(list(folder.rglob("run.json")))


def test_an_interrupted_trial_ends_its_agents_and_keeps_no_half_run(tmp_path: Path) -> None:
    plan = write(tmp_path, agent="echo $$ > $OLDPWD/pid; sleep 300", conditions=["none"])
    plan.write_text(plan.read_text().replace("$OLDPWD", str(tmp_path)))
    process = start(plan)
    deadline = time.monotonic() + 60
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    assert not list(tmp_path.rglob("run.json"))


def test_intervals_cover_known_rates_as_often_as_they_should(tmp_path: Path) -> None:
    share, n, repetitions = 0.3, 10, 200
    plan = write(
        tmp_path,
        agent=': "$1"; if [ $(($3 % 1000)) -lt 300 ]; then echo frozen-clock; fi',
        models=tuple(f"m{number}" for number in range(repetitions)),
        conditions=["finding"],
        n=n,
    )
    plan.write_text(
        plan.read_text().replace('\n\n[metrics.control]\ncontains = "HELIOTROPE"', "").replace("[control]", "[x]")
    )
    text = plan.read_text()
    plan.write_text(text[: text.index("[x]")] + text[text.index("[metrics.follows]") :])
    rows = counts(plan).values()
    covered = sum(row["interval"][0] <= share <= row["interval"][1] for row in rows) / repetitions
    expected = coverage(n, share)
    assert len(rows) == repetitions
    assert abs(covered - expected) < 3 * (expected * (1 - expected) / repetitions) ** 0.5
    assert sum(row["yes"] for row in rows) / (n * repetitions) == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(
    ("agent", "judge", "verdict"),
    [
        ("echo yes; exit 3", "echo yes", "failed"),
        ("echo yes; kill -9 $$", "echo yes", "failed"),
        ("echo yes; rm -rf .git", "echo yes", "failed"),
        ("sleep 60", "echo yes", "timedOut"),
        ("(sleep 60 &) ; sleep 60", "echo yes", "timedOut"),
        (READER, "echo maybe", "noVerdict"),
        (READER, "true", "noVerdict"),
        (READER, "echo yes; exit 1", "noVerdict"),
        (READER, "echo 'yes and no'", "noVerdict"),
        (READER, "sleep 60; echo yes", "noVerdict"),
        (READER, "printf '\\377\\376\\n'", "noVerdict"),
        ("head -c 1500000 /dev/zero", "echo yes", "noVerdict"),
        (READER, "echo 'I think:'; echo '**Yes.**'; echo", "yes"),
        (READER, "cat > /dev/null; echo NO", "no"),
    ],
)
def test_what_is_no_answer_counts_as_neither_yes_nor_no(tmp_path: Path, agent: str, judge: str, verdict: str) -> None:
    timeout = 1.5 if "sleep" in agent + judge else 60
    plan = write(
        tmp_path, agent=agent, judge=judge, conditions=["finding"], timeout=timeout, metric='judge = "Is it followed?"'
    )
    answered = verdict in ("yes", "no")
    row = counts(plan, code=0 if answered else 1)["m1", "finding"]
    names = ("yes", "no", "failed", "timedOut", "unproven", "noVerdict")
    assert {name: row[name] for name in names} == {name: int(name == verdict) for name in names}
    assert (row["share"] is not None) is answered
    assert (row["interval"] is not None) is answered


def test_a_command_that_cannot_be_started_stops_the_trial(tmp_path: Path) -> None:
    plan = write(tmp_path)
    plan.write_text(plan.read_text().replace('["sh", "-c"', '["no-such-agent", "-c"', 1))
    assert "cannot start 'no-such-agent'" in trial(plan, code=2)


def test_a_run_without_proof_does_not_count(tmp_path: Path) -> None:
    plan = write(tmp_path, conditions=["none", "finding"])
    plan.write_text(plan.read_text().replace('"{pointer}"', '"nothing"'))
    rows = counts(plan, code=1)
    assert rows["m1", "finding"]["unproven"] == 1
    assert rows["m1", "none"]["no"] == 1
    assert "has {pointer}" in kept(plan, "finding", "run.json")


def test_a_bare_run_that_is_led_to_an_index_does_not_count(tmp_path: Path) -> None:
    plan = write(tmp_path, conditions=["none", "finding"])
    plan.write_text(plan.read_text().replace('"What now?"', '"Read .claudedo/INDEX.md. What now?"'))
    rows = counts(plan, code=1)
    assert rows["m1", "none"]["unproven"] == 1
    assert rows["m1", "finding"]["yes"] == 1


def test_a_changed_metric_is_judged_on_the_kept_answers_and_named(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    agent = f"echo once >> {ran}; echo frozen-clock; : $1"
    plan = write(tmp_path, agent=agent, conditions=["finding"])
    assert counts(plan)["m1", "finding"]["yes"] == 1
    assert "was changed" not in trial(plan)
    plan = write(tmp_path, agent=agent, conditions=["finding"], metric='pattern = "^thawed"')
    text = trial(plan)
    assert "note: the metric 'follows' was changed after the first run: " in text
    assert counts(plan)["m1", "finding"]["no"] == 1
    assert ran.read_text() == "once\n", "the agent was asked again"


def test_more_runs_are_named_and_only_the_new_ones_are_made(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    agent = f"echo once >> {ran}; : $1"
    trial(write(tmp_path, agent=agent, conditions=["finding"], n=2))
    assert "n was changed after the first run: 2 → 5" in trial(
        write(tmp_path, agent=agent, conditions=["finding"], n=5)
    )
    assert ran.read_text() == "once\n" * 5


@pytest.mark.parametrize("change", ["prompt", "agent", "finding", "fixture"])
def test_answers_to_another_plan_are_never_mixed(tmp_path: Path, change: str) -> None:
    plan = write(tmp_path, conditions=["finding"])
    trial(plan)
    before = kept(plan, "finding", "run.json")
    if change == "fixture":
        (tmp_path / "fixture" / "src" / "app.py").write_text("print('other')\n")
    else:
        old, new = {"prompt": ("now?", "then?"), "agent": ("ls;", "ls -l;"), "finding": ("Use UTC", "Use CET")}[change]
        plan.write_text(plan.read_text().replace(old, new))
    assert "holds answers to another plan" in trial(plan, code=2)
    assert kept(plan, "finding", "run.json") == before
    trial(plan, "--out", tmp_path / "second")


def test_every_run_starts_from_a_clean_copy_and_its_changes_are_kept(tmp_path: Path) -> None:
    agent = "cat src/app.py; echo 'print(2)' >> src/app.py; : $1"
    plan = write(tmp_path, agent=agent, conditions=["finding"], n=3, metric='contains = "+print(2)"\nof = "changes"')
    assert counts(plan)["m1", "finding"]["yes"] == 3
    for number in (1, 2, 3):
        assert kept(plan, "finding", "answer.txt", number=number) == "print('app')\n"
        patch = kept(plan, "finding", "changes.patch", number=number)
        assert "+print(2)" in patch
        assert ".claudedo" not in patch
    assert (tmp_path / "fixture" / "src" / "app.py").read_text() == "print('app')\n"


def test_a_repository_as_fixture_keeps_its_history_but_not_without_the_code(tmp_path: Path) -> None:
    plan = write(tmp_path, agent="git log --format=%s; : $1", conditions=["none", "none-without-code"])
    fixture = tmp_path / "fixture"
    git(fixture, "init", "-q")
    git(fixture, "add", ".")
    git(fixture, "commit", "-q", "-m", "the first")
    trial(plan)
    assert kept(plan, "none", "answer.txt") == "the first\n"
    assert kept(plan, "none-without-code", "answer.txt") == "fixture\n"
    (fixture / "new").write_text("x")
    assert "uncommitted changes" in trial(plan, code=2)


def test_a_copy_of_a_repository_leads_to_no_server_no_hook_and_no_other_branch(tmp_path: Path) -> None:
    look = "git remote; git branch -a --format='%(refname)'; git tag; git stash list; git config --get user.name"
    agent = f"{look}; ls .git/hooks; git fsck --no-dangling 2>&1; git status --porcelain; : $1"
    plan = write(tmp_path, agent=agent, conditions=["none", "finding"])
    fixture = tmp_path / "fixture"
    repository_with_secrets(fixture)
    before = tree(fixture)
    trial(plan)
    assert kept(plan, "none", "answer.txt") == "refs/heads/main\nv1\n"
    assert kept(plan, "finding", "answer.txt") == "refs/heads/main\nv1\n"
    assert tree(fixture) == before


@pytest.mark.parametrize("layout", ["linked worktree", "separate git dir", "detached", "shallow", "worktree elsewhere"])
def test_any_checkout_can_be_a_fixture_and_stays_as_it_is(tmp_path: Path, layout: str) -> None:
    commit = "git -c user.name=a -c user.email=a@b commit -qam agent --allow-empty"
    agent = f"git log --format=%s; cat src/app.py; echo mine > src/app.py; {commit}; : $1"
    plan = write(tmp_path, agent=agent, conditions=["none", "none-without-code"])
    fixture, other = tmp_path / "fixture", tmp_path / "other"
    repository_with_secrets(fixture)
    if layout == "detached":
        git(fixture, "checkout", "-q", "--detach")
    elif layout == "worktree elsewhere":  # as `core.worktree` allows: git would change files far from its folder
        git(fixture, "config", "core.worktree", str(fixture))
        (fixture / ".gitignore").write_text("kept\n")
        git(fixture, "add", "-A")
        git(fixture, "commit", "-q", "--no-verify", "-m", "the first")
        (fixture / "kept").write_text("the user's")
    else:
        fixture.rename(other)
        options = {
            "linked worktree": ["worktree", "add", "-q", "--detach", str(fixture)],
            "separate git dir": ["clone", "-q", f"--separate-git-dir={tmp_path / 'git'}", ".", str(fixture)],
            "shallow": ["clone", "-q", "--depth=1", f"file://{other}", str(fixture)],
        }
        git(other, *options[layout])
    before = tree(fixture)
    trial(plan)
    assert kept(plan, "none", "answer.txt").splitlines()[:1] == ["the first"]
    assert "print('app')" in kept(plan, "none", "answer.txt")
    assert kept(plan, "none-without-code", "answer.txt") == "fixture\n"
    assert tree(fixture) == before


def test_a_broken_fixture_is_never_taken_for_the_repository_around_it(tmp_path: Path) -> None:
    plan = write(tmp_path, conditions=["none"])
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "around")
    (tmp_path / "fixture" / ".git").mkdir()
    assert "is broken" in trial(plan, code=2)
    (tmp_path / "fixture" / ".git").rmdir()
    git(tmp_path / "fixture", "init", "-q")
    assert "without a commit" in trial(plan, code=2)


def repository_with_secrets(folder: Path) -> None:
    """Make a repository whose git folder holds more than the history of its branch."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the first")
    git(folder, "tag", "-a", "-m", "one", "v1")
    git(folder, "checkout", "-q", "-b", "answer")
    (folder / "answer").write_text("UTC")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the answer")
    git(folder, "tag", "later")
    git(folder, "checkout", "-q", "main")
    (folder / "src" / "app.py").write_text("stashed")
    git(folder, "stash", "-q")
    git(folder, "remote", "add", "origin", "https://somebody@example.org/x.git")
    git(folder, "config", "user.name", "Somebody")
    (folder / ".git" / "hooks" / "pre-commit").parent.mkdir(exist_ok=True)
    (folder / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (folder / ".git" / "hooks" / "pre-commit").chmod(0o755)


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder and their bytes, git's cache of file times aside."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "index")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_fixture_with_a_store_is_refused(tmp_path: Path) -> None:
    plan = write(tmp_path)
    (tmp_path / "fixture" / ".claudedo").mkdir()
    assert "remove it" in trial(plan, code=2)


def test_names_of_models_become_folders_that_do_not_collide(tmp_path: Path) -> None:
    models = ("org/model:1", "org-model-1", "Org-Model-1", "../x")
    plan = write(tmp_path, models=models, conditions=["finding"])
    assert {model for model, _ in counts(plan)} == set(models)
    folders = {path.name.lower() for path in (plan.with_suffix(".results") / "runs").iterdir()}
    assert len(folders) == 4
    assert len(list(plan.with_suffix(".results").rglob("run.json"))) == 4


def test_agents_get_no_task_context_and_no_foreign_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDEDO_TASK_ID", "t1")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody")
    plan = write(tmp_path, agent="env; : $1", conditions=["finding"])
    trial(plan)
    assert "CLAUDEDO_" not in kept(plan, "finding", "answer.txt")
    assert "GIT_" not in kept(plan, "finding", "answer.txt")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("n = 1", "n = 0", "n: "),
        ("n = 1", 'n = "many"', "n: "),
        ("n = 1", "n = 1\nwhat = 2", "what: "),
        ('"none", ', '"nought", ', "conditions"),
        ('contains = "frozen-clock"', "", "metrics.follows: give exactly one of"),
        ('contains = "frozen-clock"', 'contains = "a"\npattern = "b"', "metrics.follows: give exactly one of"),
        ('contains = "frozen-clock"', 'pattern = "("', "metrics.follows.pattern: no regular expression"),
        ("[metrics.follows]", "[metrics.Follows]", "metrics.Follows"),
        ("[metrics.control]", "[metrics.other]", "metrics.control is missing"),
        ('slug = "icons"', 'slug = "../icons"', "irrelevant: slug"),
        ('fixture = "fixture"', 'fixture = "nowhere"', "fixture: there is no folder"),
        ('code = ["src"]', 'code = ["../src"]', "code: scope '../src' is refused"),
        ('code = ["src"]', 'code = ["lib"]', "code: the fixture has no 'lib'"),
        ('models = ["m1"]', 'models = ["m1", "m1"]', "twice"),
        ("prompt =", "prompt", "is no TOML"),
        ("prompt =", f"deep = {'[' * 9_000}\nprompt =", "is no TOML"),
    ],
)
def test_a_plan_with_a_fault_says_where_and_runs_nothing(tmp_path: Path, old: str, new: str, said: str) -> None:
    plan = write(tmp_path)
    assert old in plan.read_text()
    plan.write_text(plan.read_text().replace(old, new))
    assert said in trial(plan, code=2)
    assert not list(tmp_path.rglob("run.json"))


def test_results_inside_the_fixture_are_refused(tmp_path: Path) -> None:
    plan = write(tmp_path, conditions=["none"])
    inside = tmp_path / "fixture" / "results"
    assert "lies in the fixture" in trial(plan, "--out", inside, code=2)
    assert not inside.exists()
    own = tmp_path / "fixture" / "plan.toml"
    own.write_text(plan.read_text().replace('fixture = "fixture"', 'fixture = "."'))
    assert "lies in the fixture" in trial(own, code=2)


def test_an_answer_that_is_gone_is_no_answer(tmp_path: Path) -> None:
    plan = write(tmp_path, conditions=["finding"])
    trial(plan)
    (answer,) = plan.with_suffix(".results").rglob("answer.txt")
    answer.unlink()
    plan = write(tmp_path, conditions=["finding"], metric='contains = "another question"')
    assert counts(plan, code=1)["m1", "finding"]["noVerdict"] == 1


@pytest.mark.parametrize("name", ["trial.json", "run.json", "verdict-follows.json"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 90_000, "is no JSON any more"),
        ("{", "is no JSON any more"),
        ("[]", "is not what was written there"),
        ('{"ground": 1, "outcome": [], "metric": null}', "is not what was written there"),
    ],
    ids=["deep", "cut off", "no object", "other values"],
)
def test_a_kept_file_that_somebody_broke_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    plan = write(tmp_path, conditions=["finding"])
    trial(plan)
    (kept,) = plan.with_suffix(".results").rglob(name)
    kept.write_text(text)
    assert f"{kept} {said}" in trial(plan, code=2)
    assert kept.read_text() == text


def test_an_example_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "cannot write the example to" in trial("--example", tmp_path / "file" / "x", code=2)


def test_a_missing_plan_says_how_to_get_one(tmp_path: Path) -> None:
    assert "trial --example DIR" in trial(tmp_path / "plan.toml", code=2)
    assert "give the FILE of a trial" in trial(code=2)


def test_models_that_disagree_in_direction_are_not_pooled() -> None:
    verdicts = [
        (model, condition, verdict)
        for model, condition, yes in [("a", "none", 2), ("a", "finding", 8), ("b", "none", 7), ("b", "finding", 3)]
        for verdict in ["yes"] * yes + ["no"] * (10 - yes)
    ]
    (apart,) = summary.pooled(summary.rows(verdicts, ["a", "b"], ["none", "finding"]))
    assert apart.effect is None
    assert apart.withheld == "models disagree in direction (up: a; down: b)"
    same = [(model, condition, verdict) for model, condition, verdict in verdicts if model == "a"]
    same += [("c", condition, verdict) for _, condition, verdict in same]
    (together,) = summary.pooled(summary.rows(same, ["a", "c"], ["none", "finding"]))
    assert together.effect
    assert together.effect.difference == pytest.approx(0.6)


def test_a_sum_that_turns_the_direction_of_every_model_is_withheld() -> None:
    counted = {("a", "none"): (8, 1), ("a", "finding"): (1, 0), ("b", "none"): (0, 1), ("b", "finding"): (1, 8)}
    verdicts = [
        (model, condition, verdict)
        for (model, condition), (yes, no) in counted.items()
        for verdict in ["yes"] * yes + ["no"] * no
    ]
    table = summary.rows(verdicts, ["a", "b"], ["none", "finding"])
    assert all(effect.difference > 0 for effect in summary.effects(table))
    (both,) = summary.pooled(table)
    assert both.effect is None
    assert "the other way" in both.withheld
