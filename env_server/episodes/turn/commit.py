"""The reply to one part of a turn, and the commit of both."""

from collections.abc import Mapping
from time import time
from typing import Any

from env_server.episodes.codec.reply import encode, render
from env_server.episodes.codec.text import row_text
from env_server.episodes.episode import Ended, Episode
from env_server.episodes.turn.part import TurnPart
from env_server.episodes.turn.shaping import shape
from env_server.records import ANSWER, Claim, Ending, MemoRow, RowVersion, Store, TurnRow, Unit
from env_server.rewards import SCORED, Score


def body_of(part: TurnPart, score: Score | None, *, drifted: bool) -> dict[str, Any]:
    """Return the reply's fields, without `episode_id`."""
    terminated = part.stop in SCORED
    done = part.stop is not None
    info = part.info
    info["awaiting_user"] = part.carry.awaiting
    if drifted:
        info["drifted"] = True
    if part.carry.unscored is not None:
        info["awaiting_judge"] = True
    if score is not None:
        info |= {"scored": score.scored, "reward_breakdown": score.breakdown, "partial": score.partial}
        info["row_diff"] = score.row_diff
        if score.would_be is not None:
            info["would_be"] = score.would_be
    reward = score.reward if score is not None else (None if done else 0.0)
    if "shaping" in info and reward is not None:
        reward += info["shaping"]["total"]
    return {
        "turn": part.position.turn,
        "observation": part.observation,
        "reward": reward,
        "terminated": terminated,
        "truncated": done and not terminated,
        "done": done,
        "stop_reason": part.stop,
        "state_hash": part.carry.state_hash,
        "info": info,
    }


def kept_answers(answers: Mapping[str, str]) -> list[MemoRow]:
    """Return answers of models as rows to commit, keyed by the digests of their questions."""
    now = time()
    return [MemoRow(ANSWER, digest, text, now) for digest, text in answers.items()]


async def commit_part(
    store: Store, episode: Episode, part: TurnPart, score: Score | None, claim: Claim | None = None
) -> bytes:
    """Commit `part` as the episode's newest and return the reply.

    Raises:
        Conflict: if another process committed it first.
        StorageUnavailable: if the database is unavailable.
    """
    now = time()
    shape(episode, part, score)
    key, (turn, side, seq) = episode.key, part.position
    stored = encode(body_of(part, score, drifted=episode.drifted))
    row = TurnRow(key, turn, side, seq, part.action, stored, part.carry.dump(), part.metadata, now)
    changes = [
        RowVersion(key, turn, side, seq, table, name, None if value is None else row_text(value))
        for table, name, value in episode.state.take_changes()
    ]
    ended = None
    if part.stop is not None and score is not None:
        ended = Ended(turn, part.stop, score.reward, score.scored)
    keys = (part.once,) if part.once is not None else ()
    endings = [Ending(key, turn, ended.stop, ended.reward, ended.scored, now)] if ended else []
    await store.commit(
        Unit(
            turns=[row],
            rows=changes,
            endings=endings,
            keys=keys,
            memos=kept_answers(part.answers) if part.answers else (),
            effects=part.effects,
            recordings=part.recordings,
            claim=claim,
        )
    )
    episode.position, episode.carry, episode.ended, episode.touched = part.position, part.carry, ended, now
    return render(episode.episode_id, stored)
