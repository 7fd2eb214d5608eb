"""`install-hook`: git hooks that look for reverts after a commit or a merge, beside whatever hook was there."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from claudedo_findings import commit_hook_text, files, git
from claudedo_findings.errors import FindingsError

HOOKS = ("post-commit", "post-merge")
INSTALLED, UNCHANGED, REMOVED, ABSENT = "installed", "unchanged", "removed", "not installed"

_KEPT = ".before-claudedo-findings"


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was done to one hook: `status` is one of the words above, `note` says more, "" for nothing."""

    hook: str
    path: str
    status: str
    note: str = ""


def install(places: git.Places, which: Sequence[str], *, shared: bool = False) -> list[Done]:
    """Let git run `detect --save --quiet` after commits and merges; `which` are the options that name the list.

    A shell script that is a hook already gets the lines at its top, so that its name, arguments and exit code stay
    its own; any other program is moved aside and run from our script. Running it again changes nothing.
    Raises FindingsError without git, and for a hooks folder that is not this repository's alone unless `shared`.
    """
    folder = _folder(places)
    _own(places, folder, shared=shared)
    files.make_folder(folder)
    return [_install(os.path.join(folder, hook), hook, places, which) for hook in HOOKS]


def remove(places: git.Places) -> list[Done]:
    """Take out what `install` put in; a hook that was there before is byte for byte what it was."""
    folder = _folder(places)
    return [_remove(os.path.join(folder, hook), hook, places) for hook in HOOKS]


def _folder(places: git.Places) -> str:
    if not places.common_dir:
        raise FindingsError(f"{places.root} is not inside a git checkout, so it has no hooks")
    answer = git.run(["rev-parse", "--path-format=absolute", "--git-path", "hooks"], places.toplevel)
    folder = os.path.normpath(answer.removesuffix("\n"))
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise FindingsError(f"git runs no hooks here: core.hooksPath is {folder}, which is no folder")
    return folder


def _own(places: git.Places, folder: str, *, shared: bool) -> None:
    """Refuse a hooks folder that serves others too."""
    if shared:
        return
    if not _inside(folder, places.common_dir) and not _inside(folder, places.toplevel):
        raise FindingsError(
            f"core.hooksPath leads to {folder}, whose hooks run in other repositories too: add --shared if that"
            " is meant (the hook looks at this repository alone)"
        )
    if _inside(folder, places.toplevel) and not _inside(folder, places.common_dir):
        tracked = git.run(["ls-files", "--", *(os.path.join(folder, hook) for hook in HOOKS)], places.toplevel)
        if tracked:
            raise FindingsError(
                f"the hooks in {folder} are checked in, so others would get a line with a path of this machine:"
                " add --shared if that is meant"
            )


def _install(path: str, hook: str, places: git.Places, which: Sequence[str]) -> Done:
    block = commit_hook_text.block(hook, places.root, places.common_dir, which)
    mark = commit_hook_text.mark(places.root)
    old = files.read(path)
    if old is None and not os.path.lexists(path):
        text, note = commit_hook_text.put(commit_hook_text.FRESH, mark, block), ""
    elif old is not None and commit_hook_text.is_ours(old):
        text, note = commit_hook_text.put(old, mark, block), ""
    elif old is not None and commit_hook_text.is_shell(old) and os.access(path, os.X_OK) and not os.path.islink(path):
        text, note = commit_hook_text.put(old, mark, block), "the hook that was there runs on after our lines"
    else:
        files.move(path, path + _KEPT)
        text = commit_hook_text.put(commit_hook_text.chained(hook + _KEPT), mark, block)
        note = f"the hook that was there is kept as {path + _KEPT} and runs from ours"
    if text == old:
        return Done(hook=hook, path=path, status=UNCHANGED)
    mode = os.stat(path).st_mode & 0o777 if old is not None and os.path.exists(path) else 0o777
    files.write_atomic(path, text, mode=mode)
    return Done(hook=hook, path=path, status=INSTALLED, note=note)


def _remove(path: str, hook: str, places: git.Places) -> Done:
    old = files.read(path)
    mark = commit_hook_text.mark(places.root)
    if old is None or not commit_hook_text.holds(old, mark):
        return Done(hook=hook, path=path, status=ABSENT)
    text = commit_hook_text.drop(old, mark)
    note = ""
    if text == commit_hook_text.FRESH:
        files.remove(path)
    elif text == commit_hook_text.chained(hook + _KEPT) and os.path.lexists(path + _KEPT):
        files.remove(path)
        files.move(path + _KEPT, path)
    else:
        files.write_atomic(path, text, mode=os.stat(path).st_mode & 0o777)
        if os.path.lexists(path + _KEPT):
            note = f"the script was changed by hand since, so it stays; {path + _KEPT} is the hook from before"
    return Done(hook=hook, path=path, status=REMOVED, note=note)


def _inside(path: str, folder: str) -> bool:
    real, outer = os.path.realpath(path), os.path.realpath(folder)
    return real == outer or real.startswith(outer.rstrip(os.sep) + os.sep)
