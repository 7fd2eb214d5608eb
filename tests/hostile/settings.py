"""Files that doctor and trial read: settings of MCP clients, plans of trials, and what a trial has kept."""

import json
from contextlib import suppress
from pathlib import Path

from hypothesis import strategies as st

from claudedo_findings import clients, doctor_clients
from claudedo_findings.errors import FindingsError
from claudedo_findings.trial import plan, record
from tests.hostile.corpus import data, json_value, text
from tests.hostile.tried import each
from tests.hostile.world import World

_KINDS: dict[str, type] = {"ground": str, "n": list, "metrics": dict}
_word = st.one_of(
    text, json_value, st.sampled_from(["claudedo-findings", "~\0", "~no/x", "$HOME/x", "${", "%x%", "-m", "serve"])
)
_server = st.one_of(
    json_value,
    st.fixed_dictionaries(
        {},
        optional={
            "command": st.one_of(_word, st.lists(_word, max_size=3)),
            "args": st.one_of(_word, st.lists(_word, max_size=3)),
            "url": st.one_of(
                _word,
                st.sampled_from(["0", "65536", "9" * 5_000, "1/mcp?x", "٣"]).map(
                    lambda port: f"http://127.0.0.1:{port}/mcp"
                ),
            ),
            "httpUrl": _word,
        },
    ),
)
_servers = st.one_of(json_value, st.dictionaries(st.one_of(st.just("findings"), text), _server, max_size=3))
_table = st.fixed_dictionaries(
    {},
    optional={
        "mcpServers": _servers,
        "mcp_servers": _servers,
        "servers": _servers,
        "mcp": st.one_of(_servers, st.fixed_dictionaries({"servers": _servers})),
        "projects": st.dictionaries(text, st.fixed_dictionaries({"mcpServers": _servers}), max_size=2),
    },
)
_toml = st.sampled_from(["mcp_servers", "metrics", "agent", "finding", "n", "models", "code", "x"])
_deep = st.sampled_from(
    [("[", "]"), ('{"a":', "}"), ("a = [", "]"), ("a = {a=", "}"), ('"\\"', ""), ("/* ", ""), (", ", ""), ("[a.", "")]
)
texts = st.sampled_from(
    [
        data,
        _table.map(lambda value: json.dumps(value).encode()),
        _table.map(lambda value: json.dumps(value).replace("}", ",}//\n").encode()),
        st.lists(
            st.builds(lambda key, value: f"[{key}]\n{key} = {json.dumps(value)}\n", _toml, json_value), max_size=5
        ).map(lambda parts: "".join(parts).encode()),
        st.builds(
            lambda pair, number, shut: (pair[0] * number + pair[1] * number * shut).encode(),
            *(_deep, st.integers(1, 20_000), st.booleans()),
        ),
        st.sampled_from(["ground", "n", "metrics", "outcome"])
        .flatmap(lambda key: st.dictionaries(st.just(key), json_value))
        .map(lambda value: json.dumps(value).encode()),
    ]
).flatmap(lambda strategy: strategy)


def read(world: World, examples: int) -> int:
    """Let doctor and trial read files of every content."""
    places = [Path(source.path) for source in clients.settings()]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
    kept = world.base / "temp" / "kept"

    def check(value: bytes) -> None:
        for place in (*places, kept):
            place.write_bytes(value)
        world.watched(lambda: list(doctor_clients.told((), ["x"])))
        for deed in (lambda: plan.load(str(kept)), lambda: record.read_json(str(kept), **_KINDS)):
            with suppress(FindingsError):
                world.watched(deed)
        for place in places:
            place.unlink()

    return each(world, texts, check, examples)
