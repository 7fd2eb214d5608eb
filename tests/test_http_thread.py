"""The HTTP service in a thread: it serves, it ends, and it leaves signals and the process alone."""

import json
import signal
import threading
import urllib.request
from pathlib import Path

import pytest

from claudedo_findings import files, git, lock, service
from claudedo_findings.errors import FindingsError
from claudedo_findings.server import http_front, http_start, http_thread
from claudedo_findings.server.http_thread import InThread
from claudedo_findings.store import Store
from tests.serving import BASE, GUARD, call


def save(running: InThread, slug: str) -> str:
    """Save a finding over HTTP and return its status."""
    headers = {**BASE, service.KEY_HEADER: service.key()[0]}
    request = urllib.request.Request(running.url, json.dumps(call(slug=slug)).encode(), headers)
    with urllib.request.urlopen(request, timeout=GUARD) as answer:
        status: str = json.load(answer)["result"]["structuredContent"]["status"]
    return status


def test_serves_until_it_is_stopped_and_takes_no_signal(listed: Path) -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    running = InThread(http_start.Options(port=0))
    assert save(running, "in-a-thread") == "created"
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
    assert running.serving()
    assert running.stop()
    assert not running.serving()
    assert Store(git.places(str(listed))).slugs() == {"in-a-thread"}
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(running.url.replace("/mcp", "/health"), timeout=GUARD)


@pytest.mark.usefixtures("listed")
def test_two_can_run_one_after_the_other() -> None:
    for slug in ("one", "two"):
        running = InThread(http_start.Options(port=0))
        assert save(running, slug) == "created"
        assert running.stop()


@pytest.mark.usefixtures("listed")
def test_taken_port_is_told() -> None:
    running = InThread(http_start.Options(port=0))
    try:
        port = int(running.url.removesuffix("/mcp").rpartition(":")[2])
        with pytest.raises(FindingsError, match=f"port {port} is taken by claudedo-findings"):
            InThread(http_start.Options(port=port))
    finally:
        assert running.stop()


def test_save_that_waits_for_the_store_is_not_cut_off_by_an_exit(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_thread, "LIMIT", 0.5)
    monkeypatch.setattr(http_front, "LIMIT", 0.5)
    store = Store(git.places(str(listed)))
    running = InThread(http_start.Options(port=0))
    saved: list[str] = []
    waits = threading.Event()
    original = files.make_folder

    def noting(path: str, *, durable: bool = False) -> None:
        waits.set()  # the first thing on the way to the lock
        original(path, durable=durable)

    with lock.locked(store.places.common_dir + "/claudedo-findings.lock"):
        monkeypatch.setattr(files, "make_folder", noting)
        client = threading.Thread(target=lambda: saved.append(save(running, "late")))
        client.start()
        assert waits.wait(GUARD)
        assert not running.stop()  # and this process is still here
    client.join(GUARD)
    assert store.slugs() == {"late"}
