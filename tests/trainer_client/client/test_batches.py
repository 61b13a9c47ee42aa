"""Batches that need several requests: how they are split, how long they take, and which results are kept."""

import json

import httpx2
import pytest

from agent_env_schemas import ErrorCode, ResetRequest, StepReply
from env_server.settings import Settings
from tests.trainer_client.client.test_client import LOOK
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.proxy import DROP, Proxy, answer
from trainer_client import AsyncClient, Client, Episode, ServerError
from trainer_client.client.batch import LARGEST_BYTES

REQUESTS = [ResetRequest(domain="retail", split="test", index=i) for i in range(3)]
CLAIMED = answer(200, b'{"results":[%s]}' % problem(ErrorCode.TURN_CLAIMED, 409, retryable=True))
REFUSED = answer(413, problem(ErrorCode.BODY_TOO_LARGE, 413, retryable=False))


def sent(proxy: Proxy, name: str) -> list[list[object]]:
    """The field `name` of each item of each batch that was sent."""
    bodies = [r.partition(b"\r\n\r\n")[2] for r in proxy.requests if r.startswith(b"POST /batch/")]
    return [[item[name] for item in json.loads(body)["items"]] for body in bodies]


def test_what_a_server_takes_by_default_is_enough() -> None:
    """A full request fits, with room for the rest of its body."""
    assert Settings.model_fields["max_batch_bytes"].default > LARGEST_BYTES


def test_long_actions_go_in_several_requests(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """No request holds more bytes than a server takes, unless one item alone does; every item has its own reply."""
    monkeypatch.setattr("trainer_client.client.batch.LARGEST_BYTES", 2500)
    with Client(proxy.url, "secret") as client:
        episodes = client.reset_group("retail", 5, split="test", index=0)
        lengths = (1000, 1000, 1000, 3000, 100)
        found = client.batch_step([(e, "x" * length) for e, length in zip(episodes, lengths, strict=True)])
    assert [[len(str(action)) for action in actions] for actions in sent(proxy, "action")] == [
        [1000, 1000],
        [1000],
        [3000],
        [100],
    ]
    assert [r.episode_id for r in found if isinstance(r, StepReply)] == [e.id for e in episodes]


async def test_all_requests_share_one_patience(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the first request uses up the patience, each of the others is tried once."""
    monkeypatch.setattr("trainer_client.client.batch.LARGEST", 1)
    proxy.fails += [CLAIMED] * 100
    with Client(proxy.url, "secret", patience_s=0.2) as client:
        found = client.batch_reset(REQUESTS)
    tried = [index for (index,) in sent(proxy, "index")]
    proxy.requests.clear()
    async with AsyncClient(proxy.url, "secret", patience_s=0.2) as other:
        same = await other.batch_reset(REQUESTS)
    again = [index for (index,) in sent(proxy, "index")]
    for indices in (tried, again):
        assert (indices[:2], indices[-2:]) == ([0, 0], [1, 2])
        assert set(indices[:-2]) == {0}
    assert all(isinstance(result, ServerError) and result.retryable for result in [*found, *same])


def test_an_item_waits_as_long_as_it_is_told(proxy: Proxy) -> None:
    """Items of a batch have their own `retry_after`: those that may be sent again soon do not wait for the others."""
    soon = problem(ErrorCode.TURN_CLAIMED, 409, retryable=True)
    late = json.dumps({**json.loads(problem(ErrorCode.QUOTA_EXCEEDED, 429, retryable=True)), "retry_after": 60})
    proxy.fails += [answer(200, b'{"results":[%s,%s,%s]}' % (late.encode(), soon, late.encode()))]
    with Client(proxy.url, "secret", patience_s=20.0) as client:
        found = client.batch_reset(REQUESTS)
    assert sent(proxy, "index") == [[0, 1, 2], [1]]
    assert [type(result) for result in found] == [ServerError, Episode, ServerError]
    assert [result.retry_after for result in found if isinstance(result, ServerError)] == [60.0, 60.0]


def test_a_refused_request_is_its_own_error(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """If one request is refused, the others are played. If all are refused, the first refusal is raised."""
    monkeypatch.setattr("trainer_client.client.batch.LARGEST", 1)
    with Client(proxy.url, "secret") as client:
        proxy.fails += [REFUSED]
        found = client.batch_reset(REQUESTS)
        proxy.fails += [REFUSED] * 3
        with pytest.raises(ServerError) as caught:
            client.batch_reset(REQUESTS)
        assert client.batch_reset([]) == []
    assert [type(result) for result in found] == [ServerError, Episode, Episode]
    assert (caught.value.code, len(proxy.requests)) == (ErrorCode.BODY_TOO_LARGE, 6)


def test_a_batch_of_several_requests_keeps_what_began(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of three requests fails for good: the first's episode is returned, and the third is not tried."""
    monkeypatch.setattr("trainer_client.client.batch.LARGEST", 1)
    requests = [ResetRequest(domain="retail", split="test", index=i, run="split") for i in range(3)]
    with Client(proxy.url, "secret", patience_s=0) as client:
        begun = [client.reset("retail", split="test", index=i) for i in range(2)]
        played = begun[0].step(LOOK).model_dump_json().encode()
        begun[0].turn = 0
        proxy.fails += [answer(200, b'{"results":[%s]}' % played), DROP]
        stepped = client.batch_step([(episode, LOOK) for episode in begun])
        assert isinstance(stepped[0], StepReply)
        assert isinstance(stepped[1], ServerError)
        before = len(proxy.requests)
        one = client.batch_reset(requests[:1])
        proxy.fails += [answer(200, _results(one[0])), DROP]
        found = client.batch_reset(requests)
    assert [type(result) for result in found] == [Episode, ServerError, ServerError]
    assert len(proxy.requests) - before == 3
    with Client(proxy.url, "secret", patience_s=0) as client:
        proxy.fails += [DROP]
        with pytest.raises(httpx2.TransportError):
            client.batch_reset(requests)


def _results(begun: object) -> bytes:
    assert isinstance(begun, Episode)
    return b'{"results":[%s]}' % begun.reply.model_dump_json().encode()
