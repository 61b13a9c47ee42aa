"""Where commands play episodes: in this process (`local`) or on a server over HTTP (`remote`), with one face."""

from typing import Protocol

from agent_env_schemas import EpisodeReply, ResetRequest, StepReply, StepRequest, TaskDetail, TaskList, UserRequest


class EpisodeClient(Protocol):
    """Where an episode is played. Every method raises ProblemError if it is refused or cannot be done."""

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode."""

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode; of one that has ended, the last reply again."""

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """The task, with its reference solution if `gold`."""

    async def tasks(self, domain: str, pack: str, split: str | None, offset: int, limit: int) -> TaskList:
        """A page of a split's listed tasks, or of all splits' in turn."""

    async def version(self, domain: str, pack: str) -> str:
        """The version of a pack."""
