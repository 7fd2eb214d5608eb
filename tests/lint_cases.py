"""For each rule of lint: files that it complains about and where, and files close to them that it must let be."""

TITLE = "The clock is frozen in the tests"
BODY = "Only CI runs in UTC, so it never shows on a laptop. Freeze with tz=UTC instead."
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2"
CLOCK, INDEX = "traps/clock.md", "INDEX.md"
EXCLUDE = "../.git/info/exclude"
TRACKED = {EXCLUDE: None}
"""The store is seen by git; the test then checks it in."""

Files = dict[str, str | bytes | None]
"""Contents by path in the store; None deletes the file."""


def text(slug: str = "clock", title: str = TITLE, body: str = BODY, scope: str = "", more: str = "") -> str:
    """Return a finding's file. The title stands in line 8, the body in line 10."""
    front = f"slug: {slug}\nscope: {scope}\nsource-task: \nverified-against: \n{more}"
    return f"---\n{front}---\n\n# {title}\n\n{body}\n"


def line(slug: str = "clock", hook: str = TITLE) -> str:
    """Return an entry line."""
    return f"- [{slug}](traps/{slug}.md) — {hook}"


def clock(**fields: str) -> Files:
    """Return the one finding with other fields."""
    return {CLOCK: text(**fields)}


def index(*lines: str) -> Files:
    """Return an index; its first line stands in line 3."""
    return {INDEX: "\n".join(["# Findings", "", *lines, ""])}


def pair(scope: str, *, other_scope: str, title: str = "Parsing twice loses the order", body: str = "") -> Files:
    """Return two findings with their lines."""
    other = text("other", title=title, body=body or "Parse once and pass it on.", scope=other_scope)
    return {**clock(scope=scope), "traps/other.md": other, **index(line(), line("other", title))}


def many(count: int) -> Files:
    """Return an index with that many entries, and their files."""
    titles = {f"t{number}": f"Trap number {number} stands alone" for number in range(count - 1)}
    made: Files = {f"traps/{slug}.md": text(slug, title=title) for slug, title in titles.items()}
    return made | index(line(), *[line(slug, title) for slug, title in titles.items()])


CONFLICT = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other"
ARABIC = {"title": "الاختبارات تفشل بعد منتصف الليل", "body": "في الليل تفشل الاختبارات دون سبب ظاهر"}
ATTRIBUTES = "*.md text eol=lf\nINDEX.md merge=union\n"
IGNORED = "# mine\n/history/\n/candidates/\n.*.tmp\n"
NIGHT = "Invoices break once a night has passed"
NO_LINE = "see [clock](traps/clock.md)"

