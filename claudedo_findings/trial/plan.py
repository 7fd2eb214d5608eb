"""The file of a trial: what is tried, on whom, and how an answer is judged; checked whole before anything runs."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from claudedo_findings import files, rules
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding

Condition = Literal["none", "finding", "none-without-code", "finding-without-code", "irrelevant", "control", "stale"]
CONDITIONS: tuple[Condition, ...] = Condition.__args__  # type: ignore[attr-defined]
_Text = Annotated[str, Field(min_length=1)]
_Command = Annotated[tuple[_Text, ...], Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class Trap(_Part):
    """A finding that is put into the store of a condition."""

    slug: str
    title: str
    body: str
    scope: str = ""

    @model_validator(mode="after")
    def _may_be_stored(self) -> Self:
        try:
            Finding(slug=self.slug, title=self.title, body=self.body, scope=self.scope)
        except FindingsError as error:
            raise ValueError(str(error)) from error
        return self


class Metric(_Part):
    """One question about an answer: an exact string, a pattern, or words for the judge. Exactly one of them."""

    contains: str = ""
    pattern: str = ""
    judge: str = ""
    of: Literal["answer", "changes"] = "answer"

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from error
        return value

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if sum(map(bool, (self.contains, self.pattern, self.judge))) != 1:
            raise ValueError("give exactly one of 'contains', 'pattern' and 'judge'")
        return self

    @property
    def kind(self) -> str:
        return "contains" if self.contains else "pattern" if self.pattern else "judge"


class Program(_Part):
    """A command line, and how many seconds it may take."""

    command: _Command
    timeout: Annotated[float, Field(gt=0)] = 900.0


class Plan(_Part):
    """One trial: README says what each key means. `folder` is the file's own, which its paths are relative to."""

    name: _Text
    fixture: _Text
    code: tuple[_Text, ...] = ()
    prompt: _Text
    models: Annotated[tuple[_Text, ...], Field(min_length=1)]
    n: Annotated[int, Field(ge=1)]
    parallel: Annotated[int, Field(ge=1)] = 2
    conditions: tuple[Condition, ...] = ()
    agent: Program
    judge: Program | None = None
    finding: Trap
    irrelevant: Trap | None = None
    control: Trap | None = None
    metrics: Annotated[dict[str, Metric], Field(min_length=1)]
    folder: str = Field(default="", exclude=True)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if len(set(self.models)) < len(self.models):
            raise ValueError("models: a model is named twice")
        for name, metric in self.metrics.items():
            if not re.fullmatch(r"[a-z0-9-]{1,40}", name):
                raise ValueError(f"metrics.{name}: a metric's name is lower-case letters, digits and '-'")
            if metric.judge and not self.judge:
                raise ValueError(f"metrics.{name}: there is no [judge] with a command")
        if self.control and "control" not in self.metrics:
            raise ValueError("metrics.control is missing: it says how one sees that the control finding was read")
        for part in ("irrelevant", "control"):
            if part in self.conditions and not getattr(self, part):
                raise ValueError(f"conditions: {part!r} needs a table [{part}]")
        for path in self.code:
            try:
                rules.scope(path)
            except FindingsError as error:
                raise ValueError(f"code: {error}") from error
        return self

    @property
    def fixture_path(self) -> str:
        return os.path.join(self.folder, self.fixture)

    @cached_property
    def tried(self) -> tuple[Condition, ...]:
        """The conditions that are run: those of the file, else all that the file has findings for."""
        possible = {"irrelevant": self.irrelevant, "control": self.control}
        return self.conditions or tuple(name for name in CONDITIONS if possible.get(name, True))

    def trap(self, condition: Condition) -> Trap | None:
        """Return the finding that the store of a condition holds."""
        if condition.startswith("none"):
            return None
        return {"irrelevant": self.irrelevant, "control": self.control}.get(condition, self.finding)

    def shows(self, condition: Condition) -> bool:
        """Return whether an agent in this condition must be led to the index."""
        return condition != "stale" and self.trap(condition) is not None

    def ground_hash(self, fixture_hash: str) -> str:
        """Return the hash of all that makes an answer what it is, but for the model and the number of runs."""
        whole = self.model_dump(include={"code", "prompt", "agent", "finding", "irrelevant", "control"})
        return _hash({**whole, "fixture": fixture_hash})

    def metric_hash(self, name: str) -> str:
        """Return the hash of a metric, with the judge's command where it is asked."""
        metric = self.metrics[name]
        judge = self.judge.command if metric.judge and self.judge else ()
        return _hash({**metric.model_dump(), "command": judge})


def load(path: str) -> Plan:
    """Return the plan in a TOML file. Raises FindingsError that names the file and the key."""
    data = files.read(path)
    if data is None:
        raise FindingsError(
            f"there is no file {path}: 'claudedo-findings trial --example DIR' writes one to start with"
        )
    try:
        plan = Plan.model_validate(tomllib.loads(data.decode("utf-8")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise FindingsError(f"{path} is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = f"{'.'.join(map(str, first['loc']))}: " if first["loc"] else ""
        raise FindingsError(f"{path}: {where}{first['msg'].removeprefix('Value error, ')}") from error
    plan = plan.model_copy(update={"folder": os.path.dirname(os.path.abspath(path))})
    if not os.path.isdir(plan.fixture_path):
        raise FindingsError(f"{path}: fixture: there is no folder {plan.fixture_path}")
    return plan


def _hash(value: Mapping[str, object]) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
