"""Addresses that are almost right."""

import httpx2
import pytest

from tests.api.mcp.table import Table
from tests.api.talk import Api


def test_a_trailing_slash_is_let_pass(table: Table) -> None:
    """One trailing slash is accepted at an episode and at the catalogue; two slashes are not found."""
    path = f"/episodes/{table.begin()['episode_id']}/mcp"
    for right in (path, "/mcp"):
        assert table.post(f"{right}/", table.key).json()["result"] == table.post(right, table.key).json()["result"]
        assert table.post(f"{right}//", table.key).status_code == 404


@pytest.mark.parametrize("path", ["/", "/episodes", "/episodes/", "/episodes/ep_x", "/episodes/ep_x/"])
def test_a_client_elsewhere_is_told_where_to_go(table: Table, path: str) -> None:
    """An MCP client at a wrong address gets a JSON-RPC error that names the right ones."""
    response: httpx2.Response = table.post(path, table.key)
    error = response.json()["error"]
    assert (response.status_code, error["data"]["code"]) == (404, "not_found")
    assert "/episodes/EPISODE_ID/mcp" in error["message"]
    assert "mcp_url" in error["message"]


def test_others_are_told_as_ever(api: Api) -> None:
    """A client that posts to a wrong address without MCP's headers gets a problem document."""
    for path in ("/", "/episodes/ep_x"):
        response = api.send("POST", path, json={})
        assert response.headers["content-type"] == "application/problem+json"


def test_the_agents_token_is_good_with_the_slash(table: Table) -> None:
    """The token opens its own episode with a trailing slash.

    At other addresses it is refused, and the error names its own.
    """
    own, other = table.begin(), table.begin()
    assert table.post(f"/episodes/{own['episode_id']}/mcp/", own["agent_token"]).status_code == 200
    for path in (f"/episodes/{other['episode_id']}/mcp/", f"/episodes/{own['episode_id']}/mcp//", "/mcp/", "/"):
        response = table.post(path, own["agent_token"])
        error = response.json()["error"]
        assert (response.status_code, error["data"]["code"]) == (403, "forbidden")
        assert f"/episodes/{own['episode_id']}/mcp" in error["message"]


def test_who_has_no_token_is_told_of_it(table: Table) -> None:
    """An episode's endpoint asks for the `agent_token`; other addresses ask for a key."""
    path = f"/episodes/{table.begin()['episode_id']}/mcp"
    for at, told in ((path, True), (f"{path}/", True), ("/mcp", False), ("/", False)):
        error = table.post(at, None).json()["error"]
        assert error["data"]["code"] == "unauthorized"
        assert ("`agent_token`" in error["message"]) == told
