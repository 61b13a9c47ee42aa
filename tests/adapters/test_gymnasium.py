"""Gymnasium's registry, checker and wrappers, and two scripted agents that play through it."""

import importlib
import math
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from tests.adapters.examples import example
from tests.adapters.lines import GOOD, IDLE, TASK, ToolUse
from tests.e2e.server import ROOT, Server, free_port
from tests.integrations import record
from tests.trainer_client.proxy import DROP, Proxy

LINE = 'gymnasium.make("agent_env/retail-v0")'


@pytest.fixture(scope="module")
def adapter(server: Server) -> ModuleType:
    """The adapter, imported while the server runs."""
    assert server.process is not None
    return importlib.import_module("trainer_client.integrations.gymnasium")


@pytest.fixture
def env(adapter: ModuleType) -> Iterator[gymnasium.Env[str, str]]:
    """An environment, with what `gymnasium.make` wraps around it."""
    assert adapter.NAMESPACE == "agent_env"
    made = gymnasium.make("agent_env/retail-v0", render_mode="ansi")
    yield made
    made.close()


def play(env: gymnasium.Env[str, str], lines: list[str | ToolUse]) -> tuple[float, bool, bool, dict[str, Any]]:
    """Play lines until the episode ends; the sum of the rewards, and how it ended."""
    env.reset(seed=1, options=TASK)
    total = 0.0
    for line in lines:
        _, reward, terminated, truncated, info = env.step(line.text if isinstance(line, ToolUse) else line)
        total += float(reward)
        if terminated or truncated:
            return total, terminated, truncated, info
    raise AssertionError("the lines did not suffice")


def test_two_agents(env: gymnasium.Env[str, str]) -> None:
    """The good agent earns 1, its episode is terminated and not truncated, and the idle one earns 0."""
    good, terminated, truncated, info = play(env, GOOD)
    assert (good, terminated, truncated, info["stop_reason"]) == (1.0, True, False, "user_stop")
    shown: Any = env.render()
    assert "I will cancel order #W6204781" in shown
    assert "cancel_pending_order" in shown
    idle, *_ = play(env, IDLE)
    assert idle == 0.0


def test_the_example(server: Server) -> None:
    """The page's loop gives the good agent 1 and the idle one 0."""
    assert server.process is not None
    played = example("Gymnasium")["play"]
    good, idle = [played(saying(lines)) for lines in (GOOD, IDLE)]
    assert (good, idle) == (1, 0)
    record("Gymnasium", "gymnasium", LINE, good, idle)


def saying(lines: list[str | ToolUse]) -> Callable[[str], str]:
    """A policy that says these lines, whatever it observes."""
    left = iter(lines)

    def policy(_observation: str) -> str:
        line = next(left)
        return line.text if isinstance(line, ToolUse) else line

    return policy


def test_its_own_checker_finds_nothing(env: gymnasium.Env[str, str]) -> None:
    """`check_env` neither raises nor warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_every_domain_is_registered(adapter: ModuleType, server: Server) -> None:
    """The ids are the server's domains, and `register` may be called again."""
    names = {domain["name"] for domain in server_domains(server)}
    assert {f"agent_env/{name}-v0" for name in names} == set(adapter.register())
    assert {"retail", "telecom", "research"} <= names
    for name in names:
        with gymnasium.make(f"agent_env/{name}-v0", split="train") as env:
            observation, info = env.reset(seed=3)
            assert observation.startswith("system: ")
            assert info["tools"]


def server_domains(server: Server) -> list[dict[str, Any]]:
    """The domains that the server lists."""
    import httpx2  # noqa: PLC0415 -- only here

    found = httpx2.get(f"{server.url}/domains", headers={"Authorization": "Bearer secret"}).json()
    listed: list[dict[str, Any]] = found["domains"]
    return listed


def test_a_limit_truncates(env: gymnasium.Env[str, str]) -> None:
    """An episode that the turn limit ended is truncated and not terminated, and no step follows."""
    env.reset(options={**TASK, "max_turns": 1})
    _, reward, terminated, truncated, info = env.step("Hello!")
    assert (reward, terminated, truncated, info["stop_reason"]) == (0.0, False, True, "max_turns")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("Hello!")


