"""Requests that an endpoint has to survive: bodies that strict parsers refuse, and clients that disconnect."""

import socket
import time
from typing import Any

import httpx2
import pytest

from tests.api.mcp.table import ERAS, Table, bearer
from tests.e2e.server import PATIENCE_S

HALF = (
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,"_meta":'
    '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
)
VERSIONS = {ERAS[0]: ERAS[0], ERAS[1]: "2025-11-25"}


def sent(table: Table, path: str, era: str, name: str, arguments: str, credential: str) -> Any:
    """The result of a call whose arguments are given as text."""
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    headers |= {"MCP-Protocol-Version": VERSIONS[era], "Mcp-Method": "tools/call", "Mcp-Name": name}
    body = HALF % (name, arguments)
    response = httpx2.post(table.url(path), content=body, headers=headers | bearer(credential), timeout=PATIENCE_S)
    assert response.status_code == 200, response.text
    return response.json()["result"]


def test_half_a_surrogate_pair_is_a_models_mistake_on_every_wire(table: Table, era: str) -> None:
    """The call is played, and the record has U+FFFD; whole pairs and escaped backslashes stay unchanged."""
    episode = table.begin()
    path = f"/episodes/{episode['episode_id']}/mcp"
    thought = r'{"thought": "\ud83d \ud83d\ude00 \\ud83d"}'
    assert not sent(table, path, era, "think", thought, episode["agent_token"])["isError"]
    assert not sent(table, path, era, "respond", r'{"message": "Hello\ude00"}', episode["agent_token"])["isError"]
    call, words = (turn["action"] for turn in table.turns(episode))
    assert call["tool_calls"][0]["arguments"] == {"thought": "\ufffd \U0001f600 \\ud83d"}
    assert words == {"content": "Hello\ufffd"}


def test_half_a_surrogate_pair_in_the_catalogue(table: Table, era: str) -> None:
    """With half a surrogate pair a reset begins, and a step is played; as the name of a domain it is only unknown."""
    begun = sent(table, "/mcp", era, "reset", r'{"domain": "retail", "metadata": {"a": "\ud83d"}}', table.key)
    assert not begun["isError"], begun
    episode = begun["structuredContent"]
    step = r'{"episode_id": "latest", "action": "\ud83d"}'
    assert not sent(table, "/mcp", era, "step", step, table.key)["isError"]
    assert table.turns(episode)[0]["action"] == "\ufffd"
    assert sent(table, "/mcp", era, "reset", r'{"domain": "\ud83d"}', table.key)["isError"]


@pytest.mark.parametrize("era", [*ERAS, "step"])
def test_a_client_that_leaves_amid_its_request_is_no_defect(table: Table, era: str) -> None:
    """A client that disconnects within its request leaves at most one line in the server's log, and no traceback."""
    episode = table.begin()
    path = "/step" if era == "step" else f"/episodes/{episode['episode_id']}/mcp"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {table.key}\r\nContent-Length: 900\r\n"
    head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    head += f"MCP-Protocol-Version: {VERSIONS.get(era, '')}\r\n\r\n"
    server = table.servers[0]
    before = len(server.log.read_text(encoding="utf-8"))
    with socket.create_connection(("127.0.0.1", server.port)) as wire:
        wire.sendall(head.encode() + b'{"jsonrpc": ')
        time.sleep(0.3)
    deadline = time.monotonic() + (0.5 if era == "step" else PATIENCE_S)
    while "left amid" not in server.log.read_text(encoding="utf-8")[before:] and time.monotonic() < deadline:
        time.sleep(0.05)
    logged = server.log.read_text(encoding="utf-8")[before:].splitlines()
    assert len(logged) == (0 if era == "step" else 1)
    assert "Traceback" not in "".join(logged)
