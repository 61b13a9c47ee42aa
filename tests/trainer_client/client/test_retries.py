"""The clients when the connection to the server fails: nothing is lost and nothing runs twice."""

import json
import pickle
import time

import httpx2
import pytest

from agent_env_schemas import EpisodeReply, ErrorCode, ResetRequest, StepReply
from tests.trainer_client.client.test_client import LOOK, WORDS
from tests.trainer_client.proxy import DROP, SWALLOW, Proxy, answer
from trainer_client import AsyncClient, Client, ServerError


def problem(code: ErrorCode, status: int, *, retryable: bool) -> bytes:
    """A problem document."""
    fields = {"title": "Told", "status": status, "detail": "a test says so", "code": code, "retryable": retryable}
    return json.dumps(fields).encode()


BUSY = answer(503, problem(ErrorCode.STORAGE_UNAVAILABLE, 503, retryable=True))
GATEWAY = answer(502, b"<h1>Bad gateway</h1>")


def test_a_turn_whose_answer_was_lost_is_played_once(proxy: Proxy) -> None:
    """The connection breaks after the server committed: the retry gets the stored reply, and it is one turn."""
    with Client(proxy.url, "secret") as client:
        episode = client.reset("retail", split="test", index=0)
        proxy.fails += [SWALLOW, DROP, SWALLOW]
        assert episode.step(LOOK).turn == 1
        assert not proxy.fails
        proxy.fails += [SWALLOW]
        assert episode.step(WORDS).turn == 2
        record = episode.trajectory()
    assert [t.turn for t in record.turns] == [1, 2]


def test_a_reset_whose_answer_was_lost_begins_one_episode(proxy: Proxy) -> None:
    """All attempts carry the same key, so one group, one episode and one fork begin; a next reset has a next key."""
    with Client(proxy.url, "secret") as client:
        proxy.fails += [SWALLOW, DROP]
        group = client.reset_group("retail", 2, split="test", index=0, run="lost")
        proxy.fails += [SWALLOW]
        fork = group[0].fork()
        assert client.episodes(run="lost", forks=True).total == 3
        assert client.reset("retail", split="test", index=0, run="lost").id not in {fork.id, *(e.id for e in group)}
    sent = [r.partition(b"\r\n\r\n")[2] for r in proxy.requests if r.startswith(b"POST /reset")]
    assert len(sent) == 4
    assert len(set(sent)) == 2


async def test_the_async_client_is_as_safe(proxy: Proxy, patient: AsyncClient) -> None:
    """Reset, step, the user's part and close survive lost answers, and each happened once."""
    proxy.fails += [SWALLOW]
    user = {"strategy": "external", "first_message": "Hi."}
    episode = await patient.reset("retail", split="test", index=0, user=user)
    proxy.fails += [SWALLOW]
    await episode.step(WORDS)
    proxy.fails += [SWALLOW]
    await episode.user("My name is Yusuf.")
    proxy.fails += [SWALLOW]
    await episode.close()
    record = await episode.trajectory()
    assert [[p.part for p in t.parts] for t in record.turns] == [["agent", "user"], ["agent"]]
    assert episode.done


def test_retryable_problems_and_gateways_are_tried_again(proxy: Proxy) -> None:
    """A retryable problem and a proxy's 502 or 500 are tried again; a defect of the server is not."""
    with Client(proxy.url, "secret") as client:
        proxy.fails += [BUSY, GATEWAY, answer(500, b"Internal Server Error")]
        assert client.domains().domains
        proxy.fails += [answer(500, problem(ErrorCode.INTERNAL, 500, retryable=False))]
        with pytest.raises(ServerError):
            client.domains()
    assert len(proxy.requests) == 5


