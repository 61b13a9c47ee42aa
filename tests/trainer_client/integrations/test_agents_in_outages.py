"""Agents of other libraries while the way to the server fails: calls are played once, and outages are not scored."""

import json
from collections.abc import Awaitable, Callable

import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, UserError
from mcp import MCPError
from openai import AsyncOpenAI
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent_env_schemas import ErrorCode
from tests.e2e.server import Server
from tests.standin.protocol import Call, Reply
from tests.standin.server import StandIn
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.integrations.test_agents import LOOK, acted, begun
from tests.trainer_client.proxy import DROP, SWALLOW, Proxy, answer
from trainer_client import AsyncClient, AsyncEpisode
from trainer_client.client.errors import BadAnswer
from trainer_client.integrations.mcp_sdk import mcp_client
from trainer_client.integrations.openai_agents import mcp_server
from trainer_client.integrations.prompt import instructions, opening
from trainer_client.integrations.pydantic_ai import toolset

PAGE = answer(200, b"<h1>Welcome</h1>", content_type="text/html")
GATEWAY = answer(502, b"<h1>Bad gateway</h1>")
DAMAGED = answer(200, b"<h1>Welcome</h1>", content_type="application/json")
NO_GZIP = answer(200, b"no gzip", content_type="application/json", content_encoding="gzip")
BUSY = "the server says that it is busy"


def busy(request: bytes) -> bytes:
    """The answer of a busy server to a call."""
    data = json.loads(problem(ErrorCode.STORAGE_UNAVAILABLE, 503, retryable=True))
    name = json.loads(request.partition(b"\r\n\r\n")[2])["id"]
    error = {"code": -32603, "message": "busy", "data": data}
    body = json.dumps({"jsonrpc": "2.0", "id": name, "error": error}).encode()
    return answer(200, body, content_type="application/json")


async def with_the_sdk(episode: AsyncEpisode) -> None:
    """An agent of the official SDK that makes one look-up."""
    async with mcp_client(episode) as agent:
        await agent.call_tool(LOOK, {})


async def with_openai_agents(episode: AsyncEpisode) -> None:
    """An agent whose model looks once and stops."""
    with StandIn().then(Reply(calls=(Call(LOOK, {}),)), Reply("That is all.")) as standin:
        async with AsyncOpenAI(base_url=standin.url, api_key="none") as endpoint, mcp_server(episode) as tools:
            model = OpenAIChatCompletionsModel("standin", endpoint)
            agent = Agent(name="clerk", instructions=instructions(episode), model=model, mcp_servers=[tools])
            await Runner.run(agent, opening(episode), run_config=RunConfig(tracing_disabled=True))


async def with_pydantic_ai(episode: AsyncEpisode) -> None:
    """An agent of Pydantic AI whose model makes one look-up and stops."""

    def model(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        asked = any(isinstance(m, ModelResponse) for m in messages)
        return ModelResponse([TextPart("That is all.") if asked else ToolCallPart(LOOK, {})])

    agent = PydanticAgent(FunctionModel(model), instructions=instructions(episode), toolsets=[toolset(episode)])
    await agent.run(opening(episode))


PLAYERS = pytest.mark.parametrize("play", [with_the_sdk, with_openai_agents, with_pydantic_ai])
Play = Callable[[AsyncEpisode], Awaitable[None]]


class CallsFail(Proxy):
    """A proxy that fails an agent's calls as `fails` says, and passes everything else on."""

    def choose(self, request: bytes) -> str | bytes | None:
        """Fail calls alone."""
        fail = super().choose(request) if b'"tools/call"' in request else None
        return busy(request) if fail == BUSY else fail


@PLAYERS
async def test_a_call_is_played_once(server: Server, play: Play) -> None:
    """The request is lost, the answer is lost, a gateway answers, or the server is busy: the call is one turn."""
    with CallsFail(server.port) as proxy:
        proxy.fails += [DROP, SWALLOW, GATEWAY, BUSY]
        async with AsyncClient(proxy.url, "secret") as client, await begun(client) as episode:
            await play(episode)
            assert not proxy.fails
            assert await acted(episode) == [LOOK]
            assert episode.failure is None
    assert (episode.done, episode.reward) == (True, 0.0)


async def test_a_damaged_answer_is_asked_for_again(server: Server) -> None:
    """The answer is no JSON, or no gzip although announced: the call is one turn, and the library never sees it."""
    with CallsFail(server.port) as proxy:
        proxy.fails += [DAMAGED, NO_GZIP]
        async with AsyncClient(proxy.url, "secret") as client, await begun(client) as episode:
            await with_the_sdk(episode)
            assert not proxy.fails
            assert await acted(episode) == [LOOK]


@PLAYERS
@pytest.mark.parametrize("fail", [DROP, BUSY, DAMAGED], ids=["lost", "busy", "damaged"])
async def test_an_outage_ends_the_run_unscored(server: Server, play: Play, fail: str | bytes) -> None:
    """An outage beyond the client's patience is an error of the agent's run, and the episode is not scored."""
    with CallsFail(server.port) as proxy:
        proxy.fails += [fail] * 50
        async with AsyncClient(proxy.url, "secret", patience_s=0.6) as client:
            episode = await begun(client)
            with pytest.raises((MCPError, UserError)) as caught:
                async with episode:
                    await play(episode)
            tried = sum(b'"tools/call"' in request for request in proxy.requests)
    assert tried > 1
    assert "could not be reached" in str(caught.value) or "busy" in str(caught.value)
    assert (episode.done, episode.reward) == (True, None)
    assert episode.last is not None
    assert episode.last.info.scored is False


async def test_somebody_elses_page_is_an_error_at_once(server: Server) -> None:
    """An answer that is not even marked as JSON comes from a wrong address: the call is not sent again."""
    with CallsFail(server.port) as proxy:
        proxy.fails += [PAGE] * 2
        async with AsyncClient(proxy.url, "secret") as client, await begun(client) as episode:
            async with mcp_client(episode) as agent:
                with pytest.raises(MCPError, match="content type: text/html"):
                    await agent.call_tool(LOOK, {})
            assert isinstance(episode.failure, BadAnswer)
        assert len(proxy.fails) == 1


async def test_whoever_catches_the_error_is_not_scored_either(server: Server) -> None:
    """If an agent goes on after a call was given up, its episode is not scored."""
    with CallsFail(server.port) as proxy:
        async with AsyncClient(proxy.url, "secret", patience_s=0.3) as client, await begun(client) as episode:
            async with mcp_client(episode) as agent:
                proxy.fails += [DROP] * 50
                with pytest.raises(MCPError, match="could not be reached"):
                    await agent.call_tool(LOOK, {})
                proxy.fails.clear()
                await agent.call_tool(LOOK, {})  # the client has outlived the outage
            assert await acted(episode) == [LOOK]
    assert episode.last is not None
    assert episode.last.info.scored is False
