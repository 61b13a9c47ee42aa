"""Text that the agent wrote is no evidence: whole episodes with posts that are read back and queries that repeat."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent_env_schemas import Action, ResetRequest, StepReply, StepRequest, ToolCall
from env_server.backends.local import LocalBackend, thrown_away
from env_server.domains.kit import GoldCall, Task
from env_server.settings import Settings
from tests.domains.research.desk import listed

pytestmark = pytest.mark.anyio
POSTS = ("slack_post_message", "slack_reply_to_thread")


@pytest.fixture
async def local() -> AsyncIterator[LocalBackend]:
    """Episodes in this process."""
    async with thrown_away(Settings(_env_file=None)) as local:
        yield local


async def earned(local: LocalBackend, task: Task, *calls: GoldCall) -> StepReply:
    """The last reply of an episode with these calls, one in a turn."""
    options = {"domain": "research", "task_id": task.task_id, "max_turns": 30}
    begun = await local.reset(ResetRequest.model_validate(options))
    for call in calls:
        action = Action(tool_calls=[ToolCall(name=call.name, arguments=call.arguments)])
        last = await local.step(StepRequest(episode_id=begun.episode_id, action=action))
    return last


def part(reply: StepReply, name: str) -> float:
    """The value of a component of the reward."""
    return float((reply.info.reward_breakdown or {})[name]["value"])


def call(name: str, **arguments: Any) -> GoldCall:
    """A call."""
    return GoldCall(name=name, arguments=arguments)


def facts_of(task: Task) -> str:
    """All evidence of a task in one text."""
    return " ".join(value for fact in task.evidence for value in fact.shows)


def posting(count: int) -> list[Task]:
    """Tasks whose gold makes a post."""
    return [t for t in listed("test", 150) if {c.name for c in t.gold.actions} & set(POSTS)][:count]


async def test_a_post_that_is_read_back_proves_nothing(local: LocalBackend) -> None:
    """The agent posts the facts itself: posting, reading and searching the post shows no evidence."""
    for task in posting(3):
        post = next(c for c in task.gold.actions if c.name in POSTS)
        text = f"{post.arguments['text']} {facts_of(task)}"[:1800]
        own = post.model_copy(update={"arguments": {**post.arguments, "text": text}})
        channel = str(post.arguments["channel_id"])
        reads = [call("slack_get_channel_history", channel_id=channel), call("slack_search_messages", query="result")]
        if "thread_ts" in post.arguments:
            thread = str(post.arguments["thread_ts"])
            reads.append(call("slack_get_thread_replies", channel_id=channel, thread_ts=thread))
        last = await earned(local, task, own, *reads, task.gold.actions[-1])
        assert last.reward == 0.0, task.task_id
        assert (part(last, "answer"), part(last, "evidence")) == (1.0, 0.0), task.task_id


async def test_a_look_up_after_a_post_still_counts(local: LocalBackend) -> None:
    """Look-ups count after a post too, also in the channel of the post."""
    for task in posting(3):
        post = next(c for c in task.gold.actions if c.name in POSTS)
        others = [c for c in task.gold.actions if c is not post]
        assert (await earned(local, task, post, *others)).reward == 1.0, task.task_id


@pytest.mark.parametrize("tool", ["tavily_search", "slack_search_messages", "list_tickers", "execute_python"])
async def test_words_of_the_call_prove_nothing(local: LocalBackend, tool: str) -> None:
    """A search for the facts, or a program that prints them, repeats them and shows only what it has found."""
    for task in [t for t in listed("test", 60) if t.template in ("price", "line", "extreme", "return", "average")][:5]:
        said = facts_of(task)
        arguments = {"list_tickers": {"search": said}, "execute_python": {"code": f"print({json.dumps(said)})"}}
        look = GoldCall(name=tool, arguments=arguments.get(tool, {"query": said[:380]}))
        last = await earned(local, task, look, task.gold.actions[-1])
        assert last.reward == 0.0, task.task_id
        assert (part(last, "answer"), part(last, "evidence")) == (1.0, 0.0), task.task_id


async def test_each_fault_costs_the_reward(local: LocalBackend) -> None:
    """Gold earns 1. Without its look-ups, in another channel, with a second post or a wrong figure it earns 0."""
    task = next(t for t in posting(20) if t.answer is not None and isinstance(t.answer.value, float))
    post = next(c for c in task.gold.actions if c.name in POSTS)
    *looks, last = [c for c in task.gold.actions if c is not post]

    def written(**arguments: str) -> GoldCall:
        return post.model_copy(update={"arguments": {**post.arguments, **arguments}})

    assert (await earned(local, task, *looks, post, last)).reward == 1.0
    assert task.answer is not None
    faults = {
        "no look-up": [post, last],
        "another channel": [*looks, call("slack_post_message", channel_id="random", text=post.arguments["text"]), last],
        "no post": [*looks, last],
        "a second post": [*looks, post, post, last],
        "a wrong figure": [*looks, written(text=f"It is {float(str(task.answer.value)) * 1.1 + 1:.2f}."), last],
        "a wrong answer": [*looks, post, call("submit_answer", answer=float(str(task.answer.value)) * 1.1 + 1)],
    }
    for name, calls in faults.items():
        assert (await earned(local, task, *calls)).reward == 0.0, name
