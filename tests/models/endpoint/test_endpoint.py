"""Endpoints that fail, are slow, or must not be called."""

import asyncio
import gzip
import json
import time
from threading import Event
from typing import Any

import pytest

from env_server.models import EndpointRefused, Endpoints, ModelConfig, ModelUnavailable, SpendCapReached
from env_server.models.config import normal_url
from tests.standin.protocol import Reply
from tests.standin.server import StandIn
from tests.users.model.talks import Begin

ASK = [{"role": "user", "content": "Hi"}]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(status=429), "429"),
        (Reply(status=500), "500"),
        (Reply(status=401), "401"),
        (Reply("late", held=Event()), "no answer in 1 s"),
        (Reply(body=b"<html>"), "cannot be read"),
        (Reply(body=b'{"choices": []}'), "cannot be read"),
        (Reply(body=b'{"choices": [{"message": {"content": 5}}]}'), "cannot be read"),
        (Reply(body=b'{"choices": [{"message": {"tool_calls": [{}]}}]}'), "cannot be read"),
        (Reply(body=b"[]"), "cannot be read"),
        (Reply(body=b"null"), "cannot be read"),
        (Reply(body=b"[" * 100_000), "cannot be read"),
        (Reply("x" * 5_000_000), "cannot be read .*more than 4194304 bytes"),
        (Reply(status=500, body=b"x" * 5_000_000), "cannot be read .*more than"),
        (Reply(body=gzip.compress(b" " * 10_000_000), headers={"content-encoding": "gzip"}), "be read .*compressed"),
    ],
)
async def test_failures(reply: Reply, why: str, standin: StandIn, begin: Begin) -> None:
    """Every failure of an endpoint is of one kind, whose message says what happened and nothing else."""
    standin.then(reply)
    talk = begin(timeout_s=1 if reply.held else 60)
    with pytest.raises(ModelUnavailable, match=why) as failed:
        await talk.first()
    assert failed.value.asked
    assert "the-key" not in str(failed.value)
    assert (await talk.first()).content, "and the next try may succeed"


async def test_an_endpoint_that_is_not_there(begin: Begin) -> None:
    """If nobody listens at the address, the message says so."""
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await begin(base_url="http://127.0.0.1:9/v1").first()


async def test_passing_failures_are_tried_again(standin: StandIn, begin: Begin) -> None:
    """A passing failure is retried up to the set number of times, after the time that the endpoint asks for."""
    standin.then(Reply(status=429, headers={"retry-after": "0.1"}), Reply(status=503), "Hi.")
    talk = begin(retries=2)
    assert (await talk.first()).content == "Hi."
    assert len(standin.journal) == 3
    assert talk.usage["calls"] == 1


@pytest.mark.parametrize(
    ("wish", "seconds"),
    [
        ("\u00b2", None),
        ("9" * 400, 3_600),
        ("99999999999999999999", 3_600),
        ("1e30", None),
        ("nan", None),
        ("-1", None),
        ("Wed, 21 Oct 2099 07:28:00 GMT", None),
        ("12.5", 12.5),
    ],
)
async def test_what_an_endpoint_may_wish(wish: str, seconds: float | None, standin: StandIn, begin: Begin) -> None:
    """An endpoint may ask for a wait of up to an hour in seconds; any other value is ignored."""
    standin.then(Reply(status=429, headers={"retry-after": wish}))
    with pytest.raises(ModelUnavailable, match="429") as failed:
        await begin(retries=0).first()
    assert failed.value.retry_after == seconds


@pytest.mark.parametrize(
    "content", [b'"Hi \\ud800, it is me."', b'"Hi \xed\xa0\x80, it is me."', b'"Hi \xff, it is me."']
)
async def test_halves_of_characters_are_mended(content: bytes, standin: StandIn, begin: Begin) -> None:
    """Half surrogate pairs, as escapes or as bytes, are replaced, and the rest of the answer stays."""
    standin.then(Reply(body=b'{"choices": [{"message": {"content": %s}}]}' % content))
    said = (await begin().first()).content
    assert said.startswith("Hi ")
    assert said.endswith(", it is me.")
    said.encode()


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 2**63, "completion_tokens": 2**64}, False),
        ({"prompt_tokens": True, "completion_tokens": True}, False),
        ({"prompt_tokens": float("nan"), "completion_tokens": -5}, False),
        ({"prompt_tokens": "10", "completion_tokens": None}, False),
        ({"prompt_tokens": 0, "completion_tokens": 0}, False),
        ([], False),
        ({"prompt_tokens": 70, "completion_tokens": 7}, True),
    ],
)
async def test_tokens_are_counted_or_estimated(usage: Any, counted: bool, standin: StandIn, begin: Begin) -> None:
    """An impossible token count is ignored, and the tokens are estimated."""
    body = {"choices": [{"message": {"content": "Hi there, it is me."}}], "usage": usage}
    standin.then(Reply(body=json.dumps(body).encode()))
    talk = begin()
    await talk.first()
    told = talk.usage["completion_tokens"]
    assert told == (7 if counted else 1 + len("Hi there, it is me.") // 4)
    assert (talk.usage["prompt_tokens"] == 70) is counted
    assert 0 < talk.usage["prompt_tokens"] < 10_000


async def test_answers_are_asked_for_unpacked(standin: StandIn, begin: Begin) -> None:
    """Answers are requested without compression: the size of a compressed one is unknown until it is unpacked."""
    await begin().first()
    assert standin.journal[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "reply", [Reply(status=400), Reply(status=401), Reply(status=429, headers={"retry-after": "60"})]
)
async def test_other_failures_are_not(reply: Reply, standin: StandIn, begin: Begin) -> None:
    """A failure that will not pass soon is not retried; the caller learns when to try again."""
    standin.then(reply)
    with pytest.raises(ModelUnavailable) as failed:
        await begin(retries=5).first()
    assert len(standin.journal) == 1
    assert failed.value.retry_after == (60 if reply.status == 429 else None)


async def test_the_breaker(standin: StandIn, begin: Begin) -> None:
    """After some failures in a row the endpoint is not asked for a while; then one try decides for all."""
    standin.program = lambda _asked: Reply(status=500)
    talk = begin(breaker_failures=2, breaker_pause_s=0.2)
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="500"):
            await talk.first()
    with pytest.raises(ModelUnavailable, match="left alone") as refused:
        await talk.first()
    assert not refused.value.asked
    assert refused.value.retry_after is not None
    assert len(standin.journal) == 2
    await asyncio.sleep(0.25)
    standin.program = lambda _asked: Reply("Hi.", delay_s=0.1)
    tries = await asyncio.gather(*(talk.first() for _ in range(5)), return_exceptions=True)
    assert len([t for t in tries if isinstance(t, ModelUnavailable)]) == 4
    assert len(standin.journal) == 3
    assert (await talk.first()).content == "Hi."


