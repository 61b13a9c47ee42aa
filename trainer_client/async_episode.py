"""`Episode` for asyncio."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from schemas import EpisodeReply, EpisodeSummary, StepReply, Trajectory
from trainer_client.calls import ActionLike
from trainer_client.errors import ServerError
from trainer_client.leaving import leaving, reason
from trainer_client.progress import Progress

if TYPE_CHECKING:
    from trainer_client.async_client import AsyncClient


class AsyncEpisode(Progress):
    """One episode; see `trainer_client.episode.Episode`."""

    def __init__(self, client: AsyncClient, reply: EpisodeReply) -> None:
        """Made by `AsyncClient.reset` and its like."""
        super().__init__(reply, client.patience)
        self._client = client

    async def step(self, action: ActionLike, metadata: Mapping[str, Any] | None = None) -> StepReply:
        """Play the next turn: one message of the agent."""
        return self._stepped(action, await self._client.step(self.id, self.turn + 1, action, metadata))

    async def refresh(self) -> EpisodeSummary:
        """Ask where the episode stands; for a handle whose episode is (also) played by others, over MCP say."""
        return self._refreshed(await self._client.episode(self.id))

    async def user(self, content: str | None = None, tool_calls: list[Any] | None = None) -> StepReply:
        """Supply (a piece of) the user's part of the turn that waits for it, whoever played that turn."""
        if self._unanswered is None:
            await self.refresh()
        turn, piece = self._asked()
        try:
            reply = await self._client.user(self.id, turn, content, tool_calls, piece)
        except ServerError as error:
            self._refused(error)
            raise
        return self._answered(reply)

    async def close(self, reason: str | None = None) -> StepReply:
        """End the episode; once it has ended, this is its last reply again."""
        return self._took(await self._client.close_episode(self.id, reason))

    async def fork(self, turn: int | None = None, seed: int | None = None) -> AsyncEpisode:
        """Continue after `turn` (the newest by default) in a new episode."""
        return await self._client.fork(self.id, self.turn if turn is None else turn, seed)

    async def trajectory(self) -> Trajectory:
        """The whole record so far."""
        return await self._client.trajectory(self.id)

    async def __aenter__(self) -> Self:
        """Nothing is opened: the episode has begun."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the episode unless it has ended."""
        if not self.done:
            with leaving(self, error):
                self._took(await self._client._leave(self.id, reason(self, error)))
