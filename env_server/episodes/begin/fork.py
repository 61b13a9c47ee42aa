"""Forks: a fork is a new episode with another episode's history up to a turn."""

from dataclasses import dataclass
from time import time
from typing import Any

from agent_env_schemas import ErrorCode, ForkRequest
from env_server.episodes.begin.beginner import new_id, reset_body
from env_server.episodes.codec.reply import decode, encode
from env_server.episodes.episode import Carry, Episode
from env_server.episodes.live.restore import episode_at
from env_server.episodes.packs.library import Library
from env_server.episodes.read.history import messages_of
from env_server.errors import ProblemError
from env_server.providers.spec import OutsideProvider
from env_server.records import INTENT, EpisodeRow, HistoryCopy, Store, TurnRow, Unit
from env_server.users import Users

LATEST = 2**31 - 1
"""A turn number that is higher than every real one."""


@dataclass(frozen=True)
class Forker:
    """Builder of forks."""

    store: Store
    library: Library
    users: Users
    has_judge: bool

    async def fork(
        self, parent: EpisodeRow, request: ForkRequest, caller: str, address: str | None
    ) -> tuple[Episode, str, Unit]:
        """Return the fork of `parent` after turn `request.turn`, its stored reply, and the unit to commit.

        Raises:
            ProblemError: if the parent has no such turn, ended with it, is only in the archive, or may have changed
                something outside.
        """
        if self.store.reads.is_archived(parent.id):
            detail = "the episode was moved to the archive, where it can be read and not continued"
            raise ProblemError(ErrorCode.NOT_FORKABLE, detail, parent.episode_id)
        live, _ = await self.library.of_episode(parent.pack)  # slow; the reads below run without a pause
        turns = self.store.reads.turns(parent.id, upto=request.turn)
        last = turns[-1]
        self._refuse_end(parent, request.turn, last)
        self._refuse_outside(parent, request.turn, live.pack.domain.outside)
        (key,) = await self.store.episode_ids()
        row = parent._replace(
            id=key,
            episode_id=new_id("ep"),
            group_id=None,
            parent=parent.id,
            parent_turn=request.turn,
            caller=caller,
            seed=parent.seed if request.seed is None else request.seed,
            created_at=time(),
        )
        versions = self.store.reads.row_versions(parent.id, last.turn)
        episode = await episode_at(self.library, self.users, row, versions, last)
        shown: dict[str, Any] = decode(turns[0].reply, self.library.blob)
        shown["observation"] = messages_of(turns, self.library.blob)
        origin = {"episode_id": parent.episode_id, "turn": request.turn}
        reply = encode(reset_body(episode, shown, address, parent=origin, has_judge=self.has_judge))
        copy = HistoryCopy(parent.id, key, last.turn, last.part, last.seq)
        return episode, reply, Unit(episodes=[row], copies=[copy])

    def _refuse_outside(self, parent: EpisodeRow, turn: int, outside: OutsideProvider | None) -> None:
        """Refuse a fork of an episode that may have changed data outside, because such data cannot be copied.

        Changes up to `turn` count. In a server process that all episodes share, later changes count too, because the
        fork would see them.
        """
        announced = [row for row in self.store.reads.effects_before(parent.id, LATEST) if row.phase == INTENT]
        changed = {
            row.server
            for row in announced
            if row.turn <= turn or (outside is not None and outside.is_shared(row.server))
        }
        if changed:
            detail = f"the episode has used tools that may change something outside ({', '.join(sorted(changed))})"
            raise ProblemError(ErrorCode.NOT_FORKABLE, detail, parent.episode_id)

    def _refuse_end(self, parent: EpisodeRow, wanted: int, last: TurnRow) -> None:
        if last.turn < wanted:
            raise ProblemError(ErrorCode.TURN_AHEAD, f"the newest turn is {last.turn}", parent.episode_id)
        ending = self.store.reads.ending(parent.id)
        unscored = Carry.load(last.carry).unscored is not None
        if unscored or (ending is not None and ending.turn <= wanted):
            detail = f"the episode ended with turn {wanted}; fork after an earlier one"
            raise ProblemError(ErrorCode.EPISODE_OVER, detail, parent.episode_id)
