"""Retries while an episode is shown. An error that may pass is retried, and the screen says so."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from env_server.commands.play.screen import Screen
from env_server.errors import ProblemError
from env_server.evals.retry import may_pass
from env_server.models import ModelUnavailable

TRIES = 5
"""Maximum number of tries of one operation if no person decides."""

PAUSE_S = 1.0
"""Seconds before the second try. The pause doubles with each try."""

LONGEST_PAUSE_S = 60.0
"""Longest accepted pause in seconds. A server that asks for a longer one is not retried."""

T = TypeVar("T")


class Left(Exception):
    """The person does not want to retry."""


class Again(Protocol):
    """Decides whether to retry after a failure."""

    async def __call__(self, why: str, tries: int, pause_s: float | None) -> bool:
        """Return whether to retry, after waiting as needed. `tries` counts the failures.

        `pause_s` is the pause that the failed service asked for, if any.

        Raises:
            Left: if the person wants to leave instead.
        """


@dataclass(frozen=True)
class ShownRetryPolicy:
    """Waits for slow work and retries it after failures, with messages on the screen."""

    screen: Screen
    again: Again

    async def bear(self, who: str, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work`, with retries. `who` is the side that the screen says is awaited.

        Raises:
            ProblemError: if it fails and cannot be retried, or has failed too often.
            ModelUnavailable: if a model has failed too often.
            Left: if the person leaves.
        """
        tries = 0
        while True:
            try:
                with self.screen.waiting(who):
                    return await work()
            except (ProblemError, ModelUnavailable) as e:
                tries += 1
                if not may_pass(e) or not await self.again(str(e), tries, e.retry_after):
                    raise


def after_a_pause(screen: Screen) -> Again:
    """Return an `Again` that retries a limited number of times, each after a pause."""

    async def again(why: str, tries: int, pause_s: float | None) -> bool:
        pause = PAUSE_S * 2 ** (tries - 1) if pause_s is None else pause_s
        if tries >= TRIES or pause > LONGEST_PAUSE_S:
            return False
        screen.hint(f"{why}; trying again in {pause:g} s")
        await asyncio.sleep(pause)
        return True

    return again


def when_told(screen: Screen, ask: Callable[[str], str | None]) -> Again:
    """Return an `Again` that retries when the person says so."""

    async def again(why: str, tries: int, pause_s: float | None) -> bool:  # noqa: ARG001 -- the person decides
        screen.hint(f"{why}; nothing is lost")
        line = ask("Enter tries again, :quit leaves > ")
        if line is None or line.strip().startswith(":q"):
            raise Left
        return True

    return again
