"""Follows a run step by step: what it was shown, what it opened, and what failed before and after that."""

import fnmatch
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from claudedo_findings import rules
from claudedo_findings.report.trail import Context, Fitting, Phase, Step, Trail, moment
from claudedo_findings.transcripts.model import TROUBLE, Call, Outcome, Run

INDEX = ".claudedo/INDEX.md"
_TRAPS = ".claudedo/traps/"


def follow(trail: Trail, run: Run, contexts: dict[str, Context], fitting: Fitting, slugs: Collection[str]) -> None:
    """Add a run, or a part of one, to its trail.

    `contexts` are those of the same session by agent, which live on when it is resumed; `slugs` are all the findings
    that a pattern like `traps/*.md` may mean.
    """
    trail.about(run)
    walk = _Walk(trail=trail, contexts=contexts, fitting=fitting, slugs=slugs)
    for call in run.inherited:
        if call.outcome is Outcome.OK:
            walk.opens(call, contexts.setdefault("", Context()), "inherited")
    for call in sorted(run.calls, key=lambda call: (call.at, call.line)):
        walk.step(call)
    walk.settle()
    for shown in run.shown:
        for slug in _slugs(shown.path, slugs):
            trail.hooked.setdefault(slug, []).append(Step(at=moment(shown.at)))
    main = contexts.get("")
    trail.carries = trail.carries or bool(trail.index) or (main is not None and main.index is not None)
    trail.index_turns += walk.turns(run)


@dataclass(kw_only=True)
class _Walk:
    trail: Trail
    contexts: dict[str, Context]
    fitting: Fitting
    slugs: Collection[str]
    read: dict[str, Call] = field(default_factory=dict)
    """The call that read the index, by agent."""
    failed: set[tuple[str, str]] = field(default_factory=set)
    """Findings with the attempts that met them: parallel guesses are one mistake."""
    open: list[tuple[str, Call]] = field(default_factory=list)
    """Errors of which is not yet known whether their finding is opened later."""

    def step(self, call: Call) -> None:
        context = self.contexts.setdefault(call.agent, Context())
        attempt = f"{call.agent} {call.batch or call.line}"
        if call.outcome is Outcome.OK:  # a cancelled, refused, failed or unchanged read is no read
            if INDEX in call.reads:
                self.trail.index.append(_step(call))
                self.read.setdefault(call.agent, call)
            for slug in self.opens(call, context, attempt):
                self.trail.opened.setdefault(slug, []).append(_step(call))
            if call.saves:
                self.trail.saved.setdefault(call.saves, []).append(_step(call))
        elif call.outcome in TROUBLE:
            for slug in self.fitting(call):
                if (slug, attempt) not in self.failed:
                    self.failed.add((slug, attempt))
                    self.fails(call, slug, context, attempt)

    def opens(self, call: Call, context: Context, attempt: str) -> list[str]:
        """Note in a context what a call brought there; return the findings that it opened."""
        if INDEX in call.reads and context.index is None:
            context.index = attempt
        found = [slug for path in call.reads for slug in _slugs(path, self.slugs)]
        for slug in [*found, *filter(None, [call.saves])]:
            context.opened.setdefault(slug, attempt)
        return found

    def fails(self, call: Call, slug: str, context: Context, attempt: str) -> None:
        # What was asked in the same breath as the reading could not know what it said.
        if context.opened.get(slug, attempt) != attempt:
            self.trail.errors.setdefault((slug, Phase.AFTER), []).append(_step(call))
        else:
            self.open.append((slug, call))

    def settle(self) -> None:
        for slug, call in self.open:
            known = slug in self.trail.opened or slug in self.trail.saved
            phase = Phase.BEFORE if known else Phase.UNOPENED
            self.trail.errors.setdefault((slug, phase), []).append(_step(call))

    def turns(self, run: Run) -> int:
        """Return how many answers were given with the index in their context."""
        count = 0
        for message in run.messages:
            context, since = self.contexts.get(message.agent), self.read.get(message.agent)
            if since:
                # Answers of stream-json bear no time.
                count += message.at >= since.at if message.at and since.at else message.line > since.line
            elif context and context.index is not None:
                count += 1
        return count


def _slugs(path: str, slugs: Collection[str]) -> Iterator[str]:
    if path.startswith(_TRAPS) and path.endswith(".md"):
        name = path[len(_TRAPS) : -len(".md")]
        if "*" in name:
            yield from (slug for slug in slugs if fnmatch.fnmatchcase(slug, name))
        elif rules.is_slug(name):
            yield name


def _step(call: Call) -> Step:
    return Step(at=moment(call.at), model=call.model)
