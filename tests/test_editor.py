"""The user's editor: which program is started, and what is said when it cannot be."""

import sys
from pathlib import Path

import pytest

from claudedo_findings import launch
from claudedo_findings.errors import FindingsError


@pytest.fixture
def writer(tmp_path: Path) -> Path:
    """A program that writes its arguments into the file that is the last of them."""
    program = tmp_path / "my editor"
    program.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'w').write(repr(sys.argv[1:-1]))\n")
    program.chmod(0o755)
    return program


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", ["VISUAL", "EDITOR"])
def test_editor_is_started_with_its_options_and_waited_for(
    name: str, writer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, f"'{writer}' --wait 'two words'")
    path = tmp_path / "a file.md"
    launch.editor(str(path))
    assert path.read_text() == "['--wait', 'two words']"


def test_visual_goes_before_editor(writer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", f"'{writer}'")
    monkeypatch.setenv("EDITOR", "/does/not/exist")
    launch.editor(str(tmp_path / "x.md"))
    assert (tmp_path / "x.md").read_text() == "[]"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/does/not/exist", r"'/does/not/exist' cannot be started \(No such file or directory\): correct \$EDITOR"),
        ("false", r"'false' ended with exit code 1"),
        ("'unclosed", r"\$EDITOR .* cannot be read \(No closing quotation\): correct it"),
    ],
)
def test_editor_that_fails_is_named(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", command)
    with pytest.raises(FindingsError, match=message):
        launch.editor(str(tmp_path / "x.md"))


def test_without_a_variable_an_editor_on_the_path_is_taken(
    writer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    writer.rename(tmp_path / "bin" / "vi")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("EDITOR", " ")
    launch.editor(str(tmp_path / "x.md"))
    assert (tmp_path / "x.md").read_text() == "[]"


def test_no_editor_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FindingsError, match="no editor was found: set EDITOR to yours"):
        launch.editor(str(tmp_path / "x.md"))
