"""The copies that agents work in: one template a condition, and a fresh copy of it for every run."""

import hashlib
import os
import shutil
from dataclasses import dataclass

from claudedo_findings import files, git, pointer
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.layout import FOLDER
from claudedo_findings.store import Store
from claudedo_findings.trial.plan import Condition, Plan

_AS_TRIAL = ["-c", "user.name=trial", "-c", "user.email=trial@localhost", "-c", "commit.gpgsign=false"]
_LONG_PAST = "2000-01-01"


@dataclass(frozen=True)
class Ground:
    """The templates below `folder`, and the copies beside them."""

    plan: Plan
    folder: str

    def prepare(self, condition: Condition) -> None:
        """Make the template of a condition: the fixture as a repository, with or without code and finding.

        Raises FindingsError when the fixture cannot be read, or lacks what the plan calls its code.
        """
        template = self._template(condition)
        if os.path.isdir(template):
            return
        _copy_fixture(self.plan.fixture_path, template, keep_history=not condition.endswith("-without-code"))
        if condition.endswith("-without-code"):
            _take_away(template, self.plan.code)
        if not os.path.isdir(os.path.join(template, ".git")):
            git.run(["init", "-q", "--template="], template)
            git.run(["add", "-A"], template)
            git.run([*_AS_TRIAL, "commit", "-q", "--allow-empty", "--no-verify", "-m", "fixture"], template)
        trap = self.plan.trap(condition)
        if trap:
            store = Store(git.places(template))
            notes = {"expires": _LONG_PAST} if condition == "stale" else {}
            store.save(Finding(**trap.model_dump(), verified_against=store.places.head, notes=notes), keep_scope=False)
            store.sync()  # what has expired leaves the index, as for every agent

    def copy(self, condition: Condition) -> str:
        """Return the path of a new copy; its name says nothing of the condition."""
        path = os.path.join(self.folder, "runs", os.urandom(6).hex())
        shutil.copytree(self._template(condition), path, symlinks=True)
        return path

    def sentence(self, copy: str) -> str:
        """Return the sentence that leads an agent to the index of a copy, "" where it lists nothing."""
        return pointer.sentence(Store(git.Places(root=copy)))

    def _template(self, condition: Condition) -> str:
        return os.path.join(self.folder, "templates", condition)


def fixture_hash(plan: Plan) -> str:
    """Return the hash of the fixture: that of its commit, or of the names and contents of its files.

    Raises FindingsError for a fixture that holds a store, or a repository that is broken, empty or not clean.
    """
    top = plan.fixture_path
    if os.path.lexists(os.path.join(top, FOLDER)):
        raise FindingsError(f"the fixture {top} holds a {FOLDER} folder, which every condition would see: remove it")
    if os.path.lexists(os.path.join(top, ".git")):
        if not git.places(top).head:  # a broken one would let git answer for the repository around it
            raise FindingsError(f"the fixture {top} is a repository without a commit: commit its files")
        if git.run(["status", "--porcelain", "-z"], top):
            raise FindingsError(f"the fixture {top} is a repository with uncommitted changes: commit or remove them")
        return git.run(["rev-parse", "HEAD^{tree}"], top).strip()
    whole = hashlib.sha256()
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            content = os.fsencode(os.readlink(path)) if os.path.islink(path) else files.read(path) or b""
            for part in (os.fsencode(os.path.relpath(path, top)), content):
                whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def holds(plan: Plan, path: str) -> bool:
    """Return whether the fixture's folder holds `path`, which need not be there."""
    top = os.path.realpath(plan.fixture_path)
    return os.path.commonpath([top, os.path.realpath(path)]) == top


def changes(copy: str) -> str:
    """Return what an agent changed in its copy, as a patch; the store is excluded."""
    if not git.run(["status", "--porcelain", "-z", "-uall"], copy):
        return ""
    git.run(["add", "-A"], copy)
    return git.run(["diff", "--cached", "--no-ext-diff", "--no-textconv", "HEAD"], copy)


def _copy_fixture(source: str, target: str, *, keep_history: bool) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not os.path.lexists(os.path.join(source, ".git")):
        shutil.copytree(source, target, symlinks=True)
        return
    _check_out(source, target)
    if not keep_history:
        shutil.rmtree(os.path.join(target, ".git"))


def _check_out(source: str, target: str) -> None:
    """Make a repository with the history of the fixture's HEAD and its tags, checked out.

    Nothing else of the fixture's git folder comes along: remotes, hooks, settings, the stash and other branches could
    lead an agent to somebody's server, or to the answer. That holds for a linked worktree and a submodule too.
    """
    os.mkdir(target)
    form = git.run(["rev-parse", "--show-object-format"], source).strip()
    git.run(["init", "-q", "--template=", f"--object-format={form}"], target)
    shallow = git.run(["rev-parse", "--path-format=absolute", "--git-path", "shallow"], source).strip()
    if os.path.isfile(shallow):
        shutil.copyfile(shallow, os.path.join(target, ".git", "shallow"))
    head = git.run(["rev-parse", "HEAD"], source).strip()
    _, branch = git.answer(["symbolic-ref", "-q", "HEAD"], source, codes=(0, 1))
    tags = git.run(["for-each-ref", "--merged=HEAD", "--format=%(refname) %(objectname)", "refs/tags"], source)
    refs = [f"{branch.strip() or 'HEAD'} {head}", *tags.splitlines()]
    packs = os.path.join(target, ".git", "objects", "pack", "pack")
    git.answer(
        ["pack-objects", "-q", "--revs", packs],
        source,
        stdin="".join(f"{ref.rpartition(' ')[2]}\n" for ref in refs),
    )
    if branch:
        git.run(["symbolic-ref", "HEAD", branch.strip()], target)
    git.answer(["update-ref", "--no-deref", "--stdin"], target, stdin="".join(f"update {ref}\n" for ref in refs))
    git.run(["reset", "-q", "--hard"], target)


def _take_away(template: str, code: tuple[str, ...]) -> None:
    for name in code or [name for name in os.listdir(template) if name != ".git"]:
        path = os.path.join(template, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)
        else:
            raise FindingsError(f"code: the fixture has no {name!r} to take away")
