"""Every verb by one table: its exit codes, its JSON as README has it, and nothing of a poisoned store raw.

A new verb needs a row in README's table "Exit codes and JSON" and an entry in VERBS here.
"""

import argparse
import io
import json
import os
import pty
import re
import shlex
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import termios
import unicodedata
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from claudedo_findings import cli, lists
from claudedo_findings.cli import guide
from claudedo_findings.resolution import Caller
from claudedo_findings.save import save_finding
from tests.conftest import git, make_repo
from tests.lookalikes import SAID, Session
from tests.test_cli import run
from tests.test_readme import README, verbs

ROW = re.compile(r"^\| `([a-z -]+)`((?: of a [a-z ]+)?) \| (.*?) \| (.*?) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Verb:
    """Command lines, run in the checkout of the list `app` (see `world`), by the exit code they must end with.

    `fine` may hold several, one a line. `no` is "" where the verb never exits with 1. `shows` gives the fullest JSON.
    """

    fine: str
    no: str
    fails: str
    json: bool = True
    shows: str = ""


VERBS = {
    "approve": Verb("approve draft-one", "", "approve nothing"),
    "check": Verb("check the clock is frozen", "check zzzz", "check --list nowhere x"),
    "completion": Verb("completion fish", "", "completion tcsh", json=False),
    "connect": Verb("connect codex\nconnect codex --http", "", "connect nobody"),
    "demo": Verb("demo --help", "", "demo --frob", json=False),
    "detect": Verb("detect", "detect --list empty", "detect --list nowhere"),
    "distill": Verb("distill run.jsonl", "distill --list empty", "distill nowhere.jsonl"),
    "doctor": Verb("doctor --port 1", "", "doctor --frob"),
    "forget": Verb("forget clock-skew --yes", "forget nothing --yes", "forget clock-skew"),
    "harvest": Verb("harvest\nharvest --save", "harvest --list empty", "harvest nowhere.md"),
    "hook": Verb("hook\nhook --format claude", "", "", json=False),
    "history": Verb("history clock-skew", "history nothing", "history 'No slug!'"),
    "install-hook": Verb("install-hook\ninstall-hook --remove", "", "install-hook --list nowhere"),
    "lint": Verb(
        "lint --list empty\nlint --changed\nlint --fix",
        "lint --list worn",
        "lint --list nowhere",
        shows="lint --list worn",
    ),
    "list": Verb("list\nlist --list worn", "list --list empty", "list --list nowhere"),
    "lists": Verb("lists\nlists add more .\nlists remove empty", "", "lists add more /no/such/folder"),
    "merge": Verb("merge config-cache clock-skew", "", "merge nothing clock-skew"),
    "open": Verb("open\nopen clock-skew\nopen --code", "open --list empty\nopen nothing", "open --list nowhere"),
    "pointer": Verb("pointer", "pointer --list empty", "pointer --list nowhere"),
    "reject": Verb("reject draft-one --why generic", "", "reject draft-one"),
    "renew": Verb("renew clock-skew", "", "renew nothing"),
    "report": Verb("report run.jsonl", "report", "report nowhere.jsonl"),
    "restore": Verb("restore clock-skew", "", "restore clock-skew --version 99"),
    "retire": Verb("retire clock-skew --why 'it is fixed'", "", "retire clock-skew"),
    "review": Verb("", "", "review\nreview --list empty", json=False),
    "save": Verb("save new --title 'A new one is here' --body B", "", "save new --title ''"),
    "serve": Verb("serve --help", "", "serve --port 1", json=False),
    "show": Verb("show clock-skew\nshow worn-out --list worn", "show nothing", "show --list nowhere x"),
    "snippet": Verb("snippet", "", "snippet --list nowhere"),
    "stale": Verb("stale", "stale --list worn", "stale --list nowhere"),
    "sync": Verb("sync", "sync --list empty", "sync --list nowhere"),
    "track": Verb("track", "", "track --list nowhere"),
    "trial": Verb("trial --example play", "", "trial nowhere.toml"),
    "untrack": Verb("untrack", "", "untrack --list nowhere"),
}
MODES = {
    # A verb or mode whose JSON is not that of the verb's first line: README has a row of its own for it.
    "lists add": "lists add more .",
    "lists remove": "lists remove empty",
    "list --stale": "list --stale --list worn",
    "list --candidates": "list --candidates",
    "list --retired": "list --retired",
    "show of a candidate": "show draft-one",
    "show of a retired text": "show old-one",
}


CACHE = "Caching the parsed config breaks the reload"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test makes the checkouts that the others copy: 30 git processes are enough."""
    return tmp_path_factory.mktemp("original") / "world"


@pytest.fixture
def world(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three lists: `app` with two good findings, `worn` with a poor one, `empty` without a store.

    In `app` one finding was saved twice; there is a candidate, a note on a trap, and a transcript of a run's struggle.
    """
    if not original.exists():
        make_world(original)
    for name in ("app", "worn", "empty"):
        lists.add(name, str(shutil.copytree(original / name, tmp_path / name)))
    struggle(tmp_path / "app", "cannot find module 'clock'")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("xdg-open", "code"):
        (programs / name).write_text("#!/bin/sh\nexit 0\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return tmp_path / "app"


def make_world(folder: Path) -> None:
    """Make the checkouts of `world` in a folder."""
    for name in ("app", "worn", "empty"):
        lists.add(name, str(make_repo(folder / name)))
    app = folder / "app"
    for body in ("Only CI runs in UTC.", "Only CI runs in UTC. Freeze with tz=UTC instead."):
        title = "The clock is frozen in the tests"
        save_finding(slug="clock-skew", title=title, body=body, scope="src/app.py", wanted_list="app", caller=Caller())
    save_finding(slug="config-cache", title=CACHE, body="Parse again.", scope="src", wanted_list="app", caller=Caller())
    (app / ".claudedo" / "candidates").mkdir()
    front = "slug: draft-one\nscope: \nsource-task: \nverified-against: \nsource: note:a.md#x\n"
    (app / ".claudedo" / "candidates" / "draft-one.md").write_text(f"---\n{front}---\n\n# A draft of one\n\nUse it.\n")
    (app / ".claudedo" / "retired").mkdir()
    front = "slug: old-one\nscope: \nsource-task: \nverified-against: \nretired: over\n"
    (app / ".claudedo" / "retired" / "old-one.md").write_text(f"---\n{front}---\n\n# A trap of old\n\nUse it.\n")
    note = "# Gotchas\n\n- **The pool is shared**: two suites take one port, so run them one after the other.\n"
    (app / "GOTCHAS.md").write_text(note)
    save_finding(slug="worn-out", title="strftime", body="Odd.", wanted_list="worn", caller=Caller())
    revert(app)


def revert(app: Path) -> None:
    """Commit an approach and take it back, with a reason."""
    (app / "src" / "app.py").write_text("cache = {}\nprint(cache)\n" * 20)
    git(app, "commit", "-q", "-a", "-m", "Cache the parsed config")
    git(app, "revert", "--no-edit", "HEAD")
    why = "Workers kept the old values until they were killed, because nobody told them of a reload."
    message = git(app, "log", "-1", "--format=%B")
    git(app, "commit", "-q", "--amend", "-m", f"{message.strip()}\n\n{why}")


def struggle(app: Path, error: str) -> None:
    """Write a transcript of a run that failed four times in one way and was corrected."""
    session = Session(cwd=str(app))
    for _ in range(4):
        session.bash("make test", f"Exit code 2\nError: {error}", failed=True)
    session.call("Bash", f"{SAID}use the other target: {error}", failed=True, command="make")
    session.bash("make check")
    session.write(app / "run.jsonl")


# Verbs that have a way past argparse, or start programs that write where this process does.
OUTSIDE = {"demo", "hook", "open", "pointer", "review", "serve", "trial"}


def told(*arguments: str, cwd: Path) -> str:
    """Run the command line and return stdout and stderr; in this process where it makes no difference to them."""
    if arguments[0] in OUTSIDE:
        _, out, err = run(*arguments, cwd=cwd)
        return out + err
    both = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(both), redirect_stderr(both):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        patch.chdir(cwd)
        with suppress(SystemExit):  # --help
            cli.main(arguments)
        both.seek(0)
        return both.read()


def lines(text: str) -> list[list[str]]:
    """Return command lines as arguments."""
    return [shlex.split(line) for line in text.splitlines()]


def documented() -> dict[str, str]:
    """Return the keys of `--json` by verb, as README has them."""
    section = README.partition("## Exit codes and JSON")[2].partition("\n## ")[0]
    return {f"{name}{of}": keys for name, of, _, keys in ROW.findall(section)}


def keys_of(value: object) -> str:
    """Return the keys of a JSON value in README's notation."""
    assert isinstance(value, dict)
    parts = []
    for key, inner in value.items():
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            parts.append(f"`{key}` ({keys_of(inner[0])})")
        else:
            parts.append(f"`{key}`")
    return " ".join(parts)


def without_rows(keys: str) -> str:
    """Return the keys without those of the objects in lists."""
    while "(" in keys:
        keys = re.sub(r" \([^()]*\)", "", keys)
    return keys


def test_every_verb_stands_in_the_tables() -> None:
    present = set(verbs())
    assert present <= set(VERBS), "add the new verb to VERBS"
    assert {name.split()[0] for name in documented()} >= present, "add the new verb to README's table"


@pytest.mark.parametrize("name", sorted(set(VERBS) & set(verbs())))
def test_exit_codes_are_those_of_the_table(world: Path, name: str) -> None:
    verb = VERBS[name]
    for code, text in ((2, verb.fails), (1, verb.no), (0, verb.fine)):
        for arguments in lines(text):
            got, out, err = run(*arguments, cwd=world)
            assert got == code, (arguments, out, err)
            if code == 2:
                assert out == ""
                assert err.startswith("error: ")
                assert err.count("\n") == 1


@pytest.mark.parametrize("name", sorted(name for name in set(VERBS) & set(verbs()) if VERBS[name].json))
def test_json_is_what_readme_says(world: Path, name: str) -> None:
    modes = {name: VERBS[name].shows or VERBS[name].fine.split("\n")[0]}
    modes |= {mode: text for mode, text in MODES.items() if mode.split()[0] == name}
    for mode, text in modes.items():
        _, out, err = run(*shlex.split(text), "--json", cwd=world)
        assert out, err
        told, keys = documented()[mode], keys_of(json.loads(out))
        assert without_rows(keys) == without_rows(told)
        for rows in re.findall(r"`\w+` \([^()]*\)", keys):  # what is empty here has its keys in README all the same
            assert rows in told
    for arguments in lines(VERBS[name].no):  # the answer "no" is an answer too
        out = run(*arguments, "--json", cwd=world)[1]
        assert out == "" or isinstance(json.loads(out), dict)


def test_lists_of_findings_have_their_slug_first() -> None:
    for keys in documented().values():
        for inner in re.findall(
            r"`(?:findings|problems|versions|drafts|walls|approved|rejected|retired)` \((`\w+`)", keys
        ):
            assert inner == "`slug`"


@pytest.mark.parametrize("name", sorted(verbs()))
def test_examples_in_help_are_true(name: str) -> None:
    for example in guide.EXAMPLES.get(name, ()):
        words = shlex.split(example.rpartition("| claudedo-findings ")[2], comments=True)
        assert words[0] == name
        cli.parser(name).parse_args(words)


def test_every_group_of_verbs_is_in_the_help(tmp_path: Path) -> None:
    code, out, _ = run("--help", cwd=tmp_path)
    assert code == 0
    for name in verbs():
        assert re.search(rf"^  {name} ", out, re.MULTILINE), name
    grouped = [verb for group in guide.GROUPS.values() for verb in group]
    assert set(verbs()) <= set(grouped), "add the new verb to a group in cli/guide.py"
    assert len(grouped) == len(set(grouped))


@pytest.mark.parametrize("name", sorted(verbs()))
def test_help_of_every_verb_says_what_its_options_are(name: str) -> None:
    parsers = [verbs()[name]]
    for parser in parsers:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
            else:
                assert action.help, (name, action.dest)


def test_no_arguments_print_the_help_and_exit_2(tmp_path: Path) -> None:
    code, out, err = run(cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "start here:" in err


# -- a poisoned store

POISON = "\x1b[31mred\x1b]0;title\x07 bell\x08\x7f \x9b31m \u202eevil\u2066 \u200b\U000e0041 end"


@pytest.fixture
def poisoned(world: Path, tmp_path: Path) -> Path:
    """`world`, with control characters wherever a hand could have put them."""
    for name in ("app", "worn"):
        store = tmp_path / name / ".claudedo"
        slug = min((store / "traps").iterdir()).stem
        front = f"slug: {slug}\nscope: src/{POISON}\nsource-task: {POISON}\nverified-against: {POISON}\n"
        text = f"---\n{front}evidence: {POISON}\nexpires: {POISON}\n{POISON}: x\n---\n\n# Title {POISON}\n\n{POISON}\n"
        for kind in ("traps", "candidates", "retired"):
            (store / kind).mkdir(exist_ok=True)
            for path in (store / kind).iterdir():
                path.write_text(text.replace(f"slug: {slug}", f"slug: {path.stem}"), encoding="utf-8")
            (store / kind / f"{slug}.md").write_text(text, encoding="utf-8")
        (store / "traps" / f"odd {POISON.replace('/', '')}.md").write_text(text, encoding="utf-8")
        (store / "history" / slug).mkdir(parents=True, exist_ok=True)
        (store / "history" / slug / "0009-hand.md").write_text(text, encoding="utf-8")
        link = f"[a]({POISON.replace(' ', '')})"
        index = f"# Findings {POISON}\n\n- [{slug}](traps/{slug}.md) — hook {POISON}\n\n{link}\n"
        (store / "INDEX.md").write_text(index, encoding="utf-8")
    (world / "GOTCHAS.md").write_text(
        f"# Gotchas\n\n- **The pool {POISON}**: run {POISON} after it.\n", encoding="utf-8"
    )
    struggle(world, POISON)
    return world


def raw(text: str) -> set[str]:
    """Return the characters of `text` that a terminal would obey or hide."""
    hidden = {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return hidden - {"\n"}


@pytest.mark.parametrize("name", sorted(set(VERBS) & set(verbs())))
@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_stored_reaches_the_terminal_raw(poisoned: Path, name: str, as_json: bool) -> None:
    verb = VERBS[name]
    for command_lines in (verb.fine, verb.no, verb.fails):
        for arguments in lines(command_lines):
            text = told(*arguments, *(["--json"] if as_json and verb.json else []), cwd=poisoned)
            assert not raw(text), (arguments, text)
            assert "Traceback" not in text


@pytest.mark.parametrize("line", ["list", "show clock-skew", "history clock-skew", "lists", "stale", "lint"])
def test_a_terminal_gets_no_codes_but_our_own(poisoned: Path, line: str) -> None:
    screen = on_a_terminal(shlex.split(line), poisoned)
    ours = re.sub(r"\x1b\[(?:1m|0m|K)|[\r\n]", "", screen)
    assert screen
    assert not raw(ours), screen


def test_a_pipe_gets_no_codes_and_a_terminal_gets_bold_headings(world: Path) -> None:
    assert "\x1b" not in run("list", cwd=world)[1]
    assert on_a_terminal(["list"], world).startswith("\x1b[1mSLUG")


def on_a_terminal(arguments: list[str], cwd: Path) -> str:
    """Run the command line on a terminal and return what that was sent."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 200))
    with subprocess.Popen(
        [sys.executable, "-m", "claudedo_findings", *arguments], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        parts = []
        try:
            while part := os.read(ours, 65536):
                parts.append(part)
        except OSError:  # Linux ends a terminal with EIO
            pass
    os.close(ours)
    return b"".join(parts).decode("utf-8")
