"""The detector of reverts on histories that each test builds: real git, every form, every way back."""

import os
import shutil
import subprocess  # noqa: TID251  # commits with bodies and dates of our own
from collections.abc import Callable
from pathlib import Path

import pytest

from claudedo_findings import git as door
from claudedo_findings.errors import FindingsError
from claudedo_findings.gather import reverts
from claudedo_findings.gather.plan import Kept
from claudedo_findings.gather.reverts import clause, reasons, target, words
from claudedo_findings.gather.reverts.commits import Commit
from claudedo_findings.gather.reverts.log import Log
from claudedo_findings.gather.reverts.returned import Chains, Revert
from claudedo_findings.gather.reverts.verdict import Judged
from claudedo_findings.store import Store
from tests.conftest import git, make_repo

DAY = 24 * 60 * 60
BASE = "".join(f"base line number {n}\n" for n in range(20))
CACHE = "".join(f"cache line number {n}\n" for n in range(6))


class History:
    """A repository to which commits are added, a day apart each."""

    def __init__(self, path: Path) -> None:
        self.path = make_repo(path)
        self.clock = 1_700_000_000
        self.commit("base", {"src/app.py": BASE, "src/other.py": BASE})

    def commit(self, message: str | bytes, files: dict[str, str | None] | None = None, *, author: str = "Ann") -> str:
        """Write files (None deletes), commit them and return the sha."""
        for name, text in (files or {}).items():
            path = self.path / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        git(self.path, "add", "-A")
        self.run("commit", "-q", "--allow-empty", "-F", "-", stdin=message, author=author)
        return self.head()

    def run(self, *arguments: str, stdin: str | bytes = "", author: str = "Ann") -> None:
        """Run git at the next day."""
        self.clock += DAY + 1
        when = f"{self.clock} +0000"
        environment = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        environment |= {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": f"{author.lower()}@example.invalid"}
        data = stdin.encode() if isinstance(stdin, str) else stdin
        subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=os.environ | environment,
            input=data,
            check=True,
            capture_output=True,
        )

    def head(self) -> str:
        return git(self.path, "rev-parse", "HEAD").strip()

    def tried(self, subject: str = "app: cache parsed config", name: str = "src/app.py", lines: str = CACHE) -> str:
        """Add an approach and return its sha."""
        return self.commit(subject, {name: BASE + lines})

    def revert(self, sha: str, reason: str = "It breaks hot reload.", subject: str = "") -> str:
        """Take a commit back as `git revert` does, and say why."""
        self.run("revert", "--no-commit", sha)
        title = git(self.path, "log", "-1", "--format=%s", sha).strip()
        return self.commit(f'{subject or f"""Revert "{title}" """.strip()}\n\nThis reverts commit {sha}.\n\n{reason}')

    def judged(self, *, thorough: bool = False) -> dict[str, Judged]:
        """Return what the detector makes of each revert, by sha."""
        found = reverts.detect(door.places(str(self.path)), thorough=thorough)
        return {item.revert.commit.sha: item for item in found.judged}

    def kinds(self, *, thorough: bool = False) -> list[str]:
        """Return the kinds of all reverts, from new to old."""
        return [item.kind for item in self.judged(thorough=thorough).values()]

    def keep(self, **options: bool) -> tuple[Kept, ...]:
        """Run the detector, and keep its drafts."""
        places = door.places(str(self.path))
        found = reverts.detect(places, thorough=options.pop("thorough", False))
        return reverts.keep(Store(places), reverts.remembered(Store(places), found), save=True, **options)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo")


def test_a_revert_with_a_reason_is_drafted(history: History) -> None:
    tried = history.tried()
    sha = history.revert(tried)
    item = history.judged()[sha]
    assert (item.kind, item.reason, item.scope) == ("draft", "It breaks hot reload.", "src/app.py")
    assert [target.sha for target in item.targets] == [tried]


def test_a_revert_without_a_reason_is_listed(history: History) -> None:
    sha = history.revert(history.tried(), reason="")
    assert history.judged()[sha].kind == "reason missing"


