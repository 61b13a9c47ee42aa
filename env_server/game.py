"""Where commands play episodes: in this process (`local`) or on a server over HTTP (`remote`), with one face."""

from typing import Protocol

from schemas import EpisodeReply, ResetRequest, StepReply, StepRequest, TaskDetail, UserRequest


class Game(Protocol):
    """Where an episode is played. Every method raises ProblemError if it is refused or cannot be done."""

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode."""

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""

    async def close(self, episode_id: str) -> StepReply:
        """End the episode."""

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """The task, with its reference solution if `gold`."""
