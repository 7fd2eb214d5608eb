"""Notes of our own, in the shapes that people write: which traps are found, under which title, with which text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claudedo_findings.gather import notes
from claudedo_findings.gather.pieces import Piece


def traps(text: str, *, weak: bool = False, name: str = "notes.md") -> list[Piece]:
    return [piece for piece in notes.read(text, name).pieces if weak or piece.strength == "strong"]


def titles(text: str, *, weak: bool = False, name: str = "notes.md") -> list[str]:
    return [piece.title for piece in traps(text, weak=weak, name=name)]


def test_heading_that_names_one_trap_is_one_finding_with_all_its_text() -> None:
    text = "# Notes\n\n## Gotcha: two clocks drift apart\n\nOne is frozen.\n\n### Why\n\n- a\n- b\n\n## Next\n\nText.\n"
    (one,) = traps(text)
    assert (one.title, one.start, one.end) == ("two clocks drift apart", 2, 11)
    assert one.body == "One is frozen.\n\n### Why\n\n- a\n- b"
    assert one.trail == ("Notes", "Gotcha: two clocks drift apart")


def test_each_sub_heading_of_a_marked_heading_is_one_finding() -> None:
    text = (
        "## Gotchas\n\nWhat cost us time.\n\n### 1.1 The cache outlives the process\n\nIt is on disk.\n\n- detail one\n"
    )
    text += "- detail two\n\n### 1.2 `make` hides the exit code\n\nUse a shell.\n"
    assert titles(text) == ["The cache outlives the process", "`make` hides the exit code"]
    assert traps(text)[0].body == "It is on disk.\n\n- detail one\n- detail two"


@pytest.mark.parametrize("mark", ["-", "1."])
def test_list_of_one_item_is_that_item(mark: str) -> None:
    item = f"{mark} **The locale matters here.** Sort order differs on a Mac.\n"
    (one,) = traps(f"# Gotchas\n\n{item}")
    (same, _) = traps(f"# Gotchas\n\n{item}{mark} **The second one is there.** It counts too.\n")
    assert (one.title, one.body) == (same.title, same.body)
    assert (one.title, one.body) == ("The locale matters here", "Sort order differs on a Mac.")
    assert titles(f"# Gotchas\n\n- [ ] {item}") == []  # something to do


def test_sub_heading_that_goes_straight_into_a_list_is_split() -> None:
    text = (
        "# Gotchas\n\n## Touch\n\n- **Rotation goes into the driver** and nowhere else.\n"
        "- **Mirrors turn it twice**: once is wrong.\n"
    )
    assert titles(text) == ["Rotation goes into the driver", "Mirrors turn it twice"]


def test_fragments_that_go_on_with_their_heading_are_no_findings_of_their_own() -> None:
    text = (
        "# Gotchas\n\n## The relay restarts the player\n\n- kills the process\n- drops its socket\n- starts it anew\n"
    )
    assert titles(text) == ["The relay restarts the player"]


def test_topic_groups_are_split_at_their_sub_headings() -> None:
    text = (
        "# Pitfalls\n\n## 1. Build\n\n### 1.1 The linker caches errors\n\nRun it twice.\n"
        "\n## 2. Lint traps\n\nThese fail late:\n\n"
        "- **`no_shadow`**: rename the inner variable first.\n- **`no_casts`**: cast with a comment only.\n\n"
        "## 3. Deploys restart twice\n\nThe first restart is a probe.\n\n- wait for both\n- then look\n"
    )
    assert titles(text) == [
        "The linker caches errors",
        "`no_shadow`: rename the inner variable first",
        "`no_casts`: cast with a comment only",
        "Deploys restart twice",
    ]


@pytest.mark.parametrize(
    "parts",
    [
        "### Symptom\n\nIt hangs.\n\n### Cause\n\nTwo locks.\n\n### Fix\n\nOne lock.\n",
        "### 症状\n\n卡住。\n\n### 解决\n\n一个锁。\n",
        "- **Symptom:** it hangs.\n- **Cause:** two locks.\n- **Fix:** one lock.\n",
        "**Symptom.** It hangs.\n\n**Fix.** One lock.\n",
        "| Symptom | it hangs |\n|---|---|\n| Cause | two locks |\n| Fix | one lock |\n",
    ],
)
def test_symptom_cause_and_fix_are_parts_of_one_finding(parts: str) -> None:
    assert titles(f"# Gotchas\n\n## The queue hangs at midnight\n\n{parts}") == ["The queue hangs at midnight"]


def test_bullets_of_a_marked_heading_are_one_finding_each_and_nested_ones_belong_to_their_parent() -> None:
    text = (
        "## Gotchas\n\nRead these.\n\n- `os.replace` is not atomic there; copy first.\n"
        "  - on shares too\n  - and on tape\n\n- Two clocks drift.\n"
    )
    one, two = traps(text)
    assert (one.title, one.start, one.end) == ("`os.replace` is not atomic there", 4, 8)
    assert one.body == "`os.replace` is not atomic there; copy first.\n- on shares too\n- and on tape"
    assert two.title == "Two clocks drift"


def test_numbered_items_of_a_marked_heading_are_one_finding_each() -> None:
    text = (
        "## Known Gotchas\n\n"
        "1. **Copying needs `-O` here** — the device has no SFTP server\n"
        "2. **The daemon runs as root** on the switch\n"
    )
    one, two = traps(text)
    assert (one.title, one.body) == ("Copying needs `-O` here", "the device has no SFTP server")
    assert (two.title, two.body) == ("The daemon runs as root", "**The daemon runs as root** on the switch")


def test_rows_of_a_table_are_one_finding_each_without_header_and_rule() -> None:
    text = (
        "## Traps\n\n| # | Trap | Why | Rule |\n|---|---|---|---|\n"
        "| 1 | Partition table | It is not updated \\| kept. | Flash by wire. |\n"
    )
    text += "| 2 | Two open microphones record twice | Both wake. | |\n"
    one, two = traps(text)
    assert one.title == "Partition table: It is not updated | kept"
    assert one.body == "Why: It is not updated | kept.\n\nRule: Flash by wire."
    assert (two.title, two.start) == ("Two open microphones record twice", 5)


def test_paragraphs_that_start_bold_are_one_finding_each_with_what_follows() -> None:
    text = (
        "## Pitfalls\n\n**Never mirror the panel.** It turns twice.\n\n```c\n"
        "// - no bullet\n```\n\n**The logger lies about levels.** Raise it.\n"
    )
    one, two = traps(text)
    assert one.title == "Never mirror the panel"
    assert one.body == "It turns twice.\n\n```c\n// - no bullet\n```"
    assert two.title == "The logger lies about levels"


def test_prose_under_a_marked_heading_is_one_finding() -> None:
    text = "## Gotchas\n\nThe stamp is taken before the lock. So it may be older than the file.\n"
    (one,) = traps(text)
    assert one.title == "The stamp is taken before the lock"
    assert one.body == "So it may be older than the file."


def test_marked_title_of_a_file_covers_the_whole_file() -> None:
    text = (
        "# Development gotchas\n\n- **[Contents](#x)**\n- [Clock](#clock)\n\n"
        "## The clock is frozen in tests\n\nOnly there.\n"
    )
    assert titles(text) == ["The clock is frozen in tests"]


def test_name_of_a_file_marks_it_when_no_heading_does() -> None:
    text = "# What we paid for\n\n## The clock is frozen in tests\n\nOnly there.\n"
    assert titles(text) == []
    assert titles(text, name="GOTCHAS.md") == ["The clock is frozen in tests"]


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("**Gotcha**: the relay needs ten\nseconds. Wait for it.\n", "the relay needs ten seconds", "Wait for it."),
        ("- Gotcha (cost a day): the relay needs ten seconds\n", "the relay needs ten seconds", None),
        ("> **Pitfall:** the relay needs ten seconds\n", "the relay needs ten seconds", None),
        ("1. Step one\n   - **Trap: the relay is slow.** Wait.\n", "the relay is slow", "Wait."),
        ("坑：缓存不会清空。重启之前删掉。\n", "缓存不会清空", None),
        ("- 落とし穴：時計が二つある。片方は止まる。\n", "時計が二つある", None),
        ("Falle: Der Zwischenspeicher überlebt den Neustart.\n", "Der Zwischenspeicher überlebt den Neustart", None),
    ],
)
def test_lead_in_makes_its_paragraph_or_bullet_a_finding(text: str, title: str, body: str | None) -> None:
    (one,) = traps(f"# Notes\n\nPlain text.\n\n{text}\nMore text.\n")
    assert one.title == title
    assert body is None or one.body == body


def test_lead_in_alone_marks_the_list_that_follows() -> None:
    assert titles("**Gotchas:**\n\n- The clock is frozen.\n- The cache is shared.\n") == [
        "The clock is frozen",
        "The cache is shared",
    ]


def test_lead_in_that_ends_in_a_colon_takes_what_it_introduces() -> None:
    (one,) = traps("Gotcha: the relay must be told twice:\n\n```sh\nrelay on\nrelay on\n```\n\nOther text.\n")
    assert one.body.endswith("relay on\nrelay on\n```")


@pytest.mark.parametrize(
    ("heading", "item", "title"),
    [
        (
            "Stolperfallen",
            "- Der Text von `body` ist fast leer; Selektoren nehmen.",
            "Der Text von `body` ist fast leer",
        ),
        ("Bekannte Fallen", "- Zwei Uhren laufen auseinander.", "Zwei Uhren laufen auseinander"),
        ("踩坑", "- 签名每次都会变，权限会丢失。", "签名每次都会变，权限会丢失"),
        ("落とし穴", "- 出力を渡すとバイナリが壊れる。", "出力を渡すとバイナリが壊れる"),
    ],
)
def test_lists_of_other_languages_are_split_too(heading: str, item: str, title: str) -> None:
    assert titles(f"## {heading}\n\n{item}\n- Zwei weitere Wörter hier.\n")[0] == title


def test_strong_lead_in_under_a_weak_heading_stays_strong_and_comes_once() -> None:
    text = "## Lessons learned\n\n- **Gotcha:** the clock is frozen\n- Name tables in the plural.\n"
    assert titles(text) == ["the clock is frozen"]
    assert titles(text, weak=True) == ["the clock is frozen", "Name tables in the plural"]


@pytest.mark.parametrize(
    "text",
    [
        "## Caveats\n\nThe clock is frozen in tests.\n",
        "## Known issues\n\n- The clock is frozen in tests.\n- The cache is shared by all.\n",
        "## Lessons learned\n\n- The clock is frozen in tests.\n- The cache is shared by all.\n",
        "## Easy to get wrong\n\nThe clock is frozen in tests.\n",
        "## ⚠️ Before a release\n\nThe clock is frozen in tests.\n",
        "## 注意事项\n\n- 时钟在测试里是冻结的。\n- 缓存是共享的东西。\n",
        "**Warning:** the clock is frozen in tests.\n",
        "注意：时钟在测试里是冻结的。\n",
        "> [!WARNING]\n> The clock is frozen in tests.\n",
        "> [!CAUTION]\n> The clock is frozen in tests.\n",
        "!!! warning\n    The clock is frozen in tests.\n",
        '!!! danger "The clock is frozen in tests"\n\n    Only there.\n',
        "!!! bug\n    The clock is frozen in tests.\n",
        "::: warning\nThe clock is frozen in tests.\n:::\n",
        "::: danger The clock is frozen in tests\n\nOnly there.\n\n:::\n",
        ":::{warning}\nThe clock is frozen in tests.\n:::\n",
        "- Never thaw the clock, because the cache would forget.\n",
        "- Do not thaw the clock — the cache would forget.\n",
        "- **Don't thaw the clock.** The cache would forget all about it.\n",
        "- **The clock needs a frozen cache.** It is not thawed, so both agree.\n",
        "- Niemals die Uhr auftauen, sonst vergisst der Speicher alles.\n",
        "- 不要解冻时钟，否则缓存会忘记。\n",
    ],
)
def test_weak_mark_is_taken_with_weak_alone(text: str) -> None:
    assert titles(text) == []
    assert titles(text, weak=True)


@pytest.mark.parametrize(
    "text",
    [
        "## Notes\n\n- The clock is frozen in tests.\n- The cache is shared.\n",
        "**Note:** the clock is frozen in tests.\n",
        "> [!NOTE]\n> The clock is frozen in tests.\n",
        "> [!TIP]\n> The clock is frozen in tests.\n",
        "> [!IMPORTANT]\n> The clock is frozen in tests.\n",
        "!!! note\n    The clock is frozen in tests.\n",
        "!!! tip\n    The clock is frozen in tests.\n",
        "::: info\nThe clock is frozen in tests.\n:::\n",
        "**Important:** the clock is frozen in tests.\n",
        "## Critical\n\nThe clock is frozen in tests.\n",
        "## Limitations\n\n- The clock is frozen in tests.\n- The cache is shared.\n",
        "## Troubleshooting\n\n- The clock is frozen in tests.\n- The cache is shared.\n",
        "## FAQ\n\n- The clock is frozen in tests.\n- The cache is shared.\n",
        "## Changelog\n\n- Never thaw the clock, because it would forget.\n",
        "- Never commit to main.\n",
        "- Use two spaces, because the linter wants them.\n",
        "## Focus trap\n\nThe dialog keeps the focus.\n",
        "## The EXIT trap\n\n- Removes the lock.\n- Removes the folder.\n",
        "## Homebrew `caveats`\n\nPrinted after the install.\n",
        "## How to add a gotcha\n\n- Give it a heading.\n- Say what to do.\n",
        "Append patterns, gotchas and conventions below.\n",
        "````md\n## Gotchas\n\n```\n- The clock is frozen.\n```\n- The cache is shared.\n````\n",
        "- item\n\n  ```\n  **Gotcha:** the clock is frozen\n  ```\n",
        "<!--\n## Gotchas\n\n- The clock is frozen.\n- The cache is shared.\n-->\n",
        "---\ntitle: Gotchas\ngotcha: |\n  **Gotcha:** the clock\n---\n\nText.\n",
        "## ~~Gotcha: the clock is frozen~~\n\nOnly in tests.\n",
        "## Gotcha: the clock is frozen (fixed in 2.1)\n\nOnly in tests.\n",
        "## RESOLVED: Gotcha: the clock\n\nOnly in tests.\n",
        "## Gotchas\n\n<!-- add them here -->\n",
        "## Gotchas\n\n_(log new bugs here)_\n",
        "## Gotchas\n\nTODO\n",
        "## Gotchas\n\nNone yet.\n",
        "## Gotchas\n\n- {{trap}}\n- [Describe the trap]\n",
        "## Gotchas\n\n- [ ] Ask about the clock.\n- [x] Ask about the cache.\n",
        "## Gotchas\n",
        "",
    ],
)
def test_what_is_never_a_trap(text: str) -> None:
    assert titles(text, weak=True) == []


def test_items_that_are_over_and_placeholders_are_skipped_in_a_list() -> None:
    text = (
        "# Gotchas\n\n## HISTORICAL — old clock\n\nText.\n\n## Clock\n\n"
        "- ~~The clock is frozen.~~\n- HISTORICAL: the cache was shared.\n"
        "- OBSOLETE — the relay was slow.\n- [RESOLVED] the relay was fast.\n"
        "- Example: the relay.\n- (log more here)\n- TODO: say more\n"
        "- Fixed headers hide the anchors.\n- Example apps crash at the start.\n\n"
        "## Changelog\n\n- The file was begun.\n- It grew.\n"
    )
    assert titles(text) == ["Fixed headers hide the anchors", "Example apps crash at the start"]


def test_rows_that_are_over_are_skipped() -> None:
    text = (
        "## Traps\n\n| Trap | Rule |\n|---|---|\n| HISTORICAL — delay | Was guessed. |\n"
        "| ~~Old clock~~ | Gone. |\n| Rounded caps bridge gaps | Turn off. |\n"
    )
    assert titles(text) == ["Rounded caps bridge gaps"]


def test_comments_and_struck_passages_go_from_the_text_and_code_stays_whole() -> None:
    text = (
        "## Gotcha: clocks differ\n\nOne <!-- secret plan --> is ~~slow~~ frozen.\n\n"
        "```html\n<!-- kept --> ~~kept~~\n```\n"
    )
    (one,) = traps(text)
    assert one.body == "One  is  frozen.\n\n```html\n<!-- kept --> ~~kept~~\n```"


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("**The clock** is frozen (e.g. in CI). Thaw it.", "The clock is frozen (e.g. in CI)"),
        ("Use 3.11, i.e. the new one, not 3.10. Old ones lie.", "Use 3.11, i.e. the new one, not 3.10"),
        ("The limit is 107. Check for it.", "The limit is 107"),
        ("`a. b. c` is one value. Keep it.", "`a. b. c` is one value"),
        ("The [clock](clock.md) is *frozen* in __tests__. Thaw it.", "The clock is frozen in tests"),
        ("Der Takt steht – nur im Test.", "Der Takt steht"),
        ("时钟在测试里是冻结的。只在那里。", "时钟在测试里是冻结的"),
        ('He said "the clock is frozen." Thaw it.', 'He said "the clock is frozen"'),
    ],
)
def test_title_is_the_first_sentence(item: str, title: str) -> None:
    assert titles(f"## Gotchas\n\n- {item}\n- Another one stands here.\n")[0] == title


def test_long_first_sentence_is_cut_at_a_clause() -> None:
    item = "The relay answers before it has switched (measured on three boards), so the next one meets a closed contact"
    assert titles(f"## Gotchas\n\n- {item}, and nobody sees it in the log at all.\n- Another one stands here.\n")[
        0
    ] == ("The relay answers before it has switched (measured on three boards)")


def test_title_ends_where_a_list_starts() -> None:
    text = "# Gotchas\n\n## Overdone\n\nSigns of it are these:\n- nobody reads the code\n- it costs\n"
    assert titles(text)[0] == "Overdone: Signs of it are these"


@pytest.mark.parametrize("heading", ["Caveats", "Known issues", "Lessons learned", "⚠️", "注意事項"])
def test_weak_mark_alone_is_no_title(heading: str) -> None:
    assert titles(f"## {heading}\n\nThe clock is frozen in tests.\n", weak=True) == ["The clock is frozen in tests"]


def test_no_title_is_empty_or_too_weak_where_the_text_says_more() -> None:
    text = "## Gotchas\n\n- **strftime**: the flag is ignored there.\n- **坑**：缓存不会清空的。\n- ***\n- `x`\n"
    assert titles(text)[:1] == ["strftime: the flag is ignored there"]
    assert all(titles(text))


@pytest.mark.parametrize(
    "deep",
    ["".join("  " * depth + "- a\n" for depth in range(300)), "> " * 900 + "a\n", "- " * 900 + "a\n"],
)
def test_deep_nesting_does_not_hide_what_follows(deep: str) -> None:
    reading = notes.read(deep + "\n## Gotchas\n\n- The clock is frozen.\n- The cache is shared.\n", "a.md")
    assert [piece.title for piece in reading.pieces] == ["The clock is frozen", "The cache is shared"]
    assert reading.passed_over > 0


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("### Two clocks\n\n**Symptom:** the invoice is late.\n", "Two clocks: the invoice is late"),
        ("### 重启\n\n症状：反复修复失败。\n", "重启: 反复修复失败"),
        (
            "### X\n\n**1. `release.yml` has no scopes.** It stops.\n\n**2. The clock is frozen.** Wait.\n",
            "`release.yml` has no scopes",
        ),
        (
            "### X\n\n1. **The session is made anew each time** → its past is gone\n2. The cache is shared.\n",
            "The session is made anew each time",
        ),
    ],
)
def test_labels_and_numbers_do_not_reach_a_title(text: str, title: str) -> None:
    assert titles(f"## Gotchas\n\n{text}")[0] == title


def test_over_long_lines_are_passed_over_and_counted() -> None:
    reading = notes.read(
        "## Gotchas\n\n- The clock is frozen.\n- " + "x" * 30_000 + "\n- The cache is shared.\n", "a.md"
    )
    assert [piece.title for piece in reading.pieces] == ["The clock is frozen", "The cache is shared"]
    assert reading.passed_over == 1


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_byte_order_mark_do_not_matter(end: str) -> None:
    text = "## Gotchas\n\n- The clock is frozen.\n- The cache is shared.\n"
    assert titles("\ufeff" + text.replace("\n", end)) == titles(text)


PIECES_OF_TEXT = [
    "# ",
    "## Gotchas\n",
    "- ",
    "1. ",
    "**",
    "Gotcha: ",
    "\n",
    "\n\n",
    "    ",
    "> ",
    "```",
    "|",
    "|-|-|\n",
    "~~",
    "`",
]
PIECES_OF_TEXT += [
    "<!--",
    "-->",
    ":::warning\n",
    "!!! bug\n",
    "word ",
    "never ",
    "because ",
    "坑：",
    "(",
    "[",
    "](",
    "---\n",
    "\t",
]


@given(st.lists(st.sampled_from(PIECES_OF_TEXT), max_size=60).map("".join))
def test_any_text_is_read_and_every_trap_has_a_title_a_text_and_lines_of_its_own(text: str) -> None:
    end = 0
    for piece in notes.read(text, "gotchas.md").pieces:
        assert piece.title.strip()
        assert piece.body.strip()
        assert end <= piece.start < piece.end
        end = piece.end


@pytest.mark.parametrize(
    "unit",
    [
        "> " * 50 + "- a\n",
        "- <!-- a\n",
        "**a ",
        "- ~~a ~~b\n",
        "- [[[[((((\n",
        "`a ``b ",
        "## a b c\n",
        "- never a, because b\n",
    ],
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        notes.read("# Gotchas\n\n" + unit * (size // len(unit)), "a.md")
        return time.process_time() - started

    assert seconds(60_000) < 20  # a hang guard: quadratic work takes minutes