async def test_a_probe_that_is_cancelled_leaves_the_way_to_the_next(standin: StandIn, begin: Begin) -> None:
    """If the one try is cancelled, the next caller may try."""
    standin.then(Reply(status=500), Reply("late", delay_s=1))
    talk = begin(breaker_failures=1, breaker_pause_s=0.05)
    with pytest.raises(ModelUnavailable):
        await talk.first()
    await asyncio.sleep(0.1)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(talk.first(), 0.1)
    assert (await talk.first()).content


async def test_a_caller_with_a_wrong_model_does_not_trip_the_breaker(standin: StandIn, begin: Begin) -> None:
    """An error of one request's own does not count as a failure of the endpoint."""
    talk = begin(breaker_failures=1)
    for status in (400, 404, 422):
        standin.then(Reply(status=status))
        with pytest.raises(ModelUnavailable, match=str(status)):
            await talk.first()
    assert (await talk.first()).content


async def test_the_bucket(standin: StandIn, begin: Begin) -> None:
    """Calls beyond the rate wait; retries count as calls."""
    talk = begin(calls_per_s=10.0, retries=3)
    standin.then(Reply(status=500, headers={"retry-after": "0.01"}))
    began = time.monotonic()
    await asyncio.gather(*(talk.first() for _ in range(14)))
    assert len(standin.journal) == 15
    assert time.monotonic() - began > 0.45


async def test_a_queue_that_is_too_long_is_refused(standin: StandIn, begin: Begin) -> None:
    """A caller that would wait too long is told when to come back, which counts as no failure of the user."""
    talk = begin(calls_per_s=0.03)
    await talk.first()
    with pytest.raises(ModelUnavailable, match="waiting") as refused:
        await talk.first()
    assert not refused.value.asked
    assert (refused.value.retry_after or 0) > 20


async def test_the_spend_cap(standin: StandIn, begin: Begin) -> None:
    """Once a run has spent its tokens, its users ask nothing more; failed turns count as well."""
    talk = begin(run_tokens=220)
    await talk.first()
    standin.then("", "", "")
    with pytest.raises(SpendCapReached, match="a-run"):
        await talk.agent("Hello?")
    assert len(standin.journal) == 2
    with pytest.raises(SpendCapReached):
        await talk.agent("Hello?")
    assert len(standin.journal) == 2


async def test_a_named_endpoint_gets_nothing_of_ours(standin: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another endpoint gets neither our key, our organisation nor any header meant for the server's own endpoint."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway: secret\nAuthorization: Bearer secret")
    config = ModelConfig(base_url=standin.url, api_key="sk-secret", allowed=frozenset({normal_url(standin.url)}))
    endpoints = Endpoints(config)
    await endpoints.get(standin.url).ask("m", ASK, {})
    await endpoints.get(None).ask("m", ASK, {})
    await endpoints.close()
    named, own = standin.journal
    assert "secret" not in str(named.headers)
    assert "authorization" not in named.headers
    assert "secret" in own.headers["authorization"]


async def test_a_redirect_is_not_followed(standin: StandIn, begin: Begin) -> None:
    """A redirect is an error: a listed endpoint cannot send the server to another address."""
    standin.then(Reply(status=307, headers={"location": "http://127.0.0.1:9/v1/chat/completions"}))
    with pytest.raises(ModelUnavailable, match="307"):
        await begin().first()


def test_only_listed_endpoints_are_asked() -> None:
    """An address must equal a listed one after normalisation; without a key there is no default endpoint."""
    endpoints = Endpoints(ModelConfig(allowed=frozenset({normal_url("http://Models.example:80/v1/")})))
    endpoints.check("http://models.EXAMPLE/v1")
    for url in ("http://models.example/v2", "https://models.example/v1", "http://models.example:81/v1", "file:///v1"):
        with pytest.raises(EndpointRefused):
            endpoints.check(url)
        with pytest.raises(ModelUnavailable):
            endpoints.get(url)
    with pytest.raises(EndpointRefused, match="OPENAI_API_KEY"):
        endpoints.check(None)


@pytest.mark.parametrize(
    "url", ["", "models", "ftp://h/v1", "http:///v1", "http://u:p@h/v1", "http://h/v1?x=1", "http://h:x/"]
)
def test_what_is_no_base_url(url: str) -> None:
    """A base URL with credentials or a query is refused."""
    with pytest.raises(ValueError, match=r".+"):
        normal_url(url)


def test_addresses_of_six_bytes_and_more() -> None:
    """An IPv6 address keeps its brackets."""
    assert normal_url("http://[::1]:8001/v1/") == "http://[::1]:8001/v1"
