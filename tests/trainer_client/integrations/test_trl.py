"""The environment class for TRL, as TRL uses it: reset with a row, methods as tools, the reward at the end."""

import inspect
import json
from typing import Any

import pytest

from agent_env_schemas import ErrorCode
from tests.e2e.server import Server
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.proxy import DROP, Proxy, answer
from trainer_client import Client, ServerError, Unreachable
from trainer_client.integrations.prompt import SPEAK
from trainer_client.integrations.trl.environment import MISUSED, OVER, TrlEnvironment, environment
from trainer_client.integrations.trl.rollout import rollout_func
from trainer_client.integrations.trl.rows import reset_fields
from trainer_client.integrations.trl.tools import tool_method

ROW = {"prompt": [{"role": "user", "content": ""}], "split": "test", "index": 0, "task_id": None, "level": "easy"}
GOOD = (
    ("respond", {"message": "Hello! What is your email address, which order is it, and why do you want to cancel it?"}),
    ("find_user_id_by_email", {"email": "yusuf.rossi5352@example.com"}),
    ("get_user_details", {"user_id": "yusuf_rossi_2314"}),
    ("get_order_details", {"order_id": "#W6204781"}),
    ("respond", {"message": "I will cancel order #W6204781 because it was ordered by mistake. Shall I go ahead?"}),
    ("cancel_pending_order", {"order_id": "#W6204781", "reason": "ordered by mistake"}),
    ("respond", {"message": "Your order has been cancelled. Is there anything else?"}),
)
"""The agent of README.md."""


def played(agent: Any, *calls: tuple[str, dict[str, str]]) -> list[str]:
    """What the model is told after each call."""
    return [getattr(agent, name)(**arguments) for name, arguments in calls]


def test_the_good_agent_earns_one_and_the_idle_one_nothing(client: Client) -> None:
    """The reward is the server's, one instance plays several rollouts, and calls after the end change nothing."""
    agent: Any = environment(client, "retail", run="trl")()
    assert agent.get_reward() is None
    told = agent.reset(**ROW)
    assert SPEAK in told
    assert played(agent, *GOOD)[-1] == "###STOP###"
    assert agent.cancel_pending_order(order_id="#W6204781", reason="no longer needed") == OVER
    assert agent.get_reward() == 1.0
    assert agent.reset(**ROW) == told
    assert agent.get_reward() == 0.0
    stored = client.episodes(run="trl", done=True).episodes
    assert sorted((e.reward is None, e.reward) for e in stored if e.reward is not None) == [(False, 0.0), (False, 1.0)]


def test_objects_of_a_row_may_be_text() -> None:
    """Tools and weights of a shaped reward may be JSON text, as `trainer data` writes them; a preset's name stays."""
    tools, weights = {"mode": "replay", "tag": "june"}, {"valid": 0.5}
    for given in ({"tools": tools, "reward_shaping": weights}, {"tools": json.dumps(tools)}):
        given.setdefault("reward_shaping", json.dumps(weights))
        assert reset_fields({**given, "level": "easy"}) == {"tools": tools, "reward_shaping": weights}
    assert reset_fields({"reward_shaping": "first_tool"}) == {"reward_shaping": "first_tool"}


def test_a_reset_closes_the_episode_before(client: Client) -> None:
    """TRL closes nothing, so a reset closes the environment's last episode and begins an independent one."""
    agent = environment(client, "retail", run="trl-reset", split="test")()
    opened = [agent.reset(**{**ROW, "index": i}) for i in range(2)]
    first, second = reversed(client.episodes(run="trl-reset", limit=2).episodes)
    assert (first.done, second.done) == (True, False)
    assert opened[0] != opened[1]
    agent.get_reward()


def test_a_policy_in_the_prompt_is_not_said_again(client: Client) -> None:
    """If a row's prompt has a system message, the reset returns only the beginning of the conversation."""
    agent = environment(client, "retail")()
    whole = agent.reset(**ROW)
    short = agent.reset(**{**ROW, "prompt": [{"role": "system", "content": "Obey."}, {"role": "user", "content": ""}]})
    assert whole.endswith(short)
    assert SPEAK not in short
    agent.get_reward()


