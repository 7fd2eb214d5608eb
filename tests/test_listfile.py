"""lists.toml holds any name and folder, whatever they need to be quoted."""

from pathlib import Path

import pytest

from claudedo_findings import listfile, lists


@pytest.mark.parametrize("name", ["app", "two words", "Ümlaut", "a.b", "空", "-x", 'q"uote', "back\\slash", "it's"])
def test_what_was_written_is_read_back(repo: Path, name: str) -> None:
    lists.add(name, str(repo))
    assert listfile.read() == {name: str(repo)}
