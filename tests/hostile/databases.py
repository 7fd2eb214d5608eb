"""The host's database and the files that name lists: corrupt, of another version, or with any values."""

import json
import os
import sqlite3  # noqa: TID251  # plays the host
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from claudedo_findings import host, host_database, listfile, lists, nearby, resolution
from claudedo_findings.errors import FindingsError
from tests.hostile.corpus import data, json_value, text
from tests.hostile.tried import each
from tests.hostile.world import World

_TABLES = {"lists": ["id", "name", "working_dir"], "tasks": ["id", "list_id"], "worktrees": ["task_id", "path"]}
_value = st.one_of(
    text.filter(lambda value: value.isprintable() or "\ud800" not in value),
    st.binary(max_size=50),
    st.none(),
    st.floats(allow_nan=False),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from(["t1", "l1", "/tmp", "\0/x", "~", "//", "x" * 5_000]),
)
_rows = st.lists(st.lists(_value, min_size=3, max_size=3), max_size=4)
_columns = st.lists(
    st.sampled_from(["id", "name", "working_dir", "list_id", "task_id", "path", "other"]), unique=True, max_size=4
)
_table = st.one_of(st.none(), st.tuples(st.none(), _rows), st.tuples(st.none(), _rows), st.tuples(_columns, _rows))
_damage: st.SearchStrategy[list[tuple[int, bytes]]] = st.one_of(
    st.just([]),
    st.just([]),
    st.lists(st.tuples(st.integers(0, 20_000), st.binary(min_size=1, max_size=40)), max_size=5),
)
whole = st.fixed_dictionaries(
    {
        "tables": st.fixed_dictionaries(dict.fromkeys(_TABLES, _table)),
        "damage": _damage,
        "cut": st.one_of(st.none(), st.none(), st.integers(0, 20_000)),
    }
)
_config = st.one_of(
    data,
    json_value.map(lambda value: json.dumps({"DbPath": value}).encode()),
    st.builds(lambda part, number: part * number, st.sampled_from([b"[", b'{"a":']), st.integers(1, 50_000)),
)
_toml = st.one_of(
    data,
    st.dictionaries(text, text, max_size=3).map(
        lambda table: ("[lists]\n" + "".join(f"{json.dumps(a)} = {json.dumps(b)}\n" for a, b in table.items())).encode(
            "utf-8", "surrogatepass"
        )
    ),
    st.builds(
        lambda pair, number, shut: b"a = " + pair[0] * number + b"1" + pair[1] * number * shut,
        *(st.sampled_from([(b"[", b"]"), (b"{a=", b"}")]), st.integers(1, 5_000), st.booleans()),
    ),
    st.sampled_from(
        [
            *(b"lists.app = '/x'\n", b"lists = {app = '/x'}\n", b"[lists]\n[x]\n[lists.y]\n", b"[[lists]]\n"),
            *(
                b"[x]\n[lists]\napp = '/x'\n[x.y]\n",
                b"[lists]\n'another' = '/x'\n\"\" = ''\n",
                b"\xef\xbb\xbf[lists]\r\n",
            ),
        ]
    ),
)
_caller = st.builds(
    lambda task, task_list, bound, cwd: resolution.Caller(task=task, task_list=task_list, bound=bound, cwd=cwd),
    *(
        st.one_of(st.just(""), st.just("t1"), text),
        st.one_of(st.just(""), st.just("l1"), text),
        st.one_of(st.none(), st.none(), text),
        st.sampled_from(["", "/", os.getcwd(), "/no/such"]),
    ),
)
inputs = st.tuples(
    st.one_of(whole, data), st.one_of(st.none(), st.none(), _config), st.one_of(st.none(), _toml), _caller, text
)


def ask(world: World, examples: int) -> int:
    """Ask a host of any shape which list is meant."""
    folder = world.home / ".todo-app"
    folder.mkdir(exist_ok=True)
    path, settings = folder / "todo.db", folder / "ui.config.json"
    path.write_bytes(b"")
    settings.write_bytes(b"{}")
    config = Path(listfile.path())

    def check(value: Any) -> None:
        made, moved, toml, caller, wanted = value
        _build(path, made)
        settings.write_bytes(b"{}" if moved is None else moved)
        world.reset()
        if toml is not None:
            config.write_bytes(toml)
        for deed in (
            host.lists,
            host_database.lacking,
            lambda: host.task(wanted),
            lambda: host.task_of_worktree(str(world.repo)),
            lambda: host.tasks(["l1", wanted]),
            lambda: resolution.resolve(caller, wanted),
            lambda: [lists.root(item) for item in lists.known()],
            lambda: nearby.of_folder(str(world.repo)),
            lambda: lists.add("another", str(world.repo)),
        ):
            with suppress(FindingsError):
                world.watched(deed)
        path.unlink()
        settings.unlink()

    before = path.read_bytes()
    done = 0
    path.unlink()
    settings.unlink()
    try:
        done = each(world, inputs, check, examples)
    finally:
        world.reset()
    assert before == b""
    return done


def _build(path: Path, made: Any) -> None:
    for old in (path, path.with_name("todo.db-wal"), path.with_name("todo.db-shm")):
        old.unlink(missing_ok=True)
    if isinstance(made, bytes):
        path.write_bytes(made)
        return
    with closing(sqlite3.connect(path)) as connection:
        for name, table in made["tables"].items():
            if table is None:
                continue
            columns = _TABLES[name] if table[0] is None else table[0]
            if not columns:
                continue
            connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
            for row in table[1]:
                fitting = [value for value, _ in zip([*row, None], columns, strict=False)]
                with suppress(UnicodeEncodeError):
                    connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", fitting)
        connection.commit()
    raw = bytearray(path.read_bytes())
    for at, piece in made["damage"]:
        raw[at : at + len(piece)] = piece
    path.write_bytes(bytes(raw[: made["cut"]]))
