"""A policy chosen by name: whether it can play, and the endpoint of a model."""

import os
import sys
from dataclasses import dataclass, field

from env_server.models import ModelConfig, Models
from env_server.models.config import OPENAI, normal_url
from env_server.policies import BASELINES
from env_server.policies.model import PREFIX, model_named
from env_server.settings import Settings

TIMEOUT_S = 300.0
"""Timeout in seconds for one move of a model."""

POLICY_KEY, BASE_URL = "ENV_SERVER_POLICY_KEY", "OPENAI_BASE_URL"
"""Environment variables: the key of the policy's endpoint, and the base URL that OpenAI's own clients use."""


@dataclass(frozen=True, slots=True)
class ChosenPolicy:
    """The policy that plays the agent."""

    name: str
    """The name of a rule, or `openai:MODEL`."""

    url: str | None = None
    """Base URL of the model's endpoint; None for OpenAI."""

    key: str | None = field(default=None, repr=False)
    """The key of that endpoint."""

    option: str = "--policy"
    """The option that chose the policy, for messages."""

    @property
    def model(self) -> str | None:
        """Return the model's name, or None if the policy is a rule."""
        return model_named(self.name)

    @property
    def base_url(self) -> str:
        """Return the base URL of the model's endpoint."""
        return self.url or OPENAI

    def check(self, settings: Settings) -> None:
        """Check that the policy is available.

        Raises:
            ValueError: if it is not; the message says why.
        """
        if self.model is None and self.name not in BASELINES:
            raise ValueError(f"no policy {self.name!r}: {self.option} is one of {', '.join(BASELINES)}, {PREFIX}MODEL")
        if self.model == "":
            raise ValueError(f"name the model: {self.option} {PREFIX}MODEL")
        if self.model is None:
            return
        try:
            where = normal_url(self.base_url)
        except ValueError as e:
            raise ValueError(f"--policy-url: {e}") from e
        if where == normal_url(OPENAI) and self._key_for(settings) is None:
            raise ValueError(
                f"a model needs an endpoint: set OPENAI_API_KEY, or name another with --policy-url ({BASE_URL})"
            )

    def models(self, settings: Settings, *, stubborn: bool = False) -> Models:
        """Return the client for the policy's model. Its tokens do not count towards the spend cap of the users' models.

        Its answers are never taken from the response cache, since a new checkpoint may have the name of an old one.
        With `stubborn` the circuit breaker never opens, so requests to a failing endpoint go on.
        """
        users = settings.user_models()
        config = ModelConfig(
            base_url=self.base_url,
            api_key=self._key_for(settings),
            timeout_s=TIMEOUT_S,
            retries=users.retries,
            breaker_failures=sys.maxsize if stubborn else users.breaker_failures,
            breaker_pause_s=users.breaker_pause_s,
            prices=users.prices,
        )
        return Models(config)

    def _key_for(self, settings: Settings) -> str | None:
        """Return the key for the policy's endpoint.

        OpenAI's key goes only to OpenAI and to the endpoint of `OPENAI_BASE_URL`.
        """
        own = self.key or os.environ.get(POLICY_KEY)
        if own:
            return own
        known = [OPENAI, *filter(None, [os.environ.get(BASE_URL)])]
        if normal_url(self.base_url) not in map(_normal, known):
            return None
        return settings.user_models().api_key


def _normal(url: str) -> str | None:
    try:
        return normal_url(url)
    except ValueError:
        return None
