"""What the options of `eval` come to, each checked before anything is played."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from env_server.commands.output import fail
from env_server.evals.plan import Format, Spec
from env_server.models import Models
from env_server.models.config import OPENAI, normal_url
from env_server.policies import BASELINES, Brief, Policy
from env_server.policies.model import PREFIX, Mind, model_named
from env_server.records import Store
from env_server.settings import Settings

TIMEOUT_S = 300.0
"""How long a policy may think about one move."""

EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Asked:
    """The options, as they were typed."""

    domain: str
    pack: str
    split: str
    policy: str
    limit: int | None
    trials: int
    seed: int
    user: str | None
    user_model: str | None
    max_turns: int
    format: Format
    temperature: float | None
    policy_url: str | None
    policy_key: str | None = field(repr=False)
    url: str | None
    key: str | None = field(repr=False)
    run: str | None
    out: str | None
    concurrency: int

    def refuse_contradictions(self, settings: Settings) -> None:
        """End the program, saying what is wrong, if nobody could play like this."""
        model = model_named(self.policy)
        if model is None and self.policy not in BASELINES:
            fail(f"no policy {self.policy!r}; there are: {', '.join(BASELINES)}, {PREFIX}MODEL")
        if model is None:
            return
        if not model:
            fail(f"name the model: --policy {PREFIX}MODEL")
        if self.user == EXTERNAL:
            fail("an external user is one that you play, and here nobody does: say --user llm, or another strategy")
        try:
            where = normal_url(self._policy_url)
        except ValueError as e:
            fail(f"--policy-url: {e}")
        if where == normal_url(OPENAI) and self._policy_key(settings) is None:
            fail("a model needs an endpoint: set OPENAI_API_KEY, or name another with --policy-url (OPENAI_BASE_URL)")

    def spec(self, pack_version: str) -> Spec:
        """All of it that decides what is played."""
        spec = Spec(
            domain=self.domain,
            pack=self.pack,
            pack_version=pack_version,
            split=self.split,
            policy=self.policy,
            limit=self.limit,
            trials=self.trials,
            seed=self.seed,
            user=self.user,
            user_model=self.user_model,
            max_turns=self.max_turns,
            server=None if self.url is None else normal_url(self.url),
        )
        if model_named(self.policy) is None:
            return spec
        where = normal_url(self._policy_url)
        return replace(spec, format=self.format, temperature=self.temperature, policy_url=where)

    def rule(self) -> Callable[[Brief], Policy] | None:
        """The policy, if it is a rule."""
        return BASELINES.get(self.policy)

    def models(self, settings: Settings, store: Store) -> Models:
        """Where the policy's model is asked: what it takes is on no account of the users'."""
        config = replace(
            settings.user_models(),
            base_url=self._policy_url,
            api_key=self._policy_key(settings),
            temperature=None,
            timeout_s=TIMEOUT_S,
            calls_per_s=None,
            breaker_failures=sys.maxsize,  # nothing here has anything better to do than to try again
            run_tokens=None,
        )
        return Models(config, memory=store if settings.response_cache else None)

    def mind(self, models: Models) -> Mind:
        """The policy, if it is a model."""
        return Mind(models, model_named(self.policy) or "", self.temperature, native=self.format == "native")

    @property
    def _policy_url(self) -> str:
        return self.policy_url or OPENAI

    def _policy_key(self, settings: Settings) -> str | None:
        own = settings.openai_api_key.get_secret_value().strip() if settings.openai_api_key else ""
        return self.policy_key or own or None
