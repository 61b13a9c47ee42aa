"""`scripted`: rules that follow the task's script."""

from agent_env_schemas import UserStrategy
from env_server.users.scripted.user import SCRIPTED
from env_server.users.strategy import Strategy

STRATEGY = Strategy(UserStrategy.SCRIPTED.value, lambda _settings: SCRIPTED, by_rules=True)