@pytest.mark.parametrize(
    "message",
    [
        'Revert "app: cache parsed config"\n\nThis reverts commit {sha}.\n\nIt breaks hot reload.',
        'Revert "app: cache parsed config" (#12)\n\nThis reverts commit {sha}.\n\nIt breaks hot reload.',
        'app: revert "cache parsed config"\n\nThis CL reverts commit {short}, because it breaks hot reload.',
        "Revert cache parsed config\n\nThis reverts commit {short}.\n\nIt breaks hot reload.",
        "revert: app: cache parsed config\n\nIt breaks hot reload.",
        "revert(app): cache\n\nThis reverts commit {sha}.\n\nIt breaks hot reload.",
        "fix: revert app: cache parsed config\n\nIt breaks hot reload.",
        'Back out "app: cache parsed config"\n\nIt breaks hot reload.',
        'Backed out "app: cache parsed config"\n\nIt breaks hot reload.',
        'roll back "app: cache parsed config"\n\nIt breaks hot reload.',
        "undo app: cache parsed config\n\nIt breaks hot reload.",
        "Partially revert app: cache parsed config\n\nIt breaks hot reload.",
        '回退 "app: cache parsed config"\n\n导致热重载失败，配置不再更新。',
        "app: other way\n\nThis reverts commit {sha}.\n\nIt breaks hot reload.",
        "Revert two things\n\nThis reverts commits {sha}\nand {short}. It breaks hot reload.",
        'Revert "app: cache parsed config"\n\nReason for revert: It breaks hot reload.\n\nThis reverts commit {sha}.',
        "Revert the cache\n\nReverts:\n{sha}\n\nIt breaks hot reload.",
    ],
)
def test_each_form_finds_what_it_takes_back(history: History, message: str) -> None:
    tried = history.tried()
    sha = history.commit(message.format(sha=tried, short=tried[:9]), {"src/app.py": BASE})
    item = history.judged()[sha]
    assert item.kind == "draft", (item.kind, item.why)
    assert [target.sha for target in item.targets] == [tried]


@pytest.mark.parametrize("cut", ["app: cache the parsed configurat…", "app: cache the parsed configuration (#…"])
def test_a_title_that_a_forge_cut_off_is_found(history: History, cut: str) -> None:
    tried = history.tried("app: cache the parsed configuration (#11)")
    sha = history.commit(f'Revert "{cut}" (#12)\n\nIt breaks hot reload.', {"src/app.py": BASE})
    assert [target.sha for target in history.judged()[sha].targets] == [tried]


@pytest.mark.parametrize(
    ("tried", "revert"),
    [
        ("app: cache (#11)", 'Revert "app: cache (#11)" (#12)'),
        ("app: cache (#11)", 'Revert "app: cached" (#11) (#12)'),
        ("app: cache (#11)", "Revert the cache\n\nReverts owner/repo#11"),
        ("app: cache (#11)", "fix: revert #11, use the old way (#12)"),
        (
            "app: cache\n\nReviewed-on: https://review.example/c/tools/+/11111",
            "Revert the cache\n\nThis reverts CL 11111.",
        ),
        (
            "app: cache\n\nReviewed-on: https://review.example/11111",
            "Revert the cache\n\nThis reverts go.dev/cl/11111.",
        ),
    ],
)
def test_a_number_finds_what_landed_under_it(history: History, tried: str, revert: str) -> None:
    target = history.tried(tried)
    sha = history.commit(f"{revert}\n\nIt breaks hot reload.", {"src/app.py": BASE})
    assert [found.sha for found in history.judged()[sha].targets] == [target]


def test_the_title_of_a_merged_pull_request_finds_its_commits(history: History) -> None:
    git(history.path, "checkout", "-q", "-b", "topic")
    first = history.commit("one", {"src/app.py": BASE + CACHE})
    second = history.commit("two", {"src/other.py": BASE + CACHE})
    git(history.path, "checkout", "-q", "main")
    history.commit("between", {"README": "x\n"})
    history.run(
        "merge", "-q", "--no-ff", "-m", "Merge pull request #7 from fork/topic\n\nCache the Konfiguration", "topic"
    )
    sha = history.commit('Revert "Cache the Konfiguration"', {"src/app.py": BASE, "src/other.py": BASE})
    assert {found.sha for found in history.judged()[sha].targets} == {first, second}


def test_a_revert_of_a_merge_takes_back_what_it_brought(history: History) -> None:
    git(history.path, "checkout", "-q", "-b", "topic")
    tried = history.tried()
    git(history.path, "checkout", "-q", "main")
    history.commit("between", {"README": "x\n"})
    history.run("merge", "-q", "--no-ff", "-m", "Merge branch 'topic'", "topic")
    merge = history.head()
    history.run("revert", "--no-commit", "-m", "1", merge)
    text = f"This reverts commit {merge}, reversing\nchanges made to {merge[:8]}.\n\nIt breaks hot reload."
    sha = history.commit(f"Revert \"Merge branch 'topic'\"\n\n{text}")
    item = history.judged()[sha]
    assert (item.kind, item.reason) == ("draft", "It breaks hot reload.")
    assert tried not in item.why


def test_the_reason_may_stand_in_the_merge_that_brought_the_revert(history: History) -> None:
    tried = history.tried()
    git(history.path, "checkout", "-q", "-b", "back")
    sha = history.revert(tried, reason="")
    git(history.path, "checkout", "-q", "main")
    history.commit("between", {"README": "x\n"})
    history.run(
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "Merge pull request #8 from fork/back\n\nRevert\n\nHot reload broke with it.",
        "back",
    )
    assert history.judged()[sha].reason == "Hot reload broke with it."


