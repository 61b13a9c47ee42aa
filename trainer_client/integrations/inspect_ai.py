"""Episodes as a task of Inspect (`inspect-ai`): `inspect eval trainer_client/integrations/inspect_ai.py`.

`agent_env` is the task: its samples are tasks of the server, its solver lets the model play an episode of each, and its
scorer reads the reward of the episode.
"""

from asyncio import CancelledError
from typing import Any, Unpack

from trainer_client.client import AsyncClient, AsyncEpisode, Client
from trainer_client.client.calls import ResetOptions
from trainer_client.integrations.needed import needed
from trainer_client.integrations.results import for_endpoint

with needed("inspect-ai", "inspect_ai"):
    from anyio import CancelScope
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageTool,
        ChatMessageUser,
        get_model,
    )
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import ToolInfo, ToolParams
    from inspect_ai.util import LimitExceededError, sample_limits

EPISODE = "agent_env_episode"
"""The name in a sample's store under which the solver leaves the result of the episode."""

_FIELDS = {"domain", *ResetOptions.__annotations__}
_PAGE = 1000
"""The maximum number of tasks that the server lists at once."""


@task
def agent_env(domain: str = "retail", split: str = "test", limit: int = 100, max_turns: int = 30) -> Task:
    """Make a task of the first `limit` tasks of a split, of the server at `ENV_SERVER_URL`.

    Raises:
        AgentEnvError: if the server does not answer, or has no such domain or split.
    """
    with Client() as client:
        pages = [
            client.tasks(domain, split=split, offset=at, limit=min(_PAGE, limit - at)).tasks
            for at in range(0, limit, _PAGE)
        ]
    options = {"domain": domain, "split": split, "max_turns": max_turns}
    samples = [
        Sample(t.task_id, id=t.task_id, metadata={**options, "task_id": t.task_id}) for page in pages for t in page
    ]
    return Task(MemoryDataset(samples, name=f"agent_env/{domain}"), solver=episode(), scorer=episode_reward())


@solver
def episode(**defaults: Unpack[ResetOptions]) -> Solver:
    """Make a solver that lets the model play the episode which a sample's metadata describes.

    The metadata have fields of `/reset`, at least `domain`; these win over `defaults`. Other fields of the metadata are
    ignored. A message of the model without a call speaks to the user. The messages of the episode become those of the
    sample. At a limit of the sample the episode ends as one that the agent has given up.
    """

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        wanted: Any = {**defaults, **{k: v for k, v in (state.metadata or {}).items() if k in _FIELDS}}
        async with AsyncClient() as client, client.reset(**wanted) as played:
            try:
                await _play(played, state)
            except (LimitExceededError, CancelledError) as error:
                if isinstance(error, LimitExceededError) or _is_out_of_time():
                    with CancelScope(shield=True):
                        await played.close()  # the agent has failed, and not the environment
                        _keep(played, state)
                raise
        _keep(played, state)
        state.completed = True
        return state

    return solve


async def _play(episode: AsyncEpisode, state: TaskState) -> None:
    """Let the model play to the end."""
    model, tools = get_model(), [_tool(schema) for schema in episode.tools]
    state.messages = [_message(m) for m in episode.observation]
    while not episode.done:
        state.output = await model.generate(state.messages, tools)
        said = state.output.message
        state.messages.append(said)
        await episode.step(_action(said))
        made = {call.id for call in said.tool_calls or ()}
        state.messages += [_message(m) for m in for_endpoint(episode.observation, made)]


def _is_out_of_time() -> bool:
    """Return whether a limit of the sample has cancelled it."""
    limits = sample_limits()
    return any(limit.remaining is not None and limit.remaining <= 0 for limit in (limits.time, limits.working))


def _keep(episode: AsyncEpisode, state: TaskState) -> None:
    """Store the result of the episode for the scorer."""
    reply = episode.last
    assert reply is not None
    left = {"episode_id": episode.id, "reward": reply.reward, "stop_reason": reply.stop_reason}
    state.store.set(EPISODE, left | {"breakdown": reply.info.reward_breakdown})


@scorer(metrics=[mean(), stderr()])
def episode_reward() -> Scorer:
    """Make a scorer that gives an episode's reward. The log counts an episode that has none as an unscored sample."""

    async def score(state: TaskState, _target: Target) -> Score:
        left = state.store.get(EPISODE)
        if left is None or left["reward"] is None:
            return Score.unscored(explanation="the server has not scored the episode", metadata=left)
        return Score(value=left["reward"], explanation=str(left["stop_reason"]), metadata=left)

    return score


def _tool(schema: dict[str, Any]) -> ToolInfo:
    """A tool as Inspect describes it to a model, from an OpenAI function schema."""
    function = schema["function"]
    parameters = ToolParams.model_validate(function["parameters"])
    return ToolInfo(name=function["name"], description=function.get("description", ""), parameters=parameters)


def _action(said: ChatMessageAssistant) -> dict[str, Any]:
    """The model's message as an action. A call that Inspect could not read gets a list in place of its arguments: no
    tool takes a list, so the server tells the model of its mistake.
    """
    asked = said.tool_calls or ()
    calls = [
        {"id": c.id, "name": c.function, "arguments": [c.parse_error] if c.parse_error else c.arguments} for c in asked
    ]
    return {"content": said.text, "tool_calls": calls} if calls else {"content": said.text}


def _message(message: dict[str, Any]) -> ChatMessage:
    """A message of an observation."""
    content = message["content"]
    if message["role"] == "system":
        return ChatMessageSystem(content=content)
    if message["role"] == "tool":
        return ChatMessageTool(content=content, tool_call_id=message.get("tool_call_id"), function=message.get("name"))
    if message["role"] == "assistant":
        return ChatMessageAssistant(content=content)
    return ChatMessageUser(content=content)
