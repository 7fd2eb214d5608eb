"""What help says beyond the options: the verbs in groups, and examples."""

GROUPS: dict[str, tuple[str, ...]] = {
    "set up": ("serve", "connect", "lists", "track", "untrack", "pointer", "snippet", "completion", "demo"),
    "write": ("save",),
    "read": ("list", "show", "check", "open"),
    "curate": ("stale", "renew", "retire", "restore", "history", "forget", "merge", "sync"),
    "gather": ("detect", "harvest", "distill", "install-hook", "review", "approve", "reject"),
    "audit": ("lint", "doctor", "report", "trial"),
    "agents' side": ("hook",),
}

INTRODUCTION = """Save the traps that cost an agent turns, and let the next run read them before it explores.
A finding is one Markdown file in the project's .claudedo folder; its SLUG is the file's name. A list is a
project with a name."""

EPILOG = """start here:
  claudedo-findings lists add shop ~/shop        name a project
  claudedo-findings connect claude               how an MCP client gets the tool save_finding
  claudedo-findings list                         what is known about the project you are in

Verbs that work on findings take --list NAME or --here; without either, the list whose folder holds the
current directory, else the only list. --json prints one JSON object.
exit codes: 0 fine, 1 the answer is "no" (nothing found, something stale, complaints), 2 could not do it,
3 a bug, 130 interrupted."""

# The command lines without the program's name; each is tried by a test.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "serve": ("serve", "serve --list shop", "serve --http"),
    "connect": ("connect claude", "connect codex --http"),
    "lists": ("lists", "lists add shop ~/shop", "lists remove shop"),
    "track": ("track --list shop",),
    "untrack": ("untrack --list shop",),
    "pointer": ("pointer --list shop",),
    "completion": ('completion bash  # in ~/.bashrc: eval "$(claudedo-findings completion bash)"',),
    "demo": ("demo --keep",),
    "save": (
        "save clock-skew-in-ci --title 'Invoice tests freeze local time' --body 'Freeze with tz=UTC.'",
        "save no-config-cache --from-commit 3f9a2c7",
    ),
    "list": ("list", "list --list shop --json", "list --candidates"),
    "show": ("show clock-skew-in-ci",),
    "open": ("open", "open --code", "open clock-skew-in-ci --code"),
    "check": (
        "check 'cache the parsed config'",
        "check --file src/billing/invoice.py",
        "pytest 2>&1 | claudedo-findings check -",
    ),
    "history": ("history clock-skew-in-ci",),
    "restore": ("restore clock-skew-in-ci", "restore clock-skew-in-ci --version 2"),
    "forget": ("forget clock-skew-in-ci",),
    "sync": ("sync",),
    "retire": ("retire clock-skew-in-ci --why 'the runners use local time now'",),
    "merge": ("merge clock-skew-in-ci invoice-clock", "merge clock-skew-in-ci invoice-clock --apply"),
    "review": ("review",),
    "approve": ("approve no-config-cache",),
    "reject": ("reject no-config-cache --why 'generic advice'",),
    "stale": ("stale", "stale --json"),
    "harvest": ("harvest", "harvest --save", "harvest docs/gotchas.md notes --weak"),
    "lint": ("lint", "lint --fix", "lint --changed  # in a commit hook"),
    "doctor": ("doctor",),
    "report": ("report", "report --html findings.html", "report --days 30 --json"),
    "trial": ("trial --example trial", "trial trial/trial.toml"),
}


def epilog(verb: str) -> str:
    """Return the examples of a verb as the end of its help, "" where there are none."""
    examples = EXAMPLES.get(verb, ())
    lines = [f"  {'claudedo-findings ' if each.startswith(verb) else ''}{each}" for each in examples]
    return "\n".join([f"example{'s' if len(lines) > 1 else ''}:", *lines]) if lines else ""


def listing(summaries: dict[str, str]) -> str:
    """Return the verbs with their summaries, group by group; a verb of no group comes last."""
    grouped = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, "more": tuple(name for name in summaries if name not in grouped)}
    parts = []
    for title, names in groups.items():
        rows = [f"  {name:<13}{summaries[name]}" for name in names if name in summaries]
        parts += ["\n".join([f"{title}:", *rows])] if rows else []
    return "\n\n".join(parts)
