"""Judges: language models that decide questions that no rule can. The answer has a form that can be checked, and each
question is decided once.
"""

from env_server.rewards.judge.inquiry import Inquiry
from env_server.rewards.judge.judge import Judge, Verdicts
from env_server.rewards.judge.transcript import conversation_text
from env_server.rewards.judge.verdict import Verdict, total_usage

__all__ = ["Inquiry", "Judge", "Verdict", "Verdicts", "conversation_text", "total_usage"]
