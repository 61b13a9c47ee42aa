"""Episodes in this process, without HTTP: what commands play on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from agent_env_schemas import (
    CloseRequest,
    EpisodeReply,
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


class LocalClient:
    """Play in this process. Every method raises ProblemError if it is refused or cannot be done."""

    def __init__(self, episodes: Episodes) -> None:
        """Play on `episodes`."""
        self.episodes = episodes

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode."""
        return EpisodeReply.model_validate_json(await self.episodes.reset(request, CALLER))

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""
        return StepReply.model_validate_json(await self.episodes.step(request))

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Supply the user's part."""
        return StepReply.model_validate_json(await self.episodes.user(episode_id, request))

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode; of one that has ended, the last reply again."""
        return StepReply.model_validate_json(await self.episodes.close(episode_id, CloseRequest(reason=reason)))

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """The task, with its reference solution if `gold`."""
        return TaskDetail.model_validate(await self.episodes.catalogue.task(domain, pack, task_id, gold=gold))

    async def tasks(self, domain: str, pack: str, split: str | None, offset: int, limit: int) -> TaskList:
        """A page of a split's listed tasks, or of all splits' in turn."""
        found = await self.episodes.catalogue.tasks(domain, pack, TaskFilter(split), offset, limit)
        return TaskList.model_validate(found)

    async def version(self, domain: str, pack: str) -> str:
        """The version of a pack."""
        return (await self.episodes.library.current(domain, pack)).version


@asynccontextmanager
async def in_process(settings: Settings) -> AsyncIterator[LocalClient]:
    """Episodes in this process, on the database that was asked for, or else on one that is thrown away.

    Raises:
        StorageUnavailable: if the database cannot be reached.
    """
    if "database_url" in settings.model_fields_set:
        async with open_episodes(settings) as episodes:
            yield LocalClient(episodes)
    else:
        async with thrown_away(settings) as local:
            yield local


@asynccontextmanager
async def thrown_away(settings: Settings) -> AsyncIterator[LocalClient]:
    """Episodes in this process, on a database that is thrown away."""
    with TemporaryDirectory(prefix="env-server-") as folder:
        url = f"sqlite:///{Path(folder) / 'play.db'}"
        async with open_episodes(settings.model_copy(update={"database_url": url})) as episodes:
            yield LocalClient(episodes)
