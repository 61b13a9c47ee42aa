"""The stand-in itself, asked by the real client."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from threading import Event
from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessage

from tests.standin.fixtures import running, standin
from tests.standin.protocol import Call, Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

HI: list[Any] = [{"role": "user", "content": "Hi"}]
LOOK = Reply("Let me see.", (Call("look", {"at": "the north star"}), Call("wait", "{broken")))


@pytest.fixture
async def client(standin: StandIn) -> AsyncIterator[openai.AsyncOpenAI]:
    """The real client."""
    async with openai.AsyncOpenAI(api_key="k", base_url=standin.url, max_retries=0) as client:
        yield client


async def ask(client: openai.AsyncOpenAI) -> ChatCompletionMessage:
    """One question."""
    completion = await client.chat.completions.create(model="m", messages=HI)
    return completion.choices[0].message


async def streamed(client: openai.AsyncOpenAI) -> list[ChatCompletionChunk]:
    """The chunks of the answer to the same question, streamed."""
    options: Any = {"include_usage": True}
    return [c async for c in await client.chat.completions.create(model="m", messages=HI, stream=True, **_on(options))]


def _on(options: dict[str, bool]) -> dict[str, Any]:
    return {"stream_options": options}


async def test_it_answers_in_the_protocol_and_keeps_a_journal(standin: StandIn, client: openai.AsyncOpenAI) -> None:
    """Words and calls come as the client expects them; each request is on record with its headers and time."""
    standin.program = lambda _asked: "Yes?"
    standin.then("First.", LOOK)
    assert (await ask(client)).content == "First."
    calls = (await ask(client)).tool_calls or []
    assert [(c.function.name, c.function.arguments) for c in calls if c.type == "function"] == [
        ("look", '{"at": "the north star"}'),
        ("wait", "{broken"),
    ]
    assert (await ask(client)).content == "Yes?"
    assert [(a.last, a.headers["authorization"]) for a in standin.journal] == [("Hi", "Bearer k")] * 3
    times = [a.at for a in standin.journal]
    assert times == sorted(times)


async def test_it_streams_the_same_answers(standin: StandIn, client: openai.AsyncOpenAI) -> None:
    """Put together, the pieces are the whole answer: words, calls, why it ended, and what it took."""
    standin.then(LOOK)
    chunks = await streamed(client)
    deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == "Let me see."
    pieces = [call for delta in deltas for call in delta.tool_calls or ()]
    arguments = ["", ""]
    for piece in pieces:
        arguments[piece.index] += (piece.function and piece.function.arguments) or ""
    assert arguments == ['{"at": "the north star"}', "{broken"]
    assert [p.function.name for p in pieces if p.id and p.function] == ["look", "wait"]
    assert len(pieces) > len(arguments), "arguments come in pieces, too"
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices][-1] == "tool_calls"
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 110


def test_a_client_without_a_loop_is_answered_as_well(standin: StandIn) -> None:
    """The package's synchronous client gets the same answer whole and streamed."""
    with openai.OpenAI(api_key="k", base_url=standin.url, max_retries=0) as client:
        whole = client.chat.completions.create(model="m", messages=HI).choices[0].message.content
        pieces: Iterator[ChatCompletionChunk] = client.chat.completions.create(model="m", messages=HI, stream=True)
        assert "".join(c.choices[0].delta.content or "" for c in pieces) == whole


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(status=429, headers={"retry-after": "1"}), openai.RateLimitError),
        (Reply(status=500), openai.InternalServerError),
        (Reply("late", held=Event()), openai.APITimeoutError),
    ],
)
async def test_it_fails_as_told(
    reply: Reply, error: type[Exception], standin: StandIn, client: openai.AsyncOpenAI
) -> None:
    """The client raises the error of a refusal or of a missing answer, streamed or not."""
    standin.then(reply, reply)
    hurried = client.with_options(timeout=0.5) if reply.held else client
    with pytest.raises(error):
        await ask(hurried)
    with pytest.raises(error):
        await streamed(hurried)


async def test_it_sends_nonsense_as_told(standin: StandIn, client: openai.AsyncOpenAI) -> None:
    """A body that is no JSON, and a stream that ends in the middle, are not taken for answers."""
    standin.then(Reply(body=b"<html>"), Reply("Half of what I wanted to say", breaks_after=2))
    with pytest.raises(Exception, match=r".+"):
        await ask(client)
    with pytest.raises(Exception, match=r".+"):
        await streamed(client)


async def test_what_is_held_comes_when_it_is_let_go(standin: StandIn, client: openai.AsyncOpenAI) -> None:
    """A held answer comes when it is released, and other requests are answered meanwhile."""
    gate = Event()
    standin.then(Reply("At last.", held=gate), "At once.")
    waiting = asyncio.create_task(ask(client))
    while not standin.journal:
        await asyncio.sleep(0.01)
    assert (await ask(client)).content == "At once."
    assert not waiting.done()
    gate.set()
    assert (await waiting).content == "At last."
