"""A client that plays episodes in this process, without HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agent_env_schemas import (
    CloseRequest,
    EpisodeReply,
    ForkRequest,
    ResetRequest,
    StepReply,
    StepRequest,
    TaskDetail,
    TaskList,
    UserRequest,
)
from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.episodes.packs.task_filter import TaskFilter
from env_server.settings import Settings

CALLER = "terminal"


class LocalBackend:
    """Plays in this process. Every method raises ProblemError if the request is refused or fails."""

    def __init__(self, episodes: Episodes) -> None:
        """Play on `episodes`."""
        self.episodes = episodes

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode."""
        return EpisodeReply.model_validate_json(await self.episodes.reset(request, CALLER))

    async def resume(self, episode_id: str) -> EpisodeReply:
        """Begin a copy of an episode after its newest turn. Its observation is the whole conversation."""
        turn = self.episodes.reader.summary(episode_id)["turn"]
        return EpisodeReply.model_validate_json(await self.episodes.fork(episode_id, ForkRequest(turn=turn), CALLER))

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""
        return StepReply.model_validate_json(await self.episodes.step(request))

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Send the user's part of a turn."""
        return StepReply.model_validate_json(await self.episodes.user(episode_id, request))

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode and return its last reply. If it has ended already, only return the reply."""
        return StepReply.model_validate_json(await self.episodes.close(episode_id, CloseRequest(reason=reason)))

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """Return the task, with its reference solution if `gold`."""
        return TaskDetail.model_validate(await self.episodes.catalogue.task(domain, pack, task_id, gold=gold))

    async def tasks(self, domain: str, pack: str, split: str | None, offset: int, limit: int) -> TaskList:
        """Return a page of the listed tasks of a split, or of all splits in order."""
        found = await self.episodes.catalogue.tasks(domain, pack, TaskFilter(split), offset, limit)
        return TaskList.model_validate(found)

    async def trajectory(self, episode_id: str) -> dict[str, Any]:
        """Return the record of the episode as a JSON object."""
        return await asyncio.to_thread(self.episodes.reader.trajectory, episode_id)

    async def version(self, domain: str, pack: str) -> str:
        """Return the version of a pack."""
        return (await self.episodes.library.current(domain, pack)).version


@asynccontextmanager
async def in_process(settings: Settings) -> AsyncIterator[LocalBackend]:
    """Open a client in this process, on the database of `settings`.

    Raises:
        StorageUnavailable: if the database cannot be reached.
    """
    async with open_episodes(settings) as episodes:
        yield LocalBackend(episodes)


@asynccontextmanager
async def thrown_away(settings: Settings) -> AsyncIterator[LocalBackend]:
    """Open a client in this process on a temporary database."""
    with TemporaryDirectory(prefix="env-server-") as folder:
        url = f"sqlite:///{Path(folder) / 'play.db'}"
        async with open_episodes(settings.model_copy(update={"database_url": url})) as episodes:
            yield LocalBackend(episodes)