def test_a_pull_request_with_more_in_it_gives_no_reason(history: History) -> None:
    tried = history.tried()
    git(history.path, "checkout", "-q", "-b", "topic")
    sha = history.revert(tried, reason="")
    history.commit("app: quite another thing", {"README": "x\n"})
    git(history.path, "checkout", "-q", "main")
    history.commit("between", {"LICENSE": "x\n"})
    text = "Merge pull request #8 from fork/topic\n\nAnother thing\n\nIt makes the readme better for all."
    history.run("merge", "-q", "--no-ff", "-m", text, "topic")
    assert history.judged()[sha].kind == "reason missing"


@pytest.mark.parametrize("again", [True, False])
def test_a_merge_that_was_reverted_comes_back_as_a_merge_of_that_title(history: History, *, again: bool) -> None:
    message = "Merge pull request #7 from fork/topic\n\nKeep the configuration in memory"
    git(history.path, "checkout", "-q", "-b", "topic")
    history.commit("first try", {"src/app.py": BASE + CACHE})
    git(history.path, "checkout", "-q", "main")
    history.commit("between", {"README": "x\n"})
    history.run("merge", "-q", "--no-ff", "-m", message, "topic")
    merge = history.head()
    history.run("revert", "--no-commit", "-m", "1", merge)
    sha = history.commit(f'Revert "Merge pull request #7"\n\nThis reverts commit {merge}.\n\nIt breaks hot reload.')
    if again:
        git(history.path, "checkout", "-q", "-b", "topic2")
        history.commit("second try", {"src/app.py": BASE + "quite other lines\n"})
        git(history.path, "checkout", "-q", "main")
        history.commit("between", {"README": "y\n"})
        history.run("merge", "-q", "--no-ff", "-m", message.replace("#7", "#9"), "topic2")
    item = history.judged()[sha]
    assert item.kind == ("came back" if again else "draft")
    assert again or history.keep()[0].slug == "keep-the-configuration-in-memory-reverted"


def test_the_reason_may_stand_in_a_changeset(history: History) -> None:
    tried = history.tried()
    history.run("revert", "--no-commit", tried)
    changeset = '---\n"app": patch\n---\n\nRevert "cache"\n\nThe cache made hot reload fail for everybody.\n'
    message = f'Revert "app: cache parsed config"\n\nThis reverts commit {tried}.\n\n* add changeset'
    sha = history.commit(message, {".changeset/brave-cats.md": changeset})
    assert history.judged()[sha].reason == "The cache made hot reload fail for everybody."


@pytest.mark.parametrize(
    "quotes", ['Revert "Revert "app: cache parsed config""', 'Revert "Revert "app: cache parsed config']
)
def test_a_revert_of_a_revert_is_no_rejection(history: History, quotes: str) -> None:
    first = history.revert(history.tried())
    second = history.revert(first, subject=quotes)
    found = history.judged()
    assert (found[second].kind, found[first].kind) == ("reapplies", "came back")


def test_three_reverts_on_each_other_are_one_rejection_again(history: History) -> None:
    tried = history.tried()
    first = history.revert(tried)
    third = history.revert(history.revert(first), reason="It leaks memory, too.")
    found = history.judged()
    assert found[third].kind == "draft"
    assert [target.sha for target in found[third].targets] == [tried]
    assert first in [other.sha for other in found[third].others] or found[first].kind != "draft"
    assert [item.kind for item in found.values()].count("draft") == 1


@pytest.mark.parametrize(
    "message",
    [
        "app: cache parsed config",
        "app: cache parsed config (#99)",
        "Reapply: app: cache parsed config",
        'Reland "app: cache parsed config"',
        "app: cache parsed config (take 2)",
        "app: another title\n\nThis relands what was reverted in {sha}.",
        "app: another title\n\nThis reverts commit {sha}.",
        "app: another title\n\nReapply {tried}, now with a lock.",
        "app: another title",
    ],
)
def test_what_came_back_is_not_drafted(history: History, message: str) -> None:
    tried = history.tried()
    sha = history.revert(tried)
    history.commit(message.format(sha=sha[:10], tried=tried[:10]), {"src/app.py": BASE + CACHE})
    assert history.judged()[sha].kind == "came back"


def test_a_later_mention_is_shown_and_decides_nothing(history: History) -> None:
    sha = history.revert(history.tried())
    later = history.commit(f"docs: the right fix\n\nIt was rolled back in {sha[:9]}, rightly.", {"README": "x\n"})
    item = history.judged()[sha]
    assert item.kind == "draft"
    assert later[:10] in item.maybe