def test_a_seed_names_the_sequence_of_episodes(env: gymnasium.Env[str, str]) -> None:
    """The same seed gives the same episodes in order, also those of later resets without a seed."""
    options = {"split": "train"}
    seeds = [9, None, None]
    runs = [[env.reset(seed=seed, options=options)[0] for seed in seeds] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 3


def test_an_episode_that_is_left_is_not_scored(env: gymnasium.Env[str, str], adapter: ModuleType) -> None:
    """A reset in the middle of an episode closes it, and it counts neither as a success nor as a failure."""
    env.reset(options=TASK)
    inner: Any = env.unwrapped
    left = inner.episode.id
    env.reset(options=TASK)
    stands = inner.client.episode(left)
    assert (stands.done, stands.reward) == (True, None)
    assert isinstance(inner, adapter.GymnasiumEnv)


def test_an_unscored_episode_has_no_reward(env: gymnasium.Env[str, str]) -> None:
    """The reward of an episode that is not scored is NaN, so that it cannot be taken for a failure."""
    env.reset(options=TASK)
    inner: Any = env.unwrapped
    reply = inner.client.close_episode(inner.episode.id, "infrastructure")
    assert reply.reward is None
    inner.episode.step = lambda _: reply
    _, reward, *_ = env.step("Hello!")
    assert math.isnan(float(reward))


def test_a_deadline_truncates(env: gymnasium.Env[str, str]) -> None:
    """An episode that the limit of time ended is truncated and not terminated."""
    env.reset(options={**TASK, "deadline_s": 0.2})
    time.sleep(0.3)
    _, _, terminated, truncated, info = env.step("Hello!")
    assert (terminated, truncated, info["stop_reason"]) == (False, True, "deadline")


def test_an_episode_that_is_gone_can_be_left(env: gymnasium.Env[str, str]) -> None:
    """A reset succeeds even if the server does not know the environment's last episode any more."""
    env.reset(options=TASK)
    inner: Any = env.unwrapped
    inner.episode.reply = inner.episode.reply.model_copy(update={"episode_id": "ep_gone00000000000"})
    assert env.reset(options=TASK)[0].startswith("system: ")


def test_closing_does_not_wait_for_a_server_that_is_away(server: Server, adapter: ModuleType) -> None:
    """The environment is closed without an error, however patient its client is, and its connections with it."""
    with Proxy(server.port) as proxy:
        env = adapter.GymnasiumEnv("retail", proxy.url)
        env.reset(options=TASK)
        proxy.fails += [DROP] * 1000
        env.close()
        assert env.client._http.is_closed
        assert len(proxy.requests) < 100


@pytest.mark.parametrize("options", [{"vectorization_mode": "sync"}, {"vector_kwargs": {"shared_memory": False}}])
def test_several_environments_at_once(server: Server, options: dict[str, Any]) -> None:
    """Vector environments observe what single ones do, in this process and in others."""
    assert server.process is not None
    made = gymnasium.make_vec("agent_env/retail-v0", num_envs=2, **{"vectorization_mode": "async", **options})
    begun, _ = made.reset(seed=1, options=TASK)
    seen, rewards, *_ = made.step(("Hello!", "Héllo ✓"))
    made.close()
    assert [text.partition(" ")[0] for text in begun] == ["system:"] * 2
    assert [text.partition(" ")[0] for text in seen] == ["user:"] * 2
    assert list(rewards) == [0, 0]


def test_texts_in_shared_memory_are_refused(server: Server) -> None:
    """Gymnasium would lose characters in shared memory without a word. The adapter's error names the option."""
    assert server.process is not None
    with pytest.raises(ValueError, match="shared_memory"):
        gymnasium.make_vec("agent_env/retail-v0", num_envs=2, vectorization_mode="async")


@pytest.mark.parametrize("key", [None, "wrong"])
def test_without_a_server_the_import_warns(key: str | None, server: Server) -> None:
    """Where no server answers, or the key is refused, the import warns, and registers nothing."""
    given = {"ENV_SERVER_URL": server.url, "ENV_SERVER_KEY": key} if key else {"ENV_SERVER_URL": nowhere()}
    code = (
        "import trainer_client.integrations.gymnasium as adapter, gymnasium\n"
        "print([name for name in gymnasium.registry if name.startswith(adapter.NAMESPACE)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **given, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'schemas'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
    assert "no environment of agent_env is registered" in done.stderr


def nowhere() -> str:
    """An address at which nobody listens."""
    return f"http://127.0.0.1:{free_port()}"


def test_a_name_with_the_module_needs_no_import(server: Server) -> None:
    """`module:id` makes an environment where nothing was imported before."""
    name = "trainer_client.integrations.gymnasium:agent_env/telecom-v0"
    code = f"import gymnasium; print(gymnasium.make({name!r}).unwrapped.domain)"
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'schemas'}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert server.process is not None
    assert done.stdout == "telecom\n"
