"""Detection of refusals caused by a conversation that is too long, with the real client over a real socket."""

import json
from typing import Any

import pytest

from env_server.models import ModelConfig, Models, ModelUnavailable
from env_server.policies.refusals import is_too_long
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

TOO_LONG = [
    {"message": "no words", "code": "context_length_exceeded"},
    {"message": "Please reduce the length.", "code": "context_length_exceeded", "param": "messages"},
    {"message": "This model's maximum context length is 8 tokens. However, you requested 9 tokens.", "code": 400},
    {"message": "The decoder prompt (length 9) is longer than the maximum model length of 8.", "code": 400},
    {"message": "The input (9 tokens) is longer than the model's context length (8 tokens)."},
    {"message": "the request exceeds the available context size", "type": "exceed_context_size_error", "code": 400},
    {"message": "prompt is too long: 9 tokens > 8 maximum", "type": "invalid_request_error"},
    {"message": "input length and `max_tokens` exceed context limit: 9 + 1 > 8"},
    {"message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."},
    {"message": "Input validation error: `inputs` must have less than 8 tokens. Given: 9"},
    {"message": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8. Given: 9 inputs tokens"},
]
OTHERWISE: list[Any] = [
    {"message": "Invalid 'tools[3].function.description': string too long. Expected at most 1024, got 1203."},
    {"message": "Invalid 'messages[2].tool_calls[0].id': string too long.", "code": "string_above_max_length"},
    {"message": "max_completion_tokens is too large: 9. This model supports at most 8 completion tokens; exceeds."},
    {"message": "'max_tokens' or 'max_completion_tokens' is too large: 9. This model's maximum context length is 8."},
    {"message": "This model's maximum context length is 8 tokens.", "param": "max_tokens"},
    {"message": "maximum context length", "param": "tools[0].function.parameters", "code": "context_length_exceeded"},
    {"message": "Rate limit reached: too many tokens per minute.", "code": "rate_limit_exceeded"},
    {"message": "as the test wishes", "code": None},
    {"message": None, "param": 7},
    "Request Entity Too Large",
    None,
    [],
]


async def refused(standin: StandIn, status: int, body: bytes) -> BaseException | None:
    """Return the client's interpretation of a refusal."""
    standin.then(Reply(status=status, body=body))
    models = Models(ModelConfig(standin.url, "sk-policy", retries=0))
    try:
        with pytest.raises(ModelUnavailable) as failed:
            await models.asker("m").ask([{"role": "user", "content": "Hi."}])
    finally:
        await models.close()
    return failed.value.__cause__


@pytest.mark.parametrize("error", TOO_LONG)
async def test_a_conversation_that_is_too_long_is_recognised(standin: StandIn, error: dict[str, Any]) -> None:
    """Recognised by the code, or by the words if there is no code, within `error` or bare, and only for this status."""
    assert is_too_long(await refused(standin, 400, json.dumps({"error": error}).encode()))
    assert is_too_long(await refused(standin, 422, json.dumps({"object": "error", **error}).encode()))
    assert not is_too_long(await refused(standin, 401, json.dumps({"error": error}).encode()))


@pytest.mark.parametrize("error", OTHERWISE)
async def test_other_refusals_are_not(standin: StandIn, error: Any) -> None:
    """Errors about a name, a description, a limit or a body that is too large are not about the conversation."""
    assert not is_too_long(await refused(standin, 400, json.dumps({"error": error}).encode()))
    assert not is_too_long(await refused(standin, 413, json.dumps(error).encode()))


async def test_what_is_no_refusal_is_not(standin: StandIn) -> None:
    """A closed connection and an answer that is no JSON say nothing about the length."""
    assert not is_too_long(None)
    assert not is_too_long(TimeoutError())
    assert not is_too_long(await refused(standin, 413, b"<html>413 Request Entity Too Large</html>"))
