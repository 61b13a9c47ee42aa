"""Agents over MCP in episodes whose judge takes its time: they are told at once, and their trainer has the reward."""

from collections.abc import Iterator
from threading import Event, Timer
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from openai import AsyncOpenAI
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.e2e.server import Server
from tests.standin.judges import all_met
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn
from trainer_client import AsyncClient, AsyncEpisode
from trainer_client.integrations import openai_agents, pydantic_ai
from trainer_client.integrations.mcp_sdk import mcp_client

LEAVE_S = 0.3
JUDGE_S = 5 * LEAVE_S


@pytest.fixture(scope="module")
def judge() -> Iterator[StandIn]:
    """A judge that finds everything met, and is slow."""
    with StandIn(slowly) as standin:
        yield standin


def slowly(asked: Asked) -> Reply:
    """Answer, after a while, that every statement is met."""
    return Reply(all_met(asked), delay_s=JUDGE_S)


@pytest.fixture
def thinking(judge: StandIn) -> Iterator[Event]:
    """The event that lets the judge answer."""
    enough = Event()
    judge.program = lambda asked: Reply(all_met(asked), held=enough)
    yield enough
    enough.set()
    judge.program = slowly


@pytest.fixture(scope="module")
def judged(judge: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with that judge."""
    settings = {"DOMAINS": "retail", "JUDGE_MODEL": "judge", "JUDGE_BASE_URL": judge.url}
    running = Server(tmp_path_factory.mktemp("judged") / "env.db", settings).start()
    yield running
    running.kill()


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit for leaving is shorter than the time that the judge takes."""
    monkeypatch.setattr("trainer_client.client.leaving.LEAVE_S", LEAVE_S)


async def begun(client: AsyncClient, statement: str) -> AsyncEpisode:
    """An episode without a user that is judged by `statement`; verdicts on the same one are remembered."""
    task: dict[str, Any] = {"instruction": "You want to know what is sold.", "gold": {}, "assertions": [statement]}
    return await client.reset("retail", task=task, user={"strategy": "none"})


async def test_the_handle_knows_the_reward(judged: Server, thinking: Event) -> None:
    """The agent's last call is answered before the judge; leaving waits for the judge."""
    async with AsyncClient(judged.url) as client, await begun(client, "The agent was polite.") as episode:
        async with mcp_client(episode) as agent:
            await agent.call_tool("done", {})
        assert not (await episode.refresh()).done
        Timer(JUDGE_S, thinking.set).start()
    assert (episode.done, episode.reward) == (True, 1.0)


@pytest.mark.usefixtures("thinking")
async def test_an_error_does_not_wait_for_the_judge(judged: Server) -> None:
    """The error is raised while the judge thinks, and the episode is not scored, whatever the judge would have said."""
    async with AsyncClient(judged.url) as client:
        episode = await begun(client, "The agent was quick.")
        async with mcp_client(episode) as agent:
            await agent.call_tool("done", {})
        with pytest.raises(RuntimeError, match="sampler"):
            async with episode:
                raise RuntimeError("the sampler died")
    assert (episode.done, episode.reward) == (True, None)


async def test_a_run_of_the_openai_agents_sdk_stops(judged: Server) -> None:
    """The model gets no further request while the judge decides."""
    with StandIn().then(Reply(calls=(Call("done", {}),))) as model:
        async with (
            AsyncOpenAI(base_url=model.url, api_key="none") as endpoint,
            AsyncClient(judged.url) as client,
            await begun(client, "The agent was brief.") as episode,
            openai_agents.mcp_server(episode) as tools,
        ):
            agent = Agent(
                name="clerk",
                model=OpenAIChatCompletionsModel("standin", endpoint),
                mcp_servers=[tools],
                tool_use_behavior=openai_agents.until_done(episode),
            )
            await Runner.run(agent, "Go.", run_config=RunConfig(tracing_disabled=True))
        assert len(model.journal) == 1
    assert episode.reward == 1.0


async def test_a_run_of_pydantic_ai_stops(judged: Server) -> None:
    """The model gets no further request while the judge decides, and the run's output says why."""
    asked: list[int] = []

    def model(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        asked.append(len(messages))
        return ModelResponse([ToolCallPart("done", {})])

    async with AsyncClient(judged.url) as client, await begun(client, "The agent was kind.") as episode:
        agent = PydanticAgent(
            FunctionModel(model),
            toolsets=[pydantic_ai.toolset(episode)],
            capabilities=[pydantic_ai.until_done(episode)],
        )
        assert (await agent.run("Go.")).output == pydantic_ai.OVER
    assert asked == [1]
    assert episode.reward == 1.0
