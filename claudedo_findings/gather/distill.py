"""Distill: transcripts become a hand-over page and drafts of what came back again and again."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from claudedo_findings import plural, runs, sources
from claudedo_findings.gather import candidates, struggles
from claudedo_findings.gather.draft import Draft
from claudedo_findings.gather.plan import Kept
from claudedo_findings.gather.struggles import Correction, GaveUp, Loop
from claudedo_findings.gather.walls import Wall, Walls
from claudedo_findings.lists import TodoList
from claudedo_findings.runs import Progress
from claudedo_findings.store import Store
from claudedo_findings.tally import Tally
from claudedo_findings.transcripts import quote
from claudedo_findings.transcripts.model import Run

_DRAFTS = 20  # more would not be read through; the next ones come when these are decided


@dataclass(frozen=True, kw_only=True)
class Told:
    """One run, as the page tells it."""

    name: str
    path: str
    started: str
    models: tuple[str, ...]
    calls: int
    outcomes: dict[str, int]
    """How many calls ended how, but for those that went well."""
    loops: tuple[Loop, ...]
    corrections: tuple[Correction, ...]
    gave_up: tuple[GaveUp, ...]

    @property
    def trouble(self) -> bool:
        return bool(self.outcomes or self.loops or self.corrections or self.gave_up)


@dataclass(frozen=True, kw_only=True)
class Distilled:
    """What transcripts tell: walls, the best first, and the runs in the order of their start."""

    walls: tuple[Wall, ...]
    runs: tuple[Told, ...]
    drafts: tuple[tuple[Wall, Draft], ...]
    kept: tuple[Kept, ...]
    """What became of each draft, in their order."""
    tally: Tally


def run(
    store: Store,
    item: TodoList,
    named: Sequence[str] = (),
    *,
    since: float = 0.0,
    save: bool = False,
    progress: Progress | None = None,
) -> Distilled:
    """Distill the transcripts of a list's project, or those in the files and folders that were named.

    With `save` the drafts become candidates. Raises FindingsError when a named place does not exist.
    """
    found = sources.named(named, sources.roots(item), since=since) if named else sources.of_project(item, since=since)
    tally = Tally(complaints=list(found.complaints))
    walls, told = Walls(), []
    for one in runs.load(found, tally, progress):
        struggle = struggles.of(one)
        walls.add(f"{one.path}:{one.part}", runs.name(one), struggle.hits, struggle.loops)
        told.append(_told(one, struggle))
    ranked = walls.ranked()
    worth = [wall for wall in ranked if wall.told and quote.WITHHELD not in (wall.error.text, wall.error.call)]
    drafts = [(wall, draft(wall)) for wall in worth[:_DRAFTS]]
    keep = candidates.keep if save else candidates.preview
    return Distilled(
        walls=tuple(ranked),
        runs=tuple(sorted(told, key=lambda one: (one.started, one.name))),
        drafts=tuple(drafts),
        kept=keep(store, [one for _, one in drafts]),
        tally=tally,
    )


def draft(wall: Wall) -> Draft:
    """Return a wall as a finding-to-be: what it quotes stands in code, and every other word is ours."""
    lines = [f"The error: {_code(wall.error.text)}"]
    if wall.error.call:
        lines.append(f"The call that met it: {_code(wall.error.call)}")
    if wall.way_out and wall.way_out != quote.WITHHELD:
        lines.append(f"What worked in the end: {_code(wall.way_out)}")
    elif wall.edited:
        lines.append(f"It went away after edits to {', '.join(map(_code, wall.edited))}.")
    elif not wall.solved:
        lines.append("No run got past it.")
    if wall.files:
        lines.append(f"Edited again and again while it stayed: {', '.join(map(_code, wall.files))}.")
    files = [path for path in wall.files if not path.startswith(("/", "~"))]
    aim = quote.quoted(wall.error.aim, 60)
    times = f"{wall.count} times in {plural.count(len(wall.runs), 'run')}"
    return Draft(
        source=f"error:{wall.error.key}",
        title=f"{aim}: {wall.error.text}" if aim and aim != quote.WITHHELD else wall.error.text,
        body="\n".join(f"* {line}" for line in lines),
        scope=files[0] if len(files) == 1 else "",
        evidence=f"{times}, {wall.first[:10]} to {wall.last[:10]}" if wall.first else times,
    )


def _told(one: Run, struggle: struggles.Struggle) -> Told:
    bad = Counter(call.outcome.value for call in one.calls if call.outcome.value not in ("ok", "unchanged"))
    return Told(
        name=runs.name(one),
        path=quote.quoted(one.path, 400),
        started=one.started,
        models=tuple(sorted({message.model for message in one.messages if message.model})),
        calls=sum(call.asked for call in one.calls),
        outcomes=dict(sorted(bad.items())),
        loops=struggle.loops,
        corrections=struggle.corrections,
        gave_up=struggle.gave_up,
    )


def _code(text: str) -> str:
    """Return a text as a code span, whatever backticks it holds."""
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"
