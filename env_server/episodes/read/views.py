"""Reads for people who look at an episode: what it began with, its newest part, and the rows that each turn changed.

All data comes from SQL, so any process can answer.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from agent_env_schemas import ResetRequest, UserStrategy
from env_server.episodes.live.restore import stored_changes
from env_server.episodes.packs.library import Library
from env_server.episodes.read.reader import EpisodeReader
from env_server.records import EpisodeRow, Store
from env_server.state import RowDiff, diff_states


@dataclass(frozen=True, slots=True)
class Setup:
    """What an episode was begun with. `user` is the strategy of its user."""

    user: str
    user_tools: list[dict[str, Any]]
    max_turns: int
    split: str | None
    template: str | None
    difficulty: int | None


@dataclass(frozen=True)
class EpisodeViews:
    """Reader for people."""

    store: Store
    library: Library
    reader: EpisodeReader

    def mark(self, episode_id: str) -> str:
        """Return a mark of the episode's newest committed part. It changes with every commit.

        Raises:
            ProblemError: if there is no such episode.
        """
        row = self.reader.row(episode_id)
        last = self.store.reads.last_turn(row.id)
        return "0.0.0" if last is None else f"{last.turn}.{last.part}.{last.seq}"

    async def setup(self, episode_id: str) -> Setup:
        """Return what the episode was begun with.

        Raises:
            ProblemError: if there is no such episode, or if its pack no longer exists.
        """
        row = self.reader.row(episode_id)
        live, _ = await self.library.of_episode(row.pack)
        task, options = self.library.task(row.task), ResetRequest.model_validate_json(row.options)
        user = options.user.strategy or (UserStrategy.SCRIPTED if task.user is not None else UserStrategy.NONE)
        tools = live.pack.user_schemas if user == UserStrategy.EXTERNAL else []
        return Setup(str(user), list(tools), options.max_turns, task.split, task.template, task.measured)

    async def changes(self, episode_id: str) -> dict[int, list[RowDiff]]:
        """Return the rows that each turn changed, with their values before and after it.

        Raises:
            ProblemError: if there is no such episode, or if its pack no longer exists.
        """
        row: EpisodeRow = self.reader.row(episode_id)
        live, _ = await self.library.of_episode(row.pack)
        state = self.library.beginning(live, self.library.task(row.task))
        found: dict[int, list[RowDiff]] = {}
        for turn, versions in groupby(self.store.reads.row_versions(row.id), key=lambda version: version.turn):
            after = state.fork().apply(stored_changes(list(versions)))
            found[turn] = diff_states(state, after)
            state = after
        return found
