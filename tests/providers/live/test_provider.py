"""Live servers as tools of episodes."""

import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_env_schemas import ToolOptions
from env_server.providers.live.provider import LiveProvider
from env_server.providers.spec import CallScope, Effect, FailureKind, ServerResult, ServerTool, StateLost
from env_server.state import Snapshot, State
from tests.providers.live.blocks import PATIENCE_S, odd, running


class AtOnce:
    """The calls of one turn: each is made at once, and none is stored."""

    def __init__(self, changed: bool = False, **options: Any) -> None:
        self.deadline = time.monotonic() + PATIENCE_S
        self.options = ToolOptions(**options)
        self.cut = False
        self._changed = changed

    async def make(
        self, tool: ServerTool, arguments: Mapping[str, Any], call: Callable[[], Awaitable[ServerResult]]
    ) -> ServerResult:
        """Make the call."""
        return await call()

    def changed(self, server: str) -> bool:
        """Return whether earlier calls changed something."""
        return self._changed


def scope(effects: AtOnce | None, episode: str = "e1") -> CallScope:
    """A turn of an episode."""
    return CallScope(State.at(Snapshot([], {})), episode, effects=effects)


async def test_tools_have_their_effects_and_are_called() -> None:
    """Each listed tool is one of the episode's, with its effect, and is called on its own server."""
    async with running(one=odd(allowTools=["say", "note"]), two=odd(allowTools=["say"])) as manager:
        servers = LiveProvider(manager)
        tools = {(tool.server, tool.name): tool for tool in servers.tools()}
        assert {key: tool.effect for key, tool in tools.items()} == {
            ("one", "note"): Effect.WRITE,
            ("one", "say"): Effect.READ,
            ("two", "say"): Effect.READ,
        }
        found = await servers.call(tools["two", "say"], {"text": "hi"}, scope(AtOnce()))
        assert (found.text, found.failure) == ("hi", None)
        assert (manager.has_episode("e1", "one"), manager.has_episode("e1", "two")) == (False, True)


async def test_nothing_outside_is_called_without_a_turn() -> None:
    """A call where no outside calls are allowed, such as in a run of gold, is an error of the calling code."""
    async with running(odd=odd(allowTools=["note"])) as manager:
        servers = LiveProvider(manager)
        (tool,) = servers.tools()
        with pytest.raises(RuntimeError):
            await servers.call(tool, {"text": "x"}, scope(None))
        assert not manager.has_episode("e1", "odd")


async def test_a_process_that_is_gone_with_its_state_is_told() -> None:
    """If earlier calls changed a process that is gone, the episode is not played on with an empty one."""
    async with running(odd=odd(allowTools=["note", "notes"])) as manager:
        servers = LiveProvider(manager)
        note, notes = servers.tools()
        await servers.call(note, {"text": "x"}, scope(AtOnce()))
        assert (await servers.call(notes, {}, scope(AtOnce(changed=True)))).structured == {"result": ["x"]}
        await servers.forget("e1")
        with pytest.raises(StateLost):
            await servers.call(notes, {}, scope(AtOnce(changed=True)))


async def test_options_of_the_reset_reach_the_call(tmp_path: Path) -> None:
    """`timeout_s` and `retries` of the reset hold for each call of the episode, within the configured limits."""
    async with running(odd=odd(allowTools=["hang", "leave"], retries=2)) as manager:
        servers = LiveProvider(manager)
        tools = {tool.name: tool for tool in servers.tools()}
        slow = await servers.call(tools["hang"], {}, scope(AtOnce(timeout_s=0.3)))
        assert slow.failure is FailureKind.TIMED_OUT
        assert "0.3 s" in slow.text
        once = await servers.call(tools["leave"], {"mark": str(tmp_path / "a")}, scope(AtOnce(retries=0), "e2"))
        assert (once.failure, once.metrics["retries"]) == (FailureKind.UNAVAILABLE, 0)
        again = await servers.call(tools["leave"], {"mark": str(tmp_path / "b")}, scope(AtOnce(), "e3"))
        assert (again.text, again.metrics["retries"]) == ("stayed", 1)
