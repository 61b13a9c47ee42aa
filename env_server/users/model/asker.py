"""Asking for one message of the user: every question is counted, paid for and kept within the run's means."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from env_server.users.base import SpendCapReached
from env_server.users.model.answer import Answer, Message, Usage
from env_server.users.model.endpoint import Endpoint
from env_server.users.model.ledger import Ledger


@dataclass(frozen=True)
class Asker:
    """What all questions of one message have in common."""

    endpoint: Endpoint
    usage: Usage
    seed: int
    temperature: float | None
    run: str
    cap: int | None
    ledger: Ledger

    async def ask(
        self, messages: Sequence[Message], *, attempt: int = 0, tools: Sequence[Any] = (), call: bool = True
    ) -> Answer:
        """The model's answer.

        Args:
            messages: the question.
            attempt: how often the very same was asked before; the seed moves on by it.
            tools: function schemas that are offered.
            call: whether they may be called now.

        Raises:
            SpendCapReached: if the run may not ask any more.
            UserUnavailable: if there is no answer.
        """
        if self.cap is not None and self.ledger.spent(self.run) >= self.cap:
            raise SpendCapReached(f"the users of run {self.run!r} have taken their {self.cap} tokens")
        parameters: dict[str, Any] = {"seed": self.seed + attempt}
        if self.temperature is not None:
            parameters["temperature"] = self.temperature
        if tools:
            parameters |= {"tools": list(tools)} | ({} if call else {"tool_choice": "none"})
        began = perf_counter()
        answer = await self.endpoint.ask(self.usage.model, messages, parameters)
        self.usage.add(answer, perf_counter() - began)
        await self.ledger.spend(self.run, answer.tokens)
        return answer
