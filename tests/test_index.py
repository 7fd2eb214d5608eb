"""INDEX.md: its entries heal, everything else is the human's."""

from collections import Counter

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from claudedo_findings import index


def line(slug: str, hook: str = "hook") -> str:
    return f"- [{slug}](traps/{slug}.md) — {hook}"


def slugs(text: str) -> list[str]:
    return [entry.slug for entry in index.parse(text).entries]


def put(text: str, slug: str, hook: str = "new", *, keep: bool = False) -> str:
    return index.render(index.put(index.parse(text), slug, hook, keep=keep))


def heal(text: str, present: set[str], hooks: dict[str, str] | None = None) -> str:
    return index.render(index.heal(index.parse(text), present, hooks or {}))


def drop(text: str, slug: str) -> str:
    return index.render(index.drop(index.parse(text), slug))


HEAD = "# Findings\n\n"
FENCED = "```\n- [b](traps/b.md) — example\n```\n"
PIECES = [
    *(line("a"), line("b"), line("c", "another"), "* [a](./traps/a.md): x", "  - [c](traps/c.md)", line("gone")),
    *(
        "# Findings",
        "prose",
        "",
        "  ",
        "Heading",
        "=======",
        "```",
        "~~~",
        "````",
        "``` a`b",
        "<!--",
        "-->",
        "<!-- x -->",
    ),
    *("<<<<<<< HEAD", "||||||| base", "|||||||", ">>>>>>> branch", ">>>>>>>", "<<<<<<< other", "\r", line("b") + "\r"),
    *("- [x](traps/X.md) — x", "    " + line("a"), "see [a](traps/a.md)", "| a | b |"),
]
LINES = st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("\n".join), st.text())
# A byte order mark means something at the start alone.
TEXTS = st.builds(lambda bom, text: bom + text.replace("\ufeff", ""), st.sampled_from(["", "", "", "\ufeff"]), LINES)
SLUGS = st.sets(st.sampled_from(["a", "b", "c", "d"]))


def own_lines(text: str) -> Counter[str]:
    """The lines that are no entry: the human's; blank ones and the heading that a new file gets aside."""
    parsed = index.parse(text)
    entries = {entry.line for entry in parsed.entries}
    own = (text.strip("\ufeff\r ") for number, text in enumerate(parsed.lines) if number not in entries)
    return Counter(text for text in own if text not in ("", "# Findings"))


# --- reading and writing back


@settings(max_examples=300)
@given(TEXTS.filter(lambda text: text not in ("", "\ufeff")))
def test_text_that_is_read_and_rendered_is_the_same(text: str) -> None:
    assert index.render(index.parse(text)) == text


def test_index_that_does_not_exist_yet_has_a_heading() -> None:
    assert put("", "a", "the hook") == "# Findings\n\n- [a](traps/a.md) — the hook\n"


@pytest.mark.parametrize(
    ("text", "hook"),
    [
        ("- [a](traps/a.md) — the hook", "the hook"),
        ("* [A trap](./traps/a.md) - the hook  ", "the hook"),
        ("  + [`a`](traps/a.md): the hook\r", "the hook"),
        ("- [a](traps/a.md)", ""),
        ("- [a](traps/a.md) — [b](traps/b.md) — x", "[b](traps/b.md) — x"),
    ],
)
def test_entry_line_is_recognised(text: str, hook: str) -> None:
    assert [(entry.slug, entry.hook) for entry in index.parse(text).entries] == [("a", hook)]


@pytest.mark.parametrize(
    "text",
    [
        "see [a](traps/a.md) — x",
        "- [a](traps/A.md) — x",
        "- [a](retired/a.md) — x",
        "- [a](traps/../a.md) — x",
        "    - [a](traps/a.md) — x",
        "- [a](traps/a.md), see below",
        f"```\n{line('a')}\n```",
        f"~~~ md\n{line('a')}\n```\n{line('b')}\n~~~~",
        f"````\n```\n{line('a')}\n````",
        f"```\n{line('a')}",
        f"<!--\n{line('a')}\n-->",
        f"<!-- {line('a')} -->",
        f"<!-- open\n{line('a')}",
    ],
)
def test_other_line_is_no_entry(text: str) -> None:
    assert slugs(text) == []


@pytest.mark.parametrize("before", ["```\nx\n```", "<!-- x -->", "``` a`b", "~~~\n```\n~~~", "text <!-- x"])
def test_entry_behind_a_closed_block_is_seen(before: str) -> None:
    assert slugs(f"{before}\n{line('a')}") == ["a"]


