"""Episodes for verifiers 0.4 (`verifiers.v1`): a taskset, and the environment that plays its tasks with a model.

The model's messages go to the user of the episode and the user's answers to the model; the model's calls reach the
episode's own MCP endpoint (`tools`). The address is `ENV_SERVER_URL`, the trainer's key `ENV_SERVER_KEY`.
"""

from collections.abc import Iterator
from typing import Any, Self

from pydantic import Field

from trainer_client.client import AsyncClient, AsyncEpisode, Client
from trainer_client.integrations.access import access
from trainer_client.integrations.needed import needed

with needed("verifiers>=0.4,<0.5", "verifiers"):
    import verifiers.v1 as vf
    from verifiers.v1.agent import Interaction
    from verifiers.v1.mcp import SharedToolsetConfig, Toolset

    from trainer_client.integrations.verifiers.tools import EpisodeState, EpisodeToolset

REWARD = "agent_env"
"""The name of the server's reward in a trace."""


class AgentEnvData(vf.TaskData):
    """One task: what its episode begins with."""

    reset: dict[str, Any]
    """The fields of `/reset`."""


class AgentEnvTasksetConfig(vf.TasksetConfig):
    """The choice of tasks, and the server that has them."""

    domain: str = "retail"
    pack: str = "builtin"
    split: str = "test"
    num_tasks: int | None = Field(None, ge=1)
    """How many tasks of the split, from its beginning; all by default."""
    reset: dict[str, Any] = Field(default_factory=dict)
    """Further fields of `/reset`, for every task."""
    url: str | None = None
    """The server; by default `ENV_SERVER_URL`."""
    tools: SharedToolsetConfig = SharedToolsetConfig()


class AgentEnvTask(vf.Task[AgentEnvData, EpisodeState]):
    """A task, and in a rollout its episode."""

    episode: AsyncEpisode | None = None

    def begun(self, episode: AsyncEpisode) -> Self:
        """The task of a rollout that plays `episode`; its system prompt is the policy, or that of the configuration."""
        policy = "\n\n".join(m["content"] for m in episode.messages if m["role"] == "system")
        task: Self = self.with_data(prompt=None, system_prompt=self.data.system_prompt or policy)
        task.episode = episode
        return task

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:  # noqa: ARG002  # verifiers passes both
        """Tell the tool server where the episode is."""
        assert self.episode is not None, "only AgentEnvEnv plays these tasks"
        url, _ = access(self.episode)
        token = self.episode.reply.agent_token
        trace.state = EpisodeState(url=self.episode.retrier.url, mcp_url=url, agent_token=token)


class AgentEnvTaskset(vf.Taskset[AgentEnvTask, AgentEnvTasksetConfig]):
    """The tasks of a domain, as the server lists them."""

    @classmethod
    def toolsets(cls, config: AgentEnvTasksetConfig) -> list[Toolset[Any, Any]]:
        """One tool server for all rollouts."""
        return [EpisodeToolset(config.tools)]

    def load(self) -> Iterator[AgentEnvTask]:
        """Yield the tasks of the split in the server's order."""
        config = self.config
        with Client(config.url) as client:
            total = client.tasks(config.domain, pack=config.pack, split=config.split, limit=1).total
        common = {**config.reset, "domain": config.domain, "pack": config.pack, "split": config.split}
        for index in range(min(total, config.num_tasks or total)):
            name = f"{config.domain}:{config.pack}:{config.split}:{index}"
            yield AgentEnvTask(AgentEnvData(name=name, reset={**common, "index": index}), config.task)


class AgentEnvEnvConfig(vf.EnvConfig):
    """The configuration of the only agent. Its harness offers no tools of its own, so it needs no sandbox."""

    agent: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class AgentEnvEnv(vf.Env[AgentEnvEnvConfig]):
    """Plays an episode with the model; the reward is the server's."""

    async def run(self, task: AgentEnvTask, agents: vf.Agents) -> None:
        """Play one episode.

        Raises:
            EnvError: if the episode is not scored, because the model or the server failed.
        """
        async with AsyncClient(self.taskset.config.url) as client, client.reset(**task.data.reset) as episode:
            async with agents.agent.interaction(task.begun(episode)) as interaction:
                await _converse(episode, interaction)
            episode.failure = _failure(interaction.trace)
        if episode.reward is None:
            raise vf.EnvError(f"the episode {episode.id} is not scored: {episode.failure or 'see its record'}")
        interaction.trace.record_reward(REWARD, episode.reward)
        interaction.trace.record_metric("turns", float(episode.turn))


async def _converse(episode: AsyncEpisode, interaction: Interaction) -> None:
    """Carry messages between the user and the model until the episode or the model's run is over."""
    said = _words(episode.observation)
    while True:
        segment = await interaction.turn(said)
        if segment.terminated or interaction.trace.state.failure:
            return
        await episode.refresh()  # the model's calls were turns that this handle has not seen
        if not episode.done:
            said = _words([m.model_dump() for m in (await episode.step(segment.last_reply)).observation])
        if episode.done:
            return


def _words(observation: list[dict[str, Any]]) -> str:
    return "\n\n".join(message["content"] for message in observation if message["role"] != "system")


def _failure(trace: vf.Trace) -> Exception | None:
    """Why the rollout must not be scored: the server or the model failed. None if neither did."""
    told = trace.state.failure or "; ".join(error.message for error in trace.errors)
    return RuntimeError(told) if told else None
