"""Simulated users: `scripted` follows the task's agenda, `external` speaks from outside, `none` is nobody."""

from collections.abc import Mapping

from env_server.users.base import STOP, Own, Said, User
from env_server.users.external import EXTERNAL
from env_server.users.none import NONE
from env_server.users.scripted import SCRIPTED

__all__ = ["STOP", "STRATEGIES", "Own", "Said", "User"]

STRATEGIES: Mapping[str, User] = {user.name: user for user in (SCRIPTED, EXTERNAL, NONE)}
"""The strategies by name."""
