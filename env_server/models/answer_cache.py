"""A cache of answers, so that the same question is not asked and paid for again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import orjson

from env_server.models.answer import Message, ModelAnswer, ToolCall


class AnswerCache(Protocol):
    """A store of answers by the digest of their question. The cache of a server outlives it and is shared by its
    processes.
    """

    def recall(self, digest: str) -> str | None:
        """Return the stored answer, or None."""

    async def keep(self, digest: str, text: str) -> None:
        """Store an answer; an earlier answer for the same digest stays."""


def digest_of(
    endpoint: str,
    model: str,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
    scope: str,
    occurrence: int,
) -> str:
    """Return the key of a question: SHA-256 of all inputs that may change its answer.

    `scope` separates askers that ask the same question and need separate answers (the trials of a task, the members of
    a group); `occurrence` is how often the asker has asked this question before.
    """
    asked = [endpoint, model, list(messages), dict(parameters), scope, occurrence]
    # The standard library's JSON: an agent's message may hold a lone surrogate, which orjson refuses.
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def written(answer: ModelAnswer) -> str:
    """Return an answer as text."""
    calls = [list(call) for call in answer.calls]
    return orjson.dumps([answer.content, calls, answer.prompt_tokens, answer.completion_tokens]).decode()


def read(text: str) -> ModelAnswer:
    """Return the answer that `written` wrote."""
    content, calls, asked, told = orjson.loads(text)
    return ModelAnswer(content, tuple(ToolCall(*call) for call in calls), asked, told)
