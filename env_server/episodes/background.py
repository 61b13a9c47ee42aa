"""Work for episodes that no request waits for."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence


class Background:
    """Pieces of work, at most one at a time for each episode."""

    def __init__(self) -> None:
        """Nothing to do yet."""
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def begin(self, episode_id: str, work: Callable[[str], Coroutine[None, None, None]]) -> None:
        """Begin `work` for an episode, unless some is being done for it."""
        if episode_id not in self._tasks:
            task = self._tasks[episode_id] = asyncio.create_task(work(episode_id))
            task.add_done_callback(lambda _: self._tasks.pop(episode_id))

    @property
    def busy(self) -> bool:
        """Whether something is being done."""
        return bool(self._tasks)

    async def leave(self, episode_id: str) -> None:
        """Leave undone what is being done for an episode."""
        await _cancelled([self._tasks[episode_id]] if episode_id in self._tasks else [])

    async def stop(self) -> None:
        """Leave undone what is not done yet."""
        await _cancelled(list(self._tasks.values()))


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
