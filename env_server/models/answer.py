"""What an endpoint answers, and what answers cost."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

Message = dict[str, Any]
"""A chat message as the protocol has it."""


class ToolCall(NamedTuple):
    """A call that the model wants made; `arguments` is whatever text it wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """One answer of a model."""

    content: str
    calls: tuple[ToolCall, ...]
    prompt_tokens: int
    completion_tokens: int

    @property
    def tokens(self) -> int:
        """All tokens of it."""
        return self.prompt_tokens + self.completion_tokens

    def message(self) -> Message:
        """The answer as the conversation goes on from it; only for answers with calls."""
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in self.calls
        ]
        return {"role": "assistant", "content": self.content, "tool_calls": calls}


@dataclass(frozen=True, slots=True)
class Price:
    """What a model takes, in US dollars for a million tokens."""

    prompt: float
    completion: float

    def of(self, answer: ModelAnswer) -> float:
        """What `answer` cost, in US dollars."""
        return (answer.prompt_tokens * self.prompt + answer.completion_tokens * self.completion) / 1_000_000


@dataclass(slots=True)
class Usage:
    """What one result (a message of the user, a verdict, a move) cost."""

    model: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    """US dollars; None where the operator has named no price for the model."""
    cached: int = 0
    """Answers from memory, which cost nothing and count as nothing else."""
    unusable: int = 0
    """Answers that could not be used, so that the model was asked again."""
    rejected: int = 0
    """Drafts that the judge sent back."""
    fallback: str | None = None
    """Why a message went out that no judge had approved: `rejected` or `no_verdict`."""

    def add(self, answer: ModelAnswer, seconds: float, price: Price | None = None) -> None:
        """Count one answer."""
        if price is not None:
            self.cost = (self.cost or 0.0) + price.of(answer)
        self.calls += 1
        self.prompt_tokens += answer.prompt_tokens
        self.completion_tokens += answer.completion_tokens
        self.seconds = round(self.seconds + seconds, 3)

    def dump(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)

    def total(self, before: dict[str, Any]) -> dict[str, Any]:
        """This and what the episode had cost `before`; `fallbacks` counts the messages that had one."""
        summed = {
            name: before.get(name, 0) + value for name, value in self.dump().items() if isinstance(value, int | float)
        }
        return {**summed, "fallbacks": before.get("fallbacks", 0) + (self.fallback is not None)}
