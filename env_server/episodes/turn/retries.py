"""Retries: a message that was already played gets its stored reply. It is not played again.

Callers that do not count turns send a key with each message. A turn is played at most once for a key.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import time

from agent_env_schemas import ErrorCode, UserRequest
from env_server.episodes.codec.keys import scope_of
from env_server.episodes.codec.reply import expand, render
from env_server.episodes.episode import AGENT, SCORE, USER, Carry, Episode
from env_server.episodes.outages import outages_told
from env_server.episodes.packs.library import Library
from env_server.episodes.turn.channel import STEP, Channel
from env_server.episodes.turn.ending import ended_by_server
from env_server.errors import ProblemError
from env_server.records import KeyRow, Store, TurnRow


@dataclass(frozen=True)
class StoredAnswers:
    """Answers of retries, from the store."""

    store: Store
    library: Library
    settle: Callable[[Episode], Awaitable[bytes]]
    """Score an episode whose last turn waits for its score, and return the turn's reply."""

    async def unrestored(self, episode_id: str, turn: int, action: str) -> bytes | None:
        """Return the stored reply of a turn, without restoring the episode; None if this action has none yet."""
        with outages_told(episode_id):
            stored = await self.store.turn(episode_id, turn, AGENT)
            reply = self._reply(stored) if stored is not None and stored.action == action else None
            return None if reply is None else self._rendered(episode_id, reply)

    async def while_judged(self, episode: Episode, key: str | None, action: str, channel: Channel) -> bytes:
        """Answer a message of an episode that waits only for its judge. The episode's lock is not awaited.

        Raises:
            ProblemError: if the message is no retry.
        """
        with outages_told(episode.episode_id):
            known = turn_of_key(self.store, episode, key, action)
            if known is None:
                raise over(episode)
            return await self.turn(episode, known, action, channel)

    async def turn(self, episode: Episode, turn: int, action: str, channel: Channel = STEP) -> bytes:
        """Return the stored reply of the agent's part of a turn.

        Raises:
            ProblemError: if the turn was played with another action.
        """
        stored = self.store.reads.turn(episode.key, turn, AGENT)
        if stored is None:
            raise ProblemError(ErrorCode.INTERNAL, f"turn {turn} is missing from the database")
        if stored.action != action:
            if ended_by_server(stored.action):
                raise over(episode)
            raise ProblemError(ErrorCode.TURN_CONFLICT, f"turn {turn} is committed with another action")
        return await self.part(episode, stored, channel)

    async def part(self, episode: Episode, stored: TurnRow, channel: Channel = STEP) -> bytes:
        """Return the stored reply of a committed part.

        If the score is missing and `channel` waits, score the part first.
        """
        reply = self._reply(stored)
        if reply is None and channel.waits:
            return await self.settle(episode)
        return self._rendered(episode.episode_id, reply or stored.reply)

    async def user_part(self, episode: Episode, turn: int, action: str) -> bytes | None:
        """Return the stored reply of a piece of the user's part of `turn`; None if no piece has this body."""
        for stored in self.store.reads.turns(episode.key, turn, turn):
            if stored.part == USER and stored.action == action:
                return await self.part(episode, stored)
        return None

    def piece(self, episode: Episode, request: UserRequest, action: str) -> bytes | None:
        """Return the stored reply if `request` repeats a committed piece of the awaited part; None for the next piece.

        Raises:
            ProblemError: if `seq` is ahead, or repeats a committed piece with another body.
        """
        turn, part, newest = episode.position
        next_seq = newest + 1 if part == USER else 0
        seq = request.seq
        if seq is not None and seq > next_seq:
            raise ProblemError(ErrorCode.TURN_AHEAD, f"the next piece of the user's part is {next_seq}")
        at = seq if seq is not None else next_seq - 1
        stored = [t for t in self.store.reads.turns(episode.key, turn, turn) if t.part == USER and t.seq == at]
        if stored and stored[0].action == action:
            return self._rendered(episode.episode_id, stored[0].reply)
        if seq is not None and seq < next_seq:
            raise ProblemError(
                ErrorCode.TURN_CONFLICT, f"piece {seq} of the user's part is committed with another body"
            )
        return None

    def _reply(self, row: TurnRow) -> str | None:
        """Return the reply of a committed part as stored; None if the part waits for its score."""
        if Carry.load(row.carry).unscored is None:
            return row.reply
        scored = self.store.reads.turn(row.episode, row.turn, SCORE)
        return None if scored is None else scored.reply

    def _rendered(self, episode_id: str, reply: str) -> bytes:
        return expand(render(episode_id, reply), self.library.blob)


def over(episode: Episode) -> ProblemError:
    """Return the problem that the episode has ended."""
    waits = "" if episode.ended else "; its last turn waits for its score: send that turn again, or close the episode"
    detail = f"the episode is over ({episode.stopped or 'closed'}){waits if episode.stopped else ''}"
    return ProblemError(ErrorCode.EPISODE_OVER, detail, episode.episode_id)


def key_row(episode: Episode, key: str | None, action: str, turn: int) -> KeyRow | None:
    """Return the row that is committed with `turn` and lets `key` find it again. Each episode has its own keys."""
    if key is None:
        return None
    return KeyRow(scope_of(episode.episode_id), key, _digest(action), str(turn), time())


def turn_of_key(store: Store, episode: Episode, key: str | None, action: str) -> int | None:
    """Return the turn that was played for `key`, or None.

    Raises:
        ProblemError: `key_conflict` if the key came with another action.
    """
    known = None if key is None else store.reads.key(scope_of(episode.episode_id), key)
    if known is None:
        return None
    if known.body_digest != _digest(action):
        raise ProblemError(ErrorCode.KEY_CONFLICT, f"key {known.key!r} was used with another call")
    return int(known.reply)


def _digest(action: str) -> str:
    return hashlib.sha256(action.encode()).hexdigest()
