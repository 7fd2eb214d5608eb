"""What was seen, as a menu: labels, checks and actions as plain data. Drawing it is another's business."""

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claudedo_findings.printable import clean
from claudedo_findings.store import Store
from tray.seen import Seen, Service, Snapshot
from tray.words import Words

LONGEST = 72  # characters of a label: what a menu on a small screen has room for
ATTENTION = " ⚠"


class Verb(enum.Enum):
    """What a click does."""

    OPEN = "open"
    CODE = "code"
    FILE = "file"
    TRACK = "track"
    UNTRACK = "untrack"
    COPY = "copy"
    QUIT = "quit"


@dataclass(frozen=True, kw_only=True)
class Action:
    """A click's meaning: the verb, the list's name, and the store or the path that it is about."""

    verb: Verb
    list: str = ""
    store: Store | None = None
    path: str = ""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One line of a menu: with an action it can be clicked, with items it is a sub-menu, with neither it only tells."""

    label: str
    action: Action | None = None
    checked: bool | None = None
    """Whether its check mark is set; None for an item that has none."""
    items: tuple["Item", ...] = ()

    @property
    def enabled(self) -> bool:
        return bool(self.action or self.items)


SEPARATOR = Item(label="")


def build(seen: Snapshot, words: Words) -> tuple[Item, ...]:
    """Return the menu. The lists stand in the order in which they were seen, whatever their state."""
    names = Counter(one.name for one in seen.lists)
    lists = [_list(one, words, editor=seen.editor, twice=names[one.name] > 1) for one in seen.lists]
    problems = [item for problem in seen.problems for item in _wrapped(f"⚠ {problem}")]
    if not lists and not problems:
        lists = [Item(label=words("no-lists"))]
    service = [SEPARATOR, *_service(seen.service, words)] if seen.service else []
    quit_item = Item(label=words("quit"), action=Action(verb=Verb.QUIT))
    return (*lists, *([SEPARATOR] if lists and problems else []), *problems, *service, SEPARATOR, quit_item)


def summary(seen: Snapshot, words: Words) -> str:
    """Return the one line beside the icon."""
    findings = words.count("findings", sum(one.findings for one in seen.lists))
    return f"claudedo-findings: {words.count('lists', len(seen.lists))} · {findings}"


def cut(text: str, limit: int = LONGEST) -> str:
    """Return stored text as one short line, without what could hide or turn around other text."""
    line = " ".join(clean(text, keep="\n\t").split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def _list(one: Seen, words: Words, *, editor: bool, twice: bool) -> Item:
    name = f"{cut(one.name, 48)} – {cut(one.folder, 48)}" if twice else cut(one.name)
    count = f" ({one.findings})" if one.findings else ""
    mark = ATTENTION if one.needs_attention else ""
    inside = _wrapped(one.error) if one.error else _inside(one, words, editor=editor)
    return Item(label=f"{name}{count}{mark}", items=tuple(inside))


def _wrapped(message: str) -> Iterator[Item]:
    """Return a message for people as lines: whole, because what to do stands at its end."""
    text = " ".join(clean(message, keep="\n\t").split())
    while text:
        line, text = _line(text)
        yield Item(label=line)


def _line(text: str) -> tuple[str, str]:
    if len(text) <= LONGEST:
        return text, ""
    at = text.rfind(" ", 0, LONGEST + 1)
    at = at if at > 0 else LONGEST
    return text[:at], text[at:].strip()


def _inside(one: Seen, words: Words, *, editor: bool) -> Iterator[Item]:
    store = one.store
    assert store
    yield Item(label=_status(one, words))
    if one.long:
        yield Item(label=words("long"))
    if one.rule:
        yield Item(label=cut(words("hidden", rule=one.rule)))
    if one.warning:
        yield Item(label=cut(one.warning))
    yield SEPARATOR

    def item(verb: Verb, key: str, *reasons: tuple[bool, str]) -> Item:
        """Return an item that can be clicked, or one that says the first reason why not."""
        reason = next((reason for missing, reason in reasons if missing), "")
        if reason:
            return Item(label=words(f"{key}.{reason}"))
        return Item(label=words(key), action=Action(verb=verb, list=one.name, store=store, path=store.folder))

    yield item(Verb.OPEN, "open", (not one.exists, "none"))
    yield item(Verb.CODE, "code", (not editor, "no-editor"), (not one.exists, "none"))
    toggle = item(Verb.UNTRACK if one.checked_in else Verb.TRACK, "check-in", (not one.in_git, "no-git"))
    yield Item(label=toggle.label, action=toggle.action, checked=one.checked_in)
    yield SEPARATOR
    for newest in one.newest:
        action = Action(verb=Verb.FILE, list=one.name, path=newest.path)
        yield Item(label=cut(newest.title), action=action)
    if one.newest:
        yield SEPARATOR
    yield item(Verb.COPY, "copy", (not one.findings, "none"))


def _status(one: Seen, words: Words) -> str:
    parts: Sequence[tuple[str, int]] = (("stale", one.stale), ("candidates", one.candidates))
    told = [words.count(key, number) for key, number in parts if number]
    return " · ".join([words.count("findings", one.findings), *told])


def _service(service: Service, words: Words) -> Iterator[Item]:
    if service.error:
        return _wrapped(words("service.failed", error=service.error))
    return _wrapped(words("service.serving", url=service.url) if service.url else words("service.starting"))
