"""Rewards: what counts as said, which gold calls were made, what a judge finds, and the score with its breakdown."""

from env_server.rewards.matching import match_call
from env_server.rewards.said import newly_said
from env_server.rewards.score import Evidence, GoldOutcome, Score, score

__all__ = ["Evidence", "GoldOutcome", "Score", "match_call", "newly_said", "score"]
