"""`external`: a person or another program, whose messages arrive at `POST /episodes/{id}/user`."""

from agent_env_schemas import UserStrategy
from env_server.users.silent import Silent
from env_server.users.strategy import Strategy

EXTERNAL = Silent(UserStrategy.EXTERNAL.value, awaits=True)

STRATEGY = Strategy(UserStrategy.EXTERNAL.value, lambda _settings: EXTERNAL)
