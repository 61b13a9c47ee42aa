"""Tool calls over MCP (2026-07-28) for the loading process, with little work per call."""

import asyncio
from time import perf_counter
from typing import Any

import orjson

from env_server.bench import BenchError
from env_server.bench.load.http import Connection, Spread
from env_server.bench.load.job import Job, Sample
from env_server.bench.load.meter import Meter

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
_HEADERS = b"accept: application/json\r\nmcp-protocol-version: %b\r\nmcp-method: tools/call\r\nmcp-name: %b\r\n"
_CREDENTIAL = b"authorization: Bearer %b\r\n"
_PEERS_TOKEN = b"agt_ep_" + b"0" * 60
"""A token as long as a real one. The peer ignores it, but then both servers parse headers of the same length."""


async def play_call(
    connection: Spread, episode_id: bytes, token: bytes, turn: int, action: bytes, fault: str | None, meter: Meter
) -> None:
    """Make the one call of a step's `action` over MCP, as an agent with `token`.

    Raises:
        BenchError: if the response has another turn, or its failure differs from gold's.
    """
    (call,) = orjson.loads(action)["tool_calls"]
    params = {"name": call["name"], "arguments": call["arguments"], "_meta": {**META, "agent-env-server/status": True}}
    body = orjson.dumps({"jsonrpc": "2.0", "id": turn, "method": "tools/call", "params": params})
    headers = _HEADERS % (VERSION.encode(), call["name"].encode()) + _CREDENTIAL % token
    sent = perf_counter()
    status, answer = await connection.post(b"/episodes/%b/mcp" % episode_id, body, headers)
    meter.note(sent, len(answer))
    result = orjson.loads(answer).get("result", {})
    played = result.get("_meta", {}).get("agent-env-server/turn")
    if status != 200 or played != turn or result["isError"] != (fault is not None):
        raise BenchError(f"MCP answered {status}: {answer.decode()} to {body.decode()}, where gold has {fault}")


async def peer_sessions(job: Job) -> list[str]:
    """Begin an episode on the peer for each session.

    Raises:
        BenchError: if that fails.
    """
    connection = await Connection.open(job.port)
    try:
        answers = [await _rpc(connection, "openenv/session/create", {}) for _ in range(job.sessions)]
    finally:
        connection.close()
    return [orjson.loads(answer)["result"]["session_id"] for answer in answers]


async def play_peer(job: Job, connections: list[Spread], sessions: list[str]) -> Sample:
    """Call the tool of the peer's episodes, each over its own connection, until the time is up.

    Raises:
        BenchError: if a response is an error.
    """
    meter = Meter(job.pid)

    async def play(connection: Spread, session: str) -> None:
        while meter.seconds() < job.seconds:
            given = {"session_id": session, "name": "get_order", "arguments": {"order_id": "#W0000001"}}
            sent = perf_counter()
            answer = await _rpc(connection, "tools/call", given)
            meter.note(sent, len(answer))
        meter.stop()

    meter.start()
    await asyncio.gather(*map(play, connections, sessions))
    return meter.sample()


async def begin_at_peer(job: Job, connections: list[Spread]) -> Sample:
    """Begin the job's number of episodes on the peer.

    Raises:
        BenchError: if a response is an error.
    """
    meter, left = Meter(job.pid), iter(range(job.episodes or 0))

    async def begin(connection: Spread) -> None:
        for _ in left:
            sent = perf_counter()
            meter.note(sent, len(await _rpc(connection, "openenv/session/create", {})))
        meter.stop()

    meter.start()
    await asyncio.gather(*map(begin, connections))
    return meter.sample()


async def _rpc(connection: Connection | Spread, method: str, params: dict[str, Any]) -> bytes:
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    status, answer = await connection.post(b"/mcp", body, _CREDENTIAL % _PEERS_TOKEN)
    if status != 200 or b'"result"' not in answer:
        raise BenchError(f"the peer answered {status}: {answer.decode()}")
    return answer
