"""Runs one operation once for every fault at every call, each in a process of its own; started under the shim.

`python -m tests.faults.driver SHIM OPERATION [--brief | --calls]` prints a JSON object: the calls, the number of
points, and what broke. With `--brief` folders are swapped at fewer calls; with `--calls` no fault is played.
"""

import ctypes
import errno
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from claudedo_findings import files, index, lock
from claudedo_findings.errors import FindingsError
from tests.faults import ground
from tests.faults.ground import Content, Operation

COUNT, FAIL, KILL, SWAP = range(4)
ERRORS = {
    "open": (errno.EMFILE, errno.EACCES, errno.ENOSPC, errno.EIO),
    "opendir": (errno.EMFILE, errno.EACCES),
    "read": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EIO),
    "fsync": (errno.EIO, errno.ENOSPC),
    "rename": (errno.EACCES, errno.EIO, errno.ENOSPC),
    "unlink": (errno.EACCES, errno.EIO),
    "rmdir": (errno.EACCES,),
    "mkdir": (errno.ENOSPC, errno.EACCES),
    "lock": (errno.ENOLCK, errno.EIO),
    "truncate": (errno.EIO,),
}
SWAPPED = (".claudedo", ".claudedo/traps", ".claudedo/history", ".claudedo/retired", ".claudedo/candidates")
# A file system in memory, where there is one: thousands of durable writes have nothing to wait for there.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SHELVES = (".claudedo/traps/", ".claudedo/candidates/", ".claudedo/retired/")
INDEX = ".claudedo/INDEX.md"
SAID, REFUSED, BUG, KILLED = 0, 2, 3, -9  # exit codes of the child


