"""Handles on episodes: how they begin, how they attach to an episode, and what they refuse to send."""

import asyncio
from typing import Any

import pytest

from agent_env_schemas import Action
from tests.e2e.server import Server
from trainer_client import AsyncClient, Client


def test_an_episode_is_taken_up_again(client: Client) -> None:
    """An attached handle knows what the first handle knew and plays on; so does a fork of it."""
    first = client.reset("retail", split="test", index=0)
    first.step("Hello! What is your email address?")
    first.step({"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]})
    again = client.attach(first.id)
    assert (again.turn, again.done, again.messages) == (2, False, first.messages)
    assert (again.tools, again.observation) == (first.tools, first.observation)
    assert again.reply.agent_token
    assert (again.reply.mcp_url, again.reply.info.task_id) == (first.reply.mcp_url, first.reply.info.task_id)
    assert again.step("And your name?").turn == 3
    fork = client.attach(again.fork(turn=1).id)
    assert (fork.turn, fork.step("Hello again").turn) == (1, 2)


def test_an_ended_episode_is_taken_up_again(client: Client) -> None:
    """The handle has the reward; the server's own end of the episode is no message of the agent."""
    with client.reset("retail", split="test", index=0) as first:
        first.step("Hello!")
    again = client.attach(first.id)
    assert (again.done, again.reward, again.messages) == (True, first.reward, first.messages)


def test_an_external_users_episode_is_taken_up_again(client: Client) -> None:
    """A handle that is attached while the user is awaited supplies the user's part."""
    begun = client.reset("retail", split="test", index=0, user={"strategy": "external"})
    begun.user("Hello, I need help.")
    begun.step("What is your email address?")
    again = client.attach(begun.id)
    assert again.awaiting_user
    assert again.user("me@example.com").turn == 1
    assert client.attach(begun.id).messages == again.messages


@pytest.mark.parametrize("action", [5, ["hello"], {"foo": 1}, {}, b"hello", Action])
def test_what_is_no_message_is_not_sent(client: Client, action: Any) -> None:
    """A caller's mistake is a TypeError, and not a turn of the model."""
    episode = client.reset("retail", split="test", index=0)
    with pytest.raises(TypeError, match="an action"):
        episode.step(action)
    assert episode.refresh().turn == 0


def test_misspelt_filters_are_errors(client: Client) -> None:
    """A filter that does not exist would otherwise return everything."""
    with pytest.raises(TypeError, match="'rum'; the filters are run, "):
        client.episodes(rum="x")  # type: ignore[call-arg]  # the mistake under test
    with pytest.raises(TypeError, match="'splt'"):
        client.tasks("retail", splt="test")  # type: ignore[call-arg]  # the mistake under test


async def test_a_beginning_is_awaited_or_entered(server: Server) -> None:
    """`await`, `async with` and a task begin the same episode; leaving the context closes it."""
    async with AsyncClient(server.url, "secret") as client:
        async with client.reset("retail", split="test", index=0) as entered:
            await entered.step("Hello!")
        assert entered.done
        async with await client.reset("retail", split="test", index=0) as awaited, awaited.fork() as fork:
            assert fork.turn == 0
        one, two = await asyncio.gather(
            client.reset("retail", split="test", index=0),
            asyncio.create_task(client.reset("retail", split="test", index=0)),
        )
        assert one.messages == two.messages == entered.messages[: len(one.messages)]
        with pytest.raises(ValueError, match="splt"):
            async with client.reset("retail", splt="test"):  # type: ignore[call-arg]  # the mistake under test
                pass
