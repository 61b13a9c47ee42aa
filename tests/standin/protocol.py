"""What the stand-in is asked and what it answers: the OpenAI chat protocol, as far as clients of it can tell."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event
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
    """Seconds to wait before anything is sent."""
    held: Event | None = None
    """Nothing is sent before this is set."""
    tokens: tuple[int, int] | None = (100, 10)
    """Prompt and completion tokens; None leaves them out."""
    breaks_after: int | None = None
    """The number of chunks of a streamed answer after which the connection is closed."""

    @property
    def finish_reason(self) -> str:
        """Why the model stopped, as the protocol has it."""
        return "tool_calls" if self.calls else "stop"

    def head(self, kind: str, model: str, number: int) -> dict[str, Any]:
        """What a completion and each chunk of one begin with."""
        return {"id": f"chatcmpl-{number}", "object": kind, "created": int(time.time()), "model": model}

    def usage(self) -> dict[str, int] | None:
        """The tokens as the protocol counts them."""
        if self.tokens is None:
            return None
        asked, told = self.tokens
        return {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}

    def tool_calls(self, number: int) -> list[dict[str, Any]]:
        """The calls as the protocol has them."""
        return [_call(f"call-{number}-{i}", call) for i, call in enumerate(self.calls)]

    def payload(self, model: str, number: int) -> bytes:
        """The body of the response."""
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": "as the test wishes", "type": "test", "code": None}}).encode()
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.calls:
            message["tool_calls"] = self.tool_calls(number)
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        completion = {**self.head("chat.completion", model, number), "choices": [choice]}
        if self.tokens is not None:
            completion["usage"] = self.usage()
        return json.dumps(completion).encode()


@dataclass(frozen=True)
class Asked:
    """One request, as the journal keeps it."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float
    """When it came, by `time.monotonic`."""

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
    def tools(self) -> set[str]:
        """The names of the functions that were offered."""
        return {str(tool["function"]["name"]) for tool in self.body.get("tools", ())}

    @property
    def judging(self) -> bool:
        """Whether a verdict is wanted rather than a message."""
        return len(self.messages) == 1


def _call(name: str, call: Call) -> dict[str, Any]:
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
    return {"id": name, "type": "function", "function": {"name": call.name, "arguments": arguments}}
