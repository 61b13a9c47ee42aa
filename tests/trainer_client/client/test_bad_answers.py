"""Answers that a client cannot use: damaged, of another shape, about another episode, or in a newer server's words."""

import json
import pickle
from typing import Any

import pytest

from agent_env_schemas import ErrorCode, Problem
from tests.trainer_client.client.test_client import LOOK
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.proxy import Proxy, answer
from trainer_client import AsyncClient, Client, ServerError
from trainer_client.client.errors import BadAnswer, Damaged

JSON = "application/json"

DAMAGED = {
    "cut off": answer(200, b'{"domains":[', content_type=JSON),
    "no UTF-8": answer(200, '{"domains":[]}'.encode("utf-16"), content_type="application/json; charset=nonsense"),
    "no gzip": answer(200, b"no gzip", content_type=JSON, content_encoding="gzip"),
    "empty": answer(200, b"", content_type=JSON),
    "nested too deep": answer(200, b"[" * 10_000, content_type=JSON),
}

FOREIGN = {
    "a page": answer(200, b"<h1>Welcome</h1>", content_type="text/html"),
    "of no type": answer(200, b"<h1>Welcome</h1>"),
    "no gzip": answer(200, b"no gzip", content_type="text/html", content_encoding="gzip"),
}


@pytest.mark.parametrize("came", DAMAGED.values(), ids=DAMAGED)
async def test_a_damaged_answer_is_asked_for_again(proxy: Proxy, came: bytes) -> None:
    """With patience the call succeeds in the end; without, the error names the address and the status."""
    proxy.fails += [came]
    with Client(proxy.url, "secret") as client:
        assert client.domains().domains
    proxy.fails += [came, came]
    with Client(proxy.url, "secret", patience_s=0) as client, pytest.raises(ServerError) as caught:
        client.domains()
    async with AsyncClient(proxy.url, "secret", patience_s=0) as other:
        with pytest.raises(ServerError) as same:
            await other.domains()
    for error in (caught.value, same.value, pickle.loads(pickle.dumps(caught.value))):
        assert isinstance(error, Damaged)
        assert str(error).startswith(f"HTTP 200: GET {proxy.url}/domains")
        assert error.retryable


@pytest.mark.parametrize("came", FOREIGN.values(), ids=FOREIGN)
async def test_somebody_elses_page_is_an_error_at_once(proxy: Proxy, came: bytes) -> None:
    """An answer that is not even marked as JSON comes from a wrong address, so a retry would bring it again."""
    proxy.fails += [came] * 2
    with Client(proxy.url, "secret") as client, pytest.raises(BadAnswer, match=r"\(content type: ") as caught:
        client.domains()
    async with AsyncClient(proxy.url, "secret") as other:
        with pytest.raises(BadAnswer, match=r"\(content type: "):
            await other.domains()
    assert str(caught.value).startswith(f"HTTP 200: GET {proxy.url}/domains")
    assert (caught.value.retryable, len(proxy.requests)) == (False, 2)


def test_a_damaged_problem_keeps_its_status(proxy: Proxy) -> None:
    """If the body of a gateway's error cannot be read, its status still makes it retryable."""
    proxy.fails += [answer(502, b"no gzip", content_encoding="gzip")]
    with Client(proxy.url, "secret", patience_s=0) as client, pytest.raises(ServerError) as caught:
        client.domains()
    assert (caught.value.status, caught.value.retryable) == (502, True)


@pytest.mark.parametrize("body", [b"[]", b"null", b'{"domains":7}', b'{"other":"server"}'])
def test_another_shape_is_an_error_at_once(proxy: Proxy, body: bytes) -> None:
    """JSON that is no reply would come again, so the call is not retried."""
    proxy.fails += [answer(200, body)] * 2
    with Client(proxy.url, "secret") as client, pytest.raises(ServerError, match="gave no DomainList") as caught:
        client.domains()
    assert (caught.value.status, caught.value.retryable, len(proxy.requests)) == (200, False, 1)
    assert f"GET {proxy.url}/domains" in str(caught.value)


