"""Rewards: the components of the reward, and the score with its breakdown."""

from env_server.rewards.components.actions import match_call
from env_server.rewards.components.communicate import newly_said
from env_server.rewards.score import SCORED, Score, never_scored, score
from env_server.rewards.score_inputs import GoldOutcome, MadeCall, ScoreInputs

__all__ = [
    "SCORED",
    "GoldOutcome",
    "MadeCall",
    "Score",
    "ScoreInputs",
    "match_call",
    "never_scored",
    "newly_said",
    "score",
]
