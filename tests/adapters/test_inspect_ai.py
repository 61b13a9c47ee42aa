"""Inspect evaluates two scripted models on a task of the server, with its own runner and its own mock model."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tests.adapters.conftest import episodes
from tests.adapters.examples import example
from tests.adapters.lines import GOOD, IDLE, ToolUse
from tests.e2e.server import ROOT, Server
from tests.integrations import record
from trainer_client.integrations.inspect_ai import EPISODE, agent_env, episode_reward

LINE = 'inspect_ai.eval(agent_env("retail"))'
MOCK = "mockllm/model"
FILE = ROOT / "trainer_client" / "integrations" / "inspect_ai.py"


def model(lines: Sequence[str | ToolUse]) -> Model:
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


LOOKS = [ToolUse("list_all_product_types", {})] * 40


def test_an_agent_that_runs_into_a_limit_has_failed(server: Server, tmp_path: Path) -> None:
    """A limit of the evaluation ends the episode with the reward 0, which counts in the mean."""
    asked = model([*GOOD, *LOOKS])
    limits: dict[str, Any] = {"message_limit": 20, "max_samples": 1}
    [log] = evaluate(agent_env("retail", limit=2), model=asked, log_dir=str(tmp_path), display="none", **limits)
    assert log.results is not None
    [scored] = log.results.scores
    assert (scored.scored_samples, scored.unscored_samples, scored.metrics["mean"].value) == (2, 0, 0.5)
    assert [(e["stop_reason"], e["scored"]) for e in episodes(server, 2)] == [("closed", True), ("user_stop", True)]


def test_an_agent_that_is_out_of_time_has_failed(server: Server, tmp_path: Path) -> None:
    """A limit that cancels the agent in the middle of a call also ends the episode with the reward 0."""

    async def slow(*_: Any) -> ModelOutput:
        await asyncio.sleep(3600)
        raise AssertionError

    asked = get_model(MOCK, custom_outputs=slow, memoize=False)
    task = agent_env("retail", limit=1)
    [log] = evaluate(task, model=asked, log_dir=str(tmp_path), display="none", time_limit=2)
    assert log.results is not None
    assert log.results.scores[0].metrics["mean"].value == 0
    assert [(e["stop_reason"], e["scored"]) for e in episodes(server, 1)] == [("closed", True)]


@solver
def unscored() -> Solver:
    """Leave an episode that the server has not scored."""

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        state.store.set(EPISODE, {"episode_id": "ep_1", "reward": None, "stop_reason": "expired"})
        return state

    return solve


def test_an_episode_without_a_reward_is_an_unscored_sample(tmp_path: Path) -> None:
    """The sample has no value in the log, which counts it as unscored."""
    task = Task([Sample("Hello.")], solver=unscored(), scorer=episode_reward())
    [log] = evaluate(task, model=model([]), log_dir=str(tmp_path), display="none")
    assert log.results is not None
    assert (log.results.scores[0].scored_samples, log.results.scores[0].unscored_samples) == (0, 1)


@pytest.mark.parametrize("said", ["", LOOKS[0].text])
def test_an_answer_to_no_call_is_no_result(server: Server, tmp_path: Path, said: str) -> None:
    """The environment's answer to an empty message, or to a call in the text, has a role that endpoints accept."""
    assert server.process is not None
    logged = sample(model([said]), tmp_path, max_turns=1)
    assert [m.role for m in logged.messages[-2:]] == ["assistant", "user"]


def test_metadata_may_have_other_fields(server: Server, tmp_path: Path) -> None:
    """Fields that somebody adds to a sample's metadata do not break the reset."""
    assert server.process is not None
    task = agent_env("retail", limit=1)
    (task.dataset[0].metadata or {})["mine"] = 1
    [log] = evaluate(task, model=model(GOOD), log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
