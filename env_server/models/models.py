"""The models of one process: its endpoints, what has been spent on them, and their kept answers."""

from dataclasses import dataclass, field

from env_server.models.answer import Usage
from env_server.models.asker import Asker
from env_server.models.config import ModelConfig
from env_server.models.endpoint.endpoint import Endpoints
from env_server.models.ledger import MemoryLedger, TokenLedger
from env_server.models.memory import AnswerCache


@dataclass
class Models:
    """Whatever asks a language model gets an `Asker` here."""

    config: ModelConfig = field(default_factory=ModelConfig)
    ledger: TokenLedger = field(default_factory=MemoryLedger)
    memory: AnswerCache | None = None
    """Where answers are kept; None keeps none."""

    def __post_init__(self) -> None:
        """Prepare the endpoints; nothing is opened before the first question."""
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
        """An asker for one result.

        Args:
            model: the model's name.
            base_url: another endpoint than the server's own, from the operator's list.
            seed: goes to the endpoint, without promise.
            temperature: by default the operator's.
            run: whose means are spent.
            scope: who asks, where equal questions of different askers want answers of their own.
            usage: what was paid for the result before, to be added to.

        Raises:
            ModelUnavailable: if the endpoint may not be asked any more.
        """
        endpoint = self.endpoints.get(base_url)
        warmth = self.config.temperature if temperature is None else temperature
        cap = self.config.run_tokens
        return Asker(endpoint, usage or Usage(model), seed, warmth, run, cap, self.ledger, self.memory, scope)

    async def close(self) -> None:
        """Close all connections."""
        await self.endpoints.close()