class Shim:
    """The preloaded library, from inside."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.fault_call.restype = ctypes.c_char_p
        self._library.fault_seen.restype = ctypes.c_long

    def arm(self, watch: str, mode: int, at: int = 0, error: int = 0) -> None:
        self._library.fault_arm(watch.encode(), mode, ctypes.c_long(at), error)

    def swap(self, real: str, aside: str, outside: str) -> None:
        self._library.fault_swap(real.encode(), aside.encode(), outside.encode())

    def calls(self) -> list[str]:
        self._library.fault_disarm()
        return [self._library.fault_call(ctypes.c_long(at)).decode() for at in range(self._library.fault_seen())]


def main() -> int:
    """Run every point of the operation that is named and print what was seen."""
    shim, name, how = Shim(sys.argv[1]), sys.argv[2], sys.argv[3:]
    operation = ground.OPERATIONS[name]
    # Once undisturbed in this process, so that no child imports anything.
    with tempfile.TemporaryDirectory(prefix="faults-", dir=MEMORY) as base:
        template = os.path.join(base, "template")
        ground.make(Path(template))
        if not operation.fresh:
            ground.fill(Path(template))
        root = os.path.join(base, "root")
        before, after, calls = _undisturbed(shim, template, root, operation)
        broken: list[str] = []
        points = 0
        for at, call in enumerate(calls if how != ["--calls"] else [], 1):
            for mode, error in _faults(call):
                points += 1
                what = f"{'killed' if mode == KILL else errno.errorcode[error]} at call {at}, {call}"
                shutil.rmtree(root)
                shutil.copytree(template, root, symlinks=True)
                code, said = _child(shim, root, operation, mode, at, error)
                broken += [f"{what}: {fault}" for fault in _judge(root, before, after, code, said)]
            for part in _swaps(call, brief=how == ["--brief"]):
                points += 1
                shutil.rmtree(root)
                shutil.copytree(template, root, symlinks=True)
                faults = _swapped(shim, root, operation, at, part)
                broken += [f"{part} swapped at call {at}, {call}: {fault}" for fault in faults]
        print(json.dumps({"calls": calls, "points": points, "broken": broken}))
    return 0


def _faults(call: str) -> Iterator[tuple[int, int]]:
    yield KILL, 0
    for error in ERRORS[call.split()[0]]:
        yield FAIL, error


def _swaps(call: str, *, brief: bool) -> Iterator[str]:
    if not brief:
        yield from SWAPPED
    elif call.startswith("open "):
        yield from SWAPPED[:2]


def _undisturbed(shim: Shim, template: str, root: str, operation: Operation) -> tuple[Content, Content, list[str]]:
    shutil.copytree(template, root, symlinks=True)
    operation.run(root)
    shutil.rmtree(root)
    shutil.copytree(template, root, symlinks=True)
    before = ground.content(root)
    shim.arm(root, COUNT)
    operation.run(root)
    calls = [call.replace(root + "/", "") for call in shim.calls()]
    return before, ground.content(root), calls


def _child(shim: Shim, root: str, operation: Operation, mode: int, at: int, error: int) -> tuple[int, str]:
    """Run the operation in a child with one fault; return its exit code, -9 when it was killed, and its words."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        code, said = SAID, ""
        shim.arm(root, mode, at, error)
        try:
            operation.run(root)
        except FindingsError as fault:
            code, said = REFUSED, str(fault)
        except BaseException as fault:  # noqa: BLE001  # whatever else it is, it is a bug
            code, said = BUG, repr(fault)
        shim.arm("/nothing", COUNT)
        os.write(writing, said.encode()[:4000])
        os._exit(code)
    os.close(writing)
    with open(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, said


def _swapped(shim: Shim, root: str, operation: Operation, at: int, part: str) -> Iterator[str]:
    """Yield what an operation did outside when a folder of the store becomes a symlink at a call."""
    real, outside = os.path.join(root, part), os.path.join(os.path.dirname(root), "outside")
    if not os.path.isdir(real):
        return
    shutil.rmtree(outside, ignore_errors=True)
    shutil.copytree(real, outside)  # so that what is looked for is there too
    before = {path: path.read_bytes() for path in Path(outside).rglob("*") if path.is_file()}
    shim.swap(real, f"{real}.aside", outside)
    code, said = _child(shim, root, operation, SWAP, at, 0)
    now = {path: path.read_bytes() for path in Path(outside).rglob("*") if path.is_file()}
    if now != before:
        changed = sorted(
            str(path.relative_to(outside))
            for path in now.keys() ^ before.keys() or now
            if now.get(path) != before.get(path)
        )
        yield f"outside of the project: {changed}"
    if code == BUG:
        yield f"a bug: {said}"


def _judge(root: str, before: Content, after: Content, code: int, said: str) -> Iterator[str]:
    """Yield what is wrong after a fault, right then and after the next save."""
    now = ground.content(root)
    if code == BUG:
        yield f"a bug: {said}"
    if code == REFUSED and root not in said and "git" not in said:
        yield f"the error names no path: {said}"
    yield from _torn(now, before, after)
    if code != KILLED and _temps(now):
        yield f"temp files remain: {_temps(now)} ({said})"
    yield from _lost(now, before)
    yield from _dangling(now)
    if code == SAID:
        wrong = [path for path in after if path.startswith(SHELVES) and now.get(path) != after[path]]
        yield from [f"it was acknowledged, but {path} is not as it should be" for path in wrong]
    yield from _recovers(root)


def _torn(now: Content, before: Content, after: Content) -> Iterator[str]:
    whole, temps = set(before.values()) | set(after.values()), _temps(now)
    for path, data in now.items():
        if path not in temps and data not in whole and path != INDEX:
            yield f"{path} is neither old nor new: {data[:80]!r}"


def _recovers(root: str) -> Iterator[str]:
    """Yield what the next save and `sync` leave wrong."""
    started, store = time.monotonic(), ground.store_at(root)
    store.save(ground.finding("next"), keep_scope=False)
    if time.monotonic() - started > lock.TIMEOUT / 2:
        yield "the lock was not free"
    healed = ground.content(root)
    left = [path for path in _temps(healed) if "/history/" not in path]
    if left:
        yield f"temp files outlive the next save: {left}"
    yield from _dangling(healed)
    listed = {entry.slug for entry in index.parse(healed[INDEX].decode()).entries}
    present = {os.path.basename(path)[:-3] for path in healed if path.startswith(".claudedo/traps/")}
    if present - listed - {"old"}:  # that one has expired
        yield f"the next save leaves these unlisted: {present - listed}"
    store.sync()
    left = _temps(ground.content(root))
    if left:
        yield f"temp files outlive the next sync: {left}"


def _temps(now: Content) -> list[str]:
    return [path for path in now if files.is_temp(os.path.basename(path))]


def _lost(now: Content, before: Content) -> Iterator[str]:
    """Yield the findings and candidates whose text is nowhere any more."""
    kept = set(now.values())
    for path, data in before.items():
        if path.startswith(SHELVES) and data not in kept:
            slug = os.path.basename(path)
            places = [other for other in now if os.path.basename(other) == slug or f"/{slug[:-3]}/" in other]
            if not places:
                yield f"{path} is lost"


def _dangling(now: Content) -> Iterator[str]:
    data = now.get(INDEX)
    if data is None:
        return
    for entry in index.parse(data.decode()).entries:
        if f".claudedo/traps/{entry.slug}.md" not in now:
            yield f"the index points to {entry.slug}, which is not there"


if __name__ == "__main__":
    sys.exit(main())
