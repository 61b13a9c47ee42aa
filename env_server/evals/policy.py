"""The policy that was asked for by name: whether it can play, and, if it is a model, where it is asked."""

import os
import sys
from dataclasses import dataclass, field

from env_server.models import ModelConfig, Models
from env_server.models.config import OPENAI, normal_url
from env_server.policies import BASELINES
from env_server.policies.model import PREFIX, model_named
from env_server.settings import Settings

TIMEOUT_S = 300.0
"""How long a model may think about one move."""

POLICY_KEY, BASE_URL = "ENV_SERVER_POLICY_KEY", "OPENAI_BASE_URL"
"""Variables: the key of the policy's endpoint, and where OpenAI's own programs ask in OpenAI's place."""


@dataclass(frozen=True, slots=True)
class ChosenPolicy:
    """Who plays the agent."""

    name: str
    """A rule's, or `openai:MODEL`."""

    url: str | None = None
    """Where the model answers; None is OpenAI."""

    key: str | None = field(default=None, repr=False)
    """That endpoint's own key."""

    option: str = "--policy"
    """The option that chose it, for messages; where it answers is said by the same with `-url`."""

    @property
    def model(self) -> str | None:
        """The model; None if it is a rule."""
        return model_named(self.name)

    @property
    def base_url(self) -> str:
        """Where the model answers."""
        return self.url or OPENAI

    def check(self, settings: Settings) -> None:
        """Check that it can be had.

        Raises:
            ValueError: if not, saying why.
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
            raise ValueError(f"{self.option}-url: {e}") from e
        if where == normal_url(OPENAI) and self._key_for(settings) is None:
            raise ValueError(
                f"a model needs an endpoint: set OPENAI_API_KEY, or name another with {self.option}-url ({BASE_URL})"
            )

    def models(self, settings: Settings, *, stubborn: bool = False) -> Models:
        """Where it is asked, if it is a model: what it takes is on no account of the users'.

        Its answers are never recalled from the response cache: a new checkpoint may bear an old one's name. With
        `stubborn` an endpoint that fails is asked on and on, for those who have nothing better to do.
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
        """The key that its endpoint is sent. OpenAI's goes nowhere but to OpenAI, and to who stands in its place."""
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
