"""What a commit says of a finding: a draft of its fields, for a person to complete."""

from dataclasses import dataclass

from claudedo_findings import git
from claudedo_findings.errors import FindingsError, shown


@dataclass(frozen=True, kw_only=True)
class Draft:
    """Fields that a commit suggests. `scope` is the one file it touches, "" when there are more or none."""

    title: str = ""
    body: str = ""
    scope: str = ""
    evidence: str = ""


def draft(places: git.Places, revision: str) -> Draft:
    """Return what the commit suggests (two git processes). Raises FindingsError when there is no such commit."""
    if not places.common_dir:
        raise FindingsError(f"{places.root} is in no git repository, so it has no commit {shown(revision)}")
    if revision.startswith("-"):
        raise FindingsError(f"{shown(revision)} is no commit: give its sha or another name of it")
    code, output = git.answer(
        ["log", "-1", "--no-show-signature", "--format=%h%x00%s%x00%b", f"{revision}^{{commit}}", "--"],
        places.root,
        codes=(0, 128),
    )
    if code:
        raise FindingsError(f"{places.root} has no commit {shown(revision)}: give its sha or another name of it")
    sha, subject, body = output.split("\0")
    touched = git.run(["diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", sha, "--"], places.root)
    paths = [path for path in touched.split("\0") if path]
    below = f"{places.prefix}/" if places.prefix else ""
    scope = paths[0].removeprefix(below) if len(paths) == 1 and paths[0].startswith(below) else ""
    return Draft(title=subject, body=body.strip(), scope=scope, evidence=f"commit {sha}")
