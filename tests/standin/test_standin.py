"""The stand-in itself, asked by the real client."""

import openai
import pytest

from tests.standin.protocol import Call, Reply
from tests.standin.server import StandIn


async def ask(standin: StandIn) -> openai.types.chat.ChatCompletionMessage:
    """One question."""
    async with openai.AsyncOpenAI(api_key="k", base_url=standin.url, max_retries=0, timeout=0.5) as client:
        completion = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
    return completion.choices[0].message


async def test_it_answers_in_the_protocol_and_keeps_a_journal() -> None:
    """Words and calls come as the client expects them; each request is on record with its headers."""
    with StandIn("Yes?").then("First.", Reply(calls=(Call("look", {"at": 1}),))) as standin:
        assert (await ask(standin)).content == "First."
        calls = (await ask(standin)).tool_calls or []
        assert [(c.function.name, c.function.arguments) for c in calls if c.type == "function"] == [
            ("look", '{"at": 1}')
        ]
        assert (await ask(standin)).content == "Yes?"
        assert [(a.last, a.headers["authorization"]) for a in standin.journal] == [("Hi", "Bearer k")] * 3


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(status=429, headers={"retry-after": "1"}), openai.RateLimitError),
        (Reply(status=500), openai.InternalServerError),
        (Reply("late", delay_s=2), openai.APITimeoutError),
        (Reply(body=b"<html>"), Exception),
    ],
)
async def test_it_fails_as_told(reply: Reply, error: type[Exception]) -> None:
    """Refusals, delays and broken bodies reach the client as such."""
    with StandIn().then(reply) as standin, pytest.raises(error):
        await ask(standin)
