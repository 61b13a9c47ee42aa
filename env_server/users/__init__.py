"""Simulated users. Each strategy is a module of `strategies/`."""

from env_server.users.base import Hearing, OwnTools, User, UserRefused, UserReply
from env_server.users.roster import Users

__all__ = ["Hearing", "OwnTools", "User", "UserRefused", "UserReply", "Users"]
