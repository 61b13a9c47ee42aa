"""The last turn: score the episode, and the turns by which the server itself ends one (close, deadline, expiry)."""

from dataclasses import replace

import orjson

from env_server.episodes.episode import AGENT, USER, Episode, Position
from env_server.episodes.gold import Golds, gold_state
from env_server.episodes.part import Part
from env_server.rewards import Evidence, Score, score
from env_server.state import diff_states
from schemas import StopReason

SYSTEM_ACTION = '{"end":'
"""How the stored action of a turn begins by which the server ended an episode; no agent's action looks like it."""


async def score_part(golds: Golds, episode: Episode, part: Part) -> Score | None:
    """The episode's score if `part` ends it, else None."""
    if part.stop is None:
        return None
    gold = await golds.outcome(episode.live, episode.task)
    difference = (
        ()
        if gold.hash == part.carry.state_hash
        else diff_states(gold_state(episode.live, episode.task, gold), episode.state)
    )
    evidence = Evidence(
        part.carry.state_hash, gold, frozenset(part.carry.said), frozenset(part.carry.matched), difference
    )
    return score(episode.task, evidence, part.stop, part.close_reason)


def ending_part(episode: Episode, stop: StopReason, reason: str | None = None, action: str | None = None) -> Part:
    """A last turn in which nothing is played; `action` is what came, if anything did."""
    stored = action or SYSTEM_ACTION + orjson.dumps(stop).decode() + ',"reason":' + orjson.dumps(reason).decode() + "}"
    part = Part(next_position(episode), stored, replace(episode.carry, awaiting=False), stop=stop, close_reason=reason)
    part.info = {"format": None, "parse_failure": None, "calls": []}
    return part


def next_position(episode: Episode) -> Position:
    """Where the next part belongs. Whatever competes for it (a step, the user, a close, expiry) meets there."""
    turn, part, seq = episode.position
    if not episode.carry.awaiting:
        return Position(turn + 1, AGENT, 0)
    return Position(turn, USER, seq + 1 if part == USER else 0)


def ended_by_server(stored_action: str) -> bool:
    """Whether a stored action is one of the server's own."""
    return stored_action.startswith(SYSTEM_ACTION)
