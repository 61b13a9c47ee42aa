"""Waiting for others while an episode is shown: what fails and may succeed later is tried again, and says so."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from env_server.commands.play.screen import Screen
from env_server.errors import ProblemError
from env_server.evals.retry import may_pass
from env_server.models import ModelUnavailable

TRIES = 5
"""Of the same, where nobody can be asked."""

PAUSE_S = 1.0
"""Before the second try; doubled with each."""

LONGEST_PAUSE_S = 60.0
"""Whoever asks for more time is not waited for."""

T = TypeVar("T")


class Left(Exception):
    """The person does not want to try again."""


class Again(Protocol):
    """Decides what to do after a failure."""

    async def __call__(self, why: str, tries: int, pause_s: float | None) -> bool:
        """Whether to try once more after so many tries, as soon as this returns; `pause_s` may say how long to wait.

        Raises:
            Left: if the person wants to leave instead.
        """


@dataclass(frozen=True)
class ShownRetryPolicy:
    """How long-lasting or failing work is borne."""

    screen: Screen
    again: Again

    async def bear(self, who: str, work: Callable[[], Awaitable[T]]) -> T:
        """What `work` gives in the end; `who` is waited for.

        Raises:
            ProblemError: if it fails and cannot be tried again, or has been often enough.
            ModelUnavailable: if a model has failed often enough.
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
    """Try again after a pause, some times."""

    async def again(why: str, tries: int, pause_s: float | None) -> bool:
        pause = PAUSE_S * 2 ** (tries - 1) if pause_s is None else pause_s
        if tries >= TRIES or pause > LONGEST_PAUSE_S:
            return False
        screen.hint(f"{why}; trying again in {pause:g} s")
        await asyncio.sleep(pause)
        return True

    return again


def when_told(screen: Screen, ask: Callable[[str], str | None]) -> Again:
    """Try again when the person says so."""

    async def again(why: str, tries: int, pause_s: float | None) -> bool:  # noqa: ARG001 -- the person decides
        screen.hint(f"{why}; nothing is lost")
        line = ask("Enter tries again, :quit leaves > ")
        if line is None or line.strip().startswith(":q"):
            raise Left
        return True

    return again