def test_other_problems_are_not_tried_again(proxy: Proxy) -> None:
    """A refusal is raised at once, and can be pickled for another process."""
    with Client(proxy.url, "secret") as client, pytest.raises(ServerError) as caught:
        client.reset("retail", task_id="no such task")
    assert len(proxy.requests) == 1
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code, again.retryable) == (str(caught.value), ErrorCode.NOT_FOUND, False)


def test_retry_after_is_honoured(proxy: Proxy) -> None:
    """The next attempt comes after as many seconds as the server asked for."""
    told = answer(503, problem(ErrorCode.USER_UNAVAILABLE, 503, retryable=True), retry_after="1")
    with Client(proxy.url, "secret") as client:
        proxy.fails += [told]
        began = time.monotonic()
        assert client.domains().domains
    assert time.monotonic() - began >= 1.0


def test_patience_ends(proxy: Proxy) -> None:
    """Without patience one attempt is made; an unreachable server is an httpx2 error."""
    with Client(proxy.url, "secret", patience_s=0) as client:
        proxy.fails += [DROP]
        with pytest.raises(httpx2.TransportError):
            client.domains()
        proxy.fails += [BUSY]
        with pytest.raises(ServerError) as caught:
            client.domains()
    assert caught.value.retryable
    assert len(proxy.requests) == 2


def test_of_a_batch_only_what_failed_is_sent_again(proxy: Proxy) -> None:
    """Only items with a retryable problem are sent again; other results stay."""
    with Client(proxy.url, "secret") as client:
        requests = [ResetRequest(domain="retail", split="test", index=i) for i in range(2)]
        proxy.fails += [SWALLOW]
        one, two = client.batch_reset(requests)
        assert not isinstance(one, ServerError)
        assert not isinstance(two, ServerError)
        played = one.step(LOOK).model_dump_json().encode()
        busy = problem(ErrorCode.TURN_CLAIMED, 409, retryable=True)
        one.turn = 0
        proxy.fails += [answer(200, b'{"results":[%s,%s]}' % (played, busy))]
        found = client.batch_step([(one, LOOK), (two, LOOK)])
    assert [r.turn for r in found if isinstance(r, StepReply)] == [1, 1]
    items = json.loads(proxy.requests[-1].partition(b"\r\n\r\n")[2])["items"]
    assert [item["episode_id"] for item in items] == [two.id]


def test_what_a_batch_has_played_is_not_lost_with_the_rest(proxy: Proxy) -> None:
    """One item is played, another is retryable, and then the connection breaks for good: both items have results."""
    with Client(proxy.url, "secret", patience_s=0.3) as client:
        one, two = (client.reset("retail", split="test", index=i) for i in range(2))
        played = one.step(LOOK).model_dump_json().encode()
        one.turn = 0
        proxy.fails += [
            answer(200, b'{"results":[%s,%s]}' % (played, problem(ErrorCode.TURN_CLAIMED, 409, retryable=True)))
        ]
        proxy.fails += [DROP] * 50
        found = client.batch_step([(one, LOOK), (two, LOOK)])
        proxy.fails.clear()
    assert isinstance(found[0], StepReply)
    assert isinstance(found[1], ServerError)
    assert found[1].retryable
    assert (one.turn, two.turn) == (1, 0)


def test_what_a_newer_server_adds_is_ignored(proxy: Proxy) -> None:
    """Unknown fields of a reply do not break an older client, nor does an unknown code of a problem."""
    with Client(proxy.url, "secret") as client:
        reply = client.reset("retail", split="test", index=0).reply
        newer = {**reply.model_dump(mode="json"), "info": {**reply.info.model_dump(mode="json"), "later": 1}, "more": 2}
        proxy.fails += [answer(200, json.dumps(newer).encode())]
        assert EpisodeReply.model_validate(client.reset("retail").reply) == reply
        strange = json.dumps({"code": "from_tomorrow", "status": 418, "title": "", "detail": "", "retryable": False})
        proxy.fails += [answer(418, strange.encode())]
        with pytest.raises(ServerError, match="from_tomorrow"):
            client.domains()
