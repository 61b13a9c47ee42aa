"""Serves an MCP server under a path, by Streamable HTTP without sessions. So any replica can answer any request."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import structlog
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Message, Receive, Scope, Send

from agent_env_schemas import ErrorCode
from env_server.api.body import gathered, mended_aside
from env_server.api.mcp.direct import DirectCalls
from env_server.api.mcp.episode import Context, McpEpisode
from env_server.api.problems import rpc_response
from env_server.episodes import Episodes
from env_server.episodes.outages import outages_told
from env_server.episodes.quotas import PAYER
from env_server.errors import ProblemError

log = structlog.get_logger(__name__)


class McpEndpoint:
    """The ASGI endpoint of one MCP server. The gate, not the SDK, checks host, origin, credential and body size."""

    def __init__(
        self,
        server: Server[Any],
        admit: Callable[[Scope], None],
        *,
        streams: bool,
        direct: DirectCalls | None = None,
    ) -> None:
        """Serve `server` to the requests that `admit` accepts. `admit` raises a ProblemError to refuse a request.

        With `streams`, answers may be event streams; else each answer is one JSON document. `direct` answers usual
        calls in place of `server`.
        """
        self._admit, self._direct = admit, direct
        self._manager = StreamableHTTPSessionManager(server, json_response=not streams, stateless=True)

    def run(self) -> AbstractAsyncContextManager[None]:
        """Return the context manager that must be entered once, before the first request."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            if scope["method"] != "POST":  # the server starts no stream of its own, and there is no session to end
                raise ProblemError(ErrorCode.METHOD_NOT_ALLOWED, "this endpoint accepts only POST")
            self._admit(scope)
        except ProblemError as e:
            response = rpc_response(e, scope["state"]["request_id"], {"Allow": "POST"})
            await response(scope, receive, send)
            return
        body = await gathered(receive)
        if body is None:
            log.info("a client left amid its request", path=scope["path"], request_id=scope["state"]["request_id"])
            return
        if self._direct is not None and await self._direct.answer(scope, body, send):
            return
        # The SDK compares headers with the body, and the HTTP parser keeps white space after a header's value.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        # The SDK tells clients of the 2025 protocol that half a surrogate pair is invalid JSON, though models write it.
        body = await mended_aside(body)
        await self._manager.handle_request({**scope, "headers": headers}, _replayed(body, receive), send)


def anybody(_scope: Scope) -> None:
    """Accept every request that has passed the gate."""


def existing_episode(scope: Scope) -> None:
    """Accept a request if the episode in its path exists.

    Raises:
        ProblemError: `episode_not_found`, or `storage_unavailable` if the database does not answer.
    """
    episodes: Episodes = scope["app"].state.episodes.value
    episode_id = scope["state"]["episode"] = scope["path_params"]["episode_id"]
    if not episodes.quotas.any and episodes.cache.get(episode_id) is not None:
        return
    with outages_told(episode_id):
        PAYER.set(episodes.reader.row(episode_id).caller)


def episode_of_request(ctx: Context) -> McpEpisode:
    """Return the episode that the path of a request names."""
    request: Any = ctx.request
    return McpEpisode(request.app.state.episodes.value, request.path_params["episode_id"])


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that first gives the whole `body`, which has already been read from `receive`."""
    first: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def replayed() -> Message:
        nonlocal first
        message, first = first, None
        return message or await receive()

    return replayed