def test_the_same_title_in_other_files_is_another_approach(history: History) -> None:
    sha = history.revert(history.tried("tidy up"))
    history.commit("tidy up", {"lib/else.py": "print('else')\n"})
    assert history.judged()[sha].kind == "draft"


def test_lines_that_came_and_went_again_are_seen_by_a_thorough_run(history: History) -> None:
    sha = history.revert(history.tried())
    history.commit("app: something else", {"src/app.py": BASE + CACHE + "and a lock\n"})
    history.commit("app: rewritten", {"src/app.py": BASE + "quite different now\n"})
    assert history.judged()[sha].kind == "draft"
    assert history.judged(thorough=True)[sha].kind == "came back"


def test_lines_that_stood_elsewhere_in_the_file_are_not_back(history: History) -> None:
    twice = BASE + CACHE
    history.commit("app: have the lines anyway", {"src/app.py": twice})
    tried = history.commit("app: and once more", {"src/app.py": twice + CACHE})
    sha = history.revert(tried)
    assert history.judged(thorough=True)[sha].kind == "draft"


def test_a_revert_of_a_removal_stands_until_the_lines_go_again(history: History) -> None:
    history.commit("app: setting", {"src/app.py": BASE + CACHE})
    sha = history.revert(history.commit("app: drop the setting", {"src/app.py": BASE}), reason="Users relied on it.")
    assert history.judged()[sha].kind == "draft"
    history.commit("app: gone for good", {"src/app.py": BASE})
    assert history.judged()[sha].kind == "came back"


def test_an_approach_that_failed_twice_is_one_draft_for_the_newest(history: History) -> None:
    first = history.revert(history.tried())
    again = history.tried("app: cache parsed config (take 2)")
    second = history.revert(again, reason="It still breaks hot reload.")
    found = history.judged()
    assert (found[first].kind, found[second].kind) == ("reverted again later", "draft")
    assert [other.sha for other in found[second].others] == [first]


def test_a_feature_and_its_follow_up_are_one_draft(history: History) -> None:
    feature = history.tried()
    follow_up = history.commit("app: fix the cache", {"src/app.py": BASE + CACHE + "cache fix line\n"})
    second = history.revert(follow_up, reason="")
    history.clock -= 2 * DAY
    first = history.revert(feature)
    found = history.judged()
    assert (found[first].kind, found[second].kind) == ("draft", "told with another")
    assert [other.sha for other in found[first].others] == [second]


def test_a_follow_up_that_somebody_else_reverted_is_a_draft_of_its_own(history: History) -> None:
    feature = history.tried()
    follow_up = history.commit("app: fix the cache", {"src/app.py": BASE + CACHE + "cache fix line\n"})
    history.run("revert", "--no-commit", follow_up)
    message = f'Revert "app: fix the cache"\n\nThis reverts commit {follow_up}.\n\nIt hides the error.'
    second = history.commit(message, author="Bob")
    history.clock -= 2 * DAY
    first = history.revert(feature)
    found = history.judged()
    assert (found[first].kind, found[second].kind) == ("draft", "draft")


@pytest.mark.parametrize(
    ("subject", "name", "reason", "kind"),
    [
        ("release 1.2.3", "src/app.py", "It came too early for us.", "release"),
        ("chore: bump parser to v3", "src/app.py", "It came too early for us.", "release"),
        ("app: temporarily keep config", "src/app.py", "It holds without that.", "end of a workaround"),
        ("app: disable reload", "src/app.py", "We want it on again.", "end of a workaround"),
        ("app: cache config", "src/app.py", "This is no longer needed.", "end of a workaround"),
        ("app: cache config", "src/app.py", "It was pushed by accident.", "accident"),
        ("app: cache config", "src/app.py", "Not intended for merge yet.", "accident"),
        ("app: cache config", "docs/cache.md", "The text was wrong there.", "docs, tests or CI only"),
        ("app: cache config", ".github/workflows/ci.yml", "It was too slow.", "docs, tests or CI only"),
        ("app: cache config", "tests/test_app.py", "It was too slow.", "docs, tests or CI only"),
    ],
)
def test_what_rolls_back_no_approach_is_skipped_with_its_kind(
    history: History, subject: str, name: str, reason: str, kind: str
) -> None:
    history.commit("there already", {name: BASE})
    sha = history.revert(history.tried(subject, name), reason=reason)
    assert history.judged()[sha].kind == kind


def test_a_revert_whose_files_are_gone_is_skipped(history: History) -> None:
    sha = history.revert(history.tried())
    history.commit("app goes", {"src/app.py": None})
    assert history.judged()[sha].kind == "files gone"


