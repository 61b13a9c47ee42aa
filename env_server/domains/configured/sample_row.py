"""Rows of a training set as lines of a file of tasks: `{data_source, env_class, prompt, reward_spec, extra_info}`."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from env_server.domains.kit import (
    AnswerRules,
    Component,
    Gold,
    GoldCall,
    PlanStep,
    Rubric,
    SampleProblem,
    StepAnalysis,
    Task,
    TaskSample,
    Weights,
    check_assignment,
    check_condition,
    check_path,
    name_of,
    placeholders,
    probed,
)

DEFAULT_TURNS: Final = 6
"""The limit of turns of a row that names none."""

_PROBE: Final = ["a text of some length"] * 100
"""The value of every extracted name when the bounds of a row's expressions are tried."""

Name = str | None
Texts = tuple[str, ...]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Open(BaseModel):
    model_config = ConfigDict(extra="ignore")


class SampleMessage(_Open):
    """One message of a row's prompt."""

    role: Literal["system", "user"]
    content: str


class AnalysisRow(_Open):
    """The values and conditions that the result of a planned call has to give."""

    extract: Texts = ()
    compute: Texts = ()
    select: Texts = ()
    accept_if: Texts = ()
    next_args_from: Name = None

    def kept(self) -> StepAnalysis:
        """Return it as the task keeps it."""
        return StepAnalysis(**self.model_dump(exclude={"step"}))


class RubricStepRow(AnalysisRow):
    """The values and conditions of a step in the row's rubric: in the entry itself, or in a field of it."""

    step: int
    analysis_requirements: AnalysisRow | None = None

    def kept(self) -> StepAnalysis:
        """Return it as the task keeps it."""
        inner = self.analysis_requirements
        return StepAnalysis(**self.model_dump(include=set(AnalysisRow.model_fields))) if inner is None else inner.kept()


class PlanRow(_Strict):
    """One call of the plan."""

    step: int
    server: str = ""
    tool: str = Field(min_length=1)
    params: dict[str, Any] = {}
    analysis_requirements: AnalysisRow | None = None


class SuccessRow(_Strict):
    """The server or the tool of which a call has to succeed."""

    must_call_tool: Name = None


class LimitsRow(_Strict):
    """Limits of an episode."""

    max_servers: int | None = Field(default=None, ge=1, le=1000)
    max_tools: int | None = Field(default=None, ge=1, le=10_000)
    allow_list: Annotated[Texts, Field(min_length=1)] | None = None


class AnswerRow(_Open):
    """The requirements on the final answer."""

    must_include: Texts = ()
    grounded_from: Texts = ()
    quality_criteria: Texts = ()
    length_range: tuple[int, int] | None = None
    target_length_range: tuple[int, int] | None = None


class AnalysisRubricRow(_Open):
    """The analysis of each step, and the rules for the answer."""

    steps: tuple[RubricStepRow, ...] = ()
    final_answer_requirements: AnswerRow | None = None


class JudgeRubricRow(_Open):
    """The rules by which a judge marks the answer."""

    weights: Weights = Weights()
    target_length_range: tuple[int, int] | None = None


class GroundTruthRow(_Strict):
    """The task of a row: its plan, its limits, and the rules for its reward."""

    task_id: str = Field(pattern=r"^[A-Za-z0-9_.:\-\[\]|]+$", max_length=200)
    complexity: str = ""
    max_turns: int = Field(default=DEFAULT_TURNS, ge=1, le=1000)
    success: SuccessRow | None = None
    tool_sequence: tuple[PlanRow, ...] = ()
    limits: LimitsRow | None = None
    analysis_rubric: AnalysisRubricRow | None = None
    final_reference: dict[str, Any] | None = None
    judge_rubric: JudgeRubricRow | None = None

    @model_validator(mode="after")
    def _sound(self) -> "GroundTruthRow":
        called = self.success is not None and self.success.must_call_tool
        if not called and self.judge_rubric is None:
            raise ValueError("nothing says what its reward is: give `success.must_call_tool` or `judge_rubric`")
        steps = [step.step for step in self.tool_sequence]
        if len(set(steps)) < len(steps):
            raise ValueError("tool_sequence: two steps have the same number")
        return self


class RewardRow(_Open):
    """The reward of a row; its `ground_truth` has the task."""

    method: str = "rule"
    ground_truth: GroundTruthRow


