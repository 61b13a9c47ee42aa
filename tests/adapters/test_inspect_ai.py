"""Inspect evaluates two scripted models on a task of the server, with its own runner and its own mock model."""

import os
from pathlib import Path
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.log import EvalSample
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from tests.adapters.conftest import episodes
from tests.adapters.examples import example
from tests.adapters.lines import GOOD, IDLE, ToolUse
from tests.e2e.server import ROOT, Server
from tests.integrations import record
from trainer_client.integrations.inspect_ai import agent_env

LINE = 'inspect_ai.eval(agent_env("retail"))'
MOCK = "mockllm/model"
FILE = ROOT / "trainer_client" / "integrations" / "inspect_ai.py"


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


def sample(model: Model, folder: Path, **options: Any) -> EvalSample:
    """The log of the one sample of an evaluation."""
    [log] = evaluate(agent_env("retail", limit=1, **options), model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    [found] = log.samples or []
    return found


def test_two_models(server: Server, tmp_path: Path) -> None:
    """The good model's mean is 1 and the idle one's 0."""
    score = example("Inspect")["score"]
    good, idle = score(model(GOOD), str(tmp_path)), score(model(IDLE), str(tmp_path))
    assert [e["stop_reason"] for e in episodes(server, 2)] == ["user_stop"] * 2
    assert (good, idle) == (1, 0)
    record("Inspect", "inspect-ai", LINE, good, idle)


def test_the_task_is_found_by_its_file(server: Server, tmp_path: Path) -> None:
    """`inspect eval FILE -T domain=retail -T limit=1` finds the task and plays it."""
    assert server.process is not None
    given = {"domain": "retail", "limit": 1}
    [log] = evaluate(os.path.relpath(FILE), task_args=given, model=model(GOOD), log_dir=str(tmp_path), display="none")
    assert log.results is not None
    assert log.results.scores[0].metrics["mean"].value == 1


def test_the_log_has_the_episode(server: Server, tmp_path: Path) -> None:
    """The sample's messages are those of the episode, and its score names the episode and its end."""
    logged = sample(model(GOOD), tmp_path)
    [episode] = episodes(server, 1)
    assert [m.role for m in logged.messages[:5]] == ["system", "user", "assistant", "user", "assistant"]
    assert [m.role for m in logged.messages].count("tool") == sum(isinstance(line, ToolUse) for line in GOOD)
    [score] = (logged.scores or {}).values()
    assert score.value == 1
    assert score.metadata is not None
    assert (score.metadata["episode_id"], score.explanation) == (episode["episode_id"], "user_stop")


def test_a_call_that_cannot_be_read_is_an_observation(server: Server, tmp_path: Path) -> None:
    """Arguments that are no JSON are the model's mistake: it is told, and no tool runs."""
    broken = ModelOutput.for_tool_call(MOCK, "get_order_details", {})
    broken.usage = ModelUsage()
    [call] = broken.message.tool_calls or []
    call.parse_error = 'Error parsing the following tool call arguments: {"order_id": '
    asked = get_model(MOCK, custom_outputs=[broken], memoize=False)
    logged = sample(asked, tmp_path, max_turns=1)
    assert server.process is not None
    [told] = [m.text for m in logged.messages if m.role == "tool"]
    assert "arguments" in told