# --- where a new line goes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"{HEAD}{line('a')}\n{line('z')}\n", f"{HEAD}{line('a')}\n{line('m', 'new')}\n{line('z')}\n"),
        (f"{HEAD}{line('a')}\n", f"{HEAD}{line('a')}\n{line('m', 'new')}\n"),
        (f"{HEAD}{line('z')}\n", f"{HEAD}{line('m', 'new')}\n{line('z')}\n"),
        (f"{line('z')}\n{line('a')}\n{line('y')}\n", f"{line('m', 'new')}\n{line('z')}\n{line('a')}\n{line('y')}\n"),
        (
            f"# A\n\n{line('z')}\n\n# B\n\n{line('b')}\n\nEnd.\n",
            f"# A\n\n{line('z')}\n\n# B\n\n{line('b')}\n{line('m', 'new')}\n\nEnd.\n",
        ),
        (HEAD, f"{HEAD}{line('m', 'new')}\n"),
        ("# Findings\n", f"{HEAD}{line('m', 'new')}\n"),
        ("# Findings", f"{HEAD}{line('m', 'new')}\n"),
        ("# Findings\n\n\n\n", f"# Findings\n\n\n\n{line('m', 'new')}\n"),
        ("prose\n  \n", f"prose\n  \n{line('m', 'new')}\n"),
        ("\n", f"\n{line('m', 'new')}\n"),
        (line("a"), f"{line('a')}\n{line('m', 'new')}\n"),
        (f"{HEAD}{FENCED}", f"{HEAD}{FENCED}\n{line('m', 'new')}\n"),
        (f"{HEAD}```\nnever closed\n", f"{HEAD}{line('m', 'new')}\n\n```\nnever closed\n"),
        ("# F\n<!-- never\nclosed", f"# F\n\n{line('m', 'new')}\n\n<!-- never\nclosed"),
        ("```\n", f"{line('m', 'new')}\n\n```\n"),
    ],
)
def test_new_line_goes_before_the_first_greater_slug_of_the_last_run(old: str, new: str) -> None:
    assert put(old, "m") == new
    assert heal(old, {"a", "b", "m", "y", "z"}, {"m": "new"}) == new


@pytest.mark.parametrize(
    "old", ["# F\r\n\r\n", f"# F\r\n\r\n{line('a')}\r\n{line('z')}\r\n", f"# F\r\n{line('a')}", "# F\r\nx"]
)
def test_file_with_crlf_keeps_it_on_every_line(old: str) -> None:
    text = put(old, "m")

    assert "m" in slugs(text)
    assert text.count("\r\n") == text.count("\n") == text.count("\r")


def test_byte_order_mark_stays() -> None:
    text = put(f"\ufeff{line('a')}\n", "b")

    assert text.startswith("\ufeff- [a]")
    assert slugs(text) == ["a", "b"]


# --- put


def test_line_that_is_kept_stays_byte_for_byte() -> None:
    text = f"{HEAD}  * [My own words](./traps/a.md): short  \n"

    assert put(text, "a", keep=True) == text


def test_line_of_a_new_title_gets_a_new_hook() -> None:
    assert put(f"{line('a', 'old')}\r\n{line('b')}\r\n", "a") == f"{line('a', 'new')}\r\n{line('b')}\r\n"


def test_new_hook_keeps_the_indent_and_bullet_of_the_human() -> None:
    assert put("- CI\n  * [a](traps/a.md) - old\n", "a") == "- CI\n  * [a](traps/a.md) — new\n"


def test_fenced_example_is_not_overwritten() -> None:
    text = put(HEAD + FENCED, "b")

    assert FENCED in text
    assert slugs(text) == ["b"]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_line_before_a_dropped_last_line_keeps_its_line_end(eol: str) -> None:
    text = f"# F{eol}{line('b')}{eol}{line('a')}"

    assert drop(text, "a") == heal(text, {"b"}) == f"# F{eol}{line('b')}{eol}"


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_index_left_empty_is_begun_anew(end: str) -> None:
    assert drop(line("a") + end, "a") == "# Findings\n\n"
    assert heal(line("a") + end, {"b"}, {"b": "x"}) == f"# Findings\n\n{line('b', 'x')}\n"


# --- heal


def test_line_without_a_file_is_dropped() -> None:
    assert heal(f"{HEAD}{line('a')}\n{line('gone')}\n", {"a"}) == f"{HEAD}{line('a')}\n"


