"""Shaped rewards: a sum for each turn, beside the verified reward.

`presets` holds weights, `terms` looks at the calls of a turn, and `terminal` at the answer.
"""

from env_server.rewards.shaping.presets import weights_of
from env_server.rewards.shaping.terminal import AnswerMarks, answer_terms, judge_term, marks
from env_server.rewards.shaping.terms import PlayedCall, turn_terms

__all__ = ["AnswerMarks", "PlayedCall", "answer_terms", "judge_term", "marks", "turn_terms", "weights_of"]
