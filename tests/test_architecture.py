"""The arrows of the design point down, and nothing slow stands at the top of what must start fast."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "claudedo_findings"
PURE = {
    "markdown",
    "plural",
    "printable",
    "revision",
    "rules",
    "finding",
    "stored",
    "frontmatter",
    "index",
    "scalar",
    "screen",
    "hidden",
    "match",
    "words",
    "vocabulary",
    "scope",
    "score",
    "sieve",
    "bar",
    "errors",
    "redact",
    "homes",
    "credentials",
    "codespans",
    "problem",
    "advice",
    "advice_german",
    "titles",
    "jsonc",
    "lint_text",
    "lint_finding",
    "lint_index",
    "lint_pairs",
    "stats",
    "orders",
    "symbols",
    "tally",
    "drift",
    "verdict",
    "relocation",
    "transcripts",
    "commit_hook_text",
}
# The same for reverts as a source of candidates: these know no store, no git and no clock.
PURE_REVERTS = {"words", "reasons", "clause", "commits", "log", "target", "returned", "lines", "verdict", "story"}
# And for report: what it reckons and draws knows no store and no clock; the record of a run comes from the host's door.
PURE_REPORT = {
    "values",
    "measures",
    "took",
    "trail",
    "follow",
    "fitting",
    "retries",
    "rows",
    "figures",
    "wording",
    "notes",
}
PURE_REPORT |= {"as_json", "markup", "timeline", "findings_table", "sections", "offers"}
DOORS = {
    "listfile",
    "files",
    "lock",
    "git",
    "git_run",
    "plain",
    "git_talk",
    "git_cat",
    "git_objects",
    "exclude",
    "host",
    "host_database",
    "host_folder",
    "host_runs",
    "launch",
    "vscode",
    "folders",
    "commands",
    "anchor",
}
STANDARD_ONLY = {"__init__.py", "__main__.py", "server/__init__.py", "server/tool.py", "server/stdio.py"}
STANDARD_ONLY |= {"server/jsonrpc.py", "server/protocol.py"}


def modules() -> list[Path]:
    """Return every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path, *, top_only: bool = False) -> set[str]:
    """Return the dotted names that a module imports, with the names taken from packages."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in tree.body if top_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def own(path: Path) -> set[str]:
    """Return which modules of the package a module imports, by their name below the package."""
    prefix = "claudedo_findings."
    return {name.removeprefix(prefix).split(".")[0] for name in imports(path) if name.startswith(prefix)}


def test_pure_modules_open_no_door() -> None:
    for path in modules():
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py") in PURE:
            assert own(path) <= PURE, path
            banned = {"os", "subprocess", "time", "sqlite3"}
            assert not banned & {module.split(".")[0] for module in imports(path)}, path


def test_pure_modules_of_reverts_open_no_door() -> None:
    allowed = {f"claudedo_findings.gather.reverts.{name}" for name in PURE_REVERTS}
    for name in PURE_REVERTS:
        path = PACKAGE / "gather" / "reverts" / f"{name}.py"
        ours = {module for module in imports(path) if module.startswith("claudedo_findings.")}
        assert all(any(f"{module}.".startswith(f"{one}.") for one in allowed) for module in ours), path
        assert not {"os", "subprocess", "time", "tempfile"} & {module.split(".")[0] for module in imports(path)}, path


def test_pure_modules_of_report_open_no_door() -> None:
    allowed = {f"report.{name}" for name in PURE_REPORT} | PURE | {"host_runs.HostRun", "host.same_id"}
    for name in PURE_REPORT:
        path = PACKAGE / "report" / f"{name}.py"
        ours = {
            module.removeprefix("claudedo_findings.") for module in imports(path) if module.startswith("claudedo_f")
        }
        assert all(any(f"{module}.".startswith(f"{one}.") for one in allowed) for module in ours), path
        assert not {"os", "subprocess", "time", "tempfile"} & {module.split(".")[0] for module in imports(path)}, path


def test_doors_import_only_pure_modules_and_doors() -> None:
    for name in sorted(DOORS):
        path = PACKAGE / f"{name}.py"
        if path.exists():
            assert own(path) <= PURE | DOORS, name


def test_nothing_below_the_edges_imports_an_edge() -> None:
    for path in modules():
        if path.parent.name not in ("cli", "server") and path.name != "__main__.py":
            assert not {"cli", "server"} & own(path), path.name


def test_edges_do_not_import_each_other() -> None:
    for path in modules():
        if path.parent.name == "server":
            assert "cli" not in own(path), path.name
        if path.parent.name == "cli" and path.name != "setup.py":
            assert "server" not in own(path), path.name


@pytest.mark.parametrize("name", sorted(STANDARD_ONLY))
def test_the_stdio_front_imports_nothing_slow_at_the_top(name: str) -> None:
    slow = {"dataclasses", "pathlib", "concurrent", "argparse", "subprocess", "typing", "mcp", "pydantic", "filelock"}
    assert not slow & {module.split(".")[0] for module in imports(PACKAGE / name, top_only=True)}


def test_the_tray_stands_on_the_package_and_starts_the_service_alone() -> None:
    tray = PACKAGE.parent / "tray"
    for path in sorted(tray.rglob("*.py")):
        assert "cli" not in own(path), path.name
        assert "server" not in own(path) or path.name == "hosted.py", path.name
        assert "subprocess" not in imports(path), path.name
    for path in modules():
        assert not {name for name in imports(path) if name.split(".")[0] == "tray"}, path.name


def test_only_the_command_line_prints() -> None:
    for path in modules():
        calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
        printing = any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls)
        assert not printing or path.parent.name in ("cli", "example"), path.name
