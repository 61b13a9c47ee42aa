"""The OpenAI Agents SDK plays an episode over MCP with a scripted model of its own interface."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from agents import Model, ModelResponse, Usage
from openai.types.responses import ResponseFunctionToolCall

from tests.adapters.conftest import episodes
from tests.adapters.examples import example
from tests.adapters.lines import GOOD, IDLE, ToolUse
from tests.e2e.server import Server
from tests.integrations import record

pytestmark = pytest.mark.anyio
LINE = "Agent(mcp_servers=[mcp_server(episode)], tool_use_behavior=until_done(episode))"


class Scripted(Model):
    """A model that says lines; words to the user go through the tool `respond`."""

    def __init__(self, lines: list[str | ToolUse]) -> None:
        self._left = iter(lines)

    async def get_response(self, *_asked: Any, **_options: Any) -> ModelResponse:
        """The next line as a call."""
        line = next(self._left)
        use = line if isinstance(line, ToolUse) else ToolUse("respond", {"message": line})
        called = ResponseFunctionToolCall(
            arguments=use.arguments_json, call_id=uuid4().hex, name=use.name, type="function_call"
        )
        return ModelResponse([called], Usage(), None)

    def stream_response(self, *_asked: Any, **_options: Any) -> AsyncIterator[Any]:
        """Nothing here streams."""
        raise NotImplementedError


async def test_two_agents(server: Server) -> None:
    """The good agent earns 1 and the idle one 0, and both runs stop when the episode has ended."""
    play = example("OpenAI Agents SDK")["play"]
    good, idle = await play(Scripted(GOOD)), await play(Scripted(IDLE))
    assert [e["stop_reason"] for e in episodes(server, 2)] == ["user_stop"] * 2
    assert (good, idle) == (1, 0)
    record("OpenAI Agents SDK", "openai-agents", LINE, good, idle)


async def test_a_tool_that_does_not_exist_ends_no_run(server: Server) -> None:
    """The model reads that there is no such tool, goes on and earns 1."""
    play = example("OpenAI Agents SDK")["play"]
    assert await play(Scripted([GOOD[0], ToolUse("no_such_tool", {}), *GOOD[1:]])) == 1
    assert [e["stop_reason"] for e in episodes(server, 1)] == ["user_stop"]
