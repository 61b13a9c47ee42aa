"""Stand-ins in processes of their own, so that they do not slow down the generator that is measured."""

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from tests.skyrl.playing import Game, after_talk
from tests.skyrl.standin.engine import serving
from tests.trainer_client.proxy import Proxy


class Far(Proxy):
    """A way to the server on which every call takes `latency_s` longer."""

    def __init__(self, port: int, latency_s: float) -> None:
        super().__init__(port)
        self.latency_s = latency_s

    async def _pass_on(self, request: bytes) -> bytes:
        await asyncio.sleep(self.latency_s)
        return await super()._pass_on(request)


def far(wire: Connection, port: int, latency_s: float) -> None:
    """Serve a slow way to the server until told to stop."""
    with Far(port, latency_s) as proxy:
        _serve(wire, proxy.url)


def engine(wire: Connection, model: str) -> None:
    """Serve the scripted engine of rollouts of two turns, batch after batch, until told to stop."""
    from skyrl.utils.tok import get_tokenizer  # noqa: PLC0415  # only this process needs it

    tokenizer: Any = get_tokenizer(model, trust_remote_code=True, use_fast=True, padding_side="left")
    with serving(Game("", tokenizer, lambda rollout, turn: after_talk(rollout, turn % 2)).sampler()) as url:
        _serve(wire, url)


@contextmanager
def apart(serve: Callable[..., None], *arguments: Any) -> Iterator[str]:
    """Run `serve` in a new process; the address at which it answers."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, *arguments))
    process.start()
    theirs.close()  # so that a process that dies before it answers is noticed
    try:
        yield ours.recv()
        ours.send("stop")
    finally:
        ours.close()
        process.join()


def _serve(wire: Connection, url: str) -> None:
    wire.send(url)
    with suppress(EOFError):  # whoever asked may be gone
        wire.recv()
