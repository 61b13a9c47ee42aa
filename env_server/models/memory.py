"""Answers that are kept, so that the same question need not be asked and paid for again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import orjson

from env_server.models.answer import Message, ModelAnswer, ToolCall


class AnswerCache(Protocol):
    """Keeps answers by the digest of their question; those of a server survive it and are shared by its processes."""

    def recall(self, digest: str) -> str | None:
        """The kept answer."""

    async def keep(self, digest: str, text: str) -> None:
        """Keep an answer; the first one stays."""


def digest_of(
    endpoint: str,
    model: str,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
    scope: str,
    occurrence: int,
) -> str:
    """What a question is known by: SHA-256 of all that may change its answer.

    `scope` tells apart those who ask the same and want answers of their own (the trials of a task, the members of a
    group); `occurrence` is how often the asker has asked this very question before.
    """
    asked = [endpoint, model, list(messages), dict(parameters), scope, occurrence]
    # The standard library's: an agent's words may hold half a character, which orjson refuses.
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def written(answer: ModelAnswer) -> str:
    """An answer as text."""
    calls = [list(call) for call in answer.calls]
    return orjson.dumps([answer.content, calls, answer.prompt_tokens, answer.completion_tokens]).decode()


def read(text: str) -> ModelAnswer:
    """The answer that `written` wrote."""
    content, calls, asked, told = orjson.loads(text)
    return ModelAnswer(content, tuple(ToolCall(*call) for call in calls), asked, told)
