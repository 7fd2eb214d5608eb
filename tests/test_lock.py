"""One writer at a time: the lock frees itself, says how long it was waited for, and passes nobody over."""

import math
import signal
import subprocess  # noqa: TID251  # tests drive real programs
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from claudedo_findings import lock
from claudedo_findings.errors import FindingsError


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A lock file that another process holds."""
    path = str(tmp_path / "git" / "findings.lock")
    code = (
        "import sys, time\nfrom claudedo_findings import lock\n"
        "with lock.locked(sys.argv[1]):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        yield path, holder
        holder.kill()


def test_busy_lock_is_an_error_that_says_how_long_it_waited(
    held: tuple[str, "subprocess.Popen[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "TIMEOUT", 1.0)
    with pytest.raises(FindingsError, match=r"the store is busy: waited 1 s for .*findings\.lock; try again"):  # noqa: SIM117  # the lock is what raises
        with lock.locked(held[0]):
            pytest.fail("two processes held the lock")


def test_lock_is_waited_for_ten_seconds() -> None:
    assert lock.TIMEOUT == 10.0


def test_killed_holder_does_not_block_the_next_writer(held: tuple[str, "subprocess.Popen[bytes]"]) -> None:
    path, holder = held
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    started = time.monotonic()
    with lock.locked(path):
        waited = time.monotonic() - started
    assert waited < 2


def test_garbage_in_the_lock_file_does_not_block_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "findings.lock"
    path.write_bytes(b"\0garbage of a crash 99999\n" * 10)
    started = time.monotonic()
    with lock.locked(str(path)):
        waited = time.monotonic() - started
    assert waited < 2


def test_lock_is_free_after_an_error_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "TIMEOUT", 0.5)
    path = str(tmp_path / "findings.lock")
    with pytest.raises(ZeroDivisionError), lock.locked(path):
        raise ZeroDivisionError
    with lock.locked(path):
        pass


def test_who_has_waited_longer_looks_more_often(
    held: tuple[str, "subprocess.Popen[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    sleep = time.sleep

    def noted(seconds: float) -> None:
        pauses.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", noted)
    assert lock.held(held[0], 1.5)
    whole = [pause for pause in pauses if pause in (0.005, 0.003, 0.001)]  # the last of each span is cut short
    assert whole == sorted(whole, reverse=True)
    assert set(whole) == {0.005, 0.003, 0.001}


def test_a_wait_lasts_until_its_end(held: tuple[str, "subprocess.Popen[bytes]"]) -> None:
    assert lock._LOOKS[-1][0] == math.inf  # longer ones than ten seconds too
    started = time.monotonic()
    assert lock.held(held[0], 1.3)
    assert time.monotonic() - started >= 1.3


def test_a_lock_without_patience_is_tried_once(held: tuple[str, "subprocess.Popen[bytes]"]) -> None:
    with pytest.raises(lock.BusyError, match="waited 0 s"), lock.locked(held[0], timeout=0):
        pytest.fail("two processes held the lock")


def test_looking_whether_a_lock_is_held_creates_nothing_and_leaves_it_free(tmp_path: Path) -> None:
    path = tmp_path / "findings.lock"
    assert not lock.held(str(path), 0)
    assert not path.exists()
    path.touch()
    assert not lock.held(str(path), 0)
    with lock.locked(str(path), timeout=0):
        pass
