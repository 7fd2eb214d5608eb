"""What a trial has kept: every output, one folder a run, and which plan its first run had."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from claudedo_findings import files
from claudedo_findings.errors import FindingsError
from claudedo_findings.trial.plan import Condition, Plan


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One run: a model under a condition, for the `number`th time."""

    model: str
    condition: Condition
    number: int

    @property
    def seed(self) -> int:
        """A number that is the same whenever this run is repeated, for agents that take one."""
        name = f"{self.model}\0{self.condition}\0{self.number}"
        return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:4], "big")


def cells(plan: Plan) -> Iterator[Cell]:
    """Return every run of the plan, mixed by a fixed rule, so that an hour of bad service spares no condition."""
    for number in range(1, plan.n + 1):
        one_each = [
            Cell(model=model, condition=condition, number=number) for model in plan.models for condition in plan.tried
        ]
        yield from sorted(one_each, key=lambda cell: cell.seed)


@dataclass(frozen=True)
class Record:
    """The results folder at `folder`."""

    folder: str

    def open(self, plan: Plan, ground: str) -> list[str]:
        """Note the plan, and return what a reader must know of how it changed since the first run.

        Raises FindingsError when the answers that are kept were given to another plan.
        """
        path = os.path.join(self.folder, "trial.json")
        known = read_json(path, ground=str, n=list, metrics=dict)
        known = known or {"trial": plan.name, "ground": ground, "n": [], "metrics": {}}
        if known["ground"] != ground:
            raise FindingsError(
                f"{self.folder} holds answers to another plan ({known['ground']}, now {ground}): its prompt, agent,"
                " findings or fixture changed; give '--out' another folder"
            )
        before = json.dumps(known)
        if plan.n not in known["n"]:
            known["n"].append(plan.n)
        for name in plan.metrics:
            hashes = known["metrics"].setdefault(name, [])
            if plan.metric_hash(name) not in hashes[-1:]:
                hashes.append(plan.metric_hash(name))
        if json.dumps(known) != before:
            files.make_folder(self.folder)
            write_json(path, known)
        return list(_changes(known))

    def path(self, cell: Cell, *names: str) -> str:
        """Return the path of a file of a run."""
        return os.path.join(self.folder, "runs", _name(cell.model), cell.condition, f"{cell.number:04}", *names)


def read_json(path: str, **kinds: type) -> dict[str, Any] | None:
    """Return the object in a file that this tool wrote, None when there is none.

    Raises FindingsError when it is no object any more, or a value in it is not of its kind.
    """
    data = files.read(path)
    if data is None:
        return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FindingsError(f"{path} is no JSON any more: {error}; remove it, and its run is made again") from error
    if not isinstance(value, dict) or not all(isinstance(value.get(key), kind) for key, kind in kinds.items()):
        raise FindingsError(f"{path} is not what was written there; remove it, and its run is made again")
    return value


def write_json(path: str, value: dict[str, object]) -> None:
    """Write an object, whole or not at all."""
    files.write_atomic(path, json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8") + b"\n")


def _changes(known: dict[str, Any]) -> Iterator[str]:
    for name, hashes in known["metrics"].items():
        if len(hashes) > 1:
            yield f"the metric {name!r} was changed after the first run: {' → '.join(hashes)}"
    if len(known["n"]) > 1:
        yield f"n was changed after the first run: {' → '.join(map(str, known['n']))}"


def _name(model: str) -> str:
    """Return a model's name as a folder's: what a path cannot hold is replaced, and then a hash tells models apart."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", model).strip(".-")
    if plain == model and model.lower() == model:
        return model
    return f"{plain}-{hashlib.sha256(model.encode('utf-8')).hexdigest()[:8]}"
