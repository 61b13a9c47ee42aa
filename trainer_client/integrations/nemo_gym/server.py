"""A resources server of NeMo Gym 0.4 in front of our server (needs `starlette` and `uvicorn`).

NeMo Gym begins a session with a row, lets its agent call tools, and asks for the reward. Here a session is an episode:

| request | what it does |
|---|---|
| `POST /seed_session` | begins the episode of the row; `mcp` in the answer is its MCP endpoint, the cookie its id |
| `POST` or `GET` to `mcp.url_path` | passed on to that endpoint as it stands |
| `POST /{tool}` | plays a call of the session's episode, for agents that use no MCP |
| `POST /verify` | ends the episode and returns the server's reward |

While the server cannot be reached, a call is sent again with its turn's number or a key of its own, so it is played
once. A session with a call that was given up has no reward. If the process is restarted, it forgets which calls failed.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from pydantic import ValidationError

from agent_env_schemas import CLOSE_INFRASTRUCTURE, RESPOND
from trainer_client.client import AgentEnvError, AsyncClient, ServerError
from trainer_client.integrations.access import CALL_S, access
from trainer_client.integrations.needed import needed
from trainer_client.integrations.nemo_gym.rows import FIELDS
from trainer_client.integrations.nemo_gym.sessions import Link, Sessions
from trainer_client.integrations.transport import EpisodeTransport

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
    gym = _Gym(AsyncClient(url, api_key))
    routes = [
        Route("/seed_session", gym.seed_session, methods=["POST"]),
        Route("/verify", gym.verify, methods=["POST"]),
        Route("/episodes/{episode}/mcp", gym.mcp, methods=["POST"]),
        Route("/episodes/{episode}/mcp", gym.mcp_stream, methods=["DELETE", "GET"]),
        Route("/{tool}", gym.call, methods=["POST"]),
    ]
    failures: Any = {
        _NoSession: _no_session,
        _NotJson: _not_json,
        ServerError: _server_error,
        AgentEnvError: _away,
        httpx2.TransportError: _away,
    }
    return Starlette(routes=routes, lifespan=gym.open, exception_handlers=failures)


class _Gym:
    """The routes."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._sessions = Sessions()
        self._transport = httpx2.AsyncHTTPTransport()
        self._pipe = httpx2.AsyncClient(base_url=client.url, timeout=CALL_S, transport=self._transport)

    @asynccontextmanager
    async def open(self, _app: Starlette) -> AsyncIterator[None]:
        """Close the connections at the end."""
        async with self._client, self._pipe:
            yield

    async def seed_session(self, request: Request) -> Response:
        """Begin the episode of a row."""
        row = await _json(request)
        fields = row.get(FIELDS) if isinstance(row, dict) else None
        if not isinstance(fields, dict):
            return _refused(422, f"the row has no object {FIELDS!r} with the fields of a reset")
        try:
            episode = await self._client.reset(**fields)
        except (TypeError, ValidationError) as error:
            return _refused(422, f"{FIELDS!r} is no reset: {error}")
        at = access(episode)
        found = {"server_name": fields["domain"], "url_path": urlsplit(at.url).path, "transport": "http"}
        answer = JSONResponse({"mcp": {**found, "headers": at.headers}})
        answer.set_cookie(COOKIE, episode.id, httponly=True)
        return answer

    async def verify(self, request: Request) -> Response:
        """End the episode and answer with its reward, or with an error if one of its calls failed."""
        row, episode = await _json(request), _episode(request)
        reason = CLOSE_INFRASTRUCTURE if self._sessions.is_broken(episode) else None
        reply = await self._client.close_episode(episode, reason)
        if reply.reward is None or reason is not None:
            return _refused(503, f"the episode {reply.episode_id} is not scored: {reply.stop_reason}")
        about = {"turns": reply.turn, "stop_reason": reply.stop_reason, "episode_id": reply.episode_id}
        parts = {name: part.get("value") for name, part in (reply.info.reward_breakdown or {}).items()}
        return JSONResponse({**row, **about, "components": parts, "reward": reply.reward})

    async def call(self, request: Request) -> Response:
        """Play a call; calls of one episode wait for each other."""
        episode, name, arguments = _episode(request), request.path_params["tool"], await _json(request)
        async with self._sessions.lock(episode):
            try:
                return PlainTextResponse(await _played(self._client, episode, name, arguments))
            except AgentEnvError as error:
                self._sessions.failed(episode, error)
                raise

    async def mcp(self, request: Request) -> Response:
        """Pass a message on, again if it gets no answer."""
        await _json(request)
        link = Link(self._client.retrier)
        sent = self._built(request, await request.body())
        try:
            return _passed_on(await EpisodeTransport(link, self._transport).handle_async_request(sent))
        finally:
            self._sessions.failed(request.path_params["episode"], link.failure)

    async def mcp_stream(self, request: Request) -> Response:
        """Pass on what is no message: a stream of notifications, or the end of a session."""
        return _passed_on(await self._pipe.send(self._built(request, await request.body()), stream=True))

    def _built(self, request: Request, content: bytes) -> httpx2.Request:
        headers = {k: v for k, v in request.headers.items() if k in _PASSED_ON or k.startswith(_MCP)}
        return self._pipe.build_request(request.method, request.url.path, headers=headers, content=content)


async def _played(client: AsyncClient, episode: str, name: str, arguments: Any) -> str:
    """Play a call as the episode's next turn; return what the agent is told."""
    stands = await client.episode(episode)
    if stands.done:
        return "The episode is over."
    said = name == RESPOND and isinstance(arguments, dict) and isinstance(arguments.get("message"), str)
    action = arguments["message"] if said else {"tool_calls": [{"name": name, "arguments": arguments}]}
    reply = await client.step(episode, stands.turn + 1, action)
    return "\n".join(message.content for message in reply.observation)


def _passed_on(answer: httpx2.Response) -> Response:
    kept = {k: v for k, v in answer.headers.items() if k not in _DROPPED}
    return StreamingResponse(answer.aiter_bytes(), answer.status_code, kept, background=BackgroundTask(answer.aclose))


class _NotJson(Exception):
    """A body that cannot be read."""


async def _json(request: Request) -> Any:
    try:
        return json.loads(await request.body() or "{}")
    except ValueError as error:
        raise _NotJson(str(error)) from error


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


def _not_json(_request: Request, error: Exception) -> Response:
    return _refused(400, f"the body is no JSON: {error}")


def _server_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ServerError)
    return _refused(error.status or 503, str(error))


def _away(_request: Request, error: Exception) -> Response:
    return _refused(503, f"the server cannot be reached: {error}")
