"""Requests of agents and trainers while the database does not answer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.api.conftest import served
from tests.api.mcp.table import ERAS, Json

VERSION = ERAS[0]
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
TASK = {"domain": "retail", "split": "test", "index": 0}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the database."""
    return tmp_path_factory.mktemp("outage") / "episodes.db"


@pytest.fixture(scope="module")
def client(database: Path) -> Iterator[TestClient]:
    """A server on it."""
    yield from served(database.parent, domains="retail")


@pytest.fixture(scope="module")
def begun(client: TestClient) -> Json:
    """An episode that began before the outage and is in memory."""
    episode: Json = client.post("/reset", json=TASK).json()
    assert "result" in asked(client, f"/episodes/{episode['episode_id']}/mcp", "tools/list")
    return episode


def asked(client: TestClient, path: str, method: str, **params: Any) -> Json:
    """The JSON-RPC message that answers a request."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": VERSION, "Mcp-Method": method}
    headers["Mcp-Name"] = params.get("name") or params.get("uri") or ""
    answer: Json = client.post(path, json=body, headers=headers).json()
    return answer


EPISODES: list[tuple[str, Json]] = [
    ("tools/call", {"name": "think", "arguments": {"thought": "hm"}}),
    ("resources/read", {"uri": "episode://task"}),
    ("prompts/get", {"name": "start"}),
]
CATALOGUES: list[tuple[str, Json]] = [
    ("reset", TASK),
    ("step", {"episode_id": "latest", "action": "Hello."}),
    ("trajectory", {"episode_id": "latest"}),
]


@pytest.mark.parametrize(("method", "params"), EPISODES, ids=lambda given: given if isinstance(given, str) else "")
def test_an_agent_is_told_to_try_again(
    client: TestClient, database: Path, begun: Json, method: str, params: Json
) -> None:
    """Any request fails with the error of a failed call, and is answered once the database is back."""
    told_and_answered(client, database, f"/episodes/{begun['episode_id']}/mcp", method, params)


@pytest.mark.parametrize(("name", "arguments"), CATALOGUES)
def test_a_trainer_is_told_to_try_again(
    client: TestClient, database: Path, begun: Json, name: str, arguments: Json
) -> None:
    """The same holds for each tool of the catalogue that needs the database."""
    told_and_answered(client, database, "/mcp", "tools/call", {"name": name, "arguments": arguments})


def told_and_answered(client: TestClient, database: Path, path: str, method: str, params: Json) -> None:
    """Send a request while the database is away, and again when it is back."""
    away = database.rename(database.with_suffix(".away"))
    try:
        error = asked(client, path, method, **params)["error"]
    finally:
        away.rename(database)
    assert (error["code"], error["data"]["code"], error["data"]["retryable"]) == (-32603, "storage_unavailable", True)
    result = asked(client, path, method, **params)["result"]
    assert not result.get("isError", False)
