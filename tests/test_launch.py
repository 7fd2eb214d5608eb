"""Other programs of the user: real processes that record what they were given."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from claudedo_findings import launch, vscode
from claudedo_findings.errors import FindingsError

Stub = Callable[..., Path]


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stub:
    """Return a maker of programs on PATH that write their arguments, one a line, to the file it returns."""
    programs = tmp_path / "programs"
    programs.mkdir()
    # Nothing else is on PATH but the shell's own tools: no real desktop may open.
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/bin")

    def make(name: str, then: str = "exit 0") -> Path:
        record = tmp_path / f"{name}.arguments"
        program = programs / name
        program.write_text(f"#!/bin/sh\nfor given in \"$@\"; do printf '%s\\n' \"$given\"; done >'{record}'\n{then}\n")
        program.chmod(0o755)
        return record

    return make


@pytest.mark.parametrize("name", ["plain", "with space", "grün & 空", "-n", "$(touch x)"])
def test_the_file_manager_gets_the_folder_as_one_argument(stub: Stub, tmp_path: Path, name: str) -> None:
    record = stub("xdg-open")
    launch.folder(str(tmp_path / name))
    assert record.read_text() == f"{tmp_path / name}\n"


def test_a_file_goes_to_the_program_of_its_kind(stub: Stub, tmp_path: Path) -> None:
    record = stub("xdg-open")
    launch.file(str(tmp_path / "a.md"))
    assert record.read_text() == f"{tmp_path / 'a.md'}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are POSIX's")
def test_what_is_opened_outlives_the_terminal(stub: Stub, tmp_path: Path) -> None:
    asks = f"exec '{sys.executable}' -c 'import os; print(os.getsid(0) == os.getpid())' >'{tmp_path / 'leads'}'"
    stub("xdg-open", asks)
    launch.folder(str(tmp_path))
    assert (tmp_path / "leads").read_text() == "True\n"


@pytest.mark.parametrize("name", ["code", "code-insiders", "codium"])
def test_each_edition_of_vs_code_is_found(stub: Stub, tmp_path: Path, name: str) -> None:
    record = stub(name)
    launch.code(str(tmp_path))
    assert record.read_text() == f"{tmp_path}\n"


def test_vs_code_itself_comes_before_its_kin(stub: Stub, tmp_path: Path) -> None:
    kin, record = stub("codium"), stub("code")
    launch.code(str(tmp_path))
    assert record.exists()
    assert not kin.exists()


def test_vs_code_is_found_where_it_is_installed_without_path(
    stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = stub("installed")
    monkeypatch.setenv("WHERE", str(tmp_path / "programs"))
    monkeypatch.setitem(vscode._PLACES, "linux", ["~/nowhere/code", "$WHERE/installed"])
    launch.code(str(tmp_path))
    assert record.read_text() == f"{tmp_path}\n"


def test_the_program_beside_a_batch_file_is_taken(stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub("unused")
    beside = tmp_path / "Code.exe"
    beside.write_text("")
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / "bin" / f"{name}.cmd"))
    assert next(vscode._programs()) == str(beside)


def test_no_vs_code_is_an_error_that_names_the_folder(
    stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub("unused")
    monkeypatch.setitem(vscode._PLACES, "linux", [])
    with pytest.raises(FindingsError, match="VS Code was not found") as caught:
        launch.code(str(tmp_path))
    assert str(tmp_path) in str(caught.value)


def test_no_desktop_is_an_error_that_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FindingsError, match="xdg-open was not found") as caught:
        launch.folder(str(tmp_path))
    assert str(tmp_path) in str(caught.value)


def test_an_opener_that_gives_up_is_an_error(stub: Stub, tmp_path: Path) -> None:
    stub("xdg-open", then="exit 3")
    with pytest.raises(FindingsError, match=r"xdg-open gave up \(exit 3\)"):
        launch.folder(str(tmp_path))


def test_a_program_that_cannot_be_started_is_an_error(stub: Stub, tmp_path: Path) -> None:
    stub("code")
    (tmp_path / "programs" / "code").write_text("#!/no/such/interpreter\n")
    with pytest.raises(FindingsError, match="code could not be started"):
        launch.code(str(tmp_path))


def test_a_window_that_stays_open_is_not_waited_for(
    stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "PATIENCE", 0.2)
    gate = tmp_path / "gate"
    stub("xdg-open", then=f"until [ -e '{gate}' ]; do sleep 0.05; done")
    launch.folder(str(tmp_path))
    assert len(launch._started) == 1
    gate.touch()
    while launch._started[0].poll() is None:
        time.sleep(0.02)
    stub("xdg-open")
    launch.folder(str(tmp_path))


@pytest.mark.parametrize(
    ("system", "program", "stored"),
    [("darwin", "pbcopy", "Größe “x”".encode()), ("win32", "clip", "Größe “x”".encode("utf-16"))],
)
def test_text_is_copied_with_the_program_of_the_system(
    system: str, program: str, stored: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / program
    script.write_text(f'#!/bin/sh\ncat >"{tmp_path}/copied"\n')
    script.chmod(0o755)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    launch.copy("Größe “x”")
    assert (tmp_path / "copied").read_bytes() == stored
    script.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(FindingsError, match=f"{program} could not copy to the clipboard"):
        launch.copy("x")
