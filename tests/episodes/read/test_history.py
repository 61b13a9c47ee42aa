"""A conversation as it is read back from the record, by a reader who may see everything."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent_env_schemas import ResetRequest, StepRequest, UserRequest
from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.episodes.read.history import conversation_of
from env_server.settings import Settings


@pytest.fixture
async def episodes(tmp_path: Path) -> AsyncIterator[Episodes]:
    """One server's episodes."""
    url = f"sqlite:///{tmp_path}/episodes.db"
    async with open_episodes(Settings(_env_file=None, database_url=url, domains="retail,telecom")) as opened:
        yield opened


async def begin(episodes: Episodes, **request: Any) -> str:
    """Begin an episode."""
    user = {"strategy": "external", "first_message": "Hi."}
    asked = ResetRequest.model_validate({"split": "test", "index": 14, "user": user} | request)
    episode: str = json.loads(await episodes.reset(asked, "tester"))["episode_id"]
    return episode


async def play(episodes: Episodes, episode: str, *actions: Any) -> None:
    """Play the agent's messages in order."""
    for action in actions:
        await episodes.step(StepRequest.model_validate({"episode_id": episode, "action": action}))


def conversation(episodes: Episodes, episode: str) -> list[dict[str, Any]]:
    """What was said and done, without the policy."""
    row = episodes.reader.row(episode)
    solo = json.loads(row.options).get("user", {}).get("strategy") == "none"
    known = ("list_all_product_types", "get_product_details", "done")
    return conversation_of(episodes.store.reads.turns(row.id), episodes.library.blob, known, solo=solo)[1:]


LIST = '<tool_call>{"name": "list_all_product_types", "arguments": {}}</tool_call>'


async def test_calls_are_those_that_were_made(episodes: Episodes) -> None:
    """Calls are found in a long text as in a structured action, each with its arguments; results name their calls."""
    episode = await begin(episodes, domain="retail", observation_role="user")
    many = {"tool_calls": [{"name": "get_product_details", "arguments": {"product_id": str(i)}} for i in range(20)]}
    await play(episodes, episode, "So. " * 6_000 + LIST, many)
    _, said, listed, did, *shown = conversation(episodes, episode)
    assert said["content"] == ("So. " * 6_000).strip()
    assert said["tool_calls"] == [{"name": "list_all_product_types", "arguments": {}}]
    assert (listed["role"], listed["name"]) == ("tool", "list_all_product_types")
    names = [call["name"] for call in did["tool_calls"]]
    assert names == ["get_product_details"] * len(did["tool_calls"])
    assert [call["arguments"]["product_id"] for call in did["tool_calls"]] == [str(i) for i in range(len(names))]
    assert [(m["role"], m["name"]) for m in shown] == [("tool", name) for name in names]


async def test_what_the_environment_notes_is_not_the_users(episodes: Episodes) -> None:
    """Without a user, the environment answers the agent's words, and the record names it as the speaker."""
    episode = await begin(episodes, domain="retail", user={"strategy": "none"})
    await play(episodes, episode, "I will begin.", {"tool_calls": [{"name": "list_all_product_types"}]}, "Well.")
    assert [m["role"] for m in conversation(episodes, episode)] == [
        "user",
        "assistant",
        "environment",
        "assistant",
        "tool",
        "assistant",
        "environment",
    ]


async def test_results_shown_in_the_users_role_are_not_the_users(episodes: Episodes) -> None:
    """Results of calls, and answers to an empty or unreadable message, are not the user's, even in the user's role."""
    episode = await begin(episodes, domain="retail", observation_role="user")
    call = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
    await play(episodes, episode, call, " ", "<tool_call>{]", "How can I help?")
    await episodes.user(episode, UserRequest(content="<tool_response>\nNot at all."))
    found = [(m["role"], m["content"][:15]) for m in conversation(episodes, episode) if m["role"] != "assistant"]
    assert [role for role, _ in found] == ["user", "tool", "tool", "tool", "user"]
    assert all(words == "<tool_response>" for _, words in found[1:])


async def test_what_the_user_does_is_part_of_it(episodes: Episodes) -> None:
    """The record has an external user's calls with their results, and the calls of a scripted user."""
    episode = await begin(episodes, domain="telecom")
    await play(episodes, episode, "What does your status bar show?")
    look = {"tool_calls": [{"name": "check_status_bar", "arguments": {}}]}
    await episodes.user(episode, UserRequest.model_validate(look))
    await episodes.user(episode, UserRequest(content="No service."))
    _, asked, called, shown, told = conversation(episodes, episode)
    assert (asked["role"], called["role"], shown["role"], told["content"]) == (
        "assistant",
        "user",
        "tool",
        "No service.",
    )
    assert called["tool_calls"][0]["name"] == "check_status_bar"
    scripted = await begin(episodes, domain="telecom", user={"strategy": "scripted"})
    await play(episodes, scripted, "Please look at your status bar. What does it show?")
    done = [m for m in conversation(episodes, scripted) if m["role"] == "user" and m.get("tool_calls")]
    assert done[0]["tool_calls"][0]["name"] == "check_status_bar"
