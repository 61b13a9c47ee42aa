"""The transport below every MCP library: it gives calls a key, and retries while the server cannot be reached.

The libraries themselves either give up at once, or send a retry that the server takes for another call. Here all
attempts of a call are the same bytes, with the same idempotency key, so the server plays it once.
"""

import asyncio
import json
import zlib
from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

import httpx2
from pydantic import ValidationError

from agent_env_schemas import Problem
from agent_env_schemas.base import ANY_VERSION
from trainer_client.client.errors import BadAnswer, ServerError, from_answer, seconds, unreadable
from trainer_client.client.progress import Progress
from trainer_client.client.retry import Retrier, described
from trainer_client.integrations.access import CALL_S, call_meta

_CONNECT_S = 10.0

_INTERNAL_ERROR = -32603
_INVALID_PARAMS = -32602
"""Codes of JSON-RPC; the second may be the agent's own mistake."""

_HANDSHAKE = frozenset({"initialize", "server/discover"})


class Answered(ServerError):
    """The server answered with an error; `response` is the answer."""

    def __init__(self, error: ServerError, response: httpx2.Response) -> None:
        """Take the error, and the answer that it stands for."""
        super().__init__(error.status, error.problem, error.text, error.retry_after)
        self.response = response


class Retried(Protocol):
    """The object whose requests are sent: an episode's handle, for example."""

    @property
    def retrier(self) -> Retrier:
        """The rule for sending failed requests again: how often, and for how long."""

    failure: Exception | None
    """The error with which the last request was given up."""


class EpisodeTransport(httpx2.AsyncBaseTransport):
    """Sends the requests of an MCP client of `episode`; a request that is given up becomes its `failure`."""

    def __init__(self, episode: Retried, inner: httpx2.AsyncBaseTransport | None = None) -> None:
        """Prepare the transport; it opens connections as they are needed, or sends through `inner`."""
        self._episode = episode
        self._inner = inner or httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`, with retries where they may help."""
        if request.method != "POST":
            return await self._inner.handle_async_request(request)
        message = json.loads(await request.aread())
        try:
            keyed = _keyed(request, message)
            return await self._episode.retrier.acall(partial(self._once, keyed, answered="id" in message))
        except Answered as error:
            self._episode.failure = error
            return error.response
        except (httpx2.TransportError, BadAnswer) as error:
            self._episode.failure = error
            if "id" not in message or message["method"] in _HANDSHAKE:
                raise
            return _unreachable(message["id"], error)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    async def _once(self, request: httpx2.Request, *, answered: bool) -> httpx2.Response:
        try:
            async with asyncio.timeout(CALL_S):  # no other limit ends an answer that comes byte by byte
                response = await self._inner.handle_async_request(request)
                content = await _whole(request, response)
        except TimeoutError:
            raise httpx2.ReadTimeout(f"no whole answer within {CALL_S:g} s") from None
        error = _error(response, content)
        if error is None and answered and not _message(response, content):
            text = f"POST {request.url}: no JSON-RPC message: {content[:100]!r}"
            raise unreadable(response.status_code, text, response.headers)
        if error is not None:
            raise Answered(error, response)
        return response


def http_client(episode: Progress, headers: Mapping[str, str] | None = None, **_others: Any) -> httpx2.AsyncClient:
    """An HTTP client over `EpisodeTransport`; as a factory it ignores the other options of MCP libraries."""
    timeout = httpx2.Timeout(CALL_S, connect=_CONNECT_S, pool=None)
    return httpx2.AsyncClient(transport=EpisodeTransport(episode), headers=headers, timeout=timeout)


async def _whole(request: httpx2.Request, response: httpx2.Response) -> bytes:
    """Read the whole answer, while the request can still be sent again."""
    try:
        return await response.aread()
    except (httpx2.DecodingError, zlib.error) as error:
        raise unreadable(response.status_code, f"POST {request.url}: {error}", response.headers) from error
    finally:
        await response.aclose()


def session_s(episode: Progress) -> float:
    """Seconds after which a library may give up a call: later than the transport."""
    return episode.retrier.seconds + 2 * CALL_S


def _keyed(request: httpx2.Request, message: dict[str, Any]) -> httpx2.Request:
    """`request`, with a key if it is a call without one."""
    if message.get("method") != "tools/call":
        return request
    params = message["params"]
    keyed = {**message, "params": {**params, "_meta": {**call_meta(), **(params.get("_meta") or {})}}}
    headers = [(name, value) for name, value in request.headers.multi_items() if name.lower() != "content-length"]
    content = json.dumps(keyed).encode()
    return httpx2.Request(request.method, request.url, headers=headers, content=content, extensions=request.extensions)


def _error(response: httpx2.Response, content: bytes) -> ServerError | None:
    """The error for which the server did not play a call. None if it did, or if the call itself is wrong."""
    error = _message(response, content).get("error")
    if error is None:
        return from_answer(response.status_code, content, response.headers) if response.status_code >= 400 else None
    try:
        problem = Problem.model_validate(error.get("data"), extra="ignore", context=ANY_VERSION)
    except ValidationError:
        problem = None
    if error.get("code") == _INVALID_PARAMS and (problem is None or not problem.retryable):
        return None
    status = response.status_code if problem is None else problem.status
    return ServerError(status, problem, str(error.get("message")), seconds(response.headers.get("retry-after")))


def _message(response: httpx2.Response, content: bytes) -> dict[str, Any]:
    """The JSON-RPC message in an answer: the document, or the last event of a stream."""
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        data = [line[5:] for line in content.splitlines() if line.startswith(b"data:") and line[5:].strip()]
        content = data[-1] if data else b""
    try:
        message = json.loads(content)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _unreachable(name: Any, error: Exception) -> httpx2.Response:
    """An answer for a call that got none: its error ends the call, and not the client's session."""
    problem = {"code": _INTERNAL_ERROR, "message": f"the environment could not be reached: {described(error)}"}
    return httpx2.Response(200, json={"jsonrpc": "2.0", "id": name, "error": problem})
