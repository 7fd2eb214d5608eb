"""Files that somebody else wrote into the store: findings, candidates, retired texts and the index."""

import json
import random
import shutil
from contextlib import suppress
from datetime import date

from hypothesis import strategies as st

from claudedo_findings import files, finding, index, recall, renewal, retire, scalar
from claudedo_findings.approve import approve
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding
from tests.hostile.corpus import data, lines, text
from tests.hostile.tried import each
from tests.hostile.world import World

_OFTEN = 20  # every so many files the slower verbs look at the store too
_READING = [
    *(
        ("list", "--json"),
        ("check", "--json", "clock"),
        ("check", "--json", "--file", "src/app.py"),
        ("stale", "--json"),
    ),
    *(
        ("show", "clock-skew", "--json"),
        ("lint", "--json"),
        ("lint", "--fix", "--json"),
        ("list", "--retired", "--json"),
    ),
    *(
        ("list", "--candidates", "--json"),
        ("history", "clock-skew", "--json"),
        ("pointer", "--json"),
        ("sync", "--json"),
    ),
    *(("harvest", "--json"), ("check", "--json")),
]
_KEYS = st.sampled_from(
    [
        "slug",
        "scope",
        "source-task",
        "verified-against",
        "expires",
        "evidence",
        "source",
        "also",
        "drafted",
        "retired",
        "x",
    ]
)
_line = st.one_of(
    st.builds(lambda key, value: f"{key}: {value}", _KEYS, text),
    st.builds(lambda key, value: f"{key}: {scalar.quote(value)}", _KEYS, text),
    lines,
)
fronts = st.one_of(
    st.builds(
        lambda front, title, body, end: (
            "\n".join(["---", *front, "---", "", f"# {title}", "", body])
            .replace("\n", end)
            .encode("utf-8", "surrogatepass")
        ),
        *(st.lists(_line, max_size=8), text, lines, st.sampled_from(["\n", "\r\n", "\r"])),
    ),
    st.builds(
        lambda start, rest: start + rest, st.sampled_from([b"---\n", b"\xef\xbb\xbf---\r\n", b"--- \n", b"\0"]), data
    ),
)
_entry = st.builds(
    lambda bullet, name, slug, dash, hook: f"{bullet} [{name}](traps/{slug}.md) {dash} {hook}",
    *(
        st.sampled_from(["-", "*", "+", "   -", "1."]),
        text,
        st.sampled_from(["clock-skew", "other", "no-such", "../x", "con"]),
    ),
    *(st.sampled_from(["—", "–", "-", ":", ""]), text),
)
indexes = st.one_of(
    st.lists(
        st.one_of(
            _entry, _entry, text, st.sampled_from(["```", "<!--", "-->", "<<<<<<< a", "=======", ">>>>>>> b", "\r"])
        ),
        max_size=20,
    ).map(lambda parts: "\n".join(parts).encode("utf-8", "surrogatepass")),
    data,
)


def front_matters(world: World, examples: int) -> int:
    """Let every verb that moves a text meet files that it did not write."""
    chance, number = random.Random(1), 0

    def check(value: bytes) -> None:
        nonlocal number
        number += 1
        shutil.rmtree(world.folder, ignore_errors=True)
        store = world.store()
        for kind in ("traps", "candidates", "retired"):
            (world.folder / kind).mkdir(parents=True)
            (world.folder / kind / "clock-skew.md").write_bytes(value)
        world.watched(lambda: _pure(value))
        deeds = [
            lambda: store.save(Finding(slug="clock-skew", title="A title", body="A body."), keep_scope=True),
            lambda: approve(store, ["clock-skew"]),
            lambda: retire.reject(store, ["clock-skew"], "no trap"),
            lambda: retire.retire(store, ["clock-skew"], "no longer holds"),
            lambda: recall.restore(store, "clock-skew"),
            lambda: renewal.renew(store, ["clock-skew"], today=date(2026, 11, 30)),
            lambda: recall.forget(store, "clock-skew"),
        ]
        if number % _OFTEN == 0:
            _read(world)
        for deed in chance.sample(deeds, 3):
            with suppress(FindingsError):
                world.watched(deed)
        _true(world)

    return each(world, fronts, check, examples)


def indices(world: World, examples: int) -> int:
    """Let a save heal any index, and agents and people read it."""
    number = 0
    store = world.store()
    store.save(Finding(slug="other", title="Another", body="A body."), keep_scope=True)

    def check(value: bytes) -> None:
        nonlocal number
        number += 1
        (world.folder / "INDEX.md").write_bytes(value)
        if number % _OFTEN == 0:
            _read(world)
        with suppress(FindingsError):
            world.watched(
                lambda: store.save(Finding(slug="clock-skew", title="A title", body="A body."), keep_scope=True)
            )
        _true(world)
        with suppress(UnicodeDecodeError):
            parsed = index.parse(value.decode("utf-8"))
            assert value in (b"", b"\xef\xbb\xbf") or index.render(parsed).encode("utf-8") == value
            healed = index.heal(parsed, {"other"}, {"other": "Hook"})
            assert index.heal(healed, {"other"}, {"other": "Hook"}) == healed
            assert [entry.slug for entry in healed.entries] == ["other"]

    return each(world, indexes, check, examples)


def _read(world: World) -> None:
    for line in _READING:
        code, out = world.verb(*line)
        if code in (0, 1) and out:
            json.loads(out)


def _pure(value: bytes) -> None:
    stored = finding.parse(finding.decode(value))
    for text_ in (stored.title, stored.body, stored.scope, stored.complaint, *stored.keys, *stored.keys.values()):
        assert isinstance(text_, str)
    new = finding.rekey(value, {"retired": 'a "reason": it #holds'})
    assert finding.parse(finding.decode(new)).keys["retired"] == 'a "reason": it #holds'
    finding.render(Finding(slug="x", title="T", body="B"), finding.decode(value))


def _true(world: World) -> None:
    """The index is true to the files, unless it cannot be read; no temp file is left."""
    store = world.store()
    with suppress(FindingsError):
        listing = store.read_index()
        if listing:
            entries = [entry.slug for entry in listing.entries]
            assert len(entries) == len(set(entries))
            assert set(entries) <= store.slugs()
    assert [path for path in world.folder.rglob("*") if files.is_temp(path.name)] == []
