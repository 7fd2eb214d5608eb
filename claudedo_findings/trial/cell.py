"""One run: an agent in a fresh copy, the proof of what it was shown, and the verdict on what it answered."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claudedo_findings import files
from claudedo_findings.commands import Commands
from claudedo_findings.errors import FindingsError
from claudedo_findings.layout import FOLDER
from claudedo_findings.trial import ground, record
from claudedo_findings.trial.ground import Ground
from claudedo_findings.trial.plan import Metric, Plan, Program, Trap
from claudedo_findings.trial.record import Cell, Record

_LIMIT = 1_000_000  # bytes of an answer that are judged; what is longer is kept, but is no answer


@dataclass(frozen=True, kw_only=True)
class Runner:
    """What the runs of one trial share."""

    plan: Plan
    ground: Ground
    record: Record
    commands: Commands

    def run(self, cell: Cell) -> dict[str, str]:
        """Return the verdict of every metric on a run, each one of summary.VERDICTS; what was done is not done again.

        Raises FindingsError when a command cannot be started or a kept file is broken.
        """
        done = record.read_json(self.record.path(cell, "run.json"), outcome=str) or self._ask(cell)
        outcome = str(done["outcome"])
        if outcome != "answered":
            return dict.fromkeys(self.plan.metrics, outcome)
        return {name: self._verdict(cell, name) for name in self.plan.metrics}

    def _ask(self, cell: Cell) -> dict[str, object]:
        folder = self.record.path(cell)
        files.make_folder(folder)
        copy = self.ground.copy(cell.condition)
        try:
            sentence = self.ground.sentence(copy)
            values = {"model": cell.model, "pointer": sentence, "seed": str(cell.seed)}
            prompt = self._filled(self.plan.prompt, values)
            command = [self._filled(part, {**values, "prompt": prompt}) for part in self.plan.agent.command]
            handed = {"command": command, "prompt": prompt, "pointer": sentence, "seed": cell.seed}
            fault = _unproven(
                copy,
                [*command, prompt],
                sentence,
                self.plan.trap(cell.condition),
                shows=self.plan.shows(cell.condition),
            )
            if fault:
                return self._keep(cell, {**handed, "outcome": "unproven", "why": fault})
            code = self._command(self.plan.agent, command, copy, prompt, folder, "answer.txt")
            outcome = "timed out" if code is None else "failed" if code else "answered"
            try:
                patch = ground.changes(copy)
            except FindingsError as error:  # an agent may have broken its repository
                patch, outcome = f"unknown: {error}\n", "failed"
            files.write_atomic(os.path.join(folder, "changes.patch"), patch.encode("utf-8", "surrogateescape"))
            return self._keep(cell, {**handed, "outcome": outcome, "exitCode": code})
        finally:
            shutil.rmtree(copy, ignore_errors=True)

    def _keep(self, cell: Cell, value: dict[str, object]) -> dict[str, object]:
        """Write the run's own file, last: without it the run is made again."""
        record.write_json(self.record.path(cell, "run.json"), value)
        return value

    def _verdict(self, cell: Cell, name: str) -> str:
        path, wanted = self.record.path(cell, f"verdict-{name}.json"), self.plan.metric_hash(name)
        known = record.read_json(path, metric=str, verdict=str)
        if known and known["metric"] == wanted:
            return str(known["verdict"])
        metric = self.plan.metrics[name]
        text = _text(self.record.path(cell, "answer.txt" if metric.of == "answer" else "changes.patch"))
        if text is None:
            verdict = "no verdict"
        elif metric.judge:
            verdict = self._judged(cell, name, metric, text)
        else:
            verdict = "yes" if _found(metric, text) else "no"
        record.write_json(path, {"metric": wanted, "verdict": verdict})
        return verdict

    def _judged(self, cell: Cell, name: str, metric: Metric, text: str) -> str:
        judge, output = self.plan.judge, f"judge-{name}.txt"
        if judge is None:  # a plan is refused then
            raise AssertionError(name)
        values = {"question": metric.judge, "model": cell.model, "seed": str(cell.seed)}
        command = [self._filled(part, values) for part in judge.command]
        with tempfile.TemporaryDirectory(prefix="judge-", dir=self.ground.folder) as empty:
            code = self._command(judge, command, empty, text, self.record.path(cell), output)
        if code != 0:
            return "no verdict"
        lines = (files.read(self.record.path(cell, output)) or b"").decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "").strip(" \t\r.!*\"'`").lower()
        return last if last in ("yes", "no") else "no verdict"

    def _command(
        self, program: Program, command: Sequence[str], folder: str, stdin: str, kept: str, output: str
    ) -> int | None:
        return self.commands.run(
            command,
            folder=folder,
            stdin=stdin,
            environment=_environment(),
            output=os.path.join(kept, output),
            errors=os.path.join(kept, output.replace(".txt", ".stderr.txt")),
            timeout=program.timeout,
        )

    def _filled(self, text: str, values: Mapping[str, str]) -> str:
        """Return a text with its placeholders filled in; braces around other words stay."""
        known = {"here": self.plan.folder, "python": sys.executable, **values}
        return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], found[0]), text)


def _unproven(copy: str, handed: Sequence[str], sentence: str, trap: Trap | None, *, shows: bool) -> str:
    """Return why a run cannot count, "" when the agent is shown what its condition says.

    Proof is what is handed to the agent's process, word by word (its arguments and its input), and what the
    index in its copy lists.
    """
    index = files.read(os.path.join(copy, FOLDER, "INDEX.md")) or b""
    listed = bool(trap and f"traps/{trap.slug}.md".encode() in index)
    if shows and not listed:
        return "the index does not list the finding"
    if shows:
        return "" if any(sentence in part for part in handed) else "neither the command nor the prompt has {pointer}"
    led = any(os.path.join(FOLDER, "INDEX.md") in part for part in handed)
    return "the agent would be led to an index that it must not see" if sentence or listed or led else ""


def _text(path: str) -> str | None:
    """Return what an agent left, None when it is gone or too long to be judged."""
    if not os.path.exists(path) or os.path.getsize(path) > _LIMIT:
        return None
    return (files.read(path) or b"").decode("utf-8", "replace")


def _found(metric: Metric, text: str) -> bool:
    if metric.contains:
        return metric.contains in text
    return re.search(metric.pattern, text) is not None


def _environment() -> dict[str, str]:
    """Return this process's environment without what would lead an agent to another repository or list."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CLAUDEDO_"))}
