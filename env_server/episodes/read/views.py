"""Reads for people who look at an episode: what it began with, its newest part, and the rows that each turn changed.

All data comes from SQL, so any process can answer.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from secrets import token_hex
from typing import Any

from agent_env_schemas import ErrorCode, ResetRequest, UserStrategy
from env_server.episodes.live.restore import stored_changes, stored_state
from env_server.episodes.packs.library import Library
from env_server.episodes.read.reader import EpisodeReader
from env_server.errors import ProblemError
from env_server.providers.episode_store import EpisodeStore
from env_server.providers.sealed import SERVER_CALLS, SealedServers
from env_server.providers.spec import CallScope, StateLost
from env_server.records import EpisodeRow, Store
from env_server.state import RowDiff, TableView, diff_states

FILES_S = 30.0
"""Maximum seconds that a request for files waits while the files are made again."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings and texts with which an episode began. `user` is the strategy of its user."""

    user: str
    user_tools: list[dict[str, Any]]
    max_turns: int
    split: str | None
    template: str | None
    difficulty: int | None
    has_world: bool
    """Whether it plays in an offline world, which `EpisodeViews.world` shows."""


@dataclass(frozen=True, slots=True)
class WorldSeen:
    """The offline world of an episode after its newest turn (`store`) and at its beginning (`begun`)."""

    store: EpisodeStore
    begun: EpisodeStore
    now: datetime
    """The time of the task."""

    remembering: frozenset[str]
    """The tools with a memory of their own that the episode has called, such as those of a Python sandbox."""


@dataclass(frozen=True)
class EpisodeViews:
    """Reader for people."""

    store: Store
    library: Library
    reader: EpisodeReader
    _one_reader: asyncio.Lock = field(default_factory=asyncio.Lock)

    def mark(self, episode_id: str) -> str:
        """Return a mark of the episode's newest committed part. It changes with every commit.

        Raises:
            ProblemError: if there is no such episode.
        """
        row = self.reader.row(episode_id)
        last = self.store.reads.last_turn(row.id)
        return "0.0.0" if last is None else f"{last.turn}.{last.part}.{last.seq}"

    async def setup(self, episode_id: str) -> Setup:
        """Return the settings and texts with which the episode began.

        Raises:
            ProblemError: if there is no such episode, or if its pack no longer exists.
        """
        row = self.reader.row(episode_id)
        live, _ = await self.library.of_episode(row.pack)
        task, options = self.library.task(row.task), ResetRequest.model_validate_json(row.options)
        user = options.user.strategy or (UserStrategy.SCRIPTED if task.user is not None else UserStrategy.NONE)
        tools = live.pack.user_schemas if user == UserStrategy.EXTERNAL else []
        has_world = task.moment is not None and EpisodeStore.fits(live.pack.snapshot)
        return Setup(str(user), list(tools), options.max_turns, task.split, task.template, task.measured, has_world)

    async def world(self, episode_id: str) -> WorldSeen | None:
        """Return the offline world of the episode, or None if it plays in none.

        Raises:
            ProblemError: if there is no such episode, or if its pack no longer exists.
        """
        row = self.reader.row(episode_id)
        live, _ = await self.library.of_episode(row.pack)
        task = self.library.task(row.task)
        if task.moment is None or not EpisodeStore.fits(live.pack.snapshot):
            return None
        begun = self.library.beginning(live, task)
        state = await stored_state(self.store, self.library, row)
        calls = TableView(state, SERVER_CALLS) if SERVER_CALLS.name in live.pack.snapshot.tables else ()
        remembering = frozenset(call["tool"] for call in calls)
        return WorldSeen(EpisodeStore(state), EpisodeStore(begun), task.moment, remembering)

    async def files(self, episode_id: str, limit: int) -> dict[str, tuple[int, bytes]]:
        """Return the size and the first `limit` bytes of each file that the episode has left in its sandbox.

        Files are not stored. The episode's calls to the sandbox are made again, for one reader at a time and apart
        from the episode itself.

        Raises:
            ProblemError: if there is no such episode, or if its files cannot be made again.
        """
        row = self.reader.row(episode_id)
        live, _ = await self.library.of_episode(row.pack)
        sealed = [each for each in live.pack.providers if isinstance(each, SealedServers)]
        if SERVER_CALLS.name not in live.pack.snapshot.tables or not sealed:
            return {}
        task, state = self.library.task(row.task), await stored_state(self.store, self.library, row)
        scope = CallScope(state, f"{episode_id}/files/{token_hex(8)}", task.moment)
        try:
            async with self._one_reader, asyncio.timeout(FILES_S):
                return await sealed[0].files(scope, limit)
        except StateLost as e:
            raise ProblemError(ErrorCode.NOT_FOUND, f"the files cannot be made again: {e}") from e
        except TimeoutError as e:
            raise ProblemError(ErrorCode.NOT_FOUND, f"to make the files again takes over {FILES_S:g} seconds") from e

    async def changes(self, episode_id: str) -> dict[int, list[RowDiff]]:
        """Return the rows that each turn changed, with their values before and after it.

        Rows in which the server remembers calls are left out.

        Raises:
            ProblemError: if there is no such episode, or if its pack no longer exists.
        """
        row: EpisodeRow = self.reader.row(episode_id)
        live, _ = await self.library.of_episode(row.pack)
        state = self.library.beginning(live, self.library.task(row.task))
        found: dict[int, list[RowDiff]] = {}
        for turn, versions in groupby(self.store.reads.row_versions(row.id), key=lambda version: version.turn):
            after = state.fork().apply(stored_changes(list(versions)))
            found[turn] = [each for each in diff_states(state, after) if each.table != SERVER_CALLS.name]
            state = after
        return found
