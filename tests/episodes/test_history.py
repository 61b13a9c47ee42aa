"""A conversation read back from the record by somebody who sees everything."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.episodes.history import conversation_of
from env_server.settings import Settings
from schemas import ResetRequest, StepRequest, UserRequest


@pytest.fixture
async def episodes(tmp_path: Path) -> AsyncIterator[Episodes]:
    """One server's episodes."""
    url = f"sqlite:///{tmp_path}/episodes.db"
    async with open_episodes(Settings(_env_file=None, database_url=url, domains="retail,telecom")) as opened:
        yield opened


async def begin(episodes: Episodes, **request: Any) -> str:
    """An episode."""
    user = {"strategy": "external", "first_message": "Hi."}
    asked = ResetRequest.model_validate({"split": "test", "index": 14, "user": user} | request)
    episode: str = json.loads(await episodes.reset(asked, "tester"))["episode_id"]
    return episode


async def play(episodes: Episodes, episode: str, *actions: Any) -> None:
    """The agent's messages in order."""
    for action in actions:
        await episodes.step(StepRequest.model_validate({"episode_id": episode, "action": action}))


def conversation(episodes: Episodes, episode: str) -> list[dict[str, Any]]:
    """What was said and done, the policy left out."""
    turns = episodes.store.reads.turns(episodes.reader.row(episode).id)
    return conversation_of(turns, episodes.library.blob)[1:]


async def test_results_shown_in_the_users_role_are_not_the_users(episodes: Episodes) -> None:
    """Neither those of calls, nor what answers a message that was empty or could not be read."""
    episode = await begin(episodes, domain="retail", observation_role="user")
    call = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
    await play(episodes, episode, call, " ", "<tool_call>{]", "How can I help?")
    await episodes.user(episode, UserRequest(content="<tool_response>\nNot at all."))
    found = [(m["role"], m["content"][:15]) for m in conversation(episodes, episode) if m["role"] != "assistant"]
    assert [role for role, _ in found] == ["user", "tool", "tool", "tool", "user"]
    assert all(words == "<tool_response>" for _, words in found[1:])


async def test_what_the_user_does_is_part_of_it(episodes: Episodes) -> None:
    """Calls of an external user with what they showed, and those that a scripted one made."""
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
