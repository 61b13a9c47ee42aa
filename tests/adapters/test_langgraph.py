"""A graph of LangGraph plays an episode with a scripted chat model of LangChain's."""

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from tests.adapters.conftest import episodes
from tests.adapters.examples import example
from tests.adapters.lines import GOOD, IDLE, TASK, ToolUse
from tests.e2e.server import Server
from tests.integrations import record
from trainer_client import AsyncClient
from trainer_client.integrations.langgraph import agent, beginning

pytestmark = pytest.mark.anyio
LINE = "agent(model, episode).ainvoke(beginning(episode))"


class Scripted(GenericFakeChatModel):
    """LangChain's fake, which keeps the tools that it is given."""

    given: list[Any] = []

    def bind_tools(self, tools: Any, **_options: Any) -> "Scripted":
        """Keep the tools."""
        self.given.extend(tools)
        return self


def model(lines: list[str | ToolUse]) -> Scripted:
    """A model that says these lines."""
    return Scripted(messages=iter([message(line) for line in lines]))


def message(line: str | ToolUse) -> AIMessage:
    """A line as a message of the model."""
    if isinstance(line, str):
        return AIMessage(line)
    return AIMessage("", tool_calls=[{"name": line.name, "args": line.arguments, "id": uuid4().hex}])


async def test_two_agents(server: Server) -> None:
    """The good agent earns 1 and the idle one 0, and both runs stop when the episode has ended."""
    play = example("LangGraph")["play"]
    good, idle = await play(model(GOOD)), await play(model(IDLE))
    assert [e["stop_reason"] for e in episodes(server, 2)] == ["user_stop"] * 2
    assert (good, idle) == (1, 0)
    record("LangGraph", "langgraph", LINE, good, idle)


async def test_what_the_model_sees(server: Server) -> None:
    """The model is given the tools; the state has the whole conversation, with each result under its call's id."""
    scripted = model(GOOD)
    async with AsyncClient(server.url) as client, client.reset("retail", **TASK) as episode:
        state = await agent(scripted, episode).ainvoke(beginning(episode), {"recursion_limit": 100})
    assert scripted.given == episode.tools
    messages = state["messages"]
    assert [m.content for m in messages] == [m.get("content") or "" for m in episode.messages]
    asked = [call["id"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]
    assert [m.tool_call_id for m in messages if m.type == "tool"] == asked


@pytest.mark.parametrize("said", ["", ToolUse("list_all_product_types", {}).text])
async def test_an_answer_to_no_call_is_no_result(server: Server, said: str) -> None:
    """The environment's answer to an empty message, or to a call in the text, has a role that endpoints accept."""
    async with AsyncClient(server.url) as client, client.reset("retail", **TASK, max_turns=1) as episode:
        state = await agent(model([said]), episode).ainvoke(beginning(episode))
    assert [m.type for m in state["messages"][-2:]] == ["ai", "human"]


async def test_a_call_that_cannot_be_read_is_an_observation(server: Server) -> None:
    """A call that is cut off is the model's mistake: the server tells the model under the call's id."""
    broken = {
        "name": "get_order_details",
        "args": '{"order_id": ',
        "id": "c1",
        "error": "",
        "type": "invalid_tool_call",
    }
    scripted = Scripted(messages=iter([AIMessage("", invalid_tool_calls=[broken])]))
    async with AsyncClient(server.url) as client, client.reset("retail", **TASK, max_turns=1) as episode:
        state = await agent(scripted, episode).ainvoke(beginning(episode))
    told = state["messages"][-1]
    assert (told.type, told.tool_call_id) == ("tool", "c1")
    assert told.content.startswith("Error")
