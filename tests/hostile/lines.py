"""Command lines: of any words, and of those that fit a verb but for their values."""

import argparse
import os

from hypothesis import strategies as st

from claudedo_findings import cli
from tests.hostile.corpus import text

# Not these: they serve, start programs of the user's, or ask a person. `hook` has inputs of its own.
_ELSEWHERE = {"serve", "demo", "open", "review", "hook", "trial"}
VERBS = sorted({verb for verbs in cli.FAMILIES.values() for verb in verbs} - _ELSEWHERE)
_WRITES_WHAT_IT_NAMES = {"--html"}
_NEEDED = {  # without these a verb only says what is missing
    "save": ("--title", "--body"),
    "retire": ("--why",),
    "reject": ("--why",),
    "forget": ("--yes",),
    "merge": ("--apply",),
}
_VALUES = {
    "--days": st.sampled_from(["1", "0.5", "-1", "1e999", "nan", "9" * 400]),
    "--port": st.sampled_from(["1", "65535", "65536", "-1", "9" * 5_000, "٣"]),
    "--version": st.sampled_from(["1", "2", "0", "-1", "9" * 5_000, "٣"]),
    "--expires": st.sampled_from(["never", "2027-01-31", "2026-02-30", "20270131", "9" * 400]),
    "--from-commit": st.sampled_from(["HEAD", "HEAD~9", "--all", "0" * 40, "@{u}"]),
    "--scope": st.sampled_from(["src", "src/app.py", "no/such", "..", ".git", ".claudedo"]),
}
_argument = text.filter(lambda value: "\0" not in value).map(
    lambda value: os.fsdecode(os.fsencode(value.encode("utf-8", "surrogatepass")))
)
# Of the store that each line meets: a finding, another, a candidate, a retired one; then what else a verb may take.
_ours = st.sampled_from(["clock-skew", "trap-1", "draft-2", "gone-3", "src/app.py", "NOTES.md", "src", "clock", "1"])
# Drawn by hand, because `one_of` would draw empty and odd values so often that few lines get past the parser.
_value = st.sampled_from([_ours, _ours, _ours, _argument]).flatmap(lambda strategy: strategy)
_which = st.sampled_from(
    [
        *(st.just([]), st.just([]), st.just(["--here"]), st.just(["--list=app"]), st.just(["--list=app"])),
        _argument.map(lambda name: [f"--list={name}"]),
    ]
).flatmap(lambda strategy: strategy)


def _options(parsers: dict[str, argparse.ArgumentParser]) -> list[str]:
    found = {name for parser in parsers.values() for action in parser._actions for name in action.option_strings}
    return sorted(found - _WRITES_WHAT_IT_NAMES | {"--http", "--list=app", "--why=x", "--title=x", "--body=x"})


_PARSERS: dict[str, argparse.ArgumentParser] = {
    verb: parser
    for verb, parser in cli.parser().verbs.items()  # type: ignore[attr-defined]  # the top parser is of its own class
    if verb in VERBS
}
_any = st.builds(
    lambda verb, rest: [verb, *rest],
    st.sampled_from(VERBS),
    st.lists(st.one_of(_argument, _ours, st.sampled_from(_options(_PARSERS))), max_size=6),
)


@st.composite
def _fitting(draw: st.DrawFn) -> list[str]:
    verb = draw(st.sampled_from(VERBS))
    if verb == "lists":
        return draw(
            st.one_of(
                st.just(["lists", "--json"]),
                st.tuples(_value, st.sampled_from([".", "src", "/", "~", "no/such", "a\nb"])).map(
                    lambda pair: ["lists", "add", "--", *pair]
                ),
                _value.map(lambda name: ["lists", "remove", "--", name]),
            )
        )
    actions = [action for action in _PARSERS[verb]._actions if action.dest != "help"]
    options = {name: action for action in actions for name in action.option_strings if name.startswith("--")}
    offered = sorted(options.keys() - _WRITES_WHAT_IT_NAMES - {"--list", "--here"})
    chosen = draw(st.lists(st.sampled_from(offered), unique=True, max_size=3)) if offered else []
    line = [verb, *(draw(_which) if "--list" in options else ())]
    for name in dict.fromkeys([*_NEEDED.get(verb, ()), *chosen]):
        action = options[name]
        if action.nargs == 0:
            line.append(name)
        else:
            fitting = draw(st.sampled_from([True, True, True, False]))
            line.append(f"{name}={draw(_VALUES.get(name, _value) if fitting else _argument)}")
    words: list[str] = []
    for action in actions:
        if not action.option_strings:
            least, most = {None: (1, 1), "+": (1, 3), "*": (0, 2), "?": (0, 1)}[action.nargs]  # type: ignore[index]
            one = st.sampled_from(sorted(action.choices)) if action.choices else _value
            words += draw(st.lists(one, min_size=least, max_size=most))
    ends: bool = draw(st.booleans())
    return [*line, "--", *words] if words and ends else [*line, *words]


command_lines: st.SearchStrategy[list[str]] = (
    st.sampled_from([_fitting(), _fitting(), _fitting(), _any])
    .flatmap(lambda strategy: strategy)
    .filter(lambda line: line[:1] != ["lists"] or not any("neighbour" in word for word in line))
)
