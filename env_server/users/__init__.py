"""Simulated users. `scripted` follows an agenda. `external` takes messages from outside. `none` stands for no user. The
other strategies ask a language model.
"""

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