def test_a_reply_about_something_else_is_no_reply(proxy: Proxy) -> None:
    """Another episode's or another turn's reply is refused, and the handle stays where it was."""
    with Client(proxy.url, "secret") as client:
        episode, other = (client.reset("retail", split="test", index=i) for i in range(2))
        reply = other.step(LOOK).model_dump(mode="json")
        for wrong in ({}, {"episode_id": episode.id, "turn": 2}):
            proxy.fails += [answer(200, json.dumps({**reply, **wrong}).encode())]
            with pytest.raises(BadAnswer, match="gave another StepReply"):
                episode.step(LOOK)
        proxy.fails += [answer(200, json.dumps({"results": [reply]}).encode())]
        assert isinstance(client.batch_step([(episode, LOOK)])[0], BadAnswer)
        for named in (client.trajectory, client.state, client.diff, client.episode):
            found = named(other.id)
            proxy.fails += [answer(200, found.model_dump_json().encode())]
            with pytest.raises(BadAnswer, match="episode_id"):
                named(episode.id)
        assert (episode.turn, len(episode.messages)) == (0, 2)
        assert episode.step(LOOK).turn == 1


def test_a_batch_has_as_many_results_as_items(proxy: Proxy) -> None:
    """A wrong number of results is an error that names their episodes; a malformed result is its own item's error."""
    with Client(proxy.url, "secret") as client:
        one, two = (client.reset("retail", split="test", index=i) for i in range(2))
        proxy.fails += [answer(200, b'{"results":[]}')]
        with pytest.raises(BadAnswer, match="0 results for 2 items"):
            client.batch_step([(one, LOOK), (two, LOOK)])
        begun = json.dumps({"results": [one.reply.model_dump(mode="json")]}).encode()
        proxy.fails += [answer(200, begun)]
        with pytest.raises(BadAnswer, match="1 results for 2 items") as caught:
            client.batch_reset([{"domain": "retail"}] * 2)
        assert one.id in caught.value.text
        proxy.fails += [answer(200, b'{"results":[{"code":7},{"no":"reply"}]}')]
        assert all(isinstance(found, BadAnswer) for found in client.batch_step([(one, LOOK), (two, LOOK)]))
        assert (one.turn, two.turn) == (0, 0)


async def test_a_group_has_as_many_episodes_as_were_asked_for(proxy: Proxy, patient: AsyncClient) -> None:
    """A smaller group is an error that names the episodes that began, and does not pass in silence."""
    with Client(proxy.url, "secret") as client:
        group = client.reset_group("retail", 2, split="test", index=0)
        replies = [episode.reply.model_dump(mode="json") for episode in group]
        came = json.dumps({"group_id": group[0].reply.info.group_id, "episodes": replies}).encode()
        proxy.fails += [answer(200, came)] * 2
        with pytest.raises(BadAnswer, match="2 episodes for a group of 3") as caught:
            client.reset_group("retail", 3, split="test", index=0)
        with pytest.raises(BadAnswer, match="2 episodes for a group of 1"):
            await patient.reset_group("retail", 1, split="test", index=0)
    assert group[1].id in caught.value.text


def _newer(reply: dict[str, Any]) -> bytes:
    message = {**reply["observation"][0], "role": "supervisor"}
    return answer(200, json.dumps({**reply, "observation": [message], "stop_reason": "bored"}).encode())


@pytest.mark.filterwarnings("error")
def test_words_of_a_newer_server_stay_text(proxy: Proxy) -> None:
    """A role, a stop reason and a code that this version does not know are read, kept and passed on as text."""
    with Client(proxy.url, "secret") as client:
        episode = client.reset("retail", split="test", index=0)
        reply = episode.step(LOOK).model_dump(mode="json")
        episode.turn = 0
        proxy.fails += [_newer(reply)]
        newer = episode.step(LOOK)
        assert (newer.stop_reason, newer.observation[0].role) == ("bored", "supervisor")
        assert json.loads(newer.model_dump_json()) == newer.model_dump() != reply
        assert episode.messages[-1]["role"] == "supervisor"
        proxy.fails += [answer(418, problem(ErrorCode.INTERNAL, 418, retryable=True).replace(b"internal", b"teapot"))]
        assert client.domains().domains  # the problem says itself that it may pass
        record = client.trajectory(episode.id).model_dump(mode="json")
        record["turns"][0]["parts"][0]["part"] = "referee"
        record["episode"]["purpose"] = "demo"
        proxy.fails += [answer(200, json.dumps(record).encode())]
        found = client.trajectory(episode.id)
    assert (found.turns[0].parts[0].part, found.episode.purpose) == ("referee", "demo")


def test_the_server_itself_takes_no_such_words() -> None:
    """Unknown words are accepted only when another version's data is read; the server refuses them in requests."""
    fields = {"title": "", "status": 418, "detail": "", "code": "teapot", "retryable": False}
    with pytest.raises(ValueError, match="code"):
        Problem.model_validate(fields)
