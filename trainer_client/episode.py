"""A handle on one episode that counts its turns."""

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
    from trainer_client.client import Client


class Episode(Progress):
    """One episode; every method may raise what the client's methods raise, and may then be called again as it was.

    As a context manager it closes the episode on leaving: an exception inside is the caller's own failure, so the
    episode is then closed with the reason `infrastructure` and not scored. A server that is away is not waited for; one
    that took the request is, so that the reward is known after leaving.
    """

    def __init__(self, client: Client, reply: EpisodeReply) -> None:
        """Made by `Client.reset` and its like."""
        super().__init__(reply, client.patience)
        self._client = client

    def step(self, action: ActionLike, metadata: Mapping[str, Any] | None = None) -> StepReply:
        """Play the next turn: one message of the agent."""
        return self._stepped(action, self._client.step(self.id, self.turn + 1, action, metadata))

    def refresh(self) -> EpisodeSummary:
        """Ask where the episode stands; for a handle whose episode is (also) played by others, over MCP say."""
        return self._refreshed(self._client.episode(self.id))

    def user(self, content: str | None = None, tool_calls: list[Any] | None = None) -> StepReply:
        """Supply (a piece of) the user's part of the turn that waits for it, whoever played that turn."""
        if self._unanswered is None:
            self.refresh()
        turn, piece = self._asked()
        try:
            reply = self._client.user(self.id, turn, content, tool_calls, piece)
        except ServerError as error:
            self._refused(error)
            raise
        return self._answered(reply)

    def close(self, reason: str | None = None) -> StepReply:
        """End the episode; once it has ended, this is its last reply again."""
        return self._took(self._client.close_episode(self.id, reason))

    def fork(self, turn: int | None = None, seed: int | None = None) -> Episode:
        """Continue after `turn` (the newest by default) in a new episode."""
        return self._client.fork(self.id, self.turn if turn is None else turn, seed)

    def trajectory(self) -> Trajectory:
        """The whole record so far."""
        return self._client.trajectory(self.id)

    def __enter__(self) -> Self:
        """Nothing is opened: the episode has begun."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the episode unless it has ended."""
        if not self.done:
            with leaving(self, error):
                self._took(self._client._leave(self.id, reason(self, error)))
