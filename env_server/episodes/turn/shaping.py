"""The shaped reward of a turn, computed when the turn is committed."""

from math import fsum
from typing import Final

from env_server.episodes.episode import Episode
from env_server.episodes.turn.part import TurnPart
from env_server.rewards import SCORED, Score
from env_server.rewards.shaping import answer_terms, judge_term, turn_terms, weights_of

DIGITS: Final = 6
"""Decimals of the terms."""


def shape(episode: Episode, part: TurnPart, score: Score | None) -> None:
    """Put the shaped reward of a part into its `info.shaping`, if the reset asked for one.

    A turn whose score comes later is shaped twice: at its end without the judge, and then with it.
    """
    weights = weights_of(episode.turn_options.reward_shaping)
    if weights is None:
        return
    carry, told = part.carry, part.info.get("shaping")
    ended = part.stop in SCORED
    if told is None:
        seen = list(carry.shaping.get("seen", ()))
        failed = part.info.get("parse_failure") is not None
        terms = turn_terms(weights, part.played, seen, parse_failure=failed, forced=part.forced)
        if seen:
            carry.shaping = {"seen": seen}
        if ended:
            facts, called = carry.sample.get("facts", {}), bool(carry.sample.get("success"))
            terms |= answer_terms(weights, episode.task, facts, part.answer, success=called)
    else:
        terms = dict(told["terms"])
    partial = False
    if score is not None and score.reward is not None and ended:
        judged, partial = judge_term(weights, episode.task, score)
        terms |= judged
    terms = {name: round(term, DIGITS) for name, term in terms.items()}
    reward = score.reward if score is not None else (0.0 if part.stop is None else None)
    total = round(fsum(terms.values()), DIGITS)
    part.info["shaping"] = {"terms": terms, "total": total, "reward": reward, "partial": partial}