def test_a_file_that_moved_is_followed_and_another_of_its_name_is_not(history: History) -> None:
    sha = history.revert(history.tried())
    git(history.path, "mv", "src", "lib")
    history.commit("move")
    item = history.judged()[sha]
    assert (item.kind, item.scope) == ("draft", "lib/app.py")
    history.commit("another", {"lib/app.py": "quite another file\n"})
    assert history.judged()[sha].kind == "files gone"


def test_a_sha_of_another_history_is_no_target(history: History) -> None:
    sha = history.commit(f"Revert something\n\nThis reverts commit {'ab' * 20}.\n\nIt broke.", {"src/app.py": "x\n"})
    assert history.judged()[sha].kind == "target unknown"


def test_code_with_tests_beside_it_is_code_though_it_moved_since(history: History) -> None:
    history.commit("there", {"src/deep/app.py": BASE, "tests/test_app.py": BASE})
    git(history.path, "mv", "src/deep/app.py", "src/deep.py")
    history.commit("move")
    tried = history.commit("app: cache", {"src/deep.py": BASE + CACHE, "tests/test_app.py": BASE + CACHE})
    git(history.path, "mv", "src/deep.py", "src/flat.py")
    history.commit("move again")
    sha = history.revert(tried)
    assert history.judged()[sha].kind == "draft"


def test_a_number_of_another_repository_is_no_target(history: History) -> None:
    history.commit("other: thing (#322)", {"src/other.py": BASE + "x\n"})
    sha = history.commit("revert #322\n\nIt broke everything.", {"src/app.py": BASE + "y\n"})
    assert history.judged()[sha].kind == "target unknown"


def test_a_squash_that_swallowed_a_revert_is_none(history: History) -> None:
    tried = history.tried()
    history.commit(f'Feature (#9)\n\n* Add\n\n* Revert "Add"\n\nThis reverts commit {tried}.', {"src/app.py": BASE})
    assert history.judged() == {}


def test_a_cherry_picked_revert_is_one_story(history: History) -> None:
    tried = history.tried()
    sha = history.revert(tried)
    git(history.path, "checkout", "-q", "-b", "stable", tried)
    history.run("cherry-pick", "-x", sha)
    git(history.path, "checkout", "-q", "main")
    history.run("merge", "-q", "--no-ff", "-s", "ours", "-m", "Merge branch 'stable'", "stable")
    assert sorted(history.kinds()).count("draft") == 1


@pytest.mark.parametrize("name", ["src/größe.py", "src/配置.py", "src/tab\there.py", 'src/"quoted".py', "src/a b.py"])
def test_paths_that_git_quotes_are_paths(history: History, name: str) -> None:
    history.commit("there", {name: BASE})
    sha = history.revert(history.tried(name=name), subject='Revert "Konfiguration: Größe 缓存"')
    history.commit("something else", {name: BASE + CACHE + "and more\n"})
    history.commit("and gone", {name: BASE + "different\n"})
    item = history.judged()[sha]
    assert (item.kind, item.paths) == ("draft", (name,))
    assert history.judged(thorough=True)[sha].kind == "came back"


def test_umlauts_and_chinese_titles_are_found_by_title(history: History) -> None:
    for title in ("SoC und Energielimit für Zeitpläne", "修复配置缓存问题"):
        tried = history.tried(title)
        sha = history.commit(f'Revert "{title}"\n\nEs geht damit nicht.', {"src/app.py": BASE})
        assert [target.sha for target in history.judged()[sha].targets] == [tried]


def test_messages_of_any_bytes_are_read(history: History) -> None:
    tried = history.tried()
    history.commit(b"latin \xe4\xf6\xfc \\x00 %x00 \x01\x02\n\nbody \xff\xfe")
    sha = history.revert(tried)
    raw = git(history.path, "cat-file", "commit", "HEAD").encode().replace(b"It breaks", b"It \0 breaks")
    odd = subprocess.run(
        ["git", "hash-object", "--literally", "-t", "commit", "-w", "--stdin"],
        cwd=history.path,
        input=raw,
        check=True,
        capture_output=True,
    )
    assert history.judged()[sha].kind == "draft"
    git(history.path, "reset", "-q", "--hard", odd.stdout.decode().strip())
    assert len(history.judged()) == 1


def test_a_message_of_ten_megabytes_is_read(history: History) -> None:
    history.commit("big\n\n" + "line of a generated message\n" * 400_000)
    sha = history.revert(history.tried(), reason="It breaks hot reload.\n" + "x" * 1_000_000)
    item = history.judged()[sha]
    assert item.kind == "draft"
    assert len(item.reason) < 30_000
    assert history.keep()[0].status == "created"


