"""Simulated users: `scripted` follows an agenda, `external` speaks from outside, `none` is nobody, or a model."""

from env_server.users.base import STOP, Own, Said, SpendCapReached, User, UserRefused, UserUnavailable
from env_server.users.model import Ledger, ModelConfig
from env_server.users.roster import STRATEGIES, Users

__all__ = [
    "STOP",
    "STRATEGIES",
    "Ledger",
    "ModelConfig",
    "Own",
    "Said",
    "SpendCapReached",
    "User",
    "UserRefused",
    "UserUnavailable",
    "Users",
]
