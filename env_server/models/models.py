"""The language models of one process: its endpoints, its token ledger, and its answer cache."""

from dataclasses import dataclass, field

from env_server.models.answer import Usage
from env_server.models.answer_cache import AnswerCache
from env_server.models.asker import Asker
from env_server.models.config import ModelConfig
from env_server.models.endpoint.endpoint import Endpoints
from env_server.models.token_usage import MemoryLedger, TokenLedger


@dataclass
class Models:
    """The source of an `Asker` for every component that asks a language model."""

    config: ModelConfig = field(default_factory=ModelConfig)
    ledger: TokenLedger = field(default_factory=MemoryLedger)
    memory: AnswerCache | None = None
    """The answer cache; None disables caching."""

    def __post_init__(self) -> None:
        """Prepare the endpoints; no connection is opened before the first question."""
        self.endpoints = Endpoints(self.config)
        self.endpoints.warm()

    def asker(
        self,
        model: str,
        base_url: str | None = None,
        *,
        seed: int = 0,
        temperature: float | None = None,
        run: str = "",
        scope: str = "",
        usage: Usage | None = None,
    ) -> Asker:
        """Return an asker for one result.

        Args:
            model: the model's name.
            base_url: another endpoint than the server's own, from the operator's list.
            seed: is sent to the endpoint, which need not honour it.
            temperature: by default the operator's.
            run: the run whose token limit applies.
            scope: a key of the asker; askers that need separate answers to equal questions differ in it.
            usage: the usage of the result so far, to be added to.

        Raises:
            ModelUnavailable: if the endpoint is no longer allowed.
        """
        endpoint = self.endpoints.get(base_url)
        warmth = self.config.temperature if temperature is None else temperature
        cap = self.config.run_tokens
        return Asker(endpoint, usage or Usage(model), seed, warmth, run, cap, self.ledger, self.memory, scope)

    async def close(self) -> None:
        """Close all connections."""
        await self.endpoints.close()
