"""An episode is the same over MCP as over /step."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from env_server.api.examples import moves
from env_server.domains.kit import Task
from tests.api.mcp.table import ERAS, Json, Table, text
from tests.domains import made

MISTAKES: list[Any] = [
    {"name": "no_such_tool", "arguments": {}},
    {"name": "get_order_details", "arguments": {"order_id": "#W0000000", "colour": "red"}},
    "",
    '<tool_call>{"name": "think", "arguments": {"thought": "words may hold a call"}}</tool_call>',
]
"""Mistakes of agents. Each is a turn with an observation, as over /step."""


@dataclass(frozen=True)
class Heard:
    """What an agent was told, in so far as both MCP and /step tell it."""

    texts: list[str]
    hashes: list[str]
    ending: tuple[object, ...]


def task_of(domain: str, index: int) -> Task:
    """A test task."""
    return made.pack(domain).task_at("test", index)


async def script(task: Task) -> list[Any]:
    """The mistakes, then the moves of an agent that behaves well: calls as dicts, words as text."""
    found: list[Any] = list(MISTAKES)
    for action in await moves(task):
        calls: list[Any] = [{"name": call.name, "arguments": call.arguments} for call in action.tool_calls or ()]
        found += calls or [action.content]
    return found


def action_of(move: Any) -> Json:
    """The message of a /step that makes this move."""
    return {"content": move} if isinstance(move, str) else {"tool_calls": [move]}


async def played(table: Table, task: Task, way: str) -> Heard:
    """Play the script of `task` in one of the ways."""
    episode = table.begin(domain=task.domain, task_id=task.task_id)
    texts = []
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(table.client(episode, ERAS[at] if way == "replicas" else era_of(way), at))
            for at in (0, 1)
        ]
        for number, move in enumerate(await script(task)):
            if way == "step" or (way == "half" and number % 2):
                reply = table.step(episode, action_of(move))
                told, done = "\n".join(m["content"] for m in reply["observation"]), reply["done"]
            else:
                client = clients[number % 2 if way == "replicas" else 0]
                name, arguments = ("respond", {"message": move}) if isinstance(move, str) else move.values()
                result = await client.call_tool(name, arguments)
                told, done = text(result), (result.meta or {})["agent-env-server/done"]
                assert "reward" not in result.model_dump_json()
            texts.append(told)
            if done:
                break
    parts = table.turns(episode)
    summary = table.trajectory(episode)["episode"]
    ending = tuple(summary[k] for k in ("turn", "done", "stop_reason", "reward", "scored", "state_hash"))
    return Heard(texts, [p["state_hash"] for p in parts], (*ending, parts[-1]["info"]["reward_breakdown"]))


def era_of(way: str) -> str:
    """The protocol era that this way of playing speaks."""
    return way if way in ERAS else ERAS[0]


@pytest.mark.parametrize("way", [*ERAS, "half", "replicas"])
@pytest.mark.parametrize(("domain", "index"), [("retail", 0), ("airline", 3)])
async def test_the_same_calls_come_to_the_same(table: Table, domain: str, index: int, way: str) -> None:
    """Observations, state hashes, reward and breakdown are the same over MCP, mixed with /step, and on two servers."""
    task = task_of(domain, index)
    assert await played(table, task, way) == await reference(table, task)


_REFERENCE: dict[str, Heard] = {}


async def reference(table: Table, task: Task) -> Heard:
    """The result of the same script over /step."""
    if task.task_id not in _REFERENCE:
        found = await played(table, task, "step")
        assert found.ending[2:5] == ("user_stop", 1.0, True)
        _REFERENCE[task.task_id] = found
    return _REFERENCE[task.task_id]
