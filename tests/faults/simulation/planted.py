"""Bugs that are put into the server, so that the simulation can show that it finds them."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from unittest.mock import patch

from sqlalchemy import Connection

from agent_env_schemas import StepRequest
from env_server.episodes import Episodes
from env_server.episodes.turn.channel import STEP, Channel
from env_server.records import Claim, Unit, turn_claims
from env_server.records.write.writer import Writer


@contextmanager
def acknowledged_before_the_commit() -> Iterator[None]:
    """A commit returns when it is queued."""

    async def commit(self: Writer, unit: Unit) -> None:
        queued: asyncio.Future[object] = self._submit(unit)
        queued.add_done_callback(lambda done: done.exception())

    with patch.object(Writer, "commit", commit):
        yield


@contextmanager
def retries_are_played_again() -> Iterator[None]:
    """A step counts as a new message, whatever its turn and its key."""
    step = Episodes.step

    async def forgetful(self: Episodes, request: StepRequest, key: str | None = None, channel: Channel = STEP) -> bytes:
        return await step(self, request.model_copy(update={"turn": None}), None, channel)

    with patch.object(Episodes, "step", forgetful):
        yield


@contextmanager
def claims_are_not_fenced() -> Iterator[None]:
    """A process that has lost its claim commits and announces as if it had it."""

    def check(_connection: Connection, _claim: Claim) -> None:
        pass

    def settle(connection: Connection, claim: Claim) -> None:
        connection.execute(turn_claims.SETTLE, {f"c_{name}": value for name, value in claim._asdict().items()})

    with patch.object(turn_claims, "check", check), patch.object(turn_claims, "settle", settle):
        yield


PLANTED: Final[Mapping[str, Callable[[], AbstractContextManager[None]]]] = {
    "acknowledged before the commit": acknowledged_before_the_commit,
    "retries are played again": retries_are_played_again,
    "claims are not fenced": claims_are_not_fenced,
}
