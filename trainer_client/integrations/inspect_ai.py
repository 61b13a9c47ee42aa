"""Episodes as a task of Inspect (`inspect-ai`): `inspect eval trainer_client/integrations/inspect_ai.py`.

`agent_env` is the task: its samples are tasks of the server, its solver lets the model play an episode of each, and its
scorer reads the reward of the episode.
"""

from typing import Any, Unpack

from trainer_client.client import AsyncClient, Client
from trainer_client.client.calls import ResetOptions
from trainer_client.integrations.needed import needed

with needed("inspect-ai", "inspect_ai"):
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

EPISODE = "agent_env_episode"
"""The name in a sample's store under which the solver leaves what came of the episode."""


@task
def agent_env(domain: str = "retail", split: str = "test", limit: int = 100, max_turns: int = 30) -> Task:
    """Make a task of the first `limit` tasks of a split, of the server at `ENV_SERVER_URL`.

    Raises:
        AgentEnvError: if the server does not answer, or has no such domain or split.
    """
    with Client() as client:
        listed = client.tasks(domain, split=split, limit=limit).tasks
    options = {"domain": domain, "split": split, "max_turns": max_turns}
    samples = [Sample(t.task_id, id=t.task_id, metadata={**options, "task_id": t.task_id}) for t in listed]
    return Task(MemoryDataset(samples, name=f"agent_env/{domain}"), solver=episode(), scorer=episode_reward())


@solver
def episode(**defaults: Unpack[ResetOptions]) -> Solver:
    """Make a solver that lets the model play the episode which a sample's metadata describes.

    The metadata are fields of `/reset` with at least `domain`; they win over `defaults`. A message of the model without
    a call speaks to the user. The messages of the episode become those of the sample.
    """

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        model = get_model()
        wanted: Any = {**defaults, **(state.metadata or {})}
        async with AsyncClient() as client, client.reset(**wanted) as played:
            tools = [_tool(schema) for schema in played.tools]
            state.messages = [_message(m) for m in played.observation]
            while not played.done:
                state.output = await model.generate(state.messages, tools)
                said = state.output.message
                state.messages.append(said)
                reply = await played.step(_action(said))
                state.messages += [_message(m) for m in played.observation]
        left = {"episode_id": played.id, "reward": reply.reward, "stop_reason": reply.stop_reason}
        state.store.set(EPISODE, left | {"breakdown": reply.info.reward_breakdown})
        state.completed = True
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def episode_reward() -> Scorer:
    """Make a scorer that gives an episode's reward; an episode that the server does not score has no score."""

    async def score(state: TaskState, _target: Target) -> Score | None:
        left = state.store.get(EPISODE)
        if left is None or left["reward"] is None:
            return None
        return Score(value=left["reward"], explanation=str(left["stop_reason"]), metadata=left)

    return score


def _tool(schema: dict[str, Any]) -> ToolInfo:
    """A tool as Inspect describes it to a model, from an OpenAI function schema."""
    function = schema["function"]
    parameters = ToolParams.model_validate(function["parameters"])
    return ToolInfo(name=function["name"], description=function.get("description", ""), parameters=parameters)


def _action(said: ChatMessageAssistant) -> dict[str, Any]:
    """What the model said as an action. A call that Inspect could not read has a list, which no tool takes, in place of
    its arguments: the server tells the model.
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