def test_of_double_lines_the_first_stays() -> None:
    assert heal(f"{line('a', 'first')}\n{line('a', 'second')}\n", {"a"}) == f"{line('a', 'first')}\n"


def test_file_without_a_line_gets_one() -> None:
    assert slugs(heal(f"{line('a')}\n", {"a", "b", "c"}, {"c": "x", "b": "y"})) == ["a", "b", "c"]


def test_hook_of_an_absent_finding_makes_no_line() -> None:
    assert heal(f"{line('a')}\n", {"a"}, {"b": "x"}) == f"{line('a')}\n"


def test_example_of_a_gone_finding_in_a_fence_or_comment_stays() -> None:
    text = f"{HEAD}{FENCED}\n<!-- retired:\n{line('b')}\n-->\n"

    assert heal(text, set()) == text


OURS, THEIRS, BASE = line("a", "ours"), line("b", "theirs"), line("c", "base")


@pytest.mark.parametrize(
    "conflict",
    [
        f"<<<<<<< HEAD\n{OURS}\n=======\n{THEIRS}\n>>>>>>> branch\n",
        f"<<<<<<< HEAD\n{OURS}\n||||||| 1234567\n{BASE}\n=======\n{THEIRS}\n>>>>>>> branch\n",
        f"<<<<<<< HEAD\n{OURS}\n|||||||\n{BASE}\n=======\n{THEIRS}\n>>>>>>>\n",
        f"<<<<<<< HEAD\n{OURS}\n||||||| b\n<<<<<<<<< deep\n{BASE}\n=========\n=======\n{THEIRS}\n>>>>>>> branch\n",
        f"<<<<<<< HEAD\n<<<<<<< inner\n{OURS}\n=======\n{THEIRS}\n>>>>>>> inner\n=======\n{THEIRS}\n>>>>>>> branch\n",
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_conflict_markers_go_and_both_sides_stay(conflict: str, eol: str) -> None:
    text = f"{HEAD}{conflict}End.\n".replace("\n", eol)

    assert heal(text, {"a", "b", "c"}) == f"{HEAD}{OURS}\n{THEIRS}\nEnd.\n".replace("\n", eol)


def test_of_a_line_changed_on_both_sides_ours_stays() -> None:
    text = f"<<<<<<< HEAD\n{line('a', 'ours')}\n=======\n{line('a', 'theirs')}\n>>>>>>> branch\n"

    assert heal(text, {"a"}) == f"{line('a', 'ours')}\n"


def test_line_of_their_side_that_looks_like_a_base_marker_stays() -> None:
    text = f"<<<<<<< HEAD\n{OURS}\n=======\n||||||| table\n{THEIRS}\n>>>>>>> branch\n"

    assert heal(text, {"a", "b"}) == f"{OURS}\n||||||| table\n{THEIRS}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Traps of\nthe build\n=======\n\n{line('a')}\n",
        f"<<<<<<< HEAD\n{line('a')}\n",
        f"{line('a')}\n>>>>>>> branch\n",
        f"<<<<<<< HEAD\n{line('a')}\n>>>>>>> branch\n",
        f"{line('a')}\n\n```\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> branch\n```\n",
    ],
)
def test_what_is_no_whole_conflict_stays(text: str) -> None:
    assert heal(text, {"a"}) == text


@settings(max_examples=400)
@given(TEXTS, SLUGS, SLUGS)
@example("<<<<<<< A\n<<<<<<< B\n=======\n>>>>>>> B\n=======\n>>>>>>> A", set(), set())
def test_healing_twice_is_healing_once(text: str, present: set[str], unlisted: set[str]) -> None:
    assume("\ufeff" not in text[1:])  # a line that goes may bring it to the front, where it means another thing
    hooks = dict.fromkeys(unlisted, "hook")
    once = heal(text, present, hooks)

    assert heal(once, present, hooks) == once


@settings(max_examples=400)
@given(TEXTS, SLUGS)
def test_after_healing_each_finding_has_one_line_and_no_line_points_to_nothing(text: str, present: set[str]) -> None:
    healed = heal(text, present, dict.fromkeys(present, "hook"))

    assert sorted(slugs(healed)) == sorted(present)


@settings(max_examples=300)
@given(TEXTS, SLUGS)
def test_healing_keeps_every_line_of_the_human(text: str, present: set[str]) -> None:
    if ">>>>>>>" in text or text == "":
        return
    healed = heal(text, present, dict.fromkeys(present, "hook"))

    assert own_lines(healed) == own_lines(text)


