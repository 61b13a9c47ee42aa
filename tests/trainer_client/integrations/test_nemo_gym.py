"""NeMo Gym's routes over a real server: a session is an episode, by MCP or by direct calls, and survives a restart."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client

from agent_env_schemas import ErrorCode
from tests.e2e.server import Server
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.integrations.gym import serving
from tests.trainer_client.integrations.test_trl import GOOD
from tests.trainer_client.proxy import DROP, SWALLOW, Proxy, answer
from trainer_client import Client
from trainer_client.integrations.nemo_gym.rows import FIELDS, rows
from trainer_client.integrations.nemo_gym.server import COOKIE

RESPONSE = {"id": "resp_1", "object": "response", "output": []}


@pytest.fixture
def row(client: Client) -> dict[str, Any]:
    """A row of the first task of README.md."""
    (made,) = rows(client, "retail", "test", 1)
    return made


@pytest.fixture
def gym(server: Server) -> Iterator[str]:
    """The address of a resources server."""
    with serving(server.url, "secret") as url:
        yield url


def verified(session: httpx2.Client, row: dict[str, Any]) -> dict[str, Any]:
    """What `/verify` answers."""
    answered = session.post("/verify", json={**row, "response": RESPONSE})
    assert answered.status_code == 200, answered.text
    found: dict[str, Any] = answered.json()
    return found


def test_direct_calls(server: Server, row: dict[str, Any]) -> None:
    """A good agent earns 1 by calling each tool at its own route, and a restart in between changes nothing."""
    with serving(server.url, "secret") as first, httpx2.Client(base_url=first) as session:
        session.post("/seed_session", json=row).raise_for_status()
        told = [session.post(f"/{name}", json=arguments).text for name, arguments in GOOD[:3]]
        cookies = session.cookies
    with serving(server.url, "secret") as second, httpx2.Client(base_url=second, cookies=cookies) as session:
        told += [session.post(f"/{name}", json=arguments).text for name, arguments in GOOD[3:]]
        assert told[-1] == "###STOP###"
        assert session.post("/get_order_details", json={"order_id": "#W0"}).text == "The episode is over."
        found = verified(session, row)
        assert (found["reward"], found["turns"], found["stop_reason"]) == (1.0, len(GOOD), "user_stop")
        assert found["components"]["state"] == 1.0
        assert {
            "responses_create_params": row["responses_create_params"],
            "response": RESPONSE,
        }.items() <= found.items()
        assert verified(session, row) == found


def test_an_idle_agent(gym: str, row: dict[str, Any]) -> None:
    """A session that is verified without a call has the reward 0."""
    with httpx2.Client(base_url=gym) as session:
        session.post("/seed_session", json=row).raise_for_status()
        assert verified(session, row)["reward"] == 0.0


async def test_mcp(gym: str, row: dict[str, Any]) -> None:
    """The metadata of the session lead the official client to the episode's tools; its calls count."""
    async with httpx2.AsyncClient(base_url=gym) as session:
        seeded = (await session.post("/seed_session", json=row)).raise_for_status().json()["mcp"]
        async with (
            httpx2.AsyncClient(headers=seeded["headers"]) as http,
            McpClient(streamable_http_client(f"{gym}{seeded['url_path']}", http_client=http)) as agent,
        ):
            listed = {tool.name for tool in (await agent.list_tools()).tools}
            assert listed == {tool["name"] for tool in row["responses_create_params"]["tools"]}
            for name, arguments in GOOD:
                assert not (await agent.call_tool(name, arguments)).is_error
        found = (await session.post("/verify", json={**row, "response": RESPONSE})).json()
    assert (found["reward"], found["turns"]) == (1.0, len(GOOD))


def test_mcp_needs_the_token_of_the_session(gym: str, row: dict[str, Any]) -> None:
    """The resources server adds no credential of its own to the requests that it passes on."""
    with httpx2.Client(base_url=gym) as session:
        path = session.post("/seed_session", json=row).json()["mcp"]["url_path"]
        listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert session.post(path, json=listing, headers={"accept": "application/json"}).status_code == 401


def test_what_cannot_be_scored_is_no_reward(proxy: Proxy, client: Client, row: dict[str, Any]) -> None:
    """An episode closed as an outage, and a server that does not answer, are errors and never a reward."""
    with serving(proxy.url, "secret") as gym, httpx2.Client(base_url=gym) as session:
        session.post("/seed_session", json=row).raise_for_status()
        broken = problem(ErrorCode.INTERNAL, 500, retryable=False)
        proxy.fails.append(answer(500, broken, content_type="application/problem+json"))
        assert session.post("/verify", json={**row, "response": RESPONSE}).status_code == 500
        client.close_episode(session.cookies[COOKIE], "infrastructure")
        refused = session.post("/verify", json={**row, "response": RESPONSE})
        assert (refused.status_code, "reward" in refused.json()) == (503, False)