@pytest.mark.parametrize(
    "text",
    [
        "- " + "x" * 20_000 + " a b c d e",
        "\n" * 20_000,
        " " * 20_000 + "x",
        "* " * 10_000,
        "." * 20_000,
        "This reverts commit " + "1234567 " * 2_500 + "!",
        "This reverts commit 1234567" + " (" * 10_000,
        "revert " * 3_000,
        "<!--" * 5_000,
        "Conflicts:\n" + " x\n" * 10_000,
        "revert https://" + "a/https://" * 2_000,
        "A" + "-a" * 10_000,
    ],
)
def test_no_message_takes_long(text: str) -> None:
    """A pattern that goes back over its own steps takes minutes for one of these."""
    sha = "1234567" + "0" * 33
    old = Commit(sha=sha, parents=(), authored=0, author="", subject=text[:1000], body="")
    revert = Commit(sha="f" * 40, parents=(sha,), authored=1, author="", subject="revert " + text[:900], body=text)
    log = Log([revert, old])
    list(target.named(revert, log))
    chains = Chains([Revert(commit=revert, targets=(old,))], log)
    list(chains.returns(chains.reverts[revert.sha]))
    words.is_candidate(text[:1000], text)
    clause.of(reasons.of(text), 80)


def test_a_history_with_long_shas_is_read(tmp_path: Path) -> None:
    history = History(tmp_path / "repo")
    shutil.rmtree(history.path / ".git")
    git(history.path, "init", "-q", "--object-format=sha256")
    history.commit("base")
    tried = history.tried()
    sha = history.revert(tried)
    assert len(sha) == 64
    assert [target.sha for target in history.judged()[sha].targets] == [tried]
    history.commit("app: another\n\nThis reverts commit " + sha + ".", {"src/app.py": BASE + CACHE})
    assert history.judged(thorough=True)[sha].kind == "came back"


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "log.showSignature=true",
        "color.ui=always",
        "diff.external=false",
        "diff.renames=copies",
        "diff.context=9",
        "log.follow=true",
        "format.pretty=oneline",
        "i18n.logOutputEncoding=latin1",
        "core.quotePath=false",
    ],
)
def test_the_settings_of_a_user_change_nothing(history: History, setting: str) -> None:
    sha = history.revert(history.tried("app: Größe merken"))
    git(history.path, "config", *setting.split("="))
    assert history.judged(thorough=True)[sha].kind == "draft"
    history.commit("app: something else", {"src/app.py": BASE + CACHE + "and a lock\n"})
    history.commit("app: rewritten", {"src/app.py": BASE + "quite different now\n"})
    assert history.judged(thorough=True)[sha].kind == "came back"


def test_the_draft_reads_as_a_person_would_write_it(history: History) -> None:
    tried = history.tried("feat(app): cache parsed config (#3)")
    sha = history.revert(tried, reason="It breaks hot reload. Watch the file instead, until the loader can say so.")
    history.keep()
    text = (history.path / ".claudedo" / "candidates" / "cache-parsed-config-reverted.md").read_text()
    title = "# “app: cache parsed config” was tried and reverted: breaks hot reload\n"
    assert title in text
    assert f"Tried in {tried[:10]} (2023-" in text
    assert f"taken back by {sha[:10]} on 2023-" in text
    assert "> It breaks hot reload. Watch the file instead, until the loader can say so.\n" in text
    assert f"source: revert:{sha}\n" in text
    assert "retry-when: the loader can say so\n" in text
    assert "scope: src/app.py\n" in text


def test_a_title_without_latin_words_has_a_slug(history: History) -> None:
    history.revert(history.tried("修复配置缓存问题"))
    assert history.keep()[0].slug.startswith("revert-")


def test_a_quoted_title_beats_the_sha_of_another_revert_that_the_message_tells_of(history: History) -> None:
    other = history.tried("app: fix what followed", lines=CACHE.replace("cache", "other"))
    sha = history.commit("app: cache parsed config", {"src/app.py": BASE + CACHE})
    message = f"A like one was reverted in {other} (app: fix what followed).\n\nIt breaks hot reload."
    revert = history.commit(f'app: revert "app: cache parsed config"\n\n{message}', {"src/app.py": BASE})
    assert [target.sha for target in history.judged()[revert].targets] == [sha]


def test_merge_of_the_same_title_does_not_bring_back_a_commit(history: History) -> None:
    revert = history.revert(history.tried("Fix tests", name="src/other.py"))
    main = git(history.path, "symbolic-ref", "--short", "HEAD").strip()
    history.run("checkout", "-q", "-b", "side")
    history.commit("app: log more", {"src/other.py": BASE + "log line number one\n" * 3})
    history.run("checkout", "-q", main)
    history.run("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from ann/side\n\nFix tests", "side")
    assert history.judged()[revert].kind == "draft"


