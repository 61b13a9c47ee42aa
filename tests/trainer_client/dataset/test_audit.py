"""Audits with failures: what happens to the failed task, to the others, and to their episodes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from agent_env_schemas import ErrorCode
from tests.e2e.server import Server
from tests.reference import small_shop
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.proxy import Proxy, answer
from trainer_client import Client, ServerError
from trainer_client.dataset import Preparation, prepare
from trainer_client.dataset.audit import Auditor, Drop, Reason, Verdict
from trainer_client.skyrl.own_task import DEEPEST, SourceCall, SourceTask

DEFECT = problem(ErrorCode.INTERNAL, 500, retryable=False)
ORDER = {"order_id": "#W6204781", "reason": "ordered by mistake"}


class Broken(Proxy):
    """A proxy before a server that has a defect in one endpoint."""

    def __init__(self, port: int, endpoint: bytes) -> None:
        super().__init__(port)
        self.endpoint = endpoint

    def choose(self, request: bytes) -> str | bytes | None:
        """An error instead of that endpoint's answer."""
        return answer(500, DEFECT) if request.startswith(b"POST " + self.endpoint) else None


class Meddling(Proxy):
    """The way to a server on which somebody ends the first episode of the first batch of steps."""

    def choose(self, request: bytes) -> str | bytes | None:
        """Pass everything on, a little later."""
        if request.startswith(b"POST /batch/step") and not any(
            r.startswith(b"POST /batch/step") for r in self.requests[:-1]
        ):
            played = json.loads(request.partition(b"\r\n\r\n")[2])["items"][0]["episode_id"]
            with Client(f"http://127.0.0.1:{self.upstream}", "secret") as client:
                client.close_episode(played)
        return None


def task(position: int, **arguments: Any) -> SourceTask:
    """A task of retail that cancels an order. It is sound, unless `arguments` put another call before."""
    calls = (SourceCall("cancel_pending_order", arguments),) if arguments else ()
    return SourceTask(position, "retail", f"Task {position}.", (*calls, SourceCall("cancel_pending_order", ORDER)))


def audited(url: str, tasks: list[SourceTask], pack: str = "builtin", **options: bool) -> list[Verdict]:
    """The verdict on each of `tasks`."""
    with Client(url, "secret", patience_s=0) as client:
        return list(Auditor(client, pack, **options).audit(tasks))


@contextmanager
def none_left_open(server: Server) -> Iterator[None]:
    """Assert that as many episodes are open afterwards as before."""
    with Client(server.url, "secret") as client:
        before = client.episodes(done=False, limit=1).total
        yield
        assert client.episodes(done=False, limit=1).total == before


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a shop of tau-bench, whose tasks may have calls that fail."""
    folder = tmp_path_factory.mktemp("shop")
    settings = {"API_KEYS": "trainer:secret", "DOMAINS": "retail", "TAU1_DIR": str(small_shop.shop(folder))}
    running = Server(folder / "env.db", settings).start()
    yield running
    running.kill()


def bought(*arguments: dict[str, Any]) -> SourceTask:
    """A task of that shop whose gold is a call of `cancel_pending_order` with each of these arguments."""
    calls = (SourceCall("cancel_pending_order", each) for each in arguments)
    return SourceTask(0, "retail", "Cancel it.", tuple(calls))


@pytest.mark.parametrize("allowed", [False, True])
def test_a_call_that_cannot_be_read_fails(shop: Server, allowed: bool) -> None:
    """The server then makes none of gold's calls, so the task is dropped even if failing calls are allowed."""
    unread = bought({"order_id": 10**30, "reason": "x"}, small_shop.CANCEL)
    dropped, sound = audited(shop.url, [unread, bought(small_shop.CANCEL)], "tau1", allow_failing_calls=allowed)
    assert isinstance(dropped, Drop)
    assert dropped.reason is Reason.GOLD_FAILS
    assert dropped.detail.startswith("Argument 'order_id' of 'cancel_pending_order' is an integer of more than 64 bits")
    assert not isinstance(sound, Drop)


def test_calls_that_fail_may_be_let_through(shop: Server) -> None:
    """Failing calls pass on request, if the pack has them on purpose and gold changes the state in the end."""
    gone = {**small_shop.CANCEL, "order_id": "#W0"}
    mixed, useless = bought(gone, small_shop.CANCEL), bought(gone)
    strict = audited(shop.url, [mixed, useless], "tau1")
    assert [v.reason for v in strict if isinstance(v, Drop)] == [Reason.GOLD_FAILS] * 2
    kept, dropped = audited(shop.url, [mixed, useless], "tau1", allow_failing_calls=True)
    assert not isinstance(kept, Drop)
    assert isinstance(dropped, Drop)
    assert dropped.reason is Reason.GOLD_CHANGES_NOTHING


def test_arguments_as_deep_as_a_task_may_have_spoil_no_batch(server: Server) -> None:
    """The server reads the request and refuses only the task whose tool has no such argument."""
    deep: dict[str, Any] = {}
    for _ in range(DEEPEST - 2):
        deep = {"in": deep}
    dropped, sound = audited(server.url, [task(0, **ORDER, deep=deep), task(1)])
    assert isinstance(dropped, Drop)
    assert "deep" in dropped.detail
    assert "levels" not in dropped.detail
    assert not isinstance(sound, Drop)


def test_a_task_that_is_refused_on_the_way_is_one_verdict(server: Server) -> None:
    """The other tasks are played to their ends."""
    with none_left_open(server), Meddling(server.port) as proxy:
        refused, *others = audited(proxy.url, [task(i) for i in range(3)])
    assert isinstance(refused, Drop)
    assert (refused.reason, refused.detail.partition(" ")[0]) == (Reason.REFUSED, "episode_over")
    assert not any(isinstance(each, Drop) for each in others)


def test_a_server_with_a_defect_is_left_with_nothing_open(server: Server) -> None:
    """The audit fails, and closes every episode that it began."""
    with (
        none_left_open(server),
        Broken(server.port, b"/batch/step") as proxy,
        pytest.raises(ServerError, match="a test says so"),
    ):
        audited(proxy.url, [task(i) for i in range(3)])


def test_an_example_that_cannot_be_played_is_closed(server: Server) -> None:
    """The command fails, and the episode is not left open."""
    wanted = Preparation(domains=["retail"], limit=1, few_shot=1)
    with (
        none_left_open(server),
        Broken(server.port, b"/step") as proxy,
        Client(proxy.url, "secret") as client,
        pytest.raises(ServerError, match="a test says so"),
    ):
        prepare(client, wanted)
