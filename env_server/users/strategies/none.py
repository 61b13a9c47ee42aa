"""`none`: no user. The agent works alone on the task's instruction."""

from agent_env_schemas import UserStrategy
from env_server.users.silent import Silent
from env_server.users.strategy import Strategy

NOBODY = Silent(UserStrategy.NONE.value, awaits=False)

STRATEGY = Strategy(UserStrategy.NONE.value, lambda _settings: NOBODY)
