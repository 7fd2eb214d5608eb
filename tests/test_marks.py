"""Marks of traps: which headings and lead-ins have one, which only look like it, and which name a single trap."""

import pytest

from claudedo_findings.gather import marks

STRONG_HEADINGS = [
    "Gotchas",
    "1.2 Known Pitfalls & Gotchas",
    "⚠️ Gotchas",
    "Gotcha: the cache outlives the process",
    "GOTCHA 2 — degrees, not metres",
    "GOTCHA-PY-001 — casts keep the old index",
    "The units trap",
    "Quick-reference traps",
    "Common pitfalls",
    "Footguns",
    "Foot-guns and foot guns",
    "Landmines",
    "Sharp edges",
    "接入常见坑",
    "踩坑记录",
    "避坑指南",
    "陷阱",
    "落とし穴",
    "ハマりどころ",
    "はまりどころ",
    "Stolperfallen",
    "Stolperfalle: Zeitzonen",
    "Stolpersteine beim Bauen",
    "Fallstricke",
    "Bekannte Fallen",
    "Falle: der Zwischenspeicher",
    "Die Zeitzonen-Falle",
    "`trap` and other pitfalls",
]
WEAK_HEADINGS = [
    "Caveats",
    "Known issues",
    "Lessons learned",
    "Easy to get wrong",
    "⚠️ Before a release",
    "注意事項",
    "注意",
]
NO_MARKS = [
    "Note",
    "Notes",
    "Tip",
    "Info",
    "Important",
    "⚠️ Important",
    "Critical",
    "Limitations",
    "Known limitations",
    "Troubleshooting",
    "FAQ",
    "Changelog",
    # what is called so and is none
    "Focus trap",
    "Keyboard traps in dialogs",
    "Shell `trap`",
    "trap handlers",
    "The EXIT trap",
    "SNMP traps",
    "Trapdoor spiders",
    "Fallen angels",
    "Im Falle eines Fehlers",
    "矿坑地图",
    "焦点陷阱",
    "Rückgabewert",
    # texts about such notes
    "How to add a gotcha",
    "Adding a new pitfall",
    "Gotcha template",
    "Pitfall entry format",
]


@pytest.mark.parametrize("heading", STRONG_HEADINGS)
def test_heading_with_a_strong_mark(heading: str) -> None:
    assert marks.of_heading(heading) == "strong"


@pytest.mark.parametrize("heading", WEAK_HEADINGS)
def test_heading_with_a_weak_mark(heading: str) -> None:
    assert marks.of_heading(heading) == "weak"


@pytest.mark.parametrize("heading", NO_MARKS)
def test_heading_without_a_mark(heading: str) -> None:
    assert marks.of_heading(heading) == ""


@pytest.mark.parametrize(
    ("heading", "rest"),
    [
        ("Gotcha: the cache outlives the process", "the cache outlives the process"),
        ("GOTCHA 2 — degrees, not metres", "degrees, not metres"),
        ("GOTCHA-PY-001 — casts keep the old index", "casts keep the old index"),
        ("[G12] Gotcha: two clocks", "two clocks"),
        ("Pitfall 3. Two clocks", "Two clocks"),
        ("4.1 ⚠️ Gotcha (cost a day): two clocks", "two clocks"),
        ("坑 1：缓存不清", "缓存不清"),
        ("落とし穴：時計が二つ", "時計が二つ"),
        ("Falle: zwei Uhren", "zwei Uhren"),
        ("The units trap", "The units trap"),
        ("Units trap: the log of the absolute value", "Units trap: the log of the absolute value"),
    ],
)
def test_heading_that_names_one_trap_loses_mark_number_and_id(heading: str, rest: str) -> None:
    assert marks.of_heading(heading) == "strong"
    assert marks.names_one(heading)
    assert marks.after_mark(heading) == rest


@pytest.mark.parametrize(
    "heading", ["Gotchas", "Gotcha", "Trap list", "Gotcha log", "Known pitfalls", "Clippy and rustdoc traps", "常见坑"]
)
def test_heading_of_a_list_names_no_single_trap(heading: str) -> None:
    assert not marks.names_one(heading)


@pytest.mark.parametrize(
    ("heading", "rest"),
    [
        ("107 bytes are the limit", "107 bytes are the limit"),
        ("3. Two clocks", "Two clocks"),
        ("3.2.1 Two clocks", "Two clocks"),
        ("§ 4) Two clocks", "Two clocks"),
        ("#12: Two clocks", "Two clocks"),
        ("🪤 Two clocks", "Two clocks"),
        ("`SELECT 1` is cached", "`SELECT 1` is cached"),
        (".env is read twice", ".env is read twice"),
    ],
)
def test_numbers_and_symbols_before_a_heading_go_and_words_stay(heading: str, rest: str) -> None:
    assert marks.bare(heading) == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Gotcha: two clocks", "two clocks"),
        ("**Gotcha**: two clocks", "two clocks"),
        ("**Gotcha:** two clocks", "two clocks"),
        ("Gotcha (cost a day): two clocks", "two clocks"),
        ("⚠️ **Pitfall (again):** two clocks", "two clocks"),
        ("**Trap** — two clocks", "two clocks"),
        ("Footgun: two clocks", "two clocks"),
        ("**Known gotcha:** two clocks", "two clocks"),
        ("Die Falle: zwei Uhren", "zwei Uhren"),
        ("Stolperfalle: zwei Uhren", "zwei Uhren"),
        ("坑：两个时钟", "两个时钟"),
        ("**坑 1：** 两个时钟", "两个时钟"),
        ("落とし穴：時計が二つ", "時計が二つ"),
        ("**Gotchas**", ""),
        ("Gotchas:", ""),
    ],
)
def test_lead_in_with_a_strong_mark(text: str, rest: str) -> None:
    lead = marks.lead(text)
    assert lead
    assert (lead.strength, text[lead.end :]) == ("strong", rest)


@pytest.mark.parametrize(
    "text", ["**Warning:** two clocks", "Caveat: two clocks", "注意：两个时钟", "**Achtung:** zwei Uhren"]
)
def test_lead_in_with_a_weak_mark(text: str) -> None:
    lead = marks.lead(text)
    assert lead
    assert lead.strength == "weak"


@pytest.mark.parametrize(
    "text",
    [
        "**Note:** two clocks",
        "**Tip:** two clocks",
        "**Important:** two clocks",
        "The gotcha is that there are two clocks",
        "Trap handlers: two",
        "trap 'rm -f lock' EXIT",
        "Gotcha — said nobody",
        "See gotcha: two clocks",
        "Im Falle: zwei",
    ],
)
def test_text_without_a_lead_in(text: str) -> None:
    assert marks.lead(text) is None


@pytest.mark.parametrize(
    ("name", "mark"), [("GOTCHAS.md", "strong"), ("api-pitfalls.md", "strong"), ("mousetraps.md", "")]
)
def test_name_of_a_file_can_be_a_mark(name: str, mark: str) -> None:
    assert marks.of_file(name) == mark