class SampleLine(_Strict):
    """One row as it stands in a file."""

    data_source: str = ""
    env_class: Literal["MCPToolEnv"]
    prompt: tuple[SampleMessage, ...]
    reward_spec: RewardRow
    extra_info: dict[str, Any] | None = None

    @field_validator("prompt", mode="before")
    @classmethod
    def _messages(cls, given: Any) -> Any:
        return given["messages"] if isinstance(given, dict) and set(given) == {"messages"} else given

    @field_validator("prompt")
    @classmethod
    def _asks(cls, given: tuple[SampleMessage, ...]) -> tuple[SampleMessage, ...]:
        if not _joined(given, "user"):
            raise ValueError("no message of the user says what to do")
        return given

    def task(self, domain: str, line: int) -> Task:  # noqa: ARG002 -- a row names itself
        """Return the task of `domain` that the row describes."""
        truth = self.reward_spec.ground_truth
        limits = truth.limits or LimitsRow()
        rubric = self._rubric()
        sample = self._sample()
        basis = [Component.SUCCESS] if sample.must_call else []
        if rubric is not None:
            basis.append(Component.RUBRIC)
        split = (self.extra_info or {}).get("split")
        return Task(
            task_id=truth.task_id,
            domain=domain,
            split=split if split in ("train", "val", "test") else "train",
            template=truth.complexity or None,
            instruction=_joined(self.prompt, "user") or "",
            rubric=rubric,
            gold=Gold(actions=tuple(GoldCall(name=_called(step), arguments=step.params) for step in sample.plan)),
            basis=tuple(basis),
            tools=limits.allow_list or (),
            max_turns=truth.max_turns,
            alone=True,
            sample=sample,
        )

    def remarks(self) -> Iterator[str]:
        """Yield the parts of the row that cannot be used and so have no effect. The row can be played all the same."""
        known: set[str] = set()
        earlier: set[str] = set()
        for i, step in enumerate(self._plan()):
            for text in dict.fromkeys(placeholders(step.params)):
                head = text.partition(".")[0].partition("[")[0]
                if head not in known | earlier:
                    yield f"tool_sequence.{i}.params: no earlier step gives ${{{text}}}"
            for where, text, check in _expressions(step.analysis):
                try:
                    known.add(check(text) or "")
                except SampleProblem as e:
                    yield f"tool_sequence.{i}.analysis_requirements.{where}: {e}"
            earlier.add(f"step{step.step}")
            analysis = step.analysis
            given = dict.fromkeys(known | earlier, _PROBE)
            for why in probed((*analysis.compute, *analysis.select), analysis.accept_if, given):
                yield f"tool_sequence.{i}.analysis_requirements: tried with lists of {len(_PROBE)} texts, {why}"

    def _plan(self) -> tuple[PlanStep, ...]:
        truth = self.reward_spec.ground_truth
        listed = {} if truth.analysis_rubric is None else {s.step: s.kept() for s in truth.analysis_rubric.steps}

        def kept(row: PlanRow) -> PlanStep:
            own = None if row.analysis_requirements is None else row.analysis_requirements.kept()
            analysis = own if own is not None and own != StepAnalysis() else listed.get(row.step, StepAnalysis())
            return PlanStep(step=row.step, server=row.server, tool=row.tool, params=row.params, analysis=analysis)

        return tuple(kept(row) for row in truth.tool_sequence)

    def _sample(self) -> TaskSample:
        truth = self.reward_spec.ground_truth
        limits, success = truth.limits or LimitsRow(), truth.success or SuccessRow()
        return TaskSample(
            source=self.data_source,
            system=_joined(self.prompt, "system"),
            complexity=truth.complexity,
            must_call=success.must_call_tool or None,
            plan=self._plan(),
            max_tools=limits.max_tools,
            max_servers=limits.max_servers,
            answer=self._rules(),
            reference=truth.final_reference or {},
        )

    def _rules(self) -> AnswerRules:
        rules, judge = self._answer(), self.reward_spec.ground_truth.judge_rubric or JudgeRubricRow()
        return AnswerRules(
            must_include=rules.must_include,
            grounded_from=rules.grounded_from,
            quality=rules.quality_criteria,
            words=rules.length_range or rules.target_length_range or judge.target_length_range,
        )

    def _answer(self) -> AnswerRow:
        rubric = self.reward_spec.ground_truth.analysis_rubric
        return (rubric and rubric.final_answer_requirements) or AnswerRow()

    def _rubric(self) -> Rubric | None:
        """Return the points and weights of the judge. The row's own answer is left out: its values were of a day."""
        judge, rules = self.reward_spec.ground_truth.judge_rubric, self._answer()
        if judge is None:
            return None
        return Rubric(points=(*rules.must_include, *rules.quality_criteria), weights=judge.weights)


def is_sample(entry: Any) -> bool:
    """Return whether a line is meant as a row of a training set."""
    return isinstance(entry, Mapping) and bool(entry.keys() & {"env_class", "reward_spec"})


def _joined(messages: tuple[SampleMessage, ...], role: str) -> str | None:
    return "\n\n".join(m.content for m in messages if m.role == role and m.content.strip()) or None


def _called(step: PlanStep) -> str:
    """Return the name by which an agent calls the tool of a planned call."""
    return f"{step.server}.{step.tool}" if step.server else step.tool


def _name_at(text: str) -> str:
    check_path(text)
    return name_of(text)


def _expressions(analysis: StepAnalysis) -> Iterator[tuple[str, str, Any]]:
    """Yield each text of an analysis: where it stands, the text, and the function that checks it."""
    checks = {"extract": _name_at, "compute": check_assignment, "select": check_assignment}
    for field, check in {**checks, "accept_if": check_condition}.items():
        for i, text in enumerate(getattr(analysis, field)):
            yield f"{field}.{i}", text, check
