"""Simulated users: `scripted` follows an agenda, `external` speaks from outside, `none` is nobody, or a model."""

from env_server.users.base import STOP, Hearing, Own, Said, User, UserRefused
from env_server.users.roster import STRATEGIES, Users

__all__ = [
    "STOP",
    "STRATEGIES",
    "Hearing",
    "Own",
    "Said",
    "User",
    "UserRefused",
    "Users",
]