def test_mistakes_of_a_model_are_told_to_it(client: Client) -> None:
    """Wrong arguments of a tool are an observation of the server; `respond` without a message is no turn."""
    agent: Any = environment(client, "retail")()
    agent.reset(**ROW)
    assert agent.respond(text="Hello") == MISUSED
    assert "Error" in agent.get_order_details(order="#W6204781")
    assert agent.get_reward() == 0.0


def test_a_turn_that_cannot_be_played_is_not_scored(proxy: Proxy) -> None:
    """The rollout has no reward, the model plays no further turn, and the next rollout is scored."""
    with Client(proxy.url, "secret") as client:
        agent: Any = environment(client, "retail", run="trl-outage")()
        agent.reset(**ROW)
        broken = problem(ErrorCode.INTERNAL, 500, retryable=False)
        proxy.fails.append(answer(500, broken, content_type="application/problem+json"))
        with pytest.raises(ServerError):
            played(agent, GOOD[0])
        assert played(agent, GOOD[0]) == [OVER]
        assert agent.get_reward() is None
        assert {e.scored for e in client.episodes(run="trl-outage").episodes} == {False}
        agent.reset(**ROW)
        assert agent.get_reward() == 0.0


def test_a_row_of_another_domain(client: Client) -> None:
    """It is refused before an episode begins, because the class has other tools."""
    agent = environment(client, "retail")()
    with pytest.raises(ValueError, match="'airline', the environment of 'retail'"):
        agent.reset(**ROW, domain="airline")


@pytest.mark.parametrize("name", ["reset", "get_reward", "_hidden", "no-name", "class"])
def test_names_that_are_no_methods(name: str) -> None:
    """A tool that TRL would not offer, or would take for its own method, is an error that names it."""
    with pytest.raises(ValueError, match=name):
        tool_method({"function": {"name": name}}, TrlEnvironment._play)


def test_members_are_found_on_the_class(client: Client) -> None:
    """TRL looks for functions on the class, and finds the tools, `respond`, and its own two methods."""
    kind = environment(client, "retail")
    with client.reset("retail", split="test", index=0) as episode:
        tools = {tool["function"]["name"] for tool in episode.tools}
    found = {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}
    assert found == tools | {"respond", "reset", "get_reward"}


def test_an_outage_is_waited_for_once(server: Server) -> None:
    """While the server is away, the rollouts of a batch do not wait one after another; the next reset works."""
    with Proxy(server.port) as proxy, Client(proxy.url, "secret", patience_s=1) as client:
        kind: Any = environment(client, "retail", run="trl-away")
        first, second = kind(), kind()
        for agent in (first, second):
            agent.reset(**ROW)
        proxy.fails += [DROP] * 10_000
        with pytest.raises(Unreachable):
            played(first, GOOD[0])
        asked = len(proxy.requests)
        with pytest.raises(Unreachable):
            played(second, GOOD[0])
        assert (first.get_reward(), second.get_reward()) == (None, None)
        assert len(proxy.requests) == asked
        proxy.fails.clear()
        first.reset(**ROW)
        played(first, *GOOD)
        assert first.get_reward() == 1.0


def test_a_reset_that_fails_leaves_no_reward(client: Client) -> None:
    """After a failed reset, the reward of the rollout before is not returned."""
    agent: Any = environment(client, "retail")()
    agent.reset(**ROW)
    played(agent, *GOOD)
    assert agent.get_reward() == 1.0
    with pytest.raises(ServerError):
        agent.reset(**{**ROW, "index": 10_000})
    assert agent.get_reward() is None


class Trainer:
    """A trainer like TRL's whose tokenizer fails."""

    processing_class = tokenizer = None


@pytest.mark.parametrize("prompts", [[{"index": 0}, {"task_id": "none"}], [{"index": 0}, {"index": 1}]])
def test_rollouts_that_cannot_be_played_leave_no_episode_open(client: Client, prompts: list[dict[str, Any]]) -> None:
    """Neither a rollout that cannot begin nor an error of the trainer leaves the other episodes open."""
    run = f"trl-{len(prompts[1])}-{next(iter(prompts[1]))}"
    play = rollout_func(client, domain="retail", split="test", run=run)
    with pytest.raises((ServerError, AttributeError)):
        play([json.dumps(prompt) for prompt in prompts], Trainer())
    begun = client.episodes(run=run).episodes
    assert begun
    assert all(episode.done and not episode.scored for episode in begun)
