"""The progress of an episode with the plan of its task: the values that its calls gave, and the use of its limits."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

import orjson

from env_server.domains.kit.sample import (
    PlanStep,
    SampleProblem,
    StepAnalysis,
    TaskSample,
    Work,
    assigned,
    extracted,
    filled,
    holds,
    name_of,
)
from env_server.providers.spec import ServerTool
from env_server.tools import CallOutcome
from env_server.tools.deadline import GUARD, CutOff

MOST_VALUE: Final = 16_384
"""Maximum bytes of a value that is kept, as JSON."""

MOST_VALUES: Final = 65_536
"""Maximum bytes of all values that are kept in an episode, as JSON."""


class Gain(NamedTuple):
    """The values and conditions of the plan that one call achieves and no earlier call achieved."""

    extracted: int = 0
    """The number of new values that the call's step has extracted."""

    accepted: bool = False
    """Whether all conditions of the call's step hold now."""

    success: bool = False
    """Whether it is the first success of the call that has to succeed."""


NO_GAIN: Final = Gain()


@dataclass(slots=True)
class SampleProgress:
    """The progress of an episode."""

    success: bool = False
    """Whether the call that has to succeed has done so."""

    calls: int = 0
    """Number of calls to servers."""

    servers: list[str] = field(default_factory=list)
    """The servers whose tools were called."""

    facts: dict[str, Any] = field(default_factory=dict)
    """The values that results have given, by name, and those that later placeholders name (`step1.close`)."""

    got: dict[str, list[int]] = field(default_factory=dict)
    """Step -> the indices of the extracted values that have been counted."""

    accepted: list[int] = field(default_factory=list)
    """The steps whose conditions have held."""

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> "SampleProgress":
        """Return the progress of dumped data, which stays as it is."""
        return cls(**deepcopy(dict(data)))

    def dump(self) -> dict[str, Any]:
        """Return the fields that are not empty, as plain data."""
        return {name: value for name, value in asdict(self).items() if value}

    def over(self, sample: TaskSample, tool: object) -> str | None:
        """Return the limit that a call of `tool` would exceed, in words; None if there is none."""
        server = _server(tool)
        if server is None:
            return None
        if sample.max_tools is not None and self.calls >= sample.max_tools:
            return f"{sample.max_tools} calls were made, and no more are allowed"
        if sample.max_servers is None or server in self.servers:
            return None
        return f"tools of {sample.max_servers} servers were called" if len(self.servers) >= sample.max_servers else None

    def filled(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call with known values in place of placeholders such as `${step1.close}`."""
        return dict(filled(dict(arguments), self.facts))

    def note(self, sample: TaskSample, outcome: CallOutcome) -> Gain:
        """Record a call that was made, and return what it has given.

        A call that failed gives nothing. Each value and each step counts once, however often its call is repeated.
        """
        server = _server(outcome.tool)
        self.calls += server is not None
        if server is not None and server not in self.servers:
            self.servers.append(server)
        if outcome.fault is not None:
            return NO_GAIN
        succeeds = not self.success and sample.must_call is not None and is_named(sample.must_call, outcome.tool)
        self.success = self.success or succeeds
        step = self._step(sample, outcome)
        if step is None:
            return Gain(success=succeeds)
        try:
            with GUARD:
                count, accepted = self._read(step, sample, outcome)
        except CutOff:  # an expression of the row that takes too long has no value
            return Gain(success=succeeds)
        return Gain(count, accepted, succeeds)

    def _step(self, sample: TaskSample, outcome: CallOutcome) -> PlanStep | None:
        """Return the step that a call belongs to: an open step with the same arguments, else the first open one."""
        left = [s for s in sample.plan if s.step not in self.accepted and _is_step(s, outcome)]
        same = (s for s in left if filled(s.params, self.facts) == outcome.arguments)
        return next(same, left[0] if left else None)

    def _read(self, step: PlanStep, sample: TaskSample, outcome: CallOutcome) -> tuple[int, bool]:
        """Return how many new values a result gives, and whether the step is accepted with them."""
        analysis, result, work = step.analysis, result_of(outcome), Work()
        facts, realised = dict(self.facts), []
        for i, text in enumerate(analysis.extract):
            value = _extracted(text, result)
            if value is not None:
                facts[name_of(text)] = value
                realised.append(i)
        for name, value in _computed(analysis, facts, work):
            facts[name] = value
        for path in sample.named.get(step.step, ()):
            facts[f"step{step.step}.{path}"] = _extracted(path, result)
        accepted = all(holds(text, facts, work) for text in analysis.accept_if) and (
            bool(realised) or not analysis.extract
        )
        self._keep(facts)
        known = self.got.setdefault(str(step.step), [])
        new = [i for i in realised if i not in known]
        known += new
        if accepted:
            self.accepted.append(step.step)
        return len(new), accepted and analysis != StepAnalysis()

    def _keep(self, facts: Mapping[str, Any]) -> None:
        """Keep the values that fit into the episode's data. A value that does not fit is not known later."""
        kept, left = {}, MOST_VALUES
        for name, value in facts.items():
            size = _size(value)
            if value is not None and size <= min(MOST_VALUE, left):
                kept[name] = value
                left -= size
        self.facts = kept


def is_named(name: str, tool: object) -> bool:
    """Return whether `name` names a tool, or its server: `fmp`, `quote`, `fmp.quote` or `fmp__quote`."""
    if not isinstance(tool, ServerTool):
        return getattr(tool, "name", None) == name
    server, own = tool.server, tool.listing.name
    return name in {server, own, tool.name, f"{server}.{own}", f"{server}__{own}"}


def result_of(outcome: CallOutcome) -> Any:
    """Return the result of a call as data: its structure or its text as JSON, without the usual wrappers around it."""
    value = outcome.structured
    if value is None:
        try:
            value = json.loads(outcome.text)
        except (ValueError, RecursionError):
            return outcome.text
    if isinstance(value, dict) and isinstance(value.get("data"), dict):
        return value["data"]
    if isinstance(value, dict) and set(value) == {"result"} and isinstance(value["result"], dict):
        return value["result"]
    return value


def _size(value: Any) -> int:
    """Return the size of a value as JSON, in bytes. A value that JSON cannot hold gets a size above the limits."""
    try:
        return len(orjson.dumps(value))
    except (TypeError, ValueError):
        return MOST_VALUES + 1


def _server(tool: object) -> str | None:
    return tool.server if isinstance(tool, ServerTool) else None


def _is_step(step: PlanStep, outcome: CallOutcome) -> bool:
    tool = outcome.tool
    if isinstance(tool, ServerTool):
        own = step.tool in {tool.listing.name, tool.name}
        return own and step.server in {"", tool.server}
    return tool is not None and tool.name == step.tool


def _extracted(text: str, result: Any) -> Any:
    try:
        found = extracted(text, result)
    except SampleProblem:
        return None
    return found


def _computed(analysis: StepAnalysis, facts: dict[str, Any], work: Work) -> Iterator[tuple[str, Any]]:
    """Yield the computed and chosen values with their names. Each may use those before it, which the caller stores."""
    for text in (*analysis.compute, *analysis.select):
        try:
            yield assigned(text, facts, work)
        except SampleProblem:
            continue
