"""verifiers' own command evaluates a model on our episodes; the model is a stand-in's, the server is real."""

import json
import tomllib
from importlib.metadata import version
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.integrations import record
from tests.skyrl.tiny import NAMES
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn
from tests.trainers.conftest import KEY
from tests.trainers.evaluating import ENVIRONMENT, evaluated, rewards
from trainer_client import Client
from trainer_client.integrations.verifiers.environment import REWARD

LINE = "vf-eval agent-env --env.taskset.domain retail"
RUN = "verifiers"
GOOD, IDLE, BROKEN = "red", "green", "blue"
"""The lines whose callers get a good agent, an idle one, and one whose model refuses to answer."""


def program(asked: Asked) -> Reply:
    """The good agent asks, makes a mistake, looks, and puts the caller through; the idle one only talks."""
    messages = asked.body["messages"]
    line = next(name for name in NAMES if name in messages[1]["content"])
    if line == BROKEN:
        return Reply(status=400)
    if line == IDLE:
        return Reply("I see.")
    turns = (
        Reply("Which line would you like?"),
        Reply(calls=(Call("connect", {"lime": line}),)),
        Reply(calls=(Call("lines"), Call("connect", {"line": line}))),
        Reply("Goodbye."),
    )
    return turns[sum(message["role"] == "assistant" for message in messages)]


@pytest.fixture(scope="module")
def played(server: Server, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], StandIn]:
    """What verifiers recorded, and the endpoint that it asked."""
    folder = tmp_path_factory.mktemp("evaluation")
    options = ("--env.taskset.domain", "desk", "--env.taskset.reset", json.dumps({"run": RUN}), "-n", "3")
    with StandIn(program) as standin:
        return evaluated(standin, folder, "agent-env", *options), standin


def test_the_reward_is_the_servers(played: tuple[list[dict[str, Any]], StandIn], client: Client) -> None:
    """A good agent earns 1 and an idle one 0, in verifiers' record as in the server's; a broken one is not scored."""
    expected = {f"desk:builtin:test:{i}": reward for i, reward in enumerate((1.0, 0.0, None))}
    found = rewards(played[0], REWARD)
    assert found == expected
    stored = {e.task_id: (e.reward, e.scored) for e in client.episodes(run=RUN, done=True).episodes}
    assert stored == {task: (reward, reward is not None) for task, reward in expected.items()}
    record("verifiers", "verifiers", LINE, found["desk:builtin:test:0"], found["desk:builtin:test:1"])


def test_a_broken_model_is_an_error_of_the_rollout(played: tuple[list[dict[str, Any]], StandIn]) -> None:
    """Verifiers counts the rollout as failed, so that it may play it again, and not as one of reward 0."""
    failed = [episode for episode in played[0] if not episode["ok"]]
    assert [episode["traces"][0]["task"]["data"]["name"] for episode in failed] == ["desk:builtin:test:2"]


def test_the_model_is_shown_policy_tools_and_user(played: tuple[list[dict[str, Any]], StandIn], client: Client) -> None:
    """It reads the episode's policy and tools, but no tool to speak: its own messages reach the user."""
    with client.reset("desk", split="test", index=0) as episode:
        policy = episode.messages[0]["content"]
        tools = {tool["function"]["name"] for tool in episode.tools}
    for asked in played[1].journal:
        system, user, *_ = asked.body["messages"]
        assert (system["content"], user["role"]) == (policy, "user")
        assert {tool["function"]["name"] for tool in asked.body["tools"]} == tools


def test_no_secret_is_recorded(played: tuple[list[dict[str, Any]], StandIn]) -> None:
    """Neither the trainer's key nor a token of an agent stands in the records that verifiers writes."""
    recorded = json.dumps(played[0])
    assert KEY not in recorded
    assert "agent_token" not in recorded


def test_the_package_names_what_it_needs() -> None:
    """The environment's package requires the client and the verifiers that these tests ran with."""
    project = tomllib.loads((ENVIRONMENT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == ["agent-env-server", "verifiers>=0.4,<0.5"]
    assert version("verifiers").startswith("0.4.")
