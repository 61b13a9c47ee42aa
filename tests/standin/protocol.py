"""What the stand-in is asked and what it answers: the OpenAI chat protocol, as far as clients of it can tell."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A call that the model makes; `arguments` as text may be broken."""

    name: str
    arguments: Mapping[str, Any] | str = {}


@dataclass(frozen=True)
class Reply:
    """One answer: words, calls, an error, or anything else that an endpoint might send."""

    content: str | None = None
    calls: tuple[Call, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Sent as it stands, instead of everything above."""
    delay_s: float = 0.0
    tokens: tuple[int, int] | None = (100, 10)
    """Prompt and completion tokens; None leaves them out."""

    def payload(self, model: str, number: int) -> bytes:
        """The body of the response."""
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": "as the test wishes", "type": "test", "code": None}}).encode()
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.calls:
            message["tool_calls"] = [_call(f"call-{number}-{i}", call) for i, call in enumerate(self.calls)]
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if self.calls else "stop"}
        completion = {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": model,
            "choices": [choice],
        }
        if self.tokens is not None:
            asked, told = self.tokens
            completion["usage"] = {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}
        return json.dumps(completion).encode()


@dataclass(frozen=True)
class Asked:
    """One request, as the journal keeps it."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation that was sent."""
        found: list[dict[str, Any]] = self.body["messages"]
        return found

    @property
    def last(self) -> str:
        """The last message's content."""
        return str(self.messages[-1]["content"])

    @property
    def judging(self) -> bool:
        """Whether a verdict is wanted rather than a message."""
        return len(self.messages) == 1


def _call(name: str, call: Call) -> dict[str, Any]:
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
    return {"id": name, "type": "function", "function": {"name": call.name, "arguments": arguments}}
