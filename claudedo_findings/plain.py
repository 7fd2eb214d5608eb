"""A plain checkout: seen without asking git, whose process and the modules to start it take a hook 10 ms."""

import os

from claudedo_findings import files, git

_SIGNS = (os.path.isfile, "HEAD"), (os.path.isdir, "objects"), (os.path.isdir, "refs")


def places(checkout: str) -> git.Places | None:
    """Return what `git.places` says of a checkout, but for HEAD; None where git must be asked.

    It must unless `.git` is a folder of its own and a whole repository, belongs to this user as the checkout does, and
    has no setting that puts the checkout elsewhere. `checkout` is an absolute path without links.
    """
    git_dir = os.path.join(checkout, ".git")
    if os.path.islink(git_dir) or not all(there(os.path.join(git_dir, name)) for there, name in _SIGNS):
        return None
    if os.path.lexists(os.path.join(git_dir, "commondir")) or not (_ours(checkout) and _ours(git_dir)):
        return None
    settings = (files.read(os.path.join(git_dir, "config")) or b"bare").lower()
    if b"worktree" in settings or b"include" in settings or settings.count(b"bare") != settings.count(b"bare = false"):
        return None
    return git.Places(root=checkout, common_dir=git_dir, exclude=os.path.join(git_dir, "info", "exclude"))


def _ours(path: str) -> bool:
    """Return whether a folder belongs to this user: git asks its own settings about any other."""
    return not hasattr(os, "geteuid") or os.stat(path).st_uid == os.geteuid()
