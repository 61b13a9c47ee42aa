"""One request to an endpoint through the `openai` package. Imported when first needed: it takes half a second."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
import orjson

from env_server.models.answer import Answer, Message, ToolCall
from env_server.models.elsewhere import Elsewhere
from env_server.models.errors import ModelUnavailable
from env_server.models.turnstile import Turnstile

_PASSING = {408, 409, 425, 429}
"""Refusals that may pass; those of 500 and above may, too."""

_CALLERS = {400, 404, 413, 422}
"""Refusals that speak of the request, not of the endpoint."""

PACE_S = 0.004
"""Between two questions. Of many that begin at once the answers come at once, too, unless the questions are spread."""

LANE = 4
"""Connections that share one pool."""

IDLE_S = 15.0
"""Seconds after which a lane that nobody uses is closed."""

MOST_CALLS, LONGEST = 32, 100_000
"""Calls in one answer that are looked at, and characters that a text in it may have."""

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
        self._ways_in, self._ways_out = Turnstile(PACE_S), Turnstile()

    async def complete(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Answer:
        """One answer; tried once.

        Raises:
            EndpointFailed: if there is none.
        """
        body = {"model": model, "messages": list(messages), **parameters}
        await self._ways_in.pass_through()
        answer = await self._elsewhere.run(self._asked(body, messages))
        await self._ways_out.pass_through()
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._elsewhere.run(self._hang_up())
        await self._elsewhere.close()

    async def _asked(self, body: Mapping[str, Any], messages: Sequence[Message]) -> Answer:
        try:
            async with asyncio.timeout(self._timeout), self._lane() as client:
                # `chat.completions.create` does the same, and copies and checks every message and every answer
                response = await client.post("/chat/completions", cast_to=httpx2.Response, body=_whole(body))
        except (openai.APITimeoutError, TimeoutError) as e:
            raise EndpointFailed(f"no answer in {self._timeout:g} s") from e
        except openai.APIStatusError as e:
            raise _refused(e) from e
        except openai.APIConnectionError as e:
            raise EndpointFailed("the endpoint cannot be reached") from e
        except (openai.OpenAIError, ValueError, TypeError) as e:
            raise EndpointFailed(f"the endpoint's answer cannot be read ({type(e).__name__})") from e
        return _read(response.content, messages)

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
            event_hooks={} if self._key else {"request": [_bare]},
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
    """`body` with a question mark for each half of a character, which cannot be sent."""
    try:
        orjson.dumps(body)
    except TypeError:
        clean: Mapping[str, Any] = json.loads(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
        return clean
    return body


def _refused(error: openai.APIStatusError) -> EndpointFailed:
    status = error.status_code
    passing = status in _PASSING or status >= 500
    after = error.response.headers.get("retry-after", "")
    seconds = float(after) if after.replace(".", "", 1).isdigit() else None
    return EndpointFailed(f"the endpoint answered {status}", seconds, passing=passing, callers=status in _CALLERS)


def _read(body: bytes, messages: Sequence[Message]) -> Answer:
    """The answer in a completion, of which nothing is certain.

    Raises:
        EndpointFailed: if it holds none.
    """
    try:
        completion = json.loads(body)  # orjson refuses halves of characters, which `_text` mends
        message = completion["choices"][0]["message"]
        calls = tuple(_call(i, call) for i, call in enumerate((message.get("tool_calls") or [])[:MOST_CALLS]))
        content = _text(message.get("content") or "")
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as e:
        raise EndpointFailed(f"the endpoint's answer cannot be read ({type(e).__name__})") from e
    asked, told = _counted(completion.get("usage"))
    if asked + told == 0:  # an endpoint that does not count: four characters are about a token
        asked = sum(len(str(m.get("content"))) for m in messages) // 4
        told = 1 + len(content) // 4
    return Answer(content, calls, asked, told)


def _call(index: int, call: Any) -> ToolCall:
    function = call["function"]
    return ToolCall(
        _text(call.get("id") or f"call_{index}"), _text(function["name"]), _text(function.get("arguments") or "")
    )


def _text(value: Any) -> str:
    """`value`, which should be text, without halves of characters: these cannot be stored."""
    if not isinstance(value, str):
        raise TypeError("no text")
    if len(value) > LONGEST:
        raise TypeError("far too long")
    return value.encode("utf-8", "replace").decode()


def _counted(usage: Any) -> tuple[int, int]:
    counts = usage if isinstance(usage, dict) else {}
    asked, told = (
        count if isinstance(count, int) and count > 0 else 0
        for count in (counts.get("prompt_tokens"), counts.get("completion_tokens"))
    )
    return asked, told
