"""Endpoints. Each has its connections, its circuit breaker and its token bucket, which all episodes share."""

import asyncio
import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import stamina
import structlog

from env_server.models.answer import Message, ModelAnswer, Price
from env_server.models.config import OPENAI, ModelConfig, normal_url
from env_server.models.endpoint.breaker import Breaker
from env_server.models.endpoint.bucket import Bucket
from env_server.models.errors import EndpointRefused, ModelUnavailable
from env_server.telemetry import metrics

if TYPE_CHECKING:
    from env_server.models.endpoint.client import Client

log = structlog.get_logger(__name__)

LONGEST_PAUSE_S = 8.0
"""The maximum pause in seconds between two tries. If an endpoint requests more, the question is asked again with the
next try of the turn.
"""


class Endpoint:
    """One endpoint. It limits the rate of requests, retries them, and refuses them while its circuit
    breaker is open.
    """

    def __init__(self, base_url: str, api_key: str | None, config: ModelConfig) -> None:
        """Store the settings; no connection is opened before the first question."""
        self.base_url, self._key, self._config = base_url, api_key, config
        self._breaker = Breaker(config.breaker_failures, config.breaker_pause_s)
        self._bucket = Bucket(config.calls_per_s)
        self._client: Client | None = None
        self._opening = asyncio.Lock()

    async def ask(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> ModelAnswer:
        """Return the model's answer to `messages`.

        Raises:
            ModelUnavailable: if there is no answer.
        """
        try:
            return await self._try(model, messages, parameters)
        except ModelUnavailable as e:
            failed = e
        # The retry context is created only after a failure: it costs more time and more cyclic garbage than the rest of
        # this method.
        tries = stamina.retry_context(
            on=_pause, attempts=self._config.retries + 1, timeout=None, wait_initial=0.2, wait_max=LONGEST_PAUSE_S
        )
        async for attempt in tries:
            with attempt:
                if attempt.num == 1:
                    raise failed
                answer = await self._try(model, messages, parameters)
        return answer

    async def _try(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> ModelAnswer:
        client = self._client or await self._open()
        await self._bucket.take()
        with self._breaker.guard(_is_failure):
            return await _counted(client, model, messages, parameters)

    def price(self, model: str) -> Price | None:
        """Return the price of `model`, if the operator has set one."""
        return self._config.prices.get(model)

    async def close(self) -> None:
        """Close the connections; the next question opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _open(self) -> "Client":
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(_connect, self.base_url, self._key, self._config.timeout_s)
        return self._client


class Endpoints:
    """The endpoints in use, by address."""

    def __init__(self, config: ModelConfig) -> None:
        """Serve the server's own endpoint, and the endpoints that a reset may name."""
        self.config = config
        self._known: dict[str | None, Endpoint] = {}

    def warm(self) -> None:
        """Import the client if any endpoint can be used, so that the first question does not wait for the import."""
        try:
            self.check(None)
        except EndpointRefused:
            if not self.config.allowed:
                return
        importlib.import_module("env_server.models.endpoint.client")

    def check(self, base_url: str | None) -> None:
        """Check that a reset may use this endpoint; None is the server's own.

        Raises:
            EndpointRefused: if it may not.
        """
        config = self.config
        if base_url is None:
            if config.api_key is None and normal_url(config.base_url) == normal_url(OPENAI):
                raise EndpointRefused("no endpoint is set up: set OPENAI_API_KEY or ENV_SERVER_USER_BASE_URL")
            return
        try:
            known = normal_url(base_url) in config.allowed
        except ValueError as e:
            raise EndpointRefused(f"user.base_url: {e}") from e
        if not known:
            raise EndpointRefused("user.base_url is not on the operator's list (USER_ALLOWED_URLS)")

    def get(self, base_url: str | None) -> Endpoint:
        """Return the endpoint. An endpoint that a reset names never gets the server's own key.

        Raises:
            ModelUnavailable: if the operator has removed it from the list since the reset.
        """
        try:
            self.check(base_url)
        except EndpointRefused as e:
            raise ModelUnavailable(str(e), asked=False) from e
        where = None if base_url is None else normal_url(base_url)
        if where not in self._known:
            own = (self.config.base_url, self.config.api_key)
            url, key = own if base_url is None else (base_url, None)
            self._known[where] = Endpoint(url, key, self.config)
        return self._known[where]

    async def close(self) -> None:
        """Close all connections."""
        for endpoint in self._known.values():
            await endpoint.close()


async def _counted(
    client: "Client", model: str, messages: Sequence[Message], parameters: Mapping[str, Any]
) -> ModelAnswer:
    try:
        answer = await client.complete(model, messages, parameters)
    except ModelUnavailable as e:
        metrics.USER_CALLS.add(("failed",))
        log.warning("a model failed", endpoint=client.base_url, model=model, why=str(e))
        raise
    metrics.USER_CALLS.add(("ok",))
    metrics.USER_TOKENS.add(("prompt",), answer.prompt_tokens)
    metrics.USER_TOKENS.add(("completion",), answer.completion_tokens)
    return answer


def _pause(error: Exception) -> bool | float:
    """Return whether to retry, or the seconds to wait before a retry if the endpoint requests a delay."""
    if not getattr(error, "passing", False):
        return False
    after: float | None = getattr(error, "retry_after", None)
    return True if after is None else (after if after <= LONGEST_PAUSE_S else False)


def _is_failure(error: Exception) -> bool:
    return not getattr(error, "callers", False)


def _connect(base_url: str, api_key: str | None, timeout_s: float) -> "Client":
    from env_server.models.endpoint.client import Client  # noqa: PLC0415 - half a second that most servers need not spend

    return Client(base_url, api_key, timeout_s)
