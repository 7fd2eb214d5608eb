"""Every call that a write makes fails once, is killed once, and meets a swapped folder; strace says none was missed."""

import os
import re
import shutil
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from claudedo_findings import files
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store
from tests.faults import ground, play

REPOSITORY = Path(__file__).parent.parent.parent
PLAYED = ("first save", "save", "overwrite of a hand edit", "sync", "retire", "merge")
# The calls that change something, by the names that libc and the kernel give them, and the shim's name for each.
CHANGING = {
    "openat": "open",
    "open": "open",
    "write": "write",
    "fsync": "fsync",
    "rename": "rename",
    "renameat": "rename",
    "renameat2": "rename",
    "unlink": "unlink",
    "unlinkat": "unlink",
    "mkdir": "mkdir",
    "mkdirat": "mkdir",
    "rmdir": "rmdir",
    "flock": "lock",
    "ftruncate": "truncate",
}
# What else could change a file; if one of them turns up, the shim must learn it.
UNKNOWN = "link,linkat,symlink,symlinkat,truncate,pwrite64,writev,pwritev,pwritev2,sendfile,copy_file_range,fallocate"


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the shim, compiled."""
    return play.build(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A repository with a full store."""
    root = tmp_path / "template"
    ground.make(root)
    ground.fill(root)
    return root


@pytest.mark.parametrize("operation", PLAYED)
@pytest.mark.timeout(900)
def test_no_fault_at_any_call_loses_or_tears_anything(shim: Path, operation: str) -> None:
    answer = play.play(shim, operation, "--brief")
    assert answer["broken"] == []
    assert answer["points"] > 3 * len(answer["calls"]) > 60


def strace(root: Path, operation: str, *options: str, log: Path) -> subprocess.CompletedProcess[str]:
    """Run an operation in the checkout at `root` under strace; only its first thread is followed."""
    command = [sys.executable, "-m", "tests.faults.once", operation, str(root)]
    return subprocess.run(
        ["strace", "-y", "-o", str(log), *options, *command],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )


def touching(log: Path, root: Path) -> list[tuple[int, str, str]]:
    """Return the successful calls of a log that change something below `root`: which of its name, name and path."""
    found, seen = [], Counter[str]()
    for line in log.read_text(errors="replace").splitlines():
        match = re.match(r"(\w+)\((.*)\) += (-?\d+)", line)
        if not match:
            continue
        name, arguments, _ = match.groups()
        seen[name] += 1
        path = next((part for part in re.findall(rf"{re.escape(str(root))}(?:/[^\">]*)?(?=[\">])", arguments)), "")
        if path:
            found.append((seen[name], name, path))
    return found


@pytest.mark.parametrize("operation", PLAYED)
def test_the_shim_sees_every_call_that_the_kernel_sees(
    shim: Path, operation: str, template: Path, tmp_path: Path
) -> None:
    root, log = tmp_path / "root", tmp_path / "log"
    if ground.OPERATIONS[operation].fresh:
        ground.make(root)
    else:
        shutil.copytree(template, root, symlinks=True)
    done = strace(root, operation, "-e", f"trace={','.join(CHANGING)},{UNKNOWN}", log=log)
    assert done.returncode == 0, done.stderr
    lines = touching(log, root)
    assert not {name for _, name, _ in lines} & set(UNKNOWN.split(","))
    kernel = Counter(CHANGING[name] for _, name, _ in lines)
    calls = Counter(call.split()[0] for call in play.play(shim, operation, "--calls")["calls"])
    for name in ("write", "fsync", "rename", "unlink", "mkdir", "lock"):
        assert kernel[name] == calls[name], name
    assert calls["open"] + calls["opendir"] >= kernel["open"]


@pytest.mark.parametrize("fault", ["signal=SIGKILL", "error=ENOSPC"])
def test_faults_that_the_kernel_injects_into_a_save_lose_nothing(template: Path, tmp_path: Path, fault: str) -> None:
    root, log = tmp_path / "root", tmp_path / "log"
    shutil.copytree(template, root, symlinks=True)
    assert strace(root, "save", "-e", f"trace={','.join(CHANGING)}", log=log).returncode == 0
    after = ground.content(str(root))
    points = [point for point in touching(log, root) if fault.startswith("signal") or point[1] != "flock"]
    assert len(points) > 15
    before = ground.content(str(template))
    for at, name, path in points:
        shutil.rmtree(root)
        shutil.copytree(template, root, symlinks=True)
        done = strace(root, "save", "-e", f"trace={name}", "-e", f"inject={name}:{fault}:when={at}", log=log)
        text = log.read_text(errors="replace")
        assert "(INJECTED)" in text or "SIGKILL" in text, (at, name, path)
        assert "Traceback" not in done.stderr
        now = ground.content(str(root))
        temps = {other for other in now if files.is_temp(Path(other).name)}
        assert not temps or fault.startswith("signal"), (at, name, path)
        for other, data in now.items():
            assert other in temps or data in (before.get(other), after.get(other)), (at, name, other)
        if done.returncode == 0:
            assert now[".claudedo/traps/newcomer.md"] == after[".claudedo/traps/newcomer.md"]
        store = ground.store_at(str(root))
        store.save(ground.finding("next"), keep_scope=False)
        listed = {entry.slug for entry in (store.read_index() or pytest.fail("no index")).entries}
        assert store.slugs() - listed <= {"old"}


def until_refused(store: Store) -> int:
    """Save until the disk is full and return how many findings were acknowledged."""
    for number in range(1_000):
        try:
            store.save(ground.finding(f"f-{number}", body="x" * 4_000), keep_scope=False)
        except FindingsError as error:
            if "No space left on device" in str(error):
                return number
            raise
    pytest.fail("the disk never filled up")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk_is_an_error_and_the_store_stays_whole(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], check=True)
    try:
        root = disk / "root"
        ground.make(root)
        store = ground.store_at(str(root))
        saved = until_refused(store)
        assert saved > 10
        now = ground.content(str(root))
        assert not [path for path in now if files.is_temp(Path(path).name)]
        assert all(f".claudedo/traps/f-{number}.md" in now for number in range(saved))
        for number in range(5):
            (Path(store.folder) / "traps" / f"f-{number}.md").unlink()
        store.save(ground.finding("again"), keep_scope=False)
        listed = {entry.slug for entry in (store.read_index() or pytest.fail("no index")).entries}
        assert listed == store.slugs()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("years", [-10, 10])
def test_a_clock_that_jumps_loses_nothing(template: Path, monkeypatch: pytest.MonkeyPatch, years: int) -> None:
    store, real = ground.store_at(str(template)), time.time
    monkeypatch.setattr(time, "time", lambda: real() + years * 365 * 86_400)
    os.utime(store.finding_path("clock"), (time.time(), time.time()))
    assert store.save(ground.finding("clock", body=f"{years} years on."), keep_scope=False).status == "updated"
    assert f"{years} years on." in Path(store.finding_path("clock")).read_text()
    assert {entry.slug for entry in store.sync().entries} == store.slugs() - ({"old"} if years > 0 else set())
