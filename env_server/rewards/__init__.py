"""Rewards: the components of the reward, and the score with its breakdown."""

from env_server.rewards.components.actions import match_call
from env_server.rewards.components.communicate import newly_said
from env_server.rewards.evidence import Evidence, GoldOutcome, MadeCall
from env_server.rewards.score import SCORED, Score, never_scored, score

__all__ = [
    "SCORED",
    "Evidence",
    "GoldOutcome",
    "MadeCall",
    "Score",
    "match_call",
    "never_scored",
    "newly_said",
    "score",
]
