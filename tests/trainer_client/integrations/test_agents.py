"""Agents built with other libraries play an episode over its MCP endpoint, with its token."""

import asyncio
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from mcp.client import Client as McpClient
from openai import AsyncOpenAI
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.e2e.server import Server
from tests.standin.protocol import Call, Reply
from tests.standin.server import StandIn
from trainer_client import AsyncClient, AsyncEpisode
from trainer_client.integrations.access import call_meta
from trainer_client.integrations.mcp_sdk import mcp_client
from trainer_client.integrations.openai_agents import mcp_server, until_done
from trainer_client.integrations.prompt import LISTEN, SPEAK, instructions, opening
from trainer_client.integrations.pydantic_ai import toolset

LOOK = "list_all_product_types"
WORDS = {"message": "Hello! What is your email address?"}


async def begun(client: AsyncClient) -> AsyncEpisode:
    """An episode to play."""
    return await client.reset("retail", split="test", index=0)


async def acted(episode: AsyncEpisode) -> list[Any]:
    """What the agent did in each turn, as it is on record."""
    record = await episode.trajectory()
    actions = [turn.parts[0].action for turn in record.turns]
    return [a.get("content") or a["tool_calls"][0]["name"] for a in actions]


async def test_the_official_sdk(server: Server) -> None:
    """Its client lists the tools, calls them and speaks; with the same key a call is played once."""
    async with AsyncClient(server.url, "secret") as client, await begun(client) as episode:
        async with mcp_client(episode) as agent:
            assert isinstance(agent, McpClient)
            names = {tool.name for tool in (await agent.list_tools()).tools}
            assert names == {tool["function"]["name"] for tool in episode.tools} | {"respond"}
            meta: Any = call_meta()
            first, again = [await agent.call_tool(LOOK, {}, meta=meta) for _ in range(2)]
            assert first.content == again.content
            await agent.call_tool("respond", WORDS)
        assert await acted(episode) == [LOOK, WORDS["message"]]
    assert (episode.done, episode.reward, episode.turn) == (True, 0.0, 3)


async def test_the_openai_agents_sdk(server: Server) -> None:
    """A model that calls a tool, speaks to the user and then stops has played two turns."""
    answers = (Reply(calls=(Call(LOOK, {}),)), Reply(calls=(Call("respond", WORDS),)), Reply("That is all."))
    with StandIn().then(*answers) as standin:
        endpoint = AsyncOpenAI(base_url=standin.url, api_key="none")
        async with AsyncClient(server.url, "secret") as client, await begun(client) as episode:
            async with endpoint, mcp_server(episode) as tools:
                agent = Agent(
                    name="clerk",
                    instructions=episode.messages[0]["content"],
                    model=OpenAIChatCompletionsModel("standin", endpoint),
                    mcp_servers=[tools],
                )
                opening = episode.messages[1]["content"]
                done = await Runner.run(agent, opening, run_config=RunConfig(tracing_disabled=True))
            assert done.final_output == "That is all."
            assert await acted(episode) == [LOOK, WORDS["message"]]


async def test_pydantic_ai(server: Server) -> None:
    """An agent whose model errs, calls a tool, speaks to the user and then stops has played each call as a turn."""
    planned: list[TextPart | ToolCallPart] = [
        ToolCallPart("get_order_details", {"order_id": "#W0"}),
        ToolCallPart(LOOK, {}),
        ToolCallPart("respond", WORDS),
        TextPart("That is all."),
    ]

    def model(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        return ModelResponse([planned[sum(isinstance(m, ModelResponse) for m in messages)]])

    async with AsyncClient(server.url, "secret") as client, await begun(client) as episode:
        agent = PydanticAgent(FunctionModel(model), instructions="Obey.", toolsets=[toolset(episode)])
        done = await agent.run(episode.messages[1]["content"])
        assert done.output == "That is all."
        assert await acted(episode) == ["get_order_details", LOOK, WORDS["message"]]


async def test_without_an_endpoint_there_is_no_access(server: Server) -> None:
    """A server without an MCP endpoint gives another error than one that refuses access."""
    async with AsyncClient(server.url, "secret") as client:
        episode = await begun(client)
        episode.reply = episode.reply.model_copy(update={"mcp_url": None})
        with pytest.raises(ValueError, match="no MCP endpoint"):
            toolset(episode)


async def test_the_users_part_of_a_turn_that_was_played_over_mcp(server: Server) -> None:
    """The trainer's handle refreshes first, so it can speak for the user whoever plays the agent."""
    async with AsyncClient(server.url, "secret") as client:
        episode = await client.reset("retail", split="test", index=0, user={"strategy": "external"})
        async with mcp_client(episode) as agent:
            await episode.user("Hello.")
            speaking = asyncio.create_task(agent.call_tool("respond", WORDS))
            while not (await episode.refresh()).awaiting_user:
                await asyncio.sleep(0.05)
            assert episode.awaiting_user
            await episode.user("It is me.")
            assert "It is me." in str((await speaking).content)
            await agent.call_tool(LOOK, {})
        assert (await episode.refresh()).turn == 2
        await episode.step("And your order?")  # the handle has caught up
        assert (episode.turn, repr(episode)) == (3, f"<AsyncEpisode {episode.id} turn=3>")


async def test_what_an_agent_is_told(server: Server) -> None:
    """The agent gets the policy and how to speak; and the opening if there is one, else how to hear the user."""
    async with AsyncClient(server.url, "secret") as client:
        episode = await begun(client)
        assert instructions(episode) == f"{episode.messages[0]['content']}\n\n{SPEAK}"
        assert opening(episode) == episode.messages[1]["content"]
        silent = await client.reset("retail", split="test", index=0, user={"strategy": "external"})
        assert instructions(silent).endswith(SPEAK)
        assert opening(silent) == LISTEN


async def test_a_run_stops_when_the_episode_has_ended(server: Server) -> None:
    """The model is not asked again after the last turn."""
    with StandIn().then(Reply(calls=(Call("respond", WORDS),))) as standin:
        endpoint = AsyncOpenAI(base_url=standin.url, api_key="none")
        async with AsyncClient(server.url, "secret") as client:
            episode = await client.reset("retail", split="test", index=0, max_turns=1)
            async with endpoint, mcp_server(episode) as tools:
                agent = Agent(
                    name="clerk",
                    model=OpenAIChatCompletionsModel("standin", endpoint),
                    mcp_servers=[tools],
                    tool_use_behavior=until_done(episode),
                )
                await Runner.run(agent, opening(episode), run_config=RunConfig(tracing_disabled=True))
            assert (episode.done, episode.turn) == (True, 1)
