"""The fields of a row of a training set that other tasks do not have."""

from functools import cached_property
from typing import Any

from pydantic import Field

from env_server.domains.kit.frozen import Frozen
from env_server.domains.kit.sample.paths import placeholders


class StepAnalysis(Frozen):
    """The values and conditions that a planned call has to give, as expressions of the row's own small language."""

    extract: tuple[str, ...] = ()
    """Values to take from the result: `price`, `a.b`, `results[]`, `titles = results[][title]`, `rows{name->value}`."""

    compute: tuple[str, ...] = ()
    """Values to compute from those: `top = first(articles)`."""

    select: tuple[str, ...] = ()
    """Values to choose from those, written as `compute`, and computed after it."""

    accept_if: tuple[str, ...] = ()
    """Conditions on all of them: `len(articles) > 0`, `url ~= '^https://'`."""

    next_args_from: str | None = None
    """The value that the next call needs."""


class PlanStep(Frozen):
    """One call of the row's plan."""

    step: int
    server: str = ""
    tool: str
    params: dict[str, Any] = {}
    """Its arguments; `${name}` and `${step1.path}` stand for what earlier results have shown."""

    analysis: StepAnalysis = StepAnalysis()


class AnswerRules(Frozen):
    """The requirements on the final answer."""

    must_include: tuple[str, ...] = ()
    """Names of values that it has to state, or words that it has to contain."""

    grounded_from: tuple[str, ...] = ()
    """Names of the values that it has to rest on."""

    quality: tuple[str, ...] = ()
    """Other demands, for a judge."""

    words: tuple[int, int] | None = None
    """The smallest and the greatest number of words."""


class TaskSample(Frozen):
    """A row's own data."""

    source: str
    """Where the row comes from (`data_source`)."""

    system: str | None = None
    """The row's system message, in place of the domain's policy."""

    complexity: str = ""
    must_call: str | None = None
    """The server or the tool of which a call has to succeed (`success`)."""

    plan: tuple[PlanStep, ...] = ()
    max_tools: int | None = Field(default=None, ge=1)
    """The maximum number of calls. One more ends the episode, and is not made."""

    max_servers: int | None = Field(default=None, ge=1)
    """The maximum number of servers whose tools are called. A call to one more ends the episode, and is not made."""

    answer: AnswerRules = AnswerRules()
    reference: dict[str, Any] = {}
    """The row's own answer. It is kept for people; values of that day say nothing about an answer of today."""

    @cached_property
    def named(self) -> dict[int, tuple[str, ...]]:
        """The paths that placeholders such as `${step1.close}` name, by step."""
        found: dict[int, dict[str, None]] = {}
        for text in (text for step in self.plan for text in placeholders(step.params)):
            head, _, path = text.partition(".")
            if head.startswith("step") and head[4:].isdigit() and path:
                found.setdefault(int(head[4:]), {})[path] = None
        return {step: tuple(paths) for step, paths in found.items()}