def test_thorough_does_not_take_the_approach_itself_for_its_return(history: History) -> None:
    first = history.revert(history.tried("app: cache parsed config"))
    second = history.revert(history.tried("other: keep a pool", name="src/other.py", lines="pool line one\n" * 4))
    judged = history.judged(thorough=True)
    assert [judged[sha].kind for sha in (first, second)] == ["draft", "draft"]


def test_of_several_targets_the_one_that_the_subject_names_gives_the_title(history: History) -> None:
    first = history.tried("app: add a flag", lines="flag line one\n" * 3)
    second = history.commit("app: cache parsed config", {"src/app.py": BASE + "flag line one\n" * 3 + CACHE})
    message = f"This reverts commit {second} and {first}.\n\nIt breaks hot reload."
    history.commit(f'Revert "app: cache parsed config"\n\n{message}', {"src/app.py": BASE})
    assert history.keep()[0].slug == "cache-parsed-config-reverted"


def test_secrets_homes_and_mail_addresses_of_a_message_are_not_kept(history: History) -> None:
    token = "ghp_" + "a1B2" * 9
    history.revert(history.tried(), reason=f"It leaks {token} to ann@corp.io every time.")
    history.keep()
    text = next((history.path / ".claudedo" / "candidates").iterdir()).read_text()
    assert token not in text
    assert "ann@corp.io" not in text


@pytest.mark.parametrize(
    ("subject", "secret"),
    [
        ("app: read /home/annabel/shop/config", "annabel"),
        ("app: mail ann@corpus.io on errors", "corpus"),
        (f"app: call the mirror with ghp_{'a1b2' * 9}", "a1b2a1b2"),
        # Cut to the length of a title a token is too short to be known as one.
        (f"app: call the mirror of the third region for each request with ghp_{'a1b2' * 9}", "ghp"),
        (f"app: {'wait ' * 16}in the queue of the first with ghp_{'a1b2' * 9}", "ghp"),
    ],
)
def test_what_is_removed_from_a_subject_does_not_live_on_in_slug_or_title(
    history: History, subject: str, secret: str
) -> None:
    history.revert(history.tried(subject))
    history.keep()
    (path,) = (history.path / ".claudedo" / "candidates").iterdir()
    assert secret not in path.name + path.read_text()


def test_secret_that_stands_where_a_reason_is_cut_is_not_kept(history: History) -> None:
    token = "ghp_" + "a1b2" * 9
    for length in range(45, 80, 5):  # the title has room for 75
        history.revert(history.tried(), reason=f"It breaks {'x' * length} {token} each time until {token} is out.")
    history.revert(history.tried(), reason=f"It breaks. {'So it does. ' * 73} {token} is why.")
    history.keep()
    for path in (history.path / ".claudedo" / "candidates").iterdir():
        assert "ghp" not in path.read_text()


