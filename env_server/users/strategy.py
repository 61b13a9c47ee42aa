"""A user strategy: its name, how its user is made, and when it can play."""

from collections.abc import Callable
from dataclasses import dataclass

from agent_env_schemas import UserSpec
from env_server.models import Models
from env_server.users.base import User


@dataclass(frozen=True, slots=True)
class UserSettings:
    """The settings of one reset from which a user is made."""

    spec: UserSpec
    models: Models
    run: str = ""
    scope: str = ""
    """A key of the model's questions. Askers that need separate answers to the same question differ in it."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One strategy. Only its module and its value in the wire contract name it."""

    name: str
    user: Callable[[UserSettings], User]
    """Make the user of an episode from the server's settings for users."""

    by_rules: bool = False
    """Whether it plays the task's script by rules. It then needs a script, and conduct counts by default."""

    asks_model: bool = False
    """Whether a language model plays."""
