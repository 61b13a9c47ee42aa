"""One call of a tool: its deadline, what its failure means, and whether it may be made again."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import stamina
from mcp import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR
from pydantic import ValidationError

from env_server.providers.live.connection.channel import NotConnected, ServerChannel
from env_server.providers.live.connection.mcp_connection import ConnectionLost, McpConnection
from env_server.providers.live.connection.over_http import HttpTrouble, trouble_of
from env_server.providers.live.results import cut, result
from env_server.providers.live.server import LiveServer
from env_server.providers.spec import Effect, FailureKind, ServerListing, ServerResult

LONGEST_WAIT_S = 5.0
MOST_WHY = 2_000
"""Maximum characters of the reason in a failure."""

ADVICE = {
    FailureKind.RATE_LIMITED: "wait a while before you call again",
    FailureKind.UNAVAILABLE: "call again later, or go on without it",
    FailureKind.TIMED_OUT: "call again with a smaller request, or go on without it",
    FailureKind.REFUSED: "use another tool",
    FailureKind.OVERLOADED: "call again later, or go on without it",
    FailureKind.OUTCOME_UNKNOWN: "it may have taken place, so look before you repeat it",
}


class CallFailed(Exception):
    """A call without a result."""

    def __init__(self, kind: FailureKind, why: str, *, sent: bool, again: bool, retry_after: float | None) -> None:
        """Describe the failure.

        Args:
            kind: The kind of failure that a read reports. A write that was sent reports an unknown outcome.
            why: What happened.
            sent: Whether the call may have taken place.
            again: Whether the same call may succeed soon.
            retry_after: Seconds to wait first; None leaves it to the caller.
        """
        super().__init__(why)
        self.kind, self.sent, self.again, self.retry_after = kind, sent, again, retry_after


class ToolRun:
    """A call with its retries."""

    def __init__(
        self, server: LiveServer, tool: ServerListing, arguments: dict[str, Any], limit_s: float, retries: int
    ) -> None:
        """Begin the time of the call, `limit_s` seconds. It is made again at most `retries` times."""
        self._server, self._tool, self._arguments, self._retries = server, tool, arguments, retries
        self._writes = server.effect(tool) is Effect.WRITE
        self._began = time.monotonic()
        self._limit_s = limit_s
        self._tries = self._sent = 0

    async def play(self, channel: ServerChannel) -> ServerResult:
        """Return the result. A failure of the server is a result as well."""
        try:
            with channel.use():
                found = await self._tried(channel)
        except CallFailed as e:
            found = self._failure(e)
        finally:
            self._server.make_room()
        found = replace(
            found, text=channel.directory.shown(found.text), structured=channel.directory.shown(found.structured)
        )
        figures = {"latency_s": time.monotonic() - self._began, "retries": float(max(0, self._tries - 1))}
        if self._sent and (cost := self._server.block.costs.get(self._tool.name)):
            figures["cost_units"] = cost * self._sent
        return replace(found, metrics={**found.metrics, **figures})

    async def _tried(self, channel: ServerChannel) -> ServerResult:
        tries = stamina.retry_context(on=self._pause, attempts=self._retries + 1, timeout=None)
        async for attempt in tries:
            with attempt:
                self._tries += 1
                return await self._in_time(channel)
        raise AssertionError("the last try returns or raises")

    def _pause(self, error: Exception) -> float | bool:
        """Return the seconds to wait before the next try, or False if there is none."""
        if not isinstance(error, CallFailed) or not error.again or (self._writes and error.sent):
            return False
        wait = 0.2 * 2.0 ** (self._tries - 1) if error.retry_after is None else error.retry_after + 0.05
        return wait if wait < min(self._left_s, LONGEST_WAIT_S) else False

    @property
    def _left_s(self) -> float:
        return self._limit_s - (time.monotonic() - self._began)

    async def _in_time(self, channel: ServerChannel) -> ServerResult:
        """Make one try. Its time limit includes the wait for a slot and the start of the server."""
        connection: McpConnection | None = None
        try:
            async with asyncio.timeout(self._left_s), self._slot(channel):
                connection = await channel.connection()
                if self._writes:
                    channel.written = True
                return await self._asked(channel, connection)
        except NotConnected as e:
            again = e.retry_after is not None
            raise self._failed(FailureKind.UNAVAILABLE, e, sent=False, again=again, retry_after=e.retry_after) from e
        except TimeoutError as e:
            if not channel.admitted:
                why = f"all {self._server.block.max_children} episodes that may use it at a time do so"
                raise self._failed(FailureKind.OVERLOADED, why, sent=False) from e
            if connection is not None:
                channel.unanswered(connection)
            raise self._failed(
                FailureKind.TIMED_OUT, f"no answer within {self._limit_s:.3g} s", sent=connection is not None
            ) from e

    @asynccontextmanager
    async def _slot(self, channel: ServerChannel) -> AsyncIterator[None]:
        """Wait until the episode may have a process, and the server another call."""
        await channel.admit()
        async with self._server.slots:
            yield

    async def _asked(self, channel: ServerChannel, connection: McpConnection) -> ServerResult:
        self._sent += 1
        try:
            return result(
                await connection.call(self._tool.name, channel.directory.given(self._arguments)), self._server.redact
            )
        except ConnectionLost as e:
            raise self._failed(FailureKind.UNAVAILABLE, e, again=True) from e
        except ValidationError as e:
            raise self._failed(FailureKind.UNAVAILABLE, "its answer is no result of the protocol") from e
        except MCPError as e:
            trouble = trouble_of(e.data)
            if trouble is None:
                return self._answered(e)
            if trouble.session_lost:
                channel.drop(connection)
            raise self._http(trouble, e) from e

    def _answered(self, error: MCPError) -> ServerResult:
        """Return the server's own error as the model sees it.

        Raises:
            CallFailed: if the error is the server's fault.
        """
        said = self._server.redact.line(str(error))
        gone = self._server.tool(self._tool.name) is None
        if error.code == METHOD_NOT_FOUND or (error.code == INVALID_PARAMS and gone):
            raise self._failed(FailureKind.UNAVAILABLE, f"it has no such tool any more: {said}", sent=False)
        # The SDK gives the last two codes to an answer that does not follow the protocol, such as a gateway's page.
        if error.code in (INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR):
            raise self._failed(FailureKind.UNAVAILABLE, said, again=True)
        return ServerResult(cut(said), is_error=True)

    def _http(self, trouble: HttpTrouble, error: MCPError) -> CallFailed:
        """Return the failure. A call that was not sent, or that got 429, certainly did not take place."""
        if not trouble.sent:
            return self._failed(FailureKind.UNAVAILABLE, error, sent=False, again=True)
        if trouble.session_lost:
            return self._failed(FailureKind.UNAVAILABLE, error, sent=False, again=True, retry_after=0.0)
        if trouble.status == 429:
            return self._failed(
                FailureKind.RATE_LIMITED, error, sent=False, again=True, retry_after=trouble.retry_after
            )
        if trouble.status is not None and trouble.status < 500:
            return self._failed(FailureKind.REFUSED, error, sent=False)
        return self._failed(FailureKind.UNAVAILABLE, error, again=True, retry_after=trouble.retry_after)

    def _failed(
        self,
        kind: FailureKind,
        why: object,
        *,
        sent: bool = True,
        again: bool = False,
        retry_after: float | None = None,
    ) -> CallFailed:
        """Return a failure. It is redacted here, because retries are logged."""
        said = self._server.redact.line(str(why))
        return CallFailed(kind, said, sent=sent, again=again, retry_after=retry_after)

    def _failure(self, error: CallFailed) -> ServerResult:
        kind = FailureKind.OUTCOME_UNKNOWN if self._writes and error.sent else error.kind
        return failure(self._server, kind, str(error))


def failure(server: LiveServer, kind: FailureKind, why: str) -> ServerResult:
    """Return the result of a call that failed, in words for the model."""
    said = server.redact.line(f"[{kind}] the server {server.name}: {why[:MOST_WHY]}; {ADVICE[kind]}")
    return ServerResult(said, is_error=True, failure=kind)
