"""lists.toml as this tool writes it is read without a parser, and as the parser reads it."""

import subprocess  # noqa: TID251  # tests drive real programs
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings import listfile, lists
from tests.conftest import make_repo

PARTS = [
    "[lists]",
    "\n",
    " = ",
    '"',
    "a",
    "b-1",
    "_",
    "é",
    "空",
    "\\",
    "\\\\",
    "'",
    "#",
    "/p q",
    "\t",
    "\r",
    ".",
    "[",
    "]",
]
LINES = ["[lists]\n", 'app = "/srv/app"\n', '"my app" = "C:\\\\work"\n', "# mine\n", "\n", "x = '/y'\n", '"" = ""\n']


@given(st.one_of(st.lists(st.sampled_from(PARTS), max_size=14), st.lists(st.sampled_from(LINES), max_size=6)))
def test_what_is_read_without_a_parser_is_what_the_parser_reads(parts: list[str]) -> None:
    text = "".join(parts)
    table = listfile.as_written(text)
    assert table is None or tomllib.loads(text) == {"lists": table}


@pytest.mark.parametrize("name", ["app", "two words", "Ümlaut", "a.b", "空", "-x", 'q"uote', "back\\slash", "it's"])
def test_what_was_written_is_read_back(repo: Path, name: str) -> None:
    lists.add(name, str(repo))
    assert listfile.read() == {name: str(repo)}
    plain = listfile.as_written(Path(listfile.path()).read_text(encoding="utf-8"))
    assert plain == ({name: str(repo)} if not set(name) & set('"') else None)


def test_a_comment_and_a_second_list_are_no_reason_for_the_parser(repo: Path, tmp_path: Path) -> None:
    lists.add("one", str(repo))
    path = Path(listfile.path())
    path.write_text(f"# my projects\n\n{path.read_text()}# the other\n")
    lists.add("two", str(make_repo(tmp_path / "two")))
    assert listfile.as_written(path.read_text()) == {"one": str(repo), "two": str(tmp_path / "two")}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "app = '/x'",
        "[lists]\napp = '/x'\n",
        '[lists]\napp = "/x" # here\n',
        '[lists]\napp="/x"\n',
        '[lists]\na.b = "/x"\n',
        '[lists]\napp = "/x"\napp = "/y"\n',
        '[lists]\napp = "/x"\n[other]\n',
        '[lists]\r\napp = "/x"\r\n',
        '[lists]\napp = "\\u0041"\n',
        '[lists]\napp = """/x"""\n',
        "[lists]\napp = 1\n",
        '[lists]\n" = "/x"\n',
    ],
)
def test_anything_else_is_the_parsers(text: str) -> None:
    assert listfile.as_written(text) is None


def test_the_parser_is_not_imported_for_what_was_written(repo: Path) -> None:
    lists.add("app", str(repo))
    script = "import sys; from claudedo_findings import listfile; listfile.read(); sys.exit('tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
    Path(listfile.path()).write_text(f"[lists]\napp = '{repo}'\n")
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 1
