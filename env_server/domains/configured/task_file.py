"""Tasks in a file: one JSON object on each line, or one JSON list. Each has an instruction and what its reward is.

A row of a training set (`sample_row.py`) is a line too.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from env_server.domains.configured.sample_row import SampleLine, is_sample
from env_server.domains.kit import (
    SUBMIT,
    Answer,
    Component,
    Gold,
    GoldCall,
    NoSuchTask,
    Rubric,
    ShownFact,
    Snapshot,
    Task,
    right_answer,
)

SPLITS: Final = ("train", "val", "test")


class LimitsLine(BaseModel):
    """Limits of the episodes of a task."""

    model_config = ConfigDict(extra="forbid")

    max_turns: int | None = Field(default=None, ge=1, le=1000)


class GoldLine(BaseModel):
    """One call of the solution of a task."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=200)
    arguments: dict[str, Any] = {}


class TaskLine(BaseModel):
    """One task as it stands in a file."""

    model_config = ConfigDict(extra="forbid")

    task_id: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_.:\-]+$", max_length=200)
    """Its name; by default `task-` and its line."""

    instruction: str = Field(min_length=1, max_length=20_000)
    split: Literal["train", "val", "test"] = "train"
    allow_list: tuple[str, ...] = Field(default=(), min_length=1)
    """The only tools that the agent may use; by default all."""

    servers: tuple[str, ...] = Field(default=(), min_length=1)
    """The only servers whose tools the agent may use; by default all."""

    limits: LimitsLine = LimitsLine()
    answer: Answer | None = None
    evidence: tuple[ShownFact, ...] = ()
    """What look-ups have to show before the answer."""

    rubric: Rubric | None = None
    assertions: tuple[str, ...] = ()
    """Statements that a judge finds met or not."""

    gold: tuple[GoldLine, ...] = Field(default=(), max_length=100)
    """The calls of a solution, in order, without the answer."""

    difficulty: int | None = Field(default=None, ge=1, le=5)
    template: str | None = None

    @field_validator("instruction")
    @classmethod
    def _says(cls, given: str) -> str:
        if not given.strip():
            raise ValueError("is empty")
        return given

    @field_validator("assertions")
    @classmethod
    def _states(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if not all(text.strip() for text in given):
            raise ValueError("one of them is empty")
        return given

    @field_validator("answer", mode="before")
    @classmethod
    def _no_truth_value(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("value"), bool):
            raise ValueError(f"`value` is {json.dumps(given['value'])}, which is neither a number nor a text")
        return given

    @field_validator("answer")
    @classmethod
    def _asks_something(cls, given: Answer | None) -> Answer | None:
        """Refuse an answer to which saying nothing is right, and one that is both known and unknown."""
        if given is None:
            return given
        value = given.value
        texts = value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()
        if value == () or not all(text.strip() for text in (*texts, *given.also)):
            raise ValueError("an empty answer would be right: leave out empty texts and empty lists")
        if not all(text.strip() for text in given.missing):
            raise ValueError("`missing`: one of the words is empty, so any fact would be right")
        if value is not None and given.missing:
            raise ValueError("has a `value` and `missing`, which says that the answer cannot be known")
        return given

    @field_validator("evidence")
    @classmethod
    def _shows_something(cls, given: tuple[ShownFact, ...]) -> tuple[ShownFact, ...]:
        if not all(text.strip() for fact in given for text in fact.shows):
            raise ValueError("`shows` has an empty text, which every result shows")
        return given

    @field_validator("rubric")
    @classmethod
    def _marks_something(cls, given: Rubric | None) -> Rubric | None:
        if given is not None and (not given.points or not all(point.strip() for point in given.points)):
            raise ValueError("`points`: give at least one, and leave out empty ones")
        return given

    @model_validator(mode="after")
    def _rewarded(self) -> "TaskLine":
        if self.answer is None and self.rubric is None and not self.assertions:
            raise ValueError("nothing says what its reward is: give `answer`, `rubric` or `assertions`")
        if self.answer is not None and self.answer.value is None and not self.answer.missing:
            raise ValueError(
                "no answer would be right: an `answer` needs a `value`, or `missing` if it cannot be known"
            )
        if self.evidence and self.answer is None:
            raise ValueError("`evidence` belongs to an `answer`")
        return self

    def remarks(self) -> tuple[str, ...]:
        """Return nothing: a line of this kind is right or wrong as a whole."""
        return ()

    def task(self, domain: str, line: int) -> Task:
        """Return the task of `domain` that stands on `line`."""
        counted = {
            Component.ANSWER: self.answer is not None,
            Component.EVIDENCE: bool(self.evidence),
            Component.NL_ASSERTIONS: bool(self.assertions),
            Component.RUBRIC: self.rubric is not None,
        }
        named: dict[str, Any] = {} if self.difficulty is None else {"difficulty": self.difficulty}
        return Task(
            task_id=self.task_id or f"task-{line}",
            domain=domain,
            split=self.split,
            template=self.template,
            instruction=self.instruction,
            answer=self.answer,
            evidence=self.evidence,
            gold=self._gold(),
            rubric=self.rubric,
            assertions=self.assertions,
            basis=tuple(component for component, there in counted.items() if there),
            tools=self.allow_list,
            servers=self.servers,
            max_turns=self.limits.max_turns,
            alone=True,
        ).model_copy(update=named)

    def _gold(self) -> Gold:
        """Return the solution: its calls, then the answer."""
        calls = [GoldCall(name=call.name, arguments=call.arguments) for call in self.gold]
        if calls and self.answer is not None:
            calls.append(GoldCall(name=SUBMIT, arguments=right_answer(self.answer)))
        return Gold(actions=tuple(calls))


@dataclass(frozen=True, slots=True)
class FaultyLine:
    """A line with its number and its fault. The number is 0 where the file is at fault."""

    line: int
    problem: str
    plays: bool = False
    """Whether the task can be played all the same, without what is wrong."""


class TaskFileProblem(ValueError):
    """A file of tasks that cannot be used. `faults` says why, line by line."""

    def __init__(self, path: Path, faults: list[FaultyLine]) -> None:
        """Name the file and the first faults."""
        self.faults = faults
        shown = "; ".join(
            f"line {fault.line}: {fault.problem}" if fault.line else fault.problem for fault in faults[:3]
        )
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(f"{path}: {shown}{more}")


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The tasks of a file, and the faults of its other lines."""

    tasks: tuple[Task, ...]
    faults: tuple[FaultyLine, ...]
    """The faults of its lines, in the order of the lines."""

    lines: Mapping[str, int]
    """The line of each task, by its id."""


def read_tasks(path: Path, domain: str) -> tuple[Task, ...]:
    """Return the tasks of a file.

    Raises:
        TaskFileProblem: if the file cannot be read, or a line is no task that can be played.
    """
    checked = check_tasks(path, domain)
    faults = [fault for fault in checked.faults if not fault.plays]
    if faults:
        raise TaskFileProblem(path, faults)
    return checked.tasks


def check_tasks(path: Path, domain: str) -> CheckedFile:
    """Return the tasks of a file, and everything that is wrong with its lines.

    Raises:
        TaskFileProblem: if the file cannot be read.
    """
    try:
        entries = list(_entries(path.read_text(encoding="utf-8-sig")))
    except (OSError, UnicodeDecodeError) as e:
        raise TaskFileProblem(path, [FaultyLine(0, str(getattr(e, "strerror", None) or e))]) from e
    tasks: dict[str, tuple[int, Task]] = {}
    faults: list[FaultyLine] = []
    for line, entry in entries:
        try:
            read = _line(_parsed(entry))
            task = read.task(domain, line)
        except ValidationError as e:
            faults += [FaultyLine(line, _said(error)) for error in e.errors(include_url=False)]
            continue
        except ValueError as e:
            faults.append(FaultyLine(line, str(e)))
            continue
        if task.task_id in tasks:
            faults.append(FaultyLine(line, f"task_id: {task.task_id!r} is that of line {tasks[task.task_id][0]}"))
        else:
            tasks[task.task_id] = line, task
        faults += [FaultyLine(line, remark, plays=True) for remark in read.remarks()]
    if not entries:
        faults.append(FaultyLine(1, "there is no task"))
    lines = {name: line for name, (line, _) in tasks.items()}
    return CheckedFile(tuple(task for _, task in tasks.values()), tuple(faults), lines)


def _line(entry: Any) -> TaskLine | SampleLine:
    return SampleLine.model_validate(entry) if is_sample(entry) else TaskLine.model_validate(entry)


def _entries(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each task with its line; in a list, with its place, beginning with 1."""
    if text.lstrip().startswith("["):
        try:
            yield from enumerate(json.loads(text, object_pairs_hook=_object), 1)
        except json.JSONDecodeError as e:
            yield e.lineno, text
        except (RecursionError, ValueError):
            yield 1, text
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line


def _parsed(entry: Any) -> Any:
    """Return the JSON of a line, or of an item of a list.

    Raises:
        ValueError: if it is none, or cannot be stored.
    """
    try:
        found = json.loads(entry, object_pairs_hook=_object) if isinstance(entry, str) else entry
        if _has_nul(found):
            raise ValueError("has the character NUL, which is no text")
        json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as e:
        raise ValueError(f"is no JSON: {e.msg} at column {e.colno}") from None
    except UnicodeEncodeError as e:
        half = e.object[e.start].encode("unicode_escape").decode()
        raise ValueError(f"has the half {half} of a surrogate pair, which is no text") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. One that has a key twice would lose a value without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise ValueError(f"has the key {twice!r} twice in one object")
    return found


def _has_nul(value: Any) -> bool:
    """Return whether a text in `value`, or a key, has the character NUL, which databases refuse."""
    if isinstance(value, dict):
        return any(_has_nul(one) for pair in value.items() for one in pair)
    if isinstance(value, list):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\0" in value


def _said(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    said = "unknown key" if error["type"] == "extra_forbidden" else str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {said}" if where else said


class FileTasks:
    """The source of tasks of the operator's domain: the tasks of a file, by split and by id."""

    def __init__(self, tasks: tuple[Task, ...]) -> None:
        """Offer `tasks`, each in its split."""
        self._tasks: Mapping[str, list[Task]] = {s: [t for t in tasks if t.split == s] for s in SPLITS}
        self._by_id = {task.task_id: task for task in tasks}
        self.splits: Mapping[str, int] = {split: len(found) for split, found in self._tasks.items()}
        self.digest = hashlib.sha256("".join(task.digest for task in tasks).encode()).hexdigest()

    def task(self, base: Snapshot, split: str, index: int) -> Task:  # noqa: ARG002 -- the signature of `TaskSource`
        """Return the task at `index` of `split`.

        Raises:
            NoSuchTask: if there is none.
        """
        found = self._tasks.get(split, [])
        if not 0 <= index < len(found):
            raise NoSuchTask(f"split {split!r} has {len(found)} tasks, and none at {index}")
        return found[index]

    def find(self, base: Snapshot, task_id: str) -> Task:  # noqa: ARG002 -- the signature of `TaskSource`
        """Return the task with this id.

        Raises:
            NoSuchTask: if there is none.
        """
        if task_id not in self._by_id:
            raise NoSuchTask(f"the file has no task {task_id!r}")
        return self._by_id[task_id]
