"""The common protocol of clients that play episodes: in this process (`local`) or on a server over HTTP (`remote`)."""

from typing import Any, Protocol

from agent_env_schemas import EpisodeReply, ResetRequest, StepReply, StepRequest, TaskDetail, TaskList, UserRequest


class EpisodeBackend(Protocol):
    """A client that plays episodes. Every method raises ProblemError if the request is refused or fails."""

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode."""

    async def resume(self, episode_id: str) -> EpisodeReply:
        """Begin a copy of an episode after its newest turn. Its observation is the whole conversation."""

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Send the user's part of a turn."""

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode and return its last reply. If it has ended already, only return the reply."""

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """Return the task, with its reference solution if `gold`."""

    async def tasks(self, domain: str, pack: str, split: str | None, offset: int, limit: int) -> TaskList:
        """Return a page of the listed tasks of a split, or of all splits in order."""

    async def version(self, domain: str, pack: str) -> str:
        """Return the version of a pack."""


class RecordSource(Protocol):
    """Reads the records of episodes."""

    async def trajectory(self, episode_id: str) -> dict[str, Any]:
        """Return the record of the episode as a JSON object. Raise ProblemError if there is none."""
