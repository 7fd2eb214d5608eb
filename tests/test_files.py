"""Whole files or none, and one writer at a time."""

import errno
import os
import subprocess  # noqa: TID251  # drives real programs
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claudedo_findings import files, git
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
from tests.conftest import make_repo

CAPABILITIES = "-dac_override,-dac_read_search"
UNPRIVILEGED = ["setpriv", f"--inh-caps={CAPABILITIES}", f"--bounding-set={CAPABILITIES}"]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def finding(slug: str = "clock-skew", body: str = "Only in CI.") -> Finding:
    return Finding(slug=slug, title="The clock is frozen", body=body)


def replace_refused(times: int, winerror: int) -> Callable[..., None]:
    """Return an `os.replace` that Windows refuses `times` times."""
    real, left = os.replace, [times]

    def refuse(source: str, target: str, **folders: int | None) -> None:
        if left[0]:
            left[0] -= 1
            error = PermissionError(errno.EACCES, "Access is denied")
            error.winerror = winerror  # type: ignore[attr-defined,unused-ignore]  # set by Windows alone
            raise error
        real(source, target, **folders)

    return refuse


def test_write_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "INDEX.md"
    path.write_bytes(b"a much longer text than the new one")
    files.write_atomic(str(path), b"new")
    assert tree(tmp_path) == {"INDEX.md": b"new"}


def test_new_file_follows_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        files.write_atomic(str(tmp_path / "a"), b"new")
    finally:
        os.umask(old)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_interrupted_write_keeps_the_old_file_and_no_temp_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "INDEX.md"
    path.write_bytes(b"old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        files.write_atomic(str(path), b"new")
    assert tree(tmp_path) == {"INDEX.md": b"old"}


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_windows_replace_that_is_refused_three_times_is_tried_again(
    winerror: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", replace_refused(3, winerror))
    files.write_atomic(str(tmp_path / "a"), b"new")
    assert tree(tmp_path) == {"a": b"new"}


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_windows_replace_that_is_refused_for_ever_is_a_clear_error(
    winerror: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(os, "replace", replace_refused(10_000, winerror))
    with pytest.raises(FindingsError, match=f"cannot write {path}: Access is denied; nothing was changed"):
        files.write_atomic(str(path), b"new")
    assert tree(tmp_path) == {"a": b"old"}


def test_windows_replace_is_tried_for_about_two_and_a_half_seconds() -> None:
    assert files.RETRY_SECONDS == 2.5


def test_refusal_on_posix_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def refuse(source: str, target: str, **_folders: int | None) -> None:
        tries.append((source, target))
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(FindingsError, match="Permission denied"):
        files.write_atomic(str(tmp_path / "a"), b"new")
    assert len(tries) == 1
    assert tree(tmp_path) == {}


def test_folder_that_cannot_be_synced_does_not_fail_the_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def refuse_folders(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(handle)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    files.write_atomic(str(tmp_path / "a"), b"new")
    assert tree(tmp_path) == {"a": b"new"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".INDEX.md.0a1b2c3d.tmp", True),
        (".INDEX.md.notahexa.tmp", False),
        ("INDEX.md.0a1b2c3d.tmp", False),
        (".notes.tmp", False),
        (".0a1b2c3d.tmp", False),
    ],
)
def test_only_own_temp_files_count_as_such(name: str, expected: bool) -> None:
    assert files.is_temp(name) is expected


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], check=False, capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"this machine does not permit a mount: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", disk], check=True)


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError as error:
                assert error.errno == errno.ENOSPC  # noqa: PT017  # the loop ends by this error alone


def test_full_disk_is_an_error_that_says_so_and_changes_nothing(small_disk: Path) -> None:
    store = Store(git.Places(root=str(small_disk)))
    store.save(finding(), keep_scope=True)
    fill(small_disk)
    before = tree(small_disk)
    with pytest.raises(FindingsError, match="No space left on device"):
        store.save(finding(body="Another text. " * 500), keep_scope=True)
    assert tree(small_disk) == before


