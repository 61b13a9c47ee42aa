"""Forking: a new episode that has another one's history up to a turn, and goes its own way from there."""

from dataclasses import dataclass
from time import time
from typing import Any

from env_server.episodes.begin import new_id, reset_body
from env_server.episodes.episode import Carry, Episode, Position
from env_server.episodes.history import messages_of
from env_server.episodes.library import Library
from env_server.episodes.reply import decode, encode
from env_server.episodes.restore import read_task, stored_state, user_of
from env_server.episodes.tokens import Tokens
from env_server.errors import ProblemError
from env_server.records import EpisodeRow, HistoryCopy, Store, Unit
from schemas import ErrorCode, ForkRequest, ResetRequest


@dataclass(frozen=True)
class Forker:
    """Forks episodes."""

    store: Store
    library: Library
    tokens: Tokens

    async def fork(self, parent: EpisodeRow, request: ForkRequest, caller: str) -> tuple[Episode, str, Unit]:
        """The fork of `parent` after turn `request.turn`, its reply as stored, and what to commit.

        Raises:
            ProblemError: if the parent has no such turn, or ended with it.
        """
        turns = self.store.reads.turns(parent.id, upto=request.turn)
        last = turns[-1]
        if last.turn < request.turn:
            raise ProblemError(ErrorCode.TURN_AHEAD, f"the newest turn is {last.turn}", parent.episode_id)
        ending = self.store.reads.ending(parent.id)
        if ending is not None and ending.turn <= request.turn:
            detail = f"the episode ended with turn {ending.turn}; fork after an earlier one"
            raise ProblemError(ErrorCode.EPISODE_OVER, detail, parent.episode_id)
        live, drifted = await self.library.of_episode(parent.pack)
        task = read_task(self.store, parent.task)
        seed = parent.seed if request.seed is None else request.seed
        (key,) = await self.store.episode_ids()
        row = parent._replace(
            id=key,
            episode_id=new_id("ep"),
            parent=parent.id,
            parent_turn=request.turn,
            caller=caller,
            seed=seed,
            created_at=time(),
        )
        options = ResetRequest.model_validate_json(parent.options)
        episode = Episode(
            key=key,
            episode_id=row.episode_id,
            live=live,
            task=task,
            seed=seed,
            user=user_of(task, options),
            options=options,
            created_at=row.created_at,
            drifted=drifted,
            state=stored_state(self.store, live, task, parent.id, request.turn),
            position=Position(last.turn, last.part, last.seq),
            carry=Carry.load(last.carry),
        )
        shown: dict[str, Any] = decode(turns[0].reply, self.library.blob)
        shown["observation"] = messages_of(turns, self.library.blob)
        origin = {"episode_id": parent.episode_id, "turn": request.turn}
        reply = encode(reset_body(episode, self.tokens, shown, parent.group_id, origin))
        return episode, reply, Unit(episodes=[row], copies=[HistoryCopy(parent.id, key, request.turn)])
