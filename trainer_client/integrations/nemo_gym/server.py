"""A resources server of NeMo Gym 0.4 in front of our server (needs `starlette` and `uvicorn`).

NeMo Gym begins a session with a row, lets its agent call tools, and asks for the reward. Here a session is an episode:

| request | what it does |
|---|---|
| `POST /seed_session` | begins the episode of the row; `mcp` in the answer is its MCP endpoint, the cookie its id |
| `POST` or `GET` to `mcp.url_path` | passed on to that endpoint as it stands |
| `POST /{tool}` | plays a call of the session's episode, for agents that use no MCP |
| `POST /verify` | ends the episode and returns the server's reward |

Nothing is kept here: the process may be restarted, and there may be several.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from pydantic import ValidationError

from agent_env_schemas import RESPOND
from trainer_client.client import AgentEnvError, AsyncClient, ServerError
from trainer_client.integrations.access import CALL_S, access
from trainer_client.integrations.needed import needed
from trainer_client.integrations.nemo_gym.rows import FIELDS

with needed("starlette", "starlette"):
    from starlette.applications import Starlette
    from starlette.background import BackgroundTask
    from starlette.requests import Request
    from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
    from starlette.routing import Route

COOKIE = "agent_env_episode"
"""The name of the cookie with the id of the session's episode."""

_PASSED_ON = ("accept", "authorization", "content-type", "last-event-id")
_MCP = "mcp-"
_DROPPED = frozenset({"connection", "content-encoding", "content-length", "transfer-encoding"})


def resources_server(url: str | None = None, api_key: str | None = None) -> Starlette:
    """The application. By default it plays at `ENV_SERVER_URL` with the key `ENV_SERVER_KEY`.

    Whoever reaches it plays with that key, so it belongs on an address that only NeMo Gym reaches.
    """
    client = AsyncClient(url, api_key)
    pipe = httpx2.AsyncClient(base_url=client.url, timeout=CALL_S)

    @asynccontextmanager
    async def closing(_app: Starlette) -> AsyncIterator[None]:
        async with client, pipe:
            yield

    async def seed_session(request: Request) -> Response:
        row = await request.json()
        if not isinstance(row.get(FIELDS), dict):
            return _refused(422, f"the row has no object {FIELDS!r} with the fields of a reset")
        try:
            episode = await client.reset(**row[FIELDS])
        except (TypeError, ValidationError) as error:
            return _refused(422, f"{FIELDS!r} is no reset: {error}")
        at = access(episode)
        found = {"server_name": row[FIELDS]["domain"], "url_path": urlsplit(at.url).path, "transport": "http"}
        answer = JSONResponse({"mcp": {**found, "headers": at.headers}})
        answer.set_cookie(COOKIE, episode.id, httponly=True)
        return answer

    async def verify(request: Request) -> Response:
        row = await request.json()
        reply = await client.close_episode(_episode(request))
        if reply.reward is None:
            return _refused(503, f"the episode {reply.episode_id} is not scored: {reply.stop_reason}")
        about = {"turns": reply.turn, "stop_reason": reply.stop_reason, "episode_id": reply.episode_id}
        parts = {name: part.get("value") for name, part in (reply.info.reward_breakdown or {}).items()}
        return JSONResponse({**row, **about, "components": parts, "reward": reply.reward})

    async def call(request: Request) -> Response:
        arguments = json.loads(await request.body() or "{}")
        stands = await client.episode(_episode(request))
        if stands.done:
            return PlainTextResponse("The episode is over.")
        name = request.path_params["tool"]
        said = name == RESPOND and isinstance(arguments, dict) and isinstance(arguments.get("message"), str)
        action = arguments["message"] if said else {"tool_calls": [{"name": name, "arguments": arguments}]}
        reply = await client.step(stands.episode_id, stands.turn + 1, action)
        return PlainTextResponse("\n".join(message.content for message in reply.observation))

    async def mcp(request: Request) -> Response:
        headers = {k: v for k, v in request.headers.items() if k in _PASSED_ON or k.startswith(_MCP)}
        sent = pipe.build_request(request.method, request.url.path, headers=headers, content=await request.body())
        answer = await pipe.send(sent, stream=True)
        kept = {k: v for k, v in answer.headers.items() if k not in _DROPPED}
        return StreamingResponse(
            answer.aiter_bytes(), answer.status_code, kept, background=BackgroundTask(answer.aclose)
        )

    routes = [
        Route("/seed_session", seed_session, methods=["POST"]),
        Route("/verify", verify, methods=["POST"]),
        Route("/episodes/{episode}/mcp", mcp, methods=["DELETE", "GET", "POST"]),
        Route("/{tool}", call, methods=["POST"]),
    ]
    failures: Any = {
        _NoSession: _no_session,
        ServerError: _server_error,
        AgentEnvError: _away,
        httpx2.TransportError: _away,
    }
    return Starlette(routes=routes, lifespan=closing, exception_handlers=failures)


class _NoSession(Exception):
    """A request without the cookie of `/seed_session`."""


def _episode(request: Request) -> str:
    try:
        return request.cookies[COOKIE]
    except KeyError:
        raise _NoSession from None


def _refused(status: int, detail: str) -> Response:
    return JSONResponse({"detail": detail}, status)


def _no_session(_request: Request, _error: Exception) -> Response:
    return _refused(400, f"the cookie {COOKIE!r} is missing: call /seed_session first and send its cookie back")


def _server_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ServerError)
    return _refused(error.status or 503, str(error))


def _away(_request: Request, error: Exception) -> Response:
    return _refused(503, f"the server cannot be reached: {error}")
