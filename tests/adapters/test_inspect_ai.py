"""Inspect evaluates two scripted models on a task of the server, with its own runner and its own mock model."""

from pathlib import Path

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from tests.adapters.lines import GOOD, IDLE, ToolUse
from tests.e2e.server import Server
from tests.integrations import record
from trainer_client.integrations.inspect_ai import agent_env

LINE = 'inspect_ai.eval(agent_env("retail"))'
MOCK = "mockllm/model"


def model(lines: list[str | ToolUse]) -> Model:
    """Inspect's mock model, which says these lines."""
    outputs = [
        ModelOutput.for_tool_call(MOCK, line.name, line.arguments)
        if isinstance(line, ToolUse)
        else ModelOutput.from_content(MOCK, line)
        for line in lines
    ]
    for output in outputs:
        output.usage = ModelUsage()  # otherwise the mock counts tokens, with a vocabulary from the internet
    return get_model(MOCK, custom_outputs=outputs, memoize=False)


def evaluated(lines: list[str | ToolUse], folder: Path) -> EvalLog:
    """The log of an evaluation of one task."""
    [log] = evaluate(agent_env("retail", limit=1), model=model(lines), log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def reward(log: EvalLog) -> float:
    """The mean reward that Inspect reports."""
    assert log.results is not None
    found: float = log.results.scores[0].metrics["mean"].value
    return found


def test_two_models(server: Server, tmp_path: Path) -> None:
    """The good model's mean is 1 and the idle one's 0, and the log has the whole conversation."""
    assert server.process is not None
    log = evaluated(GOOD, tmp_path)
    good, idle = reward(log), reward(evaluated(IDLE, tmp_path))
    assert (good, idle) == (1, 0)
    assert log.samples is not None
    roles = [m.role for m in log.samples[0].messages]
    assert roles[:5] == ["system", "user", "assistant", "user", "assistant"]
    assert roles.count("tool") == sum(isinstance(line, ToolUse) for line in GOOD)
    record("Inspect", "inspect-ai", LINE, good, idle)