def test_a_second_run_has_nothing_new(history: History) -> None:
    history.revert(history.tried())
    history.revert(history.tried("other: thing", "src/other.py"), reason="It leaks memory badly.")
    assert [one.status for one in history.keep()] == ["created", "created"]
    folder = history.path / ".claudedo" / "candidates"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert [one.status for one in history.keep()] == ["unchanged", "unchanged"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_rebase_makes_nothing_new(history: History) -> None:
    base = history.head()
    history.revert(history.tried())
    slug = history.keep()[0].slug
    git(history.path, "checkout", "-q", "-b", "new-base", base)
    history.commit("between", {"README": "x\n"})
    git(history.path, "rebase", "-q", "new-base", "main")
    kept = history.keep()
    assert [one.slug for one in kept] == [slug]
    assert len(list((history.path / ".claudedo" / "candidates").iterdir())) == 1


def test_a_reapply_withdraws_a_candidate(history: History) -> None:
    sha = history.revert(history.tried())
    slug = history.keep()[0].slug
    history.revert(sha)
    assert [(one.status, one.slug) for one in history.keep()] == [("withdrawn", slug)]
    assert (history.path / ".claudedo" / "retired" / f"{slug}.md").is_file()


def test_a_reapply_flags_an_accepted_finding(history: History) -> None:
    sha = history.revert(history.tried())
    slug = history.keep()[0].slug
    folder = history.path / ".claudedo"
    (folder / "candidates" / f"{slug}.md").rename(folder / "traps" / f"{slug}.md")
    history.revert(sha)
    assert [(one.status, one.slug) for one in history.keep()] == [("flagged", slug)]
    assert (folder / "traps" / f"{slug}.md").is_file()


def test_a_plain_run_does_not_bring_back_what_a_thorough_one_withdrew(history: History) -> None:
    history.revert(history.tried())
    history.commit("app: something else", {"src/app.py": BASE + CACHE})
    history.commit("app: rewritten", {"src/app.py": BASE + "quite different now\n"})
    assert [one.status for one in history.keep()] == ["created"]
    assert [one.status for one in history.keep(thorough=True)] == ["withdrawn"]
    assert history.keep() == ()
    assert history.keep(thorough=True) == ()


def test_all_drafts_those_without_a_reason_too(history: History) -> None:
    history.revert(history.tried(), reason="")
    assert history.keep() == ()
    assert [one.status for one in history.keep(reason_missing=True)] == ["created"]


def test_the_store_of_a_sub_folder_gets_its_own_reverts(history: History) -> None:
    history.commit("two parts", {"one/app.py": BASE, "two/app.py": BASE})
    one = history.revert(history.tried("one: cache", "one/app.py"))
    two = history.revert(history.tried("two: cache", "two/app.py"))
    found = reverts.detect(door.places(str(history.path / "one")))
    by_sha = {item.revert.commit.sha: item for item in found.judged}
    assert (by_sha[one].kind, by_sha[one].scope, by_sha[two].kind) == ("draft", "app.py", "other folder")


def test_a_linked_worktree_sees_the_history_of_the_main_checkout(history: History, tmp_path: Path) -> None:
    sha = history.revert(history.tried())
    git(history.path, "worktree", "add", "-q", str(tmp_path / "wt"), "HEAD~2")
    found = reverts.detect(door.places(str(tmp_path / "wt")))
    assert [item.revert.commit.sha for item in found.judged] == [sha]


def test_a_shallow_clone_says_what_it_cannot_see(history: History, tmp_path: Path) -> None:
    history.revert(history.tried())
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{history.path}", "clone")
    found = reverts.detect(door.places(str(tmp_path / "clone")))
    assert [item.kind for item in found.judged] == ["target unknown"]
    assert "shallow" in found.notes[0]


def partial_clone(history: History, tmp_path: Path) -> Path:
    git(history.path, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{history.path}", "clone")
    return tmp_path / "clone"


@pytest.mark.parametrize("thorough", [False, True])
def test_a_partial_clone_is_read_without_the_network_and_says_what_it_lacks(
    history: History, tmp_path: Path, *, thorough: bool
) -> None:
    history.revert(history.tried())
    history.commit("later", {"src/app.py": BASE + "later\n"})
    clone = partial_clone(history, tmp_path)
    history.path.rename(history.path.with_name("moved"))  # a fetch would fail now
    found = reverts.detect(door.places(str(clone)), thorough=thorough)
    assert [item.kind for item in found.judged] == ["draft"]
    assert "not in this clone" in found.notes[0]
    assert len(found.notes) == (2 if thorough else 1)


def test_a_history_that_ends_early_is_an_error_not_a_short_answer(history: History) -> None:
    history.revert(history.tried())
    parent = git(history.path, "rev-parse", "HEAD~2").strip()
    (history.path / ".git" / "objects" / parent[:2] / parent[2:]).unlink()
    with pytest.raises(FindingsError, match="git log ended early"):
        history.judged()


def test_a_patch_that_cannot_be_read_is_said(history: History) -> None:
    history.revert(history.tried())
    history.commit("later", {"src/app.py": BASE + "only here\n"})
    blob = git(history.path, "rev-parse", "HEAD:src/app.py").strip()
    history.commit("latest", {"src/app.py": BASE})
    (history.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    found = reverts.detect(door.places(str(history.path)), thorough=True)
    assert [item.kind for item in found.judged] == ["draft"]
    assert any("--thorough ended early" in note for note in found.notes)


def test_a_repository_without_commits_has_no_reverts(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert reverts.detect(door.places(str(tmp_path))).judged == ()


def test_a_history_without_reverts_has_none(history: History) -> None:
    assert history.kinds() == []


def test_a_folder_without_git_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FindingsError, match="not inside a git checkout"):
        reverts.detect(door.places(str(tmp_path)))


@pytest.mark.parametrize("thorough", [False, True])
def test_the_number_of_processes_does_not_depend_on_the_number_of_reverts(
    history: History, count_git: Callable[[], int], *, thorough: bool
) -> None:
    counts = []
    for number in range(2):
        history.revert(history.tried(f"app: try {number}", lines=CACHE.replace("cache", f"try {number}")))
        places = door.places(str(history.path))
        before = count_git()
        reverts.detect(places, thorough=thorough)
        counts.append(count_git() - before)
    assert counts == ([5, 5] if thorough else [4, 4])


@pytest.fixture
def count_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Put a `git` on PATH that leaves a mark for each start, and return how to count them."""
    real = subprocess.run(["sh", "-c", "command -v git"], check=True, capture_output=True, text=True).stdout.strip()
    folder, log = tmp_path / "counting", tmp_path / "starts"
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\necho x >>'{log}'\nexec '{real}' \"$@\"\n")
    (folder / "git").chmod(0o755)
    log.touch()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return lambda: len(log.read_text().splitlines())
