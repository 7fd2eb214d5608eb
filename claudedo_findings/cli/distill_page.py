"""The hand-over page of distill, as text and as JSON."""

from claudedo_findings import plural, tally
from claudedo_findings.cli.common import new_candidates, print_table, print_text
from claudedo_findings.gather.distill import Distilled, Told
from claudedo_findings.gather.plan import Kept
from claudedo_findings.gather.walls import Wall
from claudedo_findings.store import Store

_WALLS, _RUNS = 20, 30  # on the page; --json holds all


def show(store: Store, done: Distilled, *, saved: bool) -> None:
    """Print the page."""
    print_text(_summary(done))
    kept = {one.source: one for one in done.kept}
    slugs = {wall.error.key: kept[draft.source] for wall, draft in done.drafts if draft.source in kept}
    for at, wall in enumerate(done.walls[:_WALLS], 1):
        print_text(f"\n{at}. {wall.error.text}\n{_about(wall, slugs.get(wall.error.key), saved=saved)}")
    if len(done.walls) > _WALLS:
        print_text(f"\n{plural.count(len(done.walls) - _WALLS, 'more wall')} left out; --json has them all")
    troubled = [one for one in done.runs if one.trouble]
    for one in troubled[-_RUNS:]:
        _print_trouble(one)
    if troubled:
        print_text("")
        print_table(("RUN", "STARTED", "CALLS", "MODELS", "TROUBLE"), [_row(one) for one in troubled[-_RUNS:]])
    if len(troubled) > _RUNS:
        print_text(f"{plural.count(len(troubled) - _RUNS, 'earlier run')} with trouble left out; --json has them all")
    new = sum(one.status == "created" for one in done.kept)
    if new and saved:
        print_text(f"\n{new_candidates(store, new)}")
    elif new:
        print_text(f"\n{plural.count(new, 'candidate')} could be drafted; nothing was written, --save keeps them")


def _summary(done: Distilled) -> str:
    met = done.tally
    runs, files = plural.count(len(done.runs), "run"), plural.count(met.files, "transcript")
    parts = [f"{runs} in {files}, {plural.count(len(done.walls), 'wall')}"]
    parts += tally.passed_over(broken=met.broken, unknown=met.unknown, unfinished=met.unfinished, copies=met.copies)
    return "; ".join(parts)


def _about(wall: Wall, kept: Kept | None, *, saved: bool) -> str:
    count = f"{wall.count} times in {plural.count(len(wall.runs), 'run')}"
    if wall.attempts < wall.count:
        count += f", {plural.count(wall.attempts, 'attempt')}"
    solved = f"got past in {wall.solved}" if wall.solved else "never got past"
    times = f"{wall.first[:16]} to {wall.last[:16]}" if wall.first else "no time is known"
    lines = [f"{wall.error.kind}: {count}, {times}, {solved}"]
    if wall.error.call:
        lines.append(f"call: {wall.error.call}")
    if wall.way_out:
        lines.append(f"what worked: {wall.way_out}")
    if wall.edited:
        lines.append(f"edited before it went away: {', '.join(wall.edited)}")
    lines.append(f"runs: {', '.join(wall.runs[:8])}" + (" …" if len(wall.runs) > 8 else ""))
    if kept:
        lines.append(f"candidate: {kept.slug} ({'new' if kept.status == 'created' and not saved else kept.status})")
    return "\n".join(f"   {line}" for line in lines)


def _print_trouble(one: Told) -> None:
    for loop in one.loops:
        print_text(
            f"\n{one.name} went round {loop.rounds} times: {loop.file} was edited and this came back: {loop.error}"
        )
    for correction in one.corrections:
        print_text(f"\n{one.name} was corrected by the user: {correction.text}")
        if correction.admitted:
            print_text(f"   the agent: {correction.admitted}")
    for gave_up in one.gave_up:
        print_text(f"\n{one.name} gave up: {gave_up.text}\n   after: {gave_up.error}")


def _row(one: Told) -> tuple[str, ...]:
    trouble = [f"{count} {outcome}" for outcome, count in one.outcomes.items()]
    return one.name, one.started[:16], str(one.calls), ", ".join(one.models) or "-", ", ".join(trouble) or "-"


def as_json(name: str, store: Store, done: Distilled, *, saved: bool) -> dict[str, object]:
    """Return the page as one object."""
    kept = {one.source: one for one in done.kept}
    slugs = {wall.error.key: kept[draft.source] for wall, draft in done.drafts if draft.source in kept}
    return {
        "list": name,
        "store": store.folder,
        "saved": saved,
        "transcripts": done.tally.files,
        "lines": done.tally.lines,
        "brokenLines": done.tally.broken,
        "unknownLines": done.tally.unknown,
        "unfinished": done.tally.unfinished,
        "copies": done.tally.copies,
        "walls": [_wall_as_json(wall, slugs.get(wall.error.key)) for wall in done.walls],
        "runs": [_run_as_json(one) for one in done.runs],
        "complaints": list(done.tally.complaints),
    }


def _wall_as_json(wall: Wall, kept: Kept | None) -> dict[str, object]:
    return {
        "slug": kept.slug if kept else "",
        "status": kept.status if kept else "",
        "fingerprint": wall.error.key,
        "kind": wall.error.kind,
        "error": wall.error.text,
        "call": wall.error.call,
        "count": wall.count,
        "attempts": wall.attempts,
        "runs": list(wall.runs),
        "solved": wall.solved,
        "wayOut": wall.way_out,
        "edited": list(wall.edited),
        "first": wall.first,
        "last": wall.last,
        "models": list(wall.models),
    }


def _run_as_json(one: Told) -> dict[str, object]:
    return {
        "run": one.name,
        "path": one.path,
        "started": one.started,
        "models": list(one.models),
        "calls": one.calls,
        "outcomes": one.outcomes,
        "loops": [{"file": loop.file, "rounds": loop.rounds, "error": loop.error} for loop in one.loops],
        "corrections": [
            {"text": words.text, "at": words.at, "refusal": words.refusal, "admitted": words.admitted}
            for words in one.corrections
        ],
        "gaveUp": [{"text": words.text, "at": words.at, "after": words.error} for words in one.gave_up],
    }