@settings(max_examples=300)
@given(TEXTS.filter(bool), st.sampled_from(["a", "b", "m"]), st.booleans())
def test_put_keeps_every_line_but_its_own(text: str, slug: str, keep: bool) -> None:
    once = put(text, slug, keep=keep)

    assert own_lines(once) == own_lines(text)
    assert slug in slugs(once)
    assert put(once, slug, keep=keep) == once


@settings(max_examples=300)
@given(TEXTS.filter(lambda text: text.strip("\ufeff") != ""), st.sampled_from(["a", "b", "m"]))
def test_drop_takes_the_lines_of_one_finding_alone(text: str, slug: str) -> None:
    entries = {entry.line for entry in index.parse(text).entries if entry.slug == slug}

    lines = text.split("\n")
    kept = [line for number, line in enumerate(lines) if number not in entries]
    if len(lines) - 1 in entries:  # it had no line end; the line before it keeps its own
        kept.append("")
    assume("".join(kept).strip("\ufeff\r"))  # a file left empty is begun anew
    assert drop(text, slug).strip("\ufeff") == "\n".join(kept).strip("\ufeff")


def test_dropping_the_last_line_keeps_the_blank_one_before_it() -> None:
    assert drop("- [b](traps/b.md) — hook\n\n- [a](traps/a.md) — hook", "a") == "- [b](traps/b.md) — hook\n\n"


@settings(max_examples=200)
@given(TEXTS.filter(lambda text: text.strip("\ufeff") != ""))
def test_dropping_what_was_put_gives_the_old_lines(text: str) -> None:
    assert own_lines(drop(put(text, "m"), "m")) == own_lines(text)
    assert slugs(drop(put(text, "m"), "m")) == slugs(text)


# --- the hook


@pytest.mark.parametrize(
    ("title", "hook"),
    [
        ("short", "short"),
        ("w" * 100, "w" * 100),
        ("w" * 101, "w" * 99 + "…"),
        ("word " * 24, ("word " * 19).strip() + " word…"),
        ("w" * 99 + " more", "w" * 99 + "…"),
        ("w" * 98 + " more", "w" * 98 + "…"),
        ("空" * 160, "空" * 99 + "…"),
        ("API " + "空" * 150, "API " + "空" * 95 + "…"),
        ("a\n- [evil](traps/evil.md) — x", "a - [evil](traps/evil.md) — x"),
    ],
)
def test_hook_is_cut_at_a_word(title: str, hook: str) -> None:
    assert index.hook(title) == hook


@given(st.text(max_size=200))
def test_hook_is_one_line_of_at_most_100_characters(title: str) -> None:
    hook = index.hook(title)

    assert len(hook) <= 100
    assert hook.splitlines() in ([hook], [])
    assert index.hook(hook) == hook


@pytest.mark.parametrize(
    "title",
    [
        *(
            "x](traps/evil.md) — forged",
            "[x](traps/evil.md)",
            "a | b",
            "|",
            "<!-- hidden",
            "<!--",
            "--> x",
            "```",
            "~~~",
        ),
        *("x\n- [evil](traps/evil.md) — forged", "x\r\n- [evil](traps/evil.md)", "x\u2028- [evil](traps/evil.md)"),
        *(
            "- [evil](traps/evil.md) — forged",
            "# x",
            "---",
            "=======",
            "<<<<<<< HEAD",
            "'",
            '"',
            "`",
            "@",
            "- x",
            "a: b",
        ),
        *(
            "x\u202e- [evil](traps/evil.md)",
            "x\x85- [evil](traps/evil.md)",
            "x\x0b- [evil](traps/evil.md)",
            "\\",
            "](",
            "<",
        ),
    ],
)
def test_title_makes_exactly_one_entry_with_a_valid_link(title: str) -> None:
    text = put(f"{HEAD}{line('a')}\n{line('z')}\n", "m", index.hook(title))

    assert slugs(text) == ["a", "m", "z"]
    assert len(text.splitlines()) == 5
    assert "\n- [m](traps/m.md) — " in text
    assert "<!--" not in text


@settings(max_examples=200)
@given(st.text(), TEXTS.filter(bool))
def test_no_title_forges_another_entry(title: str, text: str) -> None:
    assert Counter(slugs(put(text, "m", index.hook(title)))) == Counter([*slugs(text), "m"])
