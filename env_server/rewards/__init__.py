"""Rewards: told values, matched gold calls, verdicts of a judge, and the score with its breakdown."""

from env_server.rewards.actions import match_call
from env_server.rewards.communicate import newly_said
from env_server.rewards.score import Evidence, GoldOutcome, Score, never_scored, score

__all__ = ["Evidence", "GoldOutcome", "Score", "match_call", "never_scored", "newly_said", "score"]