def test_disk_that_fills_up_after_the_history_copy_leaves_no_copy(small_disk: Path) -> None:
    store = Store(git.Places(root=str(small_disk)))
    store.save(finding(), keep_scope=True)
    fill(small_disk)
    os.truncate(small_disk / "filler", (small_disk / "filler").stat().st_size - 4096)
    before = tree(small_disk)
    with pytest.raises(FindingsError, match="No space left on device"):
        store.save(finding(body="Another text. " * 500), keep_scope=True)
    assert tree(small_disk) == before


def test_save_works_again_when_the_full_disk_has_room(small_disk: Path) -> None:
    store = Store(git.Places(root=str(small_disk)))
    fill(small_disk)
    with pytest.raises(FindingsError, match="No space left on device"):
        store.save(finding(body="Another text. " * 500), keep_scope=True)
    (small_disk / "filler").unlink()
    assert store.save(finding(body="Another text. " * 500), keep_scope=True).status == "created"
    assert [entry.slug for entry in store.sync().entries] == ["clock-skew"]


SAVE = """
import sys
from claudedo_findings import git
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from claudedo_findings.store import Store
try:
    open(sys.argv[2], "w")
except PermissionError:
    print("denied")
try:
    new = Finding(slug=sys.argv[3], title="The clock is frozen", body="Another text.")
    print(Store(git.places(sys.argv[1])).save(new, keep_scope=True))
except FindingsError as error:
    print("error:", error)
"""


@pytest.mark.parametrize("slug", ["clock-skew", "another"])
@pytest.mark.parametrize("folder", [".claudedo/traps", ".claudedo"])
def test_read_only_folder_is_an_error_that_says_so_and_changes_nothing(folder: str, slug: str, tmp_path: Path) -> None:
    root = make_repo(tmp_path / "repo")
    store = Store(git.places(str(root)))
    store.save(finding(), keep_scope=True)
    before = tree(root)
    (root / folder).chmod(0o555)
    if folder == ".claudedo":
        (root / ".claudedo" / "traps").chmod(0o555)
    try:
        done = subprocess.run(
            [*UNPRIVILEGED, sys.executable, "-c", SAVE, root, root / folder / "probe", slug],
            capture_output=True,
            check=True,
            text=True,
        )
    finally:
        (root / folder).chmod(0o755)
        (root / ".claudedo" / "traps").chmod(0o755)
    denied, answer = done.stdout.splitlines()
    assert denied == "denied"
    assert answer.startswith(f"error: cannot write {store.finding_path(slug)}: Permission denied")
    assert tree(root) == before


@pytest.mark.parametrize("name", [".claudedo", ".claudedo/traps"])
def test_folder_replaced_by_a_file_is_an_error_that_says_so_and_changes_nothing(name: str, repo: Path) -> None:
    store = Store(git.places(str(repo)))
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text("a file of mine")
    before = tree(repo)
    with pytest.raises(FindingsError, match=r"cannot (create the folder|read) .*: (File exists|Not a directory)"):
        store.save(finding(), keep_scope=True)
    left = tree(repo)
    left.pop(".git/claudedo-findings.lock", None)
    assert left == before


def test_each_file_is_read_whole_whatever_its_size(tmp_path: Path) -> None:
    sizes = {"empty": 0, "small": 7, "one-less": 16_383, "just": 16_384, "more": 16_385, "large": 100_000}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(os.urandom(size))
    read = dict(files.read_each(str(tmp_path), sizes))
    assert read == {name: (tmp_path / name).read_bytes() for name in sizes}


def test_of_each_file_the_missing_is_left_out_and_the_unreadable_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("text")
    (tmp_path / "locked").write_text("text")
    (tmp_path / "folder").mkdir()
    opened = os.open

    def refusing(path: str, flags: int) -> int:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    monkeypatch.setattr(os, "open", refusing)
    read = list(files.read_each(str(tmp_path), ["folder", "gone", "a", "locked"]))
    assert read == [("folder", None), ("a", b"text"), ("locked", None)]
