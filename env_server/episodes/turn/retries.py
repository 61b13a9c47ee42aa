"""Idempotency keys of turns, for callers that do not count turns. A turn is played at most once for a key."""

import hashlib
from time import time

from agent_env_schemas import ErrorCode
from env_server.episodes.episode import Episode
from env_server.errors import ProblemError
from env_server.records import KeyRow, Store


def key_row(episode: Episode, key: str | None, action: str, turn: int) -> KeyRow | None:
    """Return the row that is committed with `turn` and lets `key` find it again. Each episode has its own keys."""
    if key is None:
        return None
    return KeyRow(_scope(episode), key, _digest(action), str(turn), time())


def turn_of_key(store: Store, episode: Episode, key: str | None, action: str) -> int | None:
    """Return the turn that was played for `key`, or None.

    Raises:
        ProblemError: `key_conflict` if the key came with another action.
    """
    known = None if key is None else store.reads.key(_scope(episode), key)
    if known is None:
        return None
    if known.body_digest != _digest(action):
        raise ProblemError(ErrorCode.KEY_CONFLICT, f"key {known.key!r} was used with another call")
    return int(known.reply)


def _scope(episode: Episode) -> str:
    """Return the scope of an episode's keys. It cannot equal a trainer's name, because such a name has no colon."""
    return f"episode:{episode.episode_id}"


def _digest(action: str) -> str:
    return hashlib.sha256(action.encode()).hexdigest()
