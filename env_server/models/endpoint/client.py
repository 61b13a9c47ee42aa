"""One request to an endpoint through the `openai` package. Imported when first needed: it takes half a second."""

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
"""Refusals that may pass; those of 500 and above may, too."""

_CALLERS = {400, 404, 413, 422}
"""Refusals that speak of the request, not of the endpoint."""

PACE_S, SHARE = 0.010, 0.6
"""Questions that come at one instant go out so many seconds apart, but so close that the last of them waits no longer
than this share of the time that an answer takes."""

UNKNOWN_S = 2.0
"""What an answer is taken to need before there was one."""

LANE = 4
"""Connections that share one pool."""

IDLE_S = 15.0
"""Seconds after which a lane that nobody uses is closed."""

LONGEST_WISH_S = 3_600.0
"""Seconds for which an endpoint may ask to be left alone."""

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_PLAIN_HEADERS = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
"""All that is sent to an endpoint without a key of its own."""


class EndpointFailed(ModelUnavailable):
    """The endpoint did not answer, or not with an answer."""

    def __init__(
        self, detail: str, retry_after: float | None = None, *, passing: bool = True, callers: bool = False
    ) -> None:
        """Say how.

        Args:
            detail: what happened.
            retry_after: seconds after which the endpoint wants to be asked again.
            passing: whether asking again at once may help.
            callers: whether the request is at fault, so that others have nothing to fear.
        """
        super().__init__(detail, retry_after)
        self.passing = passing
        self.callers = callers


class Client:
    """The connections to one endpoint.

    They live in a thread of their own: when the answers of many come at one instant, reading them all must not hold up
    the event loop that everybody waits for. They are kept in lanes of a few: what a connection pool does for one
    request takes time in proportion to all the connections that it has.
    """

    def __init__(self, base_url: str, api_key: str | None, timeout_s: float) -> None:
        """Prepare for `base_url`; without a key none is sent, nor anything else that the environment holds."""
        self.base_url, self._key, self._timeout = base_url, api_key, timeout_s
        self._tls = httpx2.create_ssl_context()
        self._lanes: list[_Lane] = []
        self._sweeping: asyncio.Task[None] | None = None
        self._elsewhere = Elsewhere("models")
        self._ways_in, self._ways_out = Turnstile(), Turnstile()
        self._asking, self._usual_s = 0, UNKNOWN_S

    async def complete(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> ModelAnswer:
        """One answer; tried once.

        Raises:
            EndpointFailed: if there is none.
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
                # `chat.completions.create` does the same, and copies and checks every message and every answer
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
        """Close lanes that nobody needs any more, when a crowd has gone."""
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
    """When it was last used."""


async def _bare(request: httpx2.Request) -> None:
    """Take from a request all that might belong to another endpoint: keys, organisations, custom headers."""
    for name in [name for name in request.headers if name.lower() not in _PLAIN_HEADERS]:
        del request.headers[name]


def _whole(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """`body` as it can be sent."""
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
    """The seconds in a `Retry-After`; a date, or nonsense, is no wish."""
    return min(float(retry_after), LONGEST_WISH_S) if _SECONDS.fullmatch(retry_after) else None