# rule, where it is told, files that break it, files that keep it
CASES: list[tuple[str, str, Files, Files]] = [
    ("missing-line", f"{CLOCK}:1", index(NO_LINE), index("text", "", "* [x](./traps/clock.md): a hook of its own")),
    ("missing-line", f"{CLOCK}:1", {INDEX: None}, index(line())),
    ("dead-line", f"{INDEX}:4", index(line(), line("gone")), index(line(), "```", line("gone"), "```")),
    ("double-line", f"{INDEX}:5", index(line(), "", line()), index(line(), "", NO_LINE)),
    ("dead-link", f"{INDEX}:4", index(line(), "[it](../docs/gone.md#top)"), index(line(), "[it](../src/app.py#L1)")),
    ("dead-link", f"{INDEX}:4", index(line(), "[it]: <maps/no map.md>"), index(line(), "`[x](y.md)` [a](#b)")),
    ("dead-link", f"{INDEX}:3", index(line(hook="see [how it is](x.md)")), index(line(), "[u](https://x.invalid/a)")),
    (
        "dead-link",
        f"{INDEX}:4",
        index(line(), "![drawn](<a map.png>)"),
        {"maps/a map.md": "x", **index(line(), "[it](<maps/a map.md>) [it](maps/a%20map.md)")},
    ),
    ("index-size", f"{INDEX}:1", many(80), many(79)),
    ("index-size", f"{INDEX}:1", index(line(), "x" * 12_000), index(line(), "x" * 11_800)),
    ("conflict", f"{INDEX}:4", index(line(), *CONFLICT.split("\n")), index("Heading", "=======", line())),
    ("conflict", f"{CLOCK}:11", clock(body=f"{BODY}\n{CONFLICT}"), clock(body=f"{BODY}\n```\n{CONFLICT}\n```")),
    ("conflict", f"{CLOCK}:11", clock(body=f"{BODY}\n>>>>>>> x"), clock(body=f"{BODY}\n>>>>>>>>>> x")),
    ("encoding", f"{CLOCK}:11", {CLOCK: text().encode() + b"gr\xfcn\n"}, {CLOCK: "\ufeff" + text(body=f"{BODY} ü�")}),
    ("encoding", f"{INDEX}:2", {INDEX: f"{line()}\n".encode() + b"\xff\n"}, {INDEX: f"\ufeff# Grün\n\n{line()}\n"}),
    ("front-matter", f"{CLOCK}:1", {CLOCK: f"# {TITLE}\n\n{BODY}\n"}, {CLOCK: "\n" + text()}),
    (
        "front-matter",
        f"{CLOCK}:1",
        {CLOCK: text().replace("source-task: \n", "")},
        {CLOCK: text(more="slug: clock\n").replace("slug: clock\n", "", 1)},
    ),
    ("front-matter", f"{CLOCK}:6", clock(more="this is no key\n"), clock(more="tags:\n  - a\n# note\n\nmine: x\n")),
    (
        "front-matter",
        f"{CLOCK}:1",
        {CLOCK: text().replace("---\n\n#", "\n#")},
        {CLOCK: text().replace("---\n\n#", "...\n\n#")},
    ),
    ("front-matter", f"{CLOCK}:3", clock(more="scope: again\n"), clock(more="scopes: again\n")),
    ("slug", f"{CLOCK}:2", clock(slug="clocks"), clock(slug='"clock"  # quoted')),
    ("no-title", f"{CLOCK}:7", {CLOCK: text().replace("# The", "The")}, {CLOCK: text().replace("# The", "A\n\n# The")}),
    (
        "file-name",
        "traps/My Notes.md",
        {"traps/My Notes.md": text()},
        {"traps/.DS_Store": "x", "maps/My Notes.md": "x"},
    ),
    ("file-name", "traps/Clock.txt", {"traps/Clock.txt": text()}, {"traps/.clock.md.0123abcd.tmp": "x"}),
    ("long-text", f"{CLOCK}:8", clock(title="Long " + "words and more " * 11), clock(title="Long " + "words " * 25)),
    ("long-text", f"{CLOCK}:8", clock(body="Use it. " * 151), clock(body="Use it. " * 149)),
    ("long-text", f"{INDEX}:3", index(line(hook="Long hook " * 11)), index(line(hook="Long hook " * 9))),
    (
        "secret",
        f"{CLOCK}:11",
        clock(body=f"{BODY}\nkey {TOKEN}"),
        clock(body=f"{BODY}\nghp_… 3f9a2c7d1e0b4a risk-based"),
    ),
    (
        "secret",
        "history/clock/0001.md:6",
        {"history/clock/0001.md": text(more=f"x: {TOKEN}\n")},
        {"history/a/1.md": "x"},
    ),
    ("secret", f"{INDEX}:4", index(line(), f"token {TOKEN}"), index(line(), "token ghp_…")),
    ("secret", f"{CLOCK}:1", clock(body='password =\n  "abc12345x"'), clock(body="password =\n  read_it()")),
    ("hidden-text", f"{CLOCK}:11", clock(body=f"{BODY}\nsay\u202e it"), clock(body=f"{BODY}\n👩\u200d💻 ü\tx")),
    ("hidden-text", f"{INDEX}:4", index(line(), "a\u200bb"), {INDEX: f"# F\r\n\r\n{line()}\r\n"}),
    (
        "no-advice",
        f"{CLOCK}:8",
        clock(body="It happens at night. Nobody knows why."),
        clock(body="Odd. Restart the pool."),
    ),
    ("no-advice", f"{CLOCK}:8", clock(body=""), clock(**ARABIC)),
    ("weak-title", f"{CLOCK}:8", clock(title="strftime"), clock(title="strftime pads hours with blanks")),
    ("weak-title", f"{INDEX}:3", index(line(hook="")), index(line(hook="Frozen clock in tests"))),
    (
        "near-duplicate",
        "traps/other.md:8",
        pair("", other_scope="", title="The clock in the tests is frozen"),
        pair("", other_scope="", title="The clock of the church is late"),
    ),
    (
        "overlap",
        "traps/other.md:8",
        pair("src/app.py", other_scope="src", title=NIGHT, body=BODY),
        pair("src/app.py", other_scope="src/app.pyc", title=NIGHT, body=BODY),
    ),
    (
        "overlap",
        "traps/other.md:8",
        pair("src/app.py", other_scope="src/app.py", title=NIGHT, body=BODY),
        pair("src/app.py", other_scope="src/app.py"),
    ),
    ("scope", f"{CLOCK}:3", clock(scope="src/gone.py"), clock(scope="src/app.py")),
    ("scope", f"{CLOCK}:3", clock(scope="../outside"), clock(scope=".")),
    ("scope", f"{CLOCK}:3", clock(scope='":(nope)app.py"'), clock(scope="src")),  # magic to git, not to us
    ("scope", f"{CLOCK}:3", clock(scope='"src/app.py:12"'), {"../src/app.py": None, **clock(scope="src/app.py")}),
    ("expires", f"{INDEX}:3", clock(more="expires: 2001-01-01\n"), clock(more="expires: 2001-01-01\n") | index()),
    ("expires", f"{CLOCK}:6", clock(more="expires: soon\n"), clock(more="expires: 2999-01-01\n")),
    (
        "line-ends",
        f"{CLOCK}:10",
        {CLOCK: text().replace(f"{BODY}\n", f"{BODY}\r\n")},
        {CLOCK: text().replace("\n", "\r\n")},
    ),
    ("line-ends", f"{INDEX}:3", {INDEX: f"# F\r\n\r\n{line()}\n"}, {INDEX: f"# F\n\n{line()}"}),
    ("line-ends", f"{CLOCK}:1", {**TRACKED, CLOCK: text().replace("\n", "\r\n")}, {**TRACKED, CLOCK: text()}),
    (
        "shared-files",
        ".gitattributes:1",
        {**TRACKED},
        {**TRACKED, ".gitattributes": ATTRIBUTES, ".gitignore": IGNORED},
    ),
    ("shared-files", ".gitignore:1", {**TRACKED, ".gitignore": "/history/\n"}, {".gitignore": "/history/\n"}),
]
