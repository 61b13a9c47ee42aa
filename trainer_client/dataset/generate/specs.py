"""Specifications of tool sequences: `{"dependent_dataset": [...]}` becomes sample rows of a tool environment.

A specification has a scenario, limits and tasks; a task has a conversation and the sequence of calls that solves it.
The names of servers and tools are checked against a running server, so that a row never asks for a tool that is not
there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trainer_client.client import Client
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.generate.lines import Lined, read_lined
from trainer_client.dataset.generate.offer import Offer, read_offer
from trainer_client.dataset.generate.sequence import SequenceStep, problems

KEY = "dependent_dataset"
TURNS = 6
"""The turns of a task whose specification names no number."""

SPEC_ENV = "MCPToolEnv"
"""The environment of the sample rows."""


@dataclass(frozen=True, kw_only=True)
class Specification:
    """The options of `trainer data generate specs`."""

    domain: str
    """The domain whose servers have the tools."""

    pack: str = "builtin"


class SpokenLine(BaseModel):
    """One line of a conversation."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: str
    message: str


class SpecSolution(BaseModel):
    """The calls that solve a task."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tool_sequence: list[SequenceStep] = Field(min_length=1)


class SpecTask(BaseModel):
    """One task of a specification."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str = Field(min_length=1)
    complexity: str = "moderate"
    conversation: list[SpokenLine] = Field(min_length=1)
    solution: SpecSolution


class Spec(BaseModel):
    """One specification: a scenario with its limits and tasks."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    scenario: str = ""
    turns: int = Field(default=TURNS, ge=1, le=1000)
    limits: dict[str, int] = {}
    tasks: list[SpecTask] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class SpecFault:
    """A line of a file of specifications, with its fault."""

    line: int
    problem: str


class SpecProblem(DataError):
    """A file of specifications that cannot be used. `faults` has every fault with its line."""

    def __init__(self, path: Path, faults: list[SpecFault]) -> None:
        """Name the file and the first faults."""
        self.faults = faults
        shown = "; ".join(f"line {fault.line}: {fault.problem}" for fault in faults[:3])
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(f"{path}: {shown}{more}")


def samples(client: Client, path: Path, wanted: Specification) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Make a sample row of each task in the file at `path`, and a report.

    Raises:
        SpecProblem: if a task has another form, or names a server or a tool that the domain does not have.
        DataError: if the file cannot be read, or the domain has no servers.
        ServerError: if the server refuses.
    """
    listed = _listed(path)
    offer = read_offer(client, wanted.domain, wanted.pack)
    faults: list[SpecFault] = []
    rows: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for entry in listed:
        try:
            spec = Spec.model_validate(entry)
        except ValidationError as e:
            faults += [_misshapen(entry, error["loc"], error["msg"]) for error in e.errors(include_url=False)]
            continue
        for task, given in zip(spec.tasks, entry["tasks"], strict=True):
            faults += _faults(task, given, offer)
            if task.task_id in seen:
                faults.append(SpecFault(given.line, f"task_id {task.task_id!r} is that of line {seen[task.task_id]}"))
            seen.setdefault(task.task_id, given.line)
            rows.append(sample(spec, task, offer))
    if faults:
        raise SpecProblem(path, sorted(faults, key=lambda fault: fault.line))
    used = sorted({step["server"] for row in rows for step in row["reward_spec"]["ground_truth"]["tool_sequence"]})
    return rows, {"rows": len(rows), "domain": offer.domain, "pack_version": offer.pack_version, "servers": used}


def sample(spec: Spec, task: SpecTask, offer: Offer) -> dict[str, Any]:
    """Return a row in the sample format, with the names of `offer`'s domain and pack in `extra_info`."""
    steps = task.solution.tool_sequence
    truth = {
        "task_id": task.task_id,
        "complexity": task.complexity,
        "max_turns": spec.turns,
        "success": {"must_call_tool": steps[0].tool},
        "tool_sequence": [step.model_dump() for step in steps],
        "limits": spec.limits,
    }
    info = {
        "scenario": spec.scenario,
        "task_id": task.task_id,
        "complexity": task.complexity,
        "domain": offer.domain,
        "pack": offer.pack,
        "pack_version": offer.pack_version,
        "max_turns": spec.turns,
        "split": "train",
        "purpose": "train",
        "servers": list(dict.fromkeys(step.server for step in steps)),
    }
    return {
        "data_source": f"{offer.domain}/{offer.pack}/specs",
        "env_class": SPEC_ENV,
        "prompt": [{"role": line.role, "content": line.message} for line in task.conversation],
        "reward_spec": {"method": "rule", "ground_truth": truth},
        "extra_info": info,
    }


def _listed(path: Path) -> list[Lined]:
    found = read_lined(path)
    listed = found.get(KEY) if isinstance(found, Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise DataError(f"{path} has no list {KEY!r} of specifications")
    if not all(isinstance(each, Lined) for each in listed):
        raise DataError(f"{path}: an entry of {KEY!r} is no object")
    return listed


def _faults(task: SpecTask, given: Lined, offer: Offer) -> Iterator[SpecFault]:
    steps = task.solution.tool_sequence
    for place, (step, source) in enumerate(zip(steps, given["solution"]["tool_sequence"], strict=True)):
        for problem in problems(step, steps[:place], offer):
            yield SpecFault(source.line, f"task {task.task_id!r}, step {step.step}: {problem}")


def _misshapen(entry: Lined, where: tuple[int | str, ...], problem: str) -> SpecFault:
    """The fault of a field that has another form, with the line of the innermost object around it."""
    line, inner = entry.line, entry
    for part in where:
        try:
            inner = inner[part]  # type: ignore[index]
        except (LookupError, TypeError):
            break
        line = inner.line if isinstance(inner, Lined) else line
    return SpecFault(line, f"{'.'.join(map(str, where))}: {problem}")
