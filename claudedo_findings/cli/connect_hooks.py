"""The settings that let an agent ask `hook`: narrow matchers, because every call starts a process."""

from collections.abc import Callable, Mapping

_SECONDS = 5  # the hook gives up by itself after one
_STARTS = "startup|resume|clear|compact"

Settings = tuple[str, Mapping[str, object], tuple[str, ...]]


def settings(client: str, command: str) -> Settings:
    """Return where the hooks of a client are set, the settings, and what a user should know."""
    return CLIENTS[client](command)


def _claude(command: str) -> Settings:
    hooks = {
        "SessionStart": [_entry(command, _STARTS)],
        "SubagentStart": [_entry(command)],
        "PostToolUse": [_entry(command, "Read|Grep")],
        "PreToolUse": [_entry(command, "Edit|Write|MultiEdit|NotebookEdit")],
        "PostToolUseFailure": [_entry(command, "Bash|Edit|Write|MultiEdit|NotebookEdit")],
    }
    note = "Merge it with the hooks that are there. It holds for all projects; those without findings stay silent."
    return "into ~/.claude/settings.json", {"hooks": hooks}, (note,)


def _codex(command: str) -> Settings:
    hooks = {
        "SessionStart": [_entry(command, _STARTS)],
        "PreToolUse": [_entry(command, "apply_patch")],
        "PostToolUse": [_entry(command, "Bash|apply_patch")],
    }
    note = "Codex asks once whether it may run the hooks. Context before a call needs a release of May 2026 or newer."
    return "into ~/.codex/hooks.json", {"hooks": hooks}, (note,)


def _gemini(command: str) -> Settings:
    def entry(matcher: str) -> dict[str, object]:
        hook = {"type": "command", "name": "findings", "command": command, "timeout": _SECONDS * 1000}
        return {"matcher": matcher, "hooks": [hook]}

    tools = "read_file|write_file|replace|search_file_content|run_shell_command"
    hooks = {"SessionStart": [entry("startup|resume|clear")], "AfterTool": [entry(tools)]}
    return "into ~/.gemini/settings.json", {"hooks": hooks}, ("Gemini counts the time-out in milliseconds.",)


def _entry(command: str, matcher: str = "") -> dict[str, object]:
    hook = {"type": "command", "command": command, "timeout": _SECONDS}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


CLIENTS: Mapping[str, Callable[[str], Settings]] = {"claude": _claude, "codex": _codex, "gemini": _gemini}
