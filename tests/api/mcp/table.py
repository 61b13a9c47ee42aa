"""Access to an episode of real server processes: by the trainer's HTTP, and by the official MCP client."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.e2e.server import PATIENCE_S, Server

KEY = "the-trainers-key"
SECRET = "the servers' secret"
ERAS = ("2026-07-28", "legacy")
"""The modes of the official client: the newest protocol without a handshake, and that of 2025 with one."""

Json = dict[str, Any]


def bearer(credential: str) -> dict[str, str]:
    """The header that carries a credential."""
    return {"Authorization": f"Bearer {credential}"}


class AskingClient(Client):
    """The official client, which asks for the state of the episode with each call."""

    async def call_tool(self, *args: Any, **options: Any) -> Any:
        """Call a tool."""
        meta: Any = {"agent-env-server/status": True, **(options.pop("meta", None) or {})}
        return await super().call_tool(*args, meta=meta, **options)


@dataclass
class Table:
    """Servers on one database. A request goes to the first one, unless a test names another."""

    servers: Sequence[Server]
    key: str = KEY

    def url(self, path: str, at: int = 0) -> str:
        """A URL of one of the servers."""
        return self.servers[at].url + path

    def ask(self, method: str, path: str, body: Any = None, at: int = 0, credential: str | None = None) -> Json:
        """The reply to a trainer's request, which must succeed."""
        response = self.send(method, path, body, at, credential or self.key)
        assert response.status_code == 200, response.text
        reply: Json = response.json()
        return reply

    def send(
        self, method: str, path: str, body: Any = None, at: int = 0, credential: str | None = None
    ) -> httpx2.Response:
        """Any request."""
        headers = bearer(credential) if credential is not None else {}
        return httpx2.request(method, self.url(path, at), json=body, headers=headers, timeout=PATIENCE_S)

    def begin(self, at: int = 0, **body: Any) -> Json:
        """A new episode, of the first test task of retail unless `body` says otherwise."""
        which = {} if {"task", "task_id", "split", "index"} & body.keys() else {"split": "test", "index": 0}
        return self.ask("POST", "/reset", {"domain": "retail", **which, **body}, at)

    def step(self, episode: Json, action: Any, at: int = 0) -> Json:
        """A turn over HTTP."""
        return self.ask("POST", "/step", {"episode_id": episode["episode_id"], "action": action}, at)

    def trajectory(self, episode: Json) -> Json:
        """The record."""
        return self.ask("GET", f"/episodes/{episode['episode_id']}/trajectory")

    def turns(self, episode: Json) -> list[Json]:
        """The agent's parts of the turns so far."""
        return [turn["parts"][0] for turn in self.trajectory(episode)["turns"]]

    @asynccontextmanager
    async def client(
        self, episode: Json, era: str = ERAS[0], at: int | None = None, **options: Any
    ) -> AsyncIterator[Client]:
        """The official client, holding nothing but what an agent is given."""
        url = episode["mcp_url"] if at is None else self.url(f"/episodes/{episode['episode_id']}/mcp", at)
        async with (
            httpx2.AsyncClient(headers=bearer(episode["agent_token"]), timeout=PATIENCE_S) as http,
            AskingClient(streamable_http_client(url, http_client=http), mode=era, **options) as client,
        ):
            yield client

    def post(self, path: str, credential: str | None, method: str = "tools/list", at: int = 0, **params: Any) -> Any:
        """A bare JSON-RPC request of 2026-07-28."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": ERAS[0],
            "io.modelcontextprotocol/clientCapabilities": {},
            "agent-env-server/status": True,
        } | params.pop("meta", {})
        body = {
            "jsonrpc": "2.0",
            "id": params.pop("id", 1),
            "method": method,
            "params": {**params, "_meta": meta},
        }
        return self.post_text(path, json.dumps(body), credential, method, at, params.get("name"))

    def post_text(
        self, path: str, body: str, credential: str | None, method: str, at: int = 0, name: str | None = None
    ) -> Any:
        """A JSON-RPC request of 2026-07-28 whose body is given as text."""
        kinds = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        headers = kinds | {"MCP-Protocol-Version": ERAS[0], "Mcp-Method": method}
        headers |= {"Mcp-Name": name} if name is not None else {}
        headers |= bearer(credential) if credential is not None else {}
        return httpx2.post(self.url(path, at), content=body, headers=headers, timeout=PATIENCE_S)


def text(result: CallToolResult) -> str:
    """The one text of a result, which no structure repeats."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.structured_content is None
    return content.text
