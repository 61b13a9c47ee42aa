"""A server that takes calls and does not answer: how long it holds up a run that is cancelled or fails."""

import asyncio
import time
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.playing import Game, after_talk
from tests.trainer_client.proxy import Proxy, defect
from trainer_client.skyrl.generator import ENOUGH
from trainer_client.skyrl.lost_rollouts import TooManyLost

ENV = "environment.skyrl_gym"
WORKERS = 4
AGENT_ENV = f"{ENV}.agent_env"
PATIENCE_S = 600
HURRIED = {f"{AGENT_ENV}.timeout_s": 1, f"{AGENT_ENV}.patience_s": PATIENCE_S, f"{ENV}.max_env_workers": WORKERS}


class Hanging(Proxy):
    """Never answers calls to `paths`."""

    def __init__(self, port: int, *paths: str) -> None:
        super().__init__(port)
        self.paths = paths

    def sent(self, path: str) -> int:
        """How many calls to `path` came."""
        return sum(f"/{path} ".encode() in request.partition(b"\r\n")[0] for request in self.requests)

    async def _pass_on(self, request: bytes) -> bytes:
        if any(f"/{path} ".encode() in request.partition(b"\r\n")[0] for path in self.paths):
            await asyncio.sleep(600)
        return await super()._pass_on(request)


def test_a_cancelled_batch_sends_nothing_again(server: Server, tokenizer: Any) -> None:
    """A cancelled batch waits for running calls, which takes one attempt at most, and not the whole patience."""
    with Hanging(server.port, "reset") as proxy:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            Game(proxy.url, tokenizer, after_talk, limit_s=0.5, settings=HURRIED, run="hung").play()
        assert time.monotonic() - began < PATIENCE_S
        assert proxy.sent("reset") == WORKERS


def test_a_server_that_hangs_is_not_told_of_every_episode(
    server: Server, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When enough episodes of a cancelled batch could not be closed, no other is tried."""
    monkeypatch.setattr("trainer_client.skyrl.shared_client.IMPATIENT_S", 0.5)
    game = Game(server.url, tokenizer, after_talk, prompts=8, limit_s=3, settings=HURRIED, run="hung-too")
    with Hanging(server.port, "step", "close") as proxy:
        game.url = proxy.url
        with pytest.raises(TimeoutError):
            game.play()
        assert proxy.sent("reset") == 32
        assert ENOUGH <= len({r.partition(b" HTTP")[0] for r in proxy.requests if b"/close " in r}) < ENOUGH + WORKERS


def test_a_run_that_fails_is_not_held_by_what_could_not_be_closed(server: Server, tokenizer: Any) -> None:
    """Too many rollouts are lost: episodes that could not be closed then are left to the server."""

    class Broken(Hanging):
        def choose(self, request: bytes) -> str | bytes | None:
            first = request.partition(b"\r\n")[0]
            return defect() if b"/step " in first or b"/close " in first else None

    with Broken(server.port) as proxy:
        with pytest.raises(TooManyLost):
            Game(proxy.url, tokenizer, after_talk, run="broken-too").play()
        assert proxy.sent("step") == proxy.sent("close") == 16