@pytest.mark.parametrize("fields", [None, {}, {"domain": "retail", "idnex": 0}, {"domain": "retail", "index": "one"}])
def test_a_row_without_a_reset(gym: str, row: dict[str, Any], fields: Any) -> None:
    """A row that does not say which episode it means is refused."""
    assert httpx2.post(f"{gym}/seed_session", json={**row, FIELDS: fields}).status_code == 422


def test_errors_of_the_server_are_passed_on(gym: str, row: dict[str, Any]) -> None:
    """A domain that does not exist is not found, and a call without a session is refused."""
    nowhere = httpx2.post(f"{gym}/seed_session", json={**row, FIELDS: {"domain": "nowhere"}})
    assert (nowhere.status_code, "nowhere" in nowhere.json()["detail"]) == (404, True)
    assert httpx2.post(f"{gym}/verify", json=row).status_code == 400


def test_rows_of_users_that_are_not_scripted(client: Client) -> None:
    """Their first words differ at every reset, so no row can hold them."""
    with pytest.raises(ValueError, match="external"):
        list(rows(client, "retail", "test", 1, user={"strategy": "external"}))


def agent_turns(client: Client, episode: str) -> list[Any]:
    """The actions of an episode's turns."""
    return [part.action for turn in client.trajectory(episode).turns for part in turn.parts if part.part == "agent"]


@pytest.mark.parametrize("fail", [DROP, SWALLOW])
def test_a_call_whose_answer_is_lost_is_played_once(
    proxy: Proxy, client: Client, row: dict[str, Any], fail: str
) -> None:
    """Between NeMo Gym's server and ours, direct calls and calls over MCP are retried as the same call."""
    listing = {"accept": "application/json, text/event-stream"}
    with serving(proxy.url, "secret") as gym, httpx2.Client(base_url=gym) as session:
        seeded = session.post("/seed_session", json=row).json()["mcp"]
        for turn, (name, arguments) in enumerate(GOOD):
            proxy.fails.append(fail)
            if turn % 2:
                session.post(f"/{name}", json=arguments).raise_for_status()
            else:
                call = {"name": name, "arguments": arguments}
                message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
                headers = {**seeded["headers"], **listing, "mcp-protocol-version": "2025-06-18"}
                session.post(seeded["url_path"], json=message, headers=headers).raise_for_status()
        found = verified(session, row)
        assert (found["reward"], found["turns"]) == (1.0, len(GOOD))
        assert len(agent_turns(client, found["episode_id"])) == len(GOOD)


@pytest.mark.parametrize("over_mcp", [False, True])
def test_a_call_that_fails_is_no_reward(proxy: Proxy, client: Client, row: dict[str, Any], *, over_mcp: bool) -> None:
    """After a call that the server answered with an error of its own, the session has an error and no reward."""
    with serving(proxy.url, "secret") as gym, httpx2.Client(base_url=gym) as session:
        seeded = session.post("/seed_session", json=row).json()["mcp"]
        broken = problem(ErrorCode.INTERNAL, 500, retryable=False)
        proxy.fails.append(answer(500, broken, content_type="application/problem+json"))
        name, arguments = GOOD[0]
        if over_mcp:
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
            failed = session.post(seeded["url_path"], json=call, headers=seeded["headers"])
        else:
            failed = session.post(f"/{name}", json=arguments)
        assert failed.status_code == 500
        refused = session.post("/verify", json={**row, "response": RESPONSE})
        assert (refused.status_code, "reward" in refused.json()) == (503, False)
        stands = client.episode(session.cookies[COOKIE])
        assert (stands.done, stands.scored) == (True, False)


async def test_calls_of_one_session_wait_for_each_other(gym: str, row: dict[str, Any]) -> None:
    """Several calls at once are turns one after another."""
    async with httpx2.AsyncClient(base_url=gym) as session:
        (await session.post("/seed_session", json=row)).raise_for_status()
        name, arguments = GOOD[0]
        answers = await asyncio.gather(*(session.post(f"/{name}", json=arguments) for _ in range(3)))
        assert [each.status_code for each in answers] == [200] * 3


def test_a_body_that_is_no_json_is_refused(gym: str, row: dict[str, Any]) -> None:
    """Each route refuses it with the reason."""
    with httpx2.Client(base_url=gym) as session:
        path = session.post("/seed_session", json=row).json()["mcp"]["url_path"]
        for place in ("/seed_session", "/verify", "/get_order_details", path):
            refused = session.post(place, content=b"{")
            assert (refused.status_code, "no JSON" in refused.json()["detail"]) == (400, True), place
