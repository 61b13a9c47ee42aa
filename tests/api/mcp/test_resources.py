"""What a client finds before it plays."""

import json
from typing import Any

import pytest
from mcp import MCPError
from mcp.types import TextContent, TextResourceContents

from tests.api.mcp.table import Table


@pytest.mark.parametrize("begin", [{}, {"domain": "telecom", "user": {"strategy": "none"}}], ids=["user", "alone"])
async def test_the_tools_are_the_episodes_and_respond(table: Table, era: str, begin: dict[str, Any]) -> None:
    """The listed tools are those of the reset, in order, and `respond`.

    Hints say which only read; none mentions a reward.
    """
    episode = table.begin(**begin)
    async with table.client(episode, era) as client:
        tools = (await client.list_tools()).tools
    shown = [tool["function"] for tool in episode["tools"]]
    assert [(t.name, t.description, t.input_schema) for t in tools[:-1]] == [
        (s["name"], s["description"], s["parameters"]) for s in shown
    ]
    assert tools[-1].name == "respond"
    assert not any(t.output_schema for t in tools)  # their results are text
    hints = {t.name: (t.annotations.read_only_hint, t.annotations.destructive_hint) for t in tools if t.annotations}
    assert hints.keys() == {t.name for t in tools}
    assert hints["respond"] == (False, False)
    writes = "toggle_airplane_mode" if "domain" in begin else "cancel_pending_order"
    assert (hints["think"], hints[writes]) == ((True, False), (False, True))


async def test_policy_and_task_are_resources(table: Table, era: str) -> None:
    """The policy is that of the system message. The task says how the conversation began, and not what solves it."""
    episode = table.begin()
    async with table.client(episode, era) as client:
        assert [str(r.uri) for r in (await client.list_resources()).resources] == ["episode://policy", "episode://task"]
        (policy,) = (await client.read_resource("episode://policy")).contents
        (task,) = (await client.read_resource("episode://task")).contents
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource("episode://gold")
    system, *opening = episode["observation"]
    assert isinstance(policy, TextResourceContents)
    assert policy.text == system["content"]
    assert isinstance(task, TextResourceContents)
    assert json.loads(task.text) == {
        "domain": "retail",
        "user_takes_part": True,
        "opening": opening,
        "max_turns": 36,
        "max_calls": 100,
        "max_errors": 10,
    }


async def test_the_start_prompt_is_policy_and_opening(table: Table, era: str) -> None:
    """With the tools, the prompt holds all that `/reset` shows, and explains how to speak."""
    episode = table.begin()
    async with table.client(episode, era) as client:
        assert [p.name for p in (await client.list_prompts()).prompts] == ["start"]
        messages = (await client.get_prompt("start")).messages
        with pytest.raises(MCPError, match="Unknown prompt"):
            await client.get_prompt("gold")
    texts = [m.content.text for m in messages if isinstance(m.content, TextContent)]
    system, *opening = [m["content"] for m in episode["observation"]]
    assert texts[1:] == opening
    policy, _, how = texts[0].rpartition("\n\n")
    assert policy == system
    assert "`respond`" in how
    assert "reaches nobody" in how


@pytest.mark.parametrize(
    ("user", "said", "not_said"),
    [
        ("scripted", ("reaches nobody", "###STOP###"), ("awaiting_user", "empty message", "No user")),
        ("external", ("reaches nobody", "###STOP###", "awaiting_user", "empty message"), ("No user",)),
        ("none", ("No user takes part", "call `done`"), ("###STOP###", "awaiting_user", "empty message")),
    ],
)
async def test_respond_is_described_as_it_is(
    table: Table, user: str, said: tuple[str, ...], not_said: tuple[str, ...]
) -> None:
    """`respond` says who hears the agent, who answers, and how to wait, each only where it applies."""
    episode = table.begin(user={"strategy": user})
    async with table.client(episode) as client:
        *_, respond = (await client.list_tools()).tools
        start, *_ = (await client.get_prompt("start")).messages
    told = respond.description or ""
    assert [part for part in said if part not in told] == []
    assert [part for part in not_said if part in told] == []
    assert isinstance(start.content, TextContent)
    assert ("no user takes part" in start.content.text.rpartition("\n\n")[2]) == (user == "none")


async def test_looking_is_no_turn(table: Table) -> None:
    """Reading lists, resources and prompts plays no turn."""
    episode = table.begin()
    async with table.client(episode, "auto") as client:
        await client.list_tools()
        await client.get_prompt("start")
        assert client.server_info is not None
        assert client.server_info.name == "agent-env-server"
        assert "All talk goes through the tool `respond`" in (client.instructions or "")
    assert table.turns(episode) == []


def test_the_url_is_where_the_server_was_reached(table: Table) -> None:
    """`mcp_url` names the host that the request was sent to; a fork and each episode of a group have their own URL."""
    for at, server in enumerate(table.servers):
        episode = table.begin(at)
        assert episode["mcp_url"] == f"{server.url}/episodes/{episode['episode_id']}/mcp"
    fork = table.ask("POST", f"/episodes/{episode['episode_id']}/fork", {"turn": 0})
    group = table.begin(n=2)["episodes"]
    for begun in (fork, *group):
        assert begun["mcp_url"] == table.url(f"/episodes/{begun['episode_id']}/mcp")
