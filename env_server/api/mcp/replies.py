"""Answers of users who take longer than an MCP client waits for a result.

Many clients give a call up after five seconds, and a language model that plays the user may take longer. So a message
whose answer does not come in time is stored as a promise. The agent is told to ask for the answer, and the turn goes
on. A promised message is played exactly once: by the task that plays it now, or, after a restart or on another replica,
by the call that asks for its answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from time import monotonic
from typing import Any, Final, Self

import orjson

from agent_env_schemas import ErrorCode
from env_server.episodes import Episodes
from env_server.episodes.codec.text import dumps, loads
from env_server.episodes.episode import Episode
from env_server.episodes.turn.channel import Channel, Move
from env_server.errors import ProblemError

PROMISE: Final = "promise"
"""Kind of the memos that hold promised messages, by episode and turn."""

REPORT_S: Final = 1.0
"""Seconds between two reports of progress while a call waits."""

Reply = dict[str, Any]
Report = Callable[[float, float], Awaitable[None]]
"""Reports progress to the client: the seconds waited, and the maximum seconds to wait."""


class UserReplies:
    """The turns of this process whose users take long. As a context manager it cancels them when it is left."""

    def __init__(self, channel: Channel, wait_s: float) -> None:
        """Play messages by `channel`, and wait up to `wait_s` seconds for the answer to each."""
        self._channel, self.wait_s = channel, wait_s
        self._promised: dict[str, asyncio.Task[Reply]] = {}

    async def __aenter__(self) -> Self:
        """Begin nothing."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cancel the turns in flight. Their messages are stored, so a later call plays them."""
        tasks = list(self._promised.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def say(
        self, episodes: Episodes, episode: Episode, action: dict[str, Any], key: str | None, report: Report
    ) -> Reply | None:
        """Play a message. Return None if the answer takes longer; then the message is promised.

        Raises:
            ProblemError: `awaiting_user` if another message is promised; others if the turn cannot be played.
        """
        text = dumps({"action": action, "key": key})
        promised = _promise(episodes, episode, episode.turn + 1)
        if promised is not None and promised != text:
            raise _awaiting(episode)
        if promised is not None:
            return await self.fetch(episodes, episode, report)
        task = asyncio.create_task(self._step(episodes, episode, text))
        try:
            reply = await self._within(task, report)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if reply is None:
            now = await episodes.episode(episode.episode_id)
            if await episodes.store.memos.keep(PROMISE, _name(now, now.turn + 1), text) != text:
                task.cancel()  # it waits behind a message that was promised meanwhile
                raise _awaiting(episode)
            self._hold(episode, task)
        return reply

    async def fetch(self, episodes: Episodes, episode: Episode, report: Report) -> Reply | None:
        """Return the answer to the promised message; None if it takes still longer.

        Raises:
            ProblemError: `not_awaiting_user` if no message is promised; others if the turn cannot be played.
        """
        task = self._promised.get(episode.episode_id)
        if task is None:
            for turn in (episode.turn + 1, episode.turn):
                text = _promise(episodes, episode, turn)
                if text is not None:
                    task = self._hold(episode, asyncio.create_task(self._step(episodes, episode, text, turn)))
                    break
            else:
                raise ProblemError(ErrorCode.NOT_AWAITING_USER, "no message waits for its answer", episode.episode_id)
        return await self._within(task, report)

    def check(self, episodes: Episodes, episode: Episode) -> None:
        """Check that no message of the episode waits for its answer.

        Raises:
            ProblemError: `awaiting_user` if one does.
        """
        if _promise(episodes, episode, episode.turn + 1) is not None:
            raise _awaiting(episode)

    def _hold(self, episode: Episode, task: asyncio.Task[Reply]) -> asyncio.Task[Reply]:
        name = episode.episode_id
        self._promised[name] = task

        def forget(ended: asyncio.Task[Reply]) -> None:
            if self._promised.get(name) is ended:
                del self._promised[name]
            _ = ended.cancelled() or ended.exception()  # the next call plays the promise again and gets the error

        task.add_done_callback(forget)
        return task

    def _step(
        self, episodes: Episodes, episode: Episode, promise: str, turn: int | None = None
    ) -> Coroutine[Any, Any, Reply]:
        said = loads(promise)
        return play(episodes, episode.episode_id, said["action"], self._channel, turn, said["key"])

    async def _within(self, task: asyncio.Task[Reply], report: Report) -> Reply | None:
        """Return the task's result, or None after `wait_s` seconds. The task goes on."""
        began = monotonic()
        while (left := began + self.wait_s - monotonic()) > 0:
            done, _ = await asyncio.wait({task}, timeout=min(REPORT_S, left))
            if done:
                return task.result()
            await report(monotonic() - began, self.wait_s)
        return task.result() if task.done() else None


async def play(
    episodes: Episodes,
    episode_id: str,
    action: dict[str, Any],
    channel: Channel,
    turn: int | None = None,
    key: str | None = None,
) -> Reply:
    """Play an action and return the reply of the step."""
    # No validation here: the id comes from the path, and the parser checks the action.
    reply: Reply = orjson.loads(await episodes.step(Move(episode_id, turn, action), key, channel))
    return reply


def _promise(episodes: Episodes, episode: Episode, turn: int) -> str | None:
    return episodes.store.memos.get(PROMISE, _name(episode, turn))


def _name(episode: Episode, turn: int) -> str:
    return f"{episode.key}/{turn}"


def _awaiting(episode: Episode) -> ProblemError:
    return ProblemError(ErrorCode.AWAITING_USER, "the user has not answered the message before", episode.episode_id)
