"""Check the machine: what this tool stands on, and what starts it. Changes nothing and starts no client."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence

from claudedo_findings import doctor_clients, doctor_lists, folders, git, listfile, service
from claudedo_findings.errors import FindingsError
from claudedo_findings.problem import Problem, Report

GIT_NEEDED = (2, 36)  # the first with `worktree list -z` (git's release notes)
Told = Iterator[str | Problem]


def examine(command: Sequence[str], port: int = service.PORT) -> Report:
    """Return what is fine and what is wrong on this machine.

    `command` is what starts this program, `port` that of the HTTP service.
    """
    fine, problems, not_checked = [], [], []
    for told in (
        *_program(command),
        *_git(),
        *doctor_lists.lists_told(),
        *doctor_lists.host_told(),
        *_key(),
        *_service(port),
        *doctor_clients.told(_projects(), command),
    ):
        if isinstance(told, Problem):
            problems.append(told)
        elif told.startswith(doctor_lists.UNCHECKED):
            not_checked.append(told.removeprefix(doctor_lists.UNCHECKED))
        else:
            fine.append(told)
    return Report(fine=tuple(fine), problems=tuple(problems), not_checked=tuple(not_checked))


def _program(command: Sequence[str]) -> Told:
    version = ".".join(map(str, sys.version_info[:3]))
    yield f"python: {version} at {sys.executable}"
    found = shutil.which("claudedo-findings")
    if not found:
        yield f"command: {' '.join(command)} (claudedo-findings is not on PATH, so register it by this path)"
    elif os.path.realpath(found) == os.path.realpath(command[0]) or len(command) > 1:
        yield f"command: {found}"
    else:
        what = f"PATH finds this claudedo-findings, not {command[0]}, which runs now"
        hint = "clients that are registered by name start the one on PATH: remove one of the two"
        yield Problem(rule="command", path=found, what=what, hint=hint)
    for name, folder in (("config", folders.config()), ("state", folders.state())):
        nearest = folder
        while not os.path.exists(nearest) and os.path.dirname(nearest) != nearest:
            nearest = os.path.dirname(nearest)
        if os.path.isdir(nearest) and os.access(nearest, os.W_OK | os.X_OK):
            yield f"{name}: {folder}"
        else:
            yield Problem(rule="folder", path=folder, what=f"the {name} folder cannot be written", hint="make it yours")


def _git() -> Told:
    found = shutil.which("git")
    if not found:
        hint = "install git, or put it on PATH; without it no list in a repository can be written"
        yield Problem(rule="git", path="git", what="git was not found on PATH", hint=hint)
        return
    try:
        said = git.run(["version"], os.path.expanduser("~")).strip()
    except FindingsError as error:
        yield Problem(rule="git", path=found, what=str(error), hint="repair git")
        return
    number = re.search(r"(\d+)\.(\d+)", said)
    if not number:
        yield f"{doctor_lists.UNCHECKED}git's version: it says {said!r}"
    elif (int(number[1]), int(number[2])) < GIT_NEEDED:
        needed = ".".join(map(str, GIT_NEEDED))
        yield Problem(rule="git", path=found, what=f"{said} is too old", hint=f"install git {needed} or newer")
    else:
        yield f"git: {said.removeprefix('git version ')} at {found}"


def _key() -> Told:
    path = service.key_path()
    by_variable = os.environ.get(service.KEY_VARIABLE) is not None
    try:
        stored = service.stored_key()
    except FindingsError as error:
        yield Problem(rule="key", path=path, what=str(error), hint="see there")
        return
    if by_variable:
        yield f"key: {service.KEY_VARIABLE} in the environment"
    elif stored is None:
        yield f"key: none yet; the first 'serve --http' makes {path}"
    else:
        yield f"key: {path}, for its owner alone"


def _service(port: int) -> Told:
    try:
        answer = service.health(port)
    except FindingsError as error:
        hint = "serve --http cannot take that port, and what clients send there goes to that program"
        yield Problem(rule="service", path=service.url(port), what=str(error), hint=hint)
        return
    if answer:
        yield f"service: {answer['version']}, process {answer['pid']}, at {service.url(port)}"
    else:
        yield f"service: not running at {service.url(port)} ('serve --http' starts it; stdio needs none)"


def _projects() -> list[str]:
    """Return the folders of the lists, where clients may keep settings for one project."""
    try:
        return [folder for folder in listfile.read().values() if os.path.isabs(folder)]
    except FindingsError:  # told by the look at the lists
        return []
