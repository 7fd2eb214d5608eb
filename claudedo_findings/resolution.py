"""The rule which list a call means. Never a guess."""

from dataclasses import dataclass, replace

from claudedo_findings import git, host, lists, nearby
from claudedo_findings.errors import FindingsError, shown


@dataclass(frozen=True, kw_only=True)
class Caller:
    """What the surroundings of a call say. `cwd` is "" where the caller's folder is not known (HTTP).

    `nearby` is set for a person's call: then the folder `cwd` says which list is meant when nothing else does.
    """

    task: str = ""
    task_list: str = ""
    bound: str | None = None
    here: bool = False
    cwd: str = ""
    nearby: bool = False


@dataclass(frozen=True, kw_only=True)
class Target:
    """The list that is meant, the task it was meant by, the caller's worktree, and what to warn about."""

    list: lists.TodoList
    task: str = ""
    worktree: str = ""
    warnings: tuple[str, ...] = ()


def resolve(caller: Caller, requested: str = "") -> Target:
    """Return the list that a call means: task context, bound server, `list` argument, the only list, in this order.

    Raises FindingsError, naming all lists, when none of these says it.
    """
    target = _by_task(caller)
    if target:
        return _ignoring(target, requested, caller)
    if caller.here:
        bound = nearby.here(caller.cwd)
    elif caller.bound is not None:
        bound = lists.find(caller.bound)
    elif requested:
        return Target(list=lists.find(requested), worktree=_worktree(caller))
    else:
        bound = nearby.of_folder(caller.cwd) if caller.nearby else nearby.only(caller.cwd)
    if requested and (caller.here or caller.bound is not None) and not _means(bound, requested):
        raise FindingsError(f"this server is bound to the list {bound}; it does not save to {shown(requested)}")
    return Target(list=bound, worktree=_worktree(caller))


def _by_task(caller: Caller) -> Target | None:
    if caller.task_list and caller.task:
        # The host said it all: lists.toml alone will do when its database cannot be read.
        return Target(list=_find_without_host(caller.task_list), task=caller.task, worktree=_worktree(caller))
    if caller.task_list:
        return Target(list=lists.find(caller.task_list), worktree=_worktree(caller))
    if caller.task:
        task = host.task(caller.task)
        if task is None:
            raise FindingsError(
                f"no database knows the task {shown(caller.task)}: pass its list too (X-ClaudeDo-List or CLAUDEDO_LIST)"
            )
    else:
        task = host.task_of_worktree(caller.cwd) if caller.cwd else None
        if task is None:
            return None
    return Target(list=lists.find(task.list_id), task=task.id, worktree=task.worktree or _worktree(caller))


def _worktree(caller: Caller) -> str:
    return git.checkout(caller.cwd) if caller.cwd else ""


def _find_without_host(wanted: str) -> lists.TodoList:
    try:
        return lists.find(wanted)
    except FindingsError:
        matches = [item for item in lists.configured() if lists.names(item, wanted)]
        if len(matches) == 1 and not _host_answers():
            return matches[0]
        raise


def _host_answers() -> bool:
    try:
        host.lists()
    except FindingsError:
        return False
    return True


def _ignoring(target: Target, requested: str, caller: Caller) -> Target:
    ignored = ""
    if requested and not lists.names(target.list, requested):
        ignored = f"the list argument {shown(requested)}"
    elif caller.here and caller.nearby and not nearby.holds(target.list, caller.cwd):
        ignored = "--here"
    if not ignored:
        return target
    warning = f"the task runs in the list {target.list.name!r}, so {ignored} was ignored"
    return replace(target, warnings=(warning,))


def _means(bound: lists.TodoList, wanted: str) -> bool:
    """Return whether `wanted` names the bound list; a known list decides by its folder, so no namesake passes."""
    named = [item for item in lists.known() if lists.names(item, wanted)]
    if not named:
        return lists.names(bound, wanted)
    folder = lists.folder_key(bound.working_dir)
    return any(item == bound or lists.folder_key(item.working_dir) == folder for item in named)
