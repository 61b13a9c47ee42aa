"""Answers of an endpoint, and their costs."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

Message = dict[str, Any]
"""A chat message in the format of the protocol."""


class ToolCall(NamedTuple):
    """A tool call in a model's answer; `arguments` is the model's text, which need not be valid JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's text and calls, with the tokens that they cost."""

    content: str
    calls: tuple[ToolCall, ...]
    prompt_tokens: int
    completion_tokens: int

    @property
    def tokens(self) -> int:
        """The sum of prompt and completion tokens."""
        return self.prompt_tokens + self.completion_tokens

    def message(self) -> Message:
        """Return the answer as the assistant message that continues the conversation; only for answers with calls."""
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in self.calls
        ]
        return {"role": "assistant", "content": self.content, "tool_calls": calls}


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model, in US dollars per million tokens."""

    prompt: float
    completion: float

    def of(self, answer: ModelAnswer) -> float:
        """Return the cost of `answer`, in US dollars."""
        return (answer.prompt_tokens * self.prompt + answer.completion_tokens * self.completion) / 1_000_000


@dataclass(slots=True)
class Usage:
    """The cost of one result: a message of the user, a verdict, or a move."""

    model: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    """US dollars; None if the operator has set no price for the model."""
    cached: int = 0
    """Answers from the cache. They cost nothing and are counted in no other field."""
    unusable: int = 0
    """Unusable answers, after each of which the model was asked again."""
    rejected: int = 0
    """Drafts that the judge rejected."""
    fallback: str | None = None
    """Why a message was sent without approval of a judge: `rejected` or `no_verdict`."""

    def add(self, answer: ModelAnswer, seconds: float, price: Price | None = None) -> None:
        """Add one answer to the sums."""
        if price is not None:
            self.cost = (self.cost or 0.0) + price.of(answer)
        self.calls += 1
        self.prompt_tokens += answer.prompt_tokens
        self.completion_tokens += answer.completion_tokens
        self.seconds = round(self.seconds + seconds, 3)

    def dump(self) -> dict[str, Any]:
        """Return the usage as plain JSON."""
        return asdict(self)

    def total(self, before: dict[str, Any]) -> dict[str, Any]:
        """Return the sum of this usage and the episode's usage `before`; `fallbacks` counts the messages with a
        fallback.
        """
        summed = {
            name: before.get(name, 0) + value for name, value in self.dump().items() if isinstance(value, int | float)
        }
        return {**summed, "fallbacks": before.get("fallbacks", 0) + (self.fallback is not None)}
