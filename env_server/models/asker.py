"""Requests to a model. Each is counted, paid for, kept within the run's token limit and, if configured, cached."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from env_server.models.answer import Message, ModelAnswer, Usage
from env_server.models.answer_cache import AnswerCache, digest_of, read, written
from env_server.models.endpoint.endpoint import Endpoint
from env_server.models.errors import SpendCapReached
from env_server.models.token_usage import TokenLedger
from env_server.telemetry import traces


@dataclass(frozen=True)
class Asker:
    """The common settings of all questions for one result: a message of the user, a verdict, or a move."""

    endpoint: Endpoint
    usage: Usage
    seed: int
    temperature: float | None
    run: str
    cap: int | None
    ledger: TokenLedger
    memory: AnswerCache | None = None
    scope: str = ""
    """A key of the asker. Askers that need separate answers to equal questions differ in it."""

    _asked: Counter[str] = field(default_factory=Counter, init=False)
    _fresh: dict[str, str] = field(default_factory=dict, init=False)

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        tools: Sequence[Any] = (),
        call: bool = True,
        **others: Any,
    ) -> ModelAnswer:
        """Return the model's answer.

        Args:
            messages: the question.
            attempt: how often the same question was asked before; it is added to the seed.
            tools: the schemas of the offered functions.
            call: whether the model may call them now.
            others: further parameters of the protocol, such as `response_format`.

        Raises:
            SpendCapReached: if the run has used up its tokens.
            ModelUnavailable: if there is no answer.
        """
        parameters: dict[str, Any] = {"seed": self.seed + attempt, **others}
        if self.temperature is not None:
            parameters["temperature"] = self.temperature
        if tools:
            parameters |= {"tools": list(tools)} | ({} if call else {"tool_choice": "none"})
        if self.memory is None:
            return await self._pay(messages, parameters)
        digest = self._digest(messages, parameters)
        kept = self.memory.recall(digest)
        if kept is not None:
            return self._recalled(read(kept))
        answer = await self._pay(messages, parameters)
        self._fresh[digest] = written(answer)
        return answer

    def fresh(self) -> dict[str, str]:
        """Return the new answers by their digests, for a caller that stores them together with the result."""
        return dict(self._fresh)

    async def keep(self) -> None:
        """Store the new answers in the cache.

        Call it after the answers have led to a result: an unusable answer is not worth keeping.
        """
        if self.memory is not None:
            for digest, text in self._fresh.items():
                await self.memory.keep(digest, text)
        self._fresh.clear()

    def _recalled(self, answer: ModelAnswer) -> ModelAnswer:
        self.usage.cached += 1
        if self.endpoint.price(self.usage.model) is not None:
            self.usage.cost = self.usage.cost or 0.0  # the price is known, and a cached answer costs nothing
        return answer

    async def _pay(self, messages: Sequence[Message], parameters: dict[str, Any]) -> ModelAnswer:
        if self.cap is not None and self.ledger.spent(self.run) >= self.cap:
            raise SpendCapReached(f"the models of run {self.run!r} have taken their {self.cap} tokens")
        began = perf_counter()
        asked = {"gen_ai.operation.name": "chat", "gen_ai.request.model": self.usage.model}
        with traces.span("chat", asked, client=True) as span:
            answer = await self.endpoint.ask(self.usage.model, messages, parameters)
            if span is not None:
                span.set_attribute("gen_ai.usage.input_tokens", answer.prompt_tokens)
                span.set_attribute("gen_ai.usage.output_tokens", answer.completion_tokens)
        self.usage.add(answer, perf_counter() - began, self.endpoint.price(self.usage.model))
        await self.ledger.spend(self.run, answer.tokens)
        return answer

    def _digest(self, messages: Sequence[Message], parameters: dict[str, Any]) -> str:
        where, model = self.endpoint.base_url, self.usage.model
        first = digest_of(where, model, messages, parameters, self.scope, 0)
        occurrence = self._asked[first]
        self._asked[first] += 1
        return digest_of(where, model, messages, parameters, self.scope, occurrence) if occurrence else first
