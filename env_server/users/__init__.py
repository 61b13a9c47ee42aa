"""Simulated users: `scripted` follows an agenda, `external` speaks from outside, `none` is nobody, or a model."""

from env_server.users.base import STOP, Hearing, OwnTools, User, UserRefused, UserReply
from env_server.users.roster import STRATEGIES, Users

__all__ = [
    "STOP",
    "STRATEGIES",
    "Hearing",
    "OwnTools",
    "User",
    "UserRefused",
    "UserReply",
    "Users",
]
