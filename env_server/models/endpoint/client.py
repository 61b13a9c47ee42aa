"""One request to an endpoint through the `openai` package. The import takes half a second, so it is delayed."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import httpx2
import openai
import orjson

from env_server.models.answer import Message, ModelAnswer
from env_server.models.endpoint.characters import whole_json
from env_server.models.endpoint.completion import read_completion
from env_server.models.endpoint.limit import TooMuch, limit
from env_server.models.endpoint.pacer import Turnstile
from env_server.models.endpoint.thread import Elsewhere
from env_server.models.errors import ModelUnavailable

_PASSING = {408, 409, 425, 429}
"""Temporary HTTP error codes. Codes of 500 and above are temporary too."""

_CALLERS = {400, 404, 413, 422}
"""HTTP error codes that blame the request, not the endpoint."""

PACE_S, SHARE = 0.010, 0.6
"""The spacing of requests that start at one instant: at most `PACE_S` seconds between two of them. The total delay is
at most the fraction `SHARE` of the usual response time.
"""

UNKNOWN_S = 2.0
"""The assumed response time in seconds before the first answer."""

LANE = 4
"""The number of connections in one pool."""

IDLE_S = 15.0
"""Seconds after which an unused lane is closed."""

LONGEST_WISH_S = 3_600.0
"""The maximum delay in seconds that an endpoint may request with `Retry-After`."""

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_PLAIN_HEADERS = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
"""The only headers of a request to an endpoint without a key."""


class EndpointFailed(ModelUnavailable):
    """The endpoint did not respond, or its response was not an answer."""

    def __init__(
        self, detail: str, retry_after: float | None = None, *, passing: bool = True, callers: bool = False
    ) -> None:
        """Set the description of the failure.

        Args:
            detail: the description.
            retry_after: seconds after which the endpoint wants to be asked again.
            passing: whether an immediate retry may help.
            callers: whether the request is at fault, so that other requests are not affected.
        """
        super().__init__(detail, retry_after)
        self.passing = passing
        self.callers = callers


class Client:
    """The connections to one endpoint.

    They live in a thread of their own: reading many answers that arrive at one instant must not block the main event
    loop. They are grouped in lanes of `LANE` connections: the work of a connection pool for one request grows with the
    number of its connections.
    """

    def __init__(self, base_url: str, api_key: str | None, timeout_s: float) -> None:
        """Prepare for `base_url`. Without a key, no key and no other credentials from the environment are sent."""
        self.base_url, self._key, self._timeout = base_url, api_key, timeout_s
        self._tls = httpx2.create_ssl_context()
        self._lanes: list[_Lane] = []
        self._sweeping: asyncio.Task[None] | None = None
        self._elsewhere = Elsewhere("models")
        self._ways_in, self._ways_out = Turnstile(), Turnstile()
        self._asking, self._usual_s = 0, UNKNOWN_S

    async def complete(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> ModelAnswer:
        """Return one answer, without retries.

        Raises:
            EndpointFailed: if there is no answer.
        """
        body = {"model": model, "messages": list(messages), **parameters}
        self._asking += 1
        try:
            self._ways_in.pace_s = min(PACE_S, SHARE * self._usual_s / self._asking)
            await self._ways_in.pass_through()
            began = monotonic()
            answer = await self._elsewhere.run(self._asked(body, messages))
            self._usual_s += (monotonic() - began - self._usual_s) / 16
        finally:
            self._asking -= 1
        await self._ways_out.pass_through()
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._elsewhere.run(self._hang_up())
        await self._elsewhere.close()

    async def _asked(self, body: Mapping[str, Any], messages: Sequence[Message]) -> ModelAnswer:
        try:
            async with asyncio.timeout(self._timeout), self._lane() as client:
                # `chat.completions.create` sends the same request, but copies and checks every message and every
                # answer.
                response = await client.post("/chat/completions", cast_to=httpx2.Response, body=_whole(body))
        except (openai.APITimeoutError, TimeoutError) as e:
            raise EndpointFailed(f"no answer in {self._timeout:g} s") from e
        except openai.APIStatusError as e:
            raise _refused(e) from e
        except openai.APIConnectionError as e:
            if isinstance(e.__cause__, TooMuch):
                raise EndpointFailed(f"the endpoint's answer cannot be read ({e.__cause__})") from e
            raise EndpointFailed("the endpoint cannot be reached") from e
        except (openai.OpenAIError, ValueError, TypeError) as e:
            raise EndpointFailed(f"the endpoint's answer cannot be read ({type(e).__name__})") from e
        try:
            return read_completion(response.content, messages)
        except ValueError as e:
            raise EndpointFailed(f"the endpoint's answer cannot be read ({e})") from e

    async def _hang_up(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
        for lane in self._lanes:
            await lane.client.close()

    @asynccontextmanager
    async def _lane(self) -> AsyncIterator[openai.AsyncOpenAI]:
        lane = next((lane for lane in self._lanes if lane.busy < LANE), None)
        if lane is None:
            lane = _Lane(self._open())
            self._lanes.append(lane)
        lane.busy += 1
        try:
            yield lane.client
        finally:
            lane.busy -= 1
            lane.since = self._now()
            self._sweep_later()

    def _sweep_later(self) -> None:
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        """Close the lanes that have been idle for `IDLE_S` seconds, after a burst of requests."""
        await asyncio.sleep(IDLE_S)
        idle = [lane for lane in self._lanes if not lane.busy and self._now() - lane.since >= IDLE_S]
        self._lanes = [lane for lane in self._lanes if lane not in idle]
        self._sweeping = None
        if self._lanes:
            self._sweep_later()
        for lane in idle:
            await lane.client.close()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _open(self) -> openai.AsyncOpenAI:
        http = httpx2.AsyncClient(
            verify=self._tls,
            timeout=httpx2.Timeout(self._timeout, connect=min(self._timeout, 5.0), pool=None),
            limits=httpx2.Limits(max_connections=LANE, max_keepalive_connections=LANE),
            follow_redirects=False,
            headers={"accept-encoding": "identity"},
            event_hooks={"request": [] if self._key else [_bare], "response": [limit]},
        )
        return openai.AsyncOpenAI(api_key=self._key or "none", base_url=self.base_url, max_retries=0, http_client=http)


@dataclass(slots=True)
class _Lane:
    client: openai.AsyncOpenAI
    busy: int = 0
    since: float = 0.0
    """The event loop's time of its last use."""


async def _bare(request: httpx2.Request) -> None:
    """Remove every header that might belong to another endpoint: keys, organisations, custom headers."""
    for name in [name for name in request.headers if name.lower() not in _PLAIN_HEADERS]:
        del request.headers[name]


def _whole(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `body`, with lone surrogates replaced if it cannot be serialised otherwise."""
    try:
        orjson.dumps(body)
    except TypeError:
        clean: Mapping[str, Any] = whole_json(body)
        return clean
    return body


def _refused(error: openai.APIStatusError) -> EndpointFailed:
    status = error.status_code
    passing = status in _PASSING or status >= 500
    wish = _wish(error.response.headers.get("retry-after", ""))
    return EndpointFailed(f"the endpoint answered {status}", wish, passing=passing, callers=status in _CALLERS)


def _wish(retry_after: str) -> float | None:
    """Return the seconds in a `Retry-After` header; None for a date or invalid text."""
    return min(float(retry_after), LONGEST_WISH_S) if _SECONDS.fullmatch(retry_after) else None
